/**
 * How the built panel is served, in the window of the desktop application and to browsers: the files of one folder, and a page
 * whose policy lets it run and load only the panel's own files.
 */

/** The only document, at `/`. Its pages are in the fragment. */
export const PANEL_PAGE = '/index.html';

/** Placeholder for the nonce of the page's own styles; a new one for every load. */
export const STYLE_NONCE = '__STYLE_NONCE__';

const TYPES: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
  png: 'image/png',
  woff2: 'font/woff2',
};

/** @param path of an address @returns the file of the panel and its media type; null if there is none */
export function panelFile(path: string): { readonly name: string; readonly type: string } | null {
  const name = path === '/' ? PANEL_PAGE : path;
  const type = TYPES[/\.(\w+)$/.exec(name)?.[1] ?? ''];
  return type === undefined ? null : { name, type };
}

/** The page's content security policy. @param nonce of styles that the page's own script adds */
export function panelPolicy(nonce: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    // Only the page itself creates a `blob:`; nothing is fetched from elsewhere.
    "img-src 'self' data: blob:",
    "font-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}
