import type { IncomingMessage } from 'node:http';

/**
 * Whether a browser made this request for a page of another site, or to show the reply as a page (Fetch Metadata Request Headers).
 * Browsers add a password to such requests by themselves once they have asked for it. Programs send none of these headers.
 */
export function isForBrowserPage({ headers }: Pick<IncomingMessage, 'headers'>): boolean {
  const { origin, host } = headers;
  const { 'sec-fetch-mode': mode, 'sec-fetch-site': site } = headers;
  if (mode === 'navigate') return true;
  if (site !== undefined && site !== 'none' && site !== 'same-origin') return true;
  return origin !== undefined && origin !== `https://${host}`;
}
