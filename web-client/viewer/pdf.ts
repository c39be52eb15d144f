// Shows a PDF. Only pages near the window are loaded and drawn. Scripts, forms and links of the document are inactive.

import { t } from 'virtual:messages/viewer';
import { make, required } from '../lib/dom.ts';
import { isRecord } from '../lib/requests.ts';
import { showPages } from './pdf-pages.ts';
import { showReady } from './ready.ts';

const main = required(document, 'main');

/** The folder of this script, which contains all of pdf.js. */
const scriptAddress = import.meta.url;
const folder = new URL('./', scriptAddress).href;

/**
 * In a document with an opaque origin, a worker can only come from a blob of its own, and a module blob is refused. The worker
 * sends a message as soon as it listens.
 */
function startWorker(): Promise<Worker> {
  // The space distinguishes it from an import of this module.
  const code = `import (${JSON.stringify(`${folder}pdf.worker.min.mjs`)}).catch(() => postMessage(null));`;
  const worker = new Worker(URL.createObjectURL(new Blob([code], { type: 'text/javascript' })));
  return new Promise((resolve, reject) => {
    const refuse = () => reject(new Error('the worker did not start'));
    worker.addEventListener('error', refuse, { once: true });
    worker.addEventListener('message', ({ data }) => (data === null ? refuse() : resolve(worker)), { once: true });
  });
}

async function open(): Promise<void> {
  const [pdf, port] = await Promise.all([import('pdfjs-dist'), startWorker()]);
  const verbosity = pdf.VerbosityLevel.ERRORS;
  const opening = pdf.getDocument({
    url: new URL(main.dataset.source ?? '', location.href).href,
    worker: pdf.PDFWorker.create({ port, verbosity }),
    verbosity,
    disableStream: true,
    disableAutoFetch: true,
    isEvalSupported: false,
    enableXfa: false,
    cMapUrl: `${folder}cmaps/`,
    standardFontDataUrl: `${folder}standard_fonts/`,
    iccUrl: `${folder}iccs/`,
    wasmUrl: `${folder}wasm/`,
  });
  await showPages(pdf, await opening.promise, main);
}

type Problem = 'password' | 'damaged' | 'gone' | 'other';

/** @param error of pdf.js, identified by its name */
function problemOf(error: unknown): Problem {
  const { name, status } = isRecord(error) ? error : {};
  if (name === 'PasswordException') return 'password';
  if (name === 'InvalidPDFException') return 'damaged';
  return name === 'ResponseException' && status === 404 ? 'gone' : 'other';
}

function showProblem(problem: Problem): void {
  const [heading, help] = [t(`viewer.pdf.${problem}.heading`), t(`viewer.pdf.${problem}.help`)];
  document.querySelector('.counter')?.remove();
  main.className = 'sentence';
  main.replaceChildren(make('p', { class: 'strong' }, heading), make('p', {}, help));
  showReady(main);
}

open().catch((error: unknown) => showProblem(problemOf(error)));
