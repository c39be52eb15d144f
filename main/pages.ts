import { randomBytes } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { extname, join, sep } from 'node:path';
import { WINDOW_ORIGIN } from '../server/control/contract/window.ts';

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
};

const INDEX = '/index.html';
/** Where the page says which styles are its own; another one for every load. */
const NONCE = '__STYLE_NONCE__';

/** The policy of a page. @param nonce of the styles that the page's own script adds */
const policy = (nonce: string) =>
  [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    // A `blob:` is made by the page itself; nothing is fetched from anywhere else.
    "img-src 'self' data: blob:",
    "font-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');

const HEADERS = {
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Cache-Control': 'no-store',
};

/**
 * Answers what the window's pages ask for by `app://larder/…`: the files of one folder that are there when the application
 * starts, by their names, and nothing that an address could lead out to.
 * @param folder absolute
 */
export function pagesIn(folder: string): (request: Request) => Promise<Response> {
  const files = new Map(filesIn(folder).map((name) => [`/${name.split(sep).join('/')}`, join(folder, name)]));

  return async (request) => {
    if (request.method !== 'GET') return refuse(405);
    const url = new URL(request.url);
    if (`${url.protocol}//${url.host}` !== WINDOW_ORIGIN) return refuse(404);
    // What has no extension is a page of the panel, which finds its way itself.
    const name = extname(url.pathname) === '' ? INDEX : url.pathname;
    const file = files.get(name);
    const type = TYPES[extname(name)];
    if (file === undefined || type === undefined) return refuse(404);
    const bytes = await readFile(file);
    if (name !== INDEX) return new Response(new Uint8Array(bytes), { headers: { ...HEADERS, 'Content-Type': type } });
    const nonce = randomBytes(16).toString('base64');
    return new Response(bytes.toString('utf8').replaceAll(NONCE, nonce), {
      headers: { ...HEADERS, 'Content-Type': type, 'Content-Security-Policy': policy(nonce) },
    });
  };
}

function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1));
}

function refuse(status: number): Response {
  return new Response(null, { status, headers: HEADERS });
}
