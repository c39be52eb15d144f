import type { IncomingMessage } from 'node:http';

export interface ClientCredentials {
  readonly clientId: string;
  readonly secret: string | null;
}

/**
 * The credentials of a client, by HTTP Basic or in the body (RFC 6749 §2.3.1).
 * @returns null when there are none, two different ones, or a Basic header that cannot be decoded
 */
export function clientCredentials(
  request: IncomingMessage,
  body: Readonly<Record<string, unknown>>,
): ClientCredentials | null {
  const { client_id: inBody, client_secret: secretInBody } = body;
  const { authorization } = request.headers;
  const basic = basicCredentials(authorization);
  if (basic === null && /^basic\b/i.test(authorization ?? '')) return null;
  if (basic !== null) return inBody === undefined || inBody === basic.clientId ? basic : null;
  if (typeof inBody !== 'string' || inBody === '') return null;
  return { clientId: inBody, secret: typeof secretInBody === 'string' && secretInBody !== '' ? secretInBody : null };
}

/**
 * Both parts are encoded like form fields before they are joined (RFC 6749 §2.3.1 and appendix B): strict libraries write the
 * `-` and `_` of our secrets as `%2D` and `%5F`. Our ids and secrets contain no `%` or `+`, so unencoded values decode to
 * themselves.
 * @returns null for a missing or wrongly encoded header
 */
export function basicCredentials(header: string | undefined): ClientCredentials | null {
  const credentials = /^basic +([A-Za-z0-9._~+/-]+=*) *$/i.exec(header ?? '')?.[1];
  if (credentials === undefined) return null;
  const text = Buffer.from(credentials, 'base64').toString('utf8');
  const colon = text.indexOf(':');
  if (colon < 0) return null;
  const [clientId, secret] = [formDecoded(text.slice(0, colon)), formDecoded(text.slice(colon + 1))];
  return clientId === null || secret === null ? null : { clientId, secret };
}

/** `application/x-www-form-urlencoded`. @returns null for what cannot be decoded */
function formDecoded(text: string): string | null {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return null;
  }
}
