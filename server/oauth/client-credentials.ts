import type { IncomingMessage } from 'node:http';

export interface ClientCredentials {
  readonly clientId: string;
  readonly secret: string | null;
}

/**
 * How a client says who it is: by HTTP Basic or in the body (RFC 6749 §2.3.1).
 * @returns null when it does not, or says two different things
 */
export function clientCredentials(
  request: IncomingMessage,
  body: Readonly<Record<string, unknown>>,
): ClientCredentials | null {
  const { client_id: inBody, client_secret: secretInBody } = body;
  const basic = basicCredentials(request.headers.authorization);
  if (basic !== null) return inBody === undefined || inBody === basic.clientId ? basic : null;
  if (typeof inBody !== 'string' || inBody === '') return null;
  return { clientId: inBody, secret: typeof secretInBody === 'string' && secretInBody !== '' ? secretInBody : null };
}

export function basicCredentials(header: string | undefined): ClientCredentials | null {
  const credentials = /^basic +([A-Za-z0-9._~+/-]+=*) *$/i.exec(header ?? '')?.[1];
  if (credentials === undefined) return null;
  const text = Buffer.from(credentials, 'base64').toString('utf8');
  const colon = text.indexOf(':');
  return colon < 0 ? null : { clientId: text.slice(0, colon), secret: text.slice(colon + 1) };
}
