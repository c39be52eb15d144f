/** §5.1, in the document's order. */
export const SCOPES = [
  'profile',
  'email',
  'list',
  'metadata',
  'upload',
  'download',
  'modify',
  'delete',
  'weblink',
  'share',
  'admin',
] as const;

export type Scope = (typeof SCOPES)[number];

const KNOWN: ReadonlySet<string> = new Set(SCOPES);

export function isScope(text: string): text is Scope {
  return KNOWN.has(text);
}

/**
 * A space-delimited set of scopes (RFC 6749 §3.3), each once, in our order.
 * @returns null when it is empty or has an unknown one
 */
export function parseScopes(text: unknown): Scope[] | null {
  if (typeof text !== 'string') return null;
  const requested = text.split(' ').filter((part) => part !== '');
  if (requested.length === 0 || !requested.every(isScope)) return null;
  return SCOPES.filter((scope) => requested.includes(scope));
}
