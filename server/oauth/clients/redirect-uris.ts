import { t } from '../../messages/messages.ts';

const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);
/** Schemes that browsers handle themselves, which a private-use scheme of an app must not be. */
const BROWSER_SCHEMES = new Set([
  'http:',
  'https:',
  'javascript:',
  'data:',
  'file:',
  'blob:',
  'ftp:',
  'ws:',
  'wss:',
  'vbscript:',
  'view-source:',
  'filesystem:',
  'mailto:',
  'about:',
  'cid:',
  'chrome:',
  'chrome-extension:',
  'edge:',
  'feed:',
  'intent:',
  'jar:',
  'livescript:',
  'mhtml:',
  'mocha:',
  'moz-extension:',
  'resource:',
  'sms:',
  'tel:',
  'urn:',
]);
const MAX_LENGTH = 2_000;

/**
 * Why an address may not be registered as a redirect URI, as a sentence, or null when it may: https anywhere, plain
 * http on this computer only (RFC 8252 §7.3), private-use schemes of apps (RFC 8252 §7.1), never a fragment
 * (RFC 6749 §3.1.2) and never a wildcard, because requests must match it exactly.
 */
export function redirectUriProblem(uri: string): string | null {
  if (uri.length > MAX_LENGTH) return t('api.redirectUris.tooLong', { max: MAX_LENGTH });
  if (!/^[\x21-\x7e]+$/.test(uri)) return t('api.redirectUris.characters');
  if (uri.includes('#')) return t('api.redirectUris.fragment');
  if (uri.includes('*')) return t('api.redirectUris.wildcard');
  if (uri.includes('\\')) return t('api.redirectUris.backslash');
  const url = URL.canParse(uri) ? new URL(uri) : null;
  if (url === null) return t('api.redirectUris.relative');
  if (url.username !== '' || url.password !== '') return t('api.redirectUris.credentials');
  if (url.protocol === 'https:' || url.protocol === 'http:') return webAddressProblem(uri, url);
  if (BROWSER_SCHEMES.has(url.protocol)) return t('api.redirectUris.scheme', { scheme: url.protocol });
  return null;
}

/** A redirect URI on this computer by its address: scheme and host, port, and the rest. */
const LOOPBACK_URI = /^(http:\/\/(?:127\.0\.0\.1|\[::1\]))(?::([1-9][0-9]{0,4}))?((?:[/?].*)?)$/;

/**
 * Whether an address is registered for a client. Exact match; public loopback clients may use any port (RFC 8252 §7.3),
 * because they listen on a free one. `localhost` is not accepted as loopback, since it may resolve to another address (§8.3).
 */
export function isRegistered(
  uri: string,
  { redirectUris, isPublic }: { readonly redirectUris: readonly string[]; readonly isPublic: boolean },
): boolean {
  if (redirectUris.includes(uri)) return true;
  const requested = isPublic ? LOOPBACK_URI.exec(uri) : null;
  if (requested === null || Number(requested[2] ?? 80) > 65_535) return false;
  return redirectUris.some((registered) => {
    const entry = LOOPBACK_URI.exec(registered);
    return entry !== null && entry[1] === requested[1] && entry[3] === requested[3];
  });
}

/** As it is written, not as a browser repairs it: `https:/app.example`, `http:localhost`, `http://127.1` and `https://7` are none. */
function webAddressProblem(uri: string, { protocol, hostname }: URL): string | null {
  const authority = /^https?:\/\/([^/?]*)/i.exec(uri)?.[1] ?? '';
  if (authority.includes('@')) return t('api.redirectUris.credentials');
  if (authority.replace(/:\d+$/, '').toLowerCase() !== hostname) return t('api.redirectUris.spelling');
  if (protocol === 'https:') return null;
  return LOOPBACK.has(hostname) ? null : t('api.redirectUris.plainHttp');
}
