import { randomBytes } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { join, sep } from 'node:path';
import { compressFully, type Encoding, encodingFor } from '../../http/response/compressed.ts';
import { sendBody } from '../../http/response/send-buffer.ts';
import { once } from '../../lib/async/once.ts';
import { programFile } from '../../lib/program-files.ts';
import { PANEL_PAGE, panelFile, panelPolicy, STYLE_NONCE } from '../contract/panel.ts';

const FOLDER = programFile('dist/renderer');

/** The built panel by the addresses of its files, listed at the first request. */
const files = once(async () => {
  const entries = await readdir(FOLDER, { recursive: true, withFileTypes: true });
  const names = entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(FOLDER.length));
  return new Map(names.map((name) => [name.split(sep).join('/'), join(FOLDER, name.slice(1))]));
});

/** The compressed file, by its path and encoding. Names of files contain a hash of the content, so none is outdated. */
const packed = new Map<string, Promise<Buffer>>();

function packedFile(path: string, encoding: Encoding): Promise<Buffer> {
  const key = `${encoding} ${path}`;
  let found = packed.get(key);
  if (found === undefined) {
    found = readFile(path).then((bytes) => compressFully(bytes, encoding));
    packed.set(key, found);
    found.catch(() => packed.delete(key));
  }
  return found;
}

/** Sends the panel's file at this address. @returns false if there is none, and nothing was sent */
export async function sendPanelFile(path: string, response: ServerResponse): Promise<boolean> {
  const requested = panelFile(path);
  const file = requested === null ? undefined : (await files()).get(requested.name);
  if (requested === null || file === undefined) return false;
  response.setHeader('Content-Type', requested.type);
  if (requested.name === PANEL_PAGE) {
    const nonce = randomBytes(16).toString('base64');
    response.setHeader('Content-Security-Policy', panelPolicy(nonce));
    await sendBody(response, (await readFile(file, 'utf8')).replaceAll(STYLE_NONCE, nonce));
    return true;
  }
  response.setHeader('Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'");
  response.setHeader('Vary', 'Accept-Encoding');
  const encoding = COMPRESSIBLE.test(requested.name) ? encodingFor(response.req) : null;
  if (encoding !== null) response.setHeader('Content-Encoding', encoding);
  // With back-pressure: a client that requests many files and reads nothing would fill the memory.
  const bytes = encoding === null ? await readFile(file) : await packedFile(file, encoding);
  await sendBody(response, bytes, { isShared: encoding !== null });
  return true;
}

/** Fonts and pictures are compressed already. */
const COMPRESSIBLE = /\.(?:css|js|svg)$/;
