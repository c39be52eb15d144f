import { createRequire } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { RequestHandler } from 'express';
import { once } from '../../lib/async/once.ts';
import { readClientFiles } from '../shell/client-files.ts';
import { hashedFile, lookUp, namesIn, openToAll, productFile } from '../shell/static-assets.ts';

const { resolve } = createRequire(import.meta.url);

const SCRIPT = 'text/javascript; charset=utf-8';
const BYTES = 'application/octet-stream';

/** What pdf.js takes when a document needs it: how the letters of Asia are written, fonts that every reader has, colours of print. */
const FOLDERS = ['cmaps', 'standard_fonts', 'iccs'];
/** Of scans, and of colours. */
const DECODERS = ['jbig2.wasm', 'openjpeg.wasm', 'qcms_bg.wasm'];

/** What the viewer loads, all of it the same for everybody. */
export function viewerFiles(): RequestHandler {
  return lookUp(once(async () => new Map([...builtFiles(), ...(await packagedFiles())])));
}

type Route = [path: string, send: RequestHandler];

/** Its own scripts and styles. */
function builtFiles(): Route[] {
  const client = readClientFiles('viewer/');
  return client.names.map((name) => [`/${name}`, openToAll(hashedFile(client.path(name)))]);
}

/** What it takes of packages, as they come. */
async function packagedFiles(): Promise<Route[]> {
  const within = (packaged: string) => (path: string) =>
    fileURLToPath(new URL(path, pathToFileURL(resolve(`${packaged}/package.json`))));
  const pdf = within('pdfjs-dist');
  const given = await Promise.all(
    FOLDERS.map(async (folder) => (await namesIn(pdf(folder))).map((name) => `${folder}/${name}`)),
  );
  const files: [name: string, file: string, type: string][] = [
    // With what browsers of the last years lack.
    ['pdf.min.mjs', pdf('legacy/build/pdf.min.mjs'), SCRIPT],
    ['pdf.worker.min.mjs', pdf('legacy/build/pdf.worker.min.mjs'), SCRIPT],
    ['markdown-it.mjs', within('markdown-it')('dist/browser/markdown-it.esm.min.mjs'), SCRIPT],
  ];
  for (const name of DECODERS) files.push([`wasm/${name}`, pdf(`wasm/${name}`), 'application/wasm']);
  for (const name of given.flat()) files.push([name, pdf(name), BYTES]);
  return files.map(([name, file, type]) => [`/${name}`, openToAll(productFile({ file, type }))]);
}
