import { randomBytes } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { join, sep } from 'node:path';
import { pipeline } from 'node:stream/promises';
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

/** Sends the panel's file at this address. @returns false if there is none, and nothing was sent */
export async function sendPanelFile(path: string, response: ServerResponse): Promise<boolean> {
  const wanted = panelFile(path);
  const file = wanted === null ? undefined : (await files()).get(wanted.name);
  if (wanted === null || file === undefined) return false;
  response.setHeader('Content-Type', wanted.type);
  if (wanted.name === PANEL_PAGE) {
    const nonce = randomBytes(16).toString('base64');
    response.setHeader('Content-Security-Policy', panelPolicy(nonce));
    await sendBody(response, (await readFile(file, 'utf8')).replaceAll(STYLE_NONCE, nonce));
  } else {
    response.setHeader('Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'");
    response.setHeader('Content-Length', (await stat(file)).size);
    // With back-pressure: a client that requests many files and reads nothing would fill the memory.
    await pipeline(createReadStream(file), response).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error;
    });
  }
  return true;
}
