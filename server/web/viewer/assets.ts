import { createRequire } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { RequestHandler } from 'express';
import { once } from '../../lib/async/once.ts';
import { programFile } from '../../lib/program-files.ts';
import { namesIn, openProductFile } from '../shell/static-assets.ts';

const { resolve } = createRequire(import.meta.url);

const SCRIPT = 'text/javascript; charset=utf-8';
const CSS = 'text/css; charset=utf-8';
const BYTES = 'application/octet-stream';

/** What pdf.js takes when a document needs it: how the letters of Asia are written, fonts that every reader has, colours of print. */
const FOLDERS = ['cmaps', 'standard_fonts', 'iccs'];
/** Of scans, and of colours. */
const DECODERS = ['jbig2.wasm', 'openjpeg.wasm', 'qcms_bg.wasm'];

/** What the viewer loads, all of it the same for everybody. A name of a request is looked up, never made into a path. */
export function viewerFiles(): RequestHandler {
  const files = once(
    async () => new Map((await listed()).map(([name, file, type]) => [`/${name}`, openProductFile({ file, type })])),
  );
  return async (request, response, next) => {
    const send = (await files()).get(request.path);
    if (send === undefined || (request.method !== 'GET' && request.method !== 'HEAD')) return next();
    return send(request, response, next);
  };
}

async function listed(): Promise<[name: string, file: string, type: string][]> {
  const own = (name: string) => programFile(`assets/pages/${name}`);
  const within = (packaged: string) => (path: string) =>
    fileURLToPath(new URL(path, pathToFileURL(resolve(`${packaged}/package.json`))));
  const pdf = within('pdfjs-dist');
  const given = await Promise.all(
    FOLDERS.map(async (folder) => (await namesIn(pdf(folder))).map((name) => `${folder}/${name}`)),
  );
  return [
    ...['viewer-pdf.js', 'viewer-markdown.js'].map((name) => [name, own(name), SCRIPT] as const),
    ...['pages.css', 'viewer.css'].map((name) => [name, own(name), CSS] as const),
    // With what browsers of the last years lack.
    ...['pdf.min.mjs', 'pdf.worker.min.mjs'].map((name) => [name, pdf(`legacy/build/${name}`), SCRIPT] as const),
    ['markdown-it.mjs', within('markdown-it')('dist/browser/markdown-it.esm.min.mjs'), SCRIPT] as const,
    ...DECODERS.map((name) => [`wasm/${name}`, pdf(`wasm/${name}`), 'application/wasm'] as const),
    ...given.flat().map((name) => [name, pdf(name), BYTES] as const),
  ].map(([name, file, type]) => [name, file, type]);
}
