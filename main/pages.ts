import { randomBytes } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { PANEL_PAGE, panelFile, panelPolicy, STYLE_NONCE } from '../server/control/contract/panel.ts';
import { WINDOW_ORIGIN } from '../server/control/contract/window.ts';

const HEADERS = {
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Cache-Control': 'no-store',
};

/**
 * Serves the window's pages at `app://larder/…`: only files that exist in one folder when the application starts, looked up by
 * name, so that no address can lead outside.
 * @param folder absolute
 */
export function pagesIn(folder: string): (request: Request) => Promise<Response> {
  const files = new Map(filesIn(folder).map((name) => [`/${name.split(sep).join('/')}`, join(folder, name)]));

  return async (request) => {
    if (request.method !== 'GET') return refuse(405);
    const url = new URL(request.url);
    if (`${url.protocol}//${url.host}` !== WINDOW_ORIGIN) return refuse(404);
    const requested = panelFile(url.pathname);
    const file = requested === null ? undefined : files.get(requested.name);
    if (requested === null || file === undefined) return refuse(404);
    const bytes = await readFile(file);
    const headers = { ...HEADERS, 'Content-Type': requested.type };
    if (requested.name !== PANEL_PAGE) return new Response(new Uint8Array(bytes), { headers });
    const nonce = randomBytes(16).toString('base64');
    return new Response(bytes.toString('utf8').replaceAll(STYLE_NONCE, nonce), {
      headers: { ...headers, 'Content-Security-Policy': panelPolicy(nonce) },
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
