/**
 * How the built panel is given out, the same in the window of the desktop application and to a browser: the files of one
 * folder, and a page whose policy lets nothing run or be loaded that is not the panel's own.
 */

/** The one page, at `/`. Its own pages are in the fragment. */
export const PANEL_PAGE = '/index.html';

/** Where the page says which styles are its own; another one for every load. */
export const STYLE_NONCE = '__STYLE_NONCE__';

const TYPES: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
  png: 'image/png',
  woff2: 'font/woff2',
};

/** @param path of an address @returns which file of the panel is meant, and its media type; null when none can be */
export function panelFile(path: string): { readonly name: string; readonly type: string } | null {
  const name = path === '/' ? PANEL_PAGE : path;
  const type = TYPES[/\.(\w+)$/.exec(name)?.[1] ?? ''];
  return type === undefined ? null : { name, type };
}

/** The page's policy. @param nonce of the styles that the page's own script adds */
export function panelPolicy(nonce: string): string {
  return [
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
}
