import { createRequire } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { RequestHandler } from 'express';
import { once } from '../../lib/async/once.ts';
import { readClientFiles } from '../shell/assets/client-files.ts';
import { hashedFile, lookUp, namesIn, openToAll, productFile } from '../shell/assets/static-assets.ts';

const { resolve } = createRequire(import.meta.url);

const SCRIPT = 'text/javascript; charset=utf-8';
const BYTES = 'application/octet-stream';

/** What pdf.js loads on demand: Asian character maps, standard fonts, colour profiles. */
const FOLDERS = ['cmaps', 'standard_fonts', 'iccs'];
/** For scans and colours. */
const DECODERS = ['jbig2.wasm', 'openjpeg.wasm', 'qcms_bg.wasm'];

/** The files that the viewer loads, the same for everyone. */
export function viewerFiles(): RequestHandler {
  return lookUp(once(async () => new Map([...builtFiles(), ...(await packagedFiles())])));
}

type Route = [path: string, send: RequestHandler];

/** Its own scripts and styles. */
function builtFiles(): Route[] {
  const client = readClientFiles('viewer/');
  return client.names.map((name) => [`/${name}`, openToAll(hashedFile(client.path(name)))]);
}

/** Files taken from packages unchanged. */
async function packagedFiles(): Promise<Route[]> {
  const within = (packaged: string) => (path: string) =>
    fileURLToPath(new URL(path, pathToFileURL(resolve(`${packaged}/package.json`))));
  const pdf = within('pdfjs-dist');
  const given = await Promise.all(
    FOLDERS.map(async (folder) => (await namesIn(pdf(folder))).map((name) => `${folder}/${name}`)),
  );
  const files: [name: string, file: string, type: string][] = [
    // With polyfills for older browsers.
    ['pdf.min.mjs', pdf('legacy/build/pdf.min.mjs'), SCRIPT],
    ['pdf.worker.min.mjs', pdf('legacy/build/pdf.worker.min.mjs'), SCRIPT],
    ['markdown-it.mjs', within('markdown-it')('dist/browser/markdown-it.esm.min.mjs'), SCRIPT],
  ];
  for (const name of DECODERS) files.push([`wasm/${name}`, pdf(`wasm/${name}`), 'application/wasm']);
  for (const name of given.flat()) files.push([name, pdf(name), BYTES]);
  return files.map(([name, file, type]) => [`/${name}`, openToAll(productFile({ file, type }))]);
}
