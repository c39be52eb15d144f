import type { IncomingMessage } from 'node:http';
import { usesHttps } from '../http/connection/client-address.ts';

/** The address of this server as the client knows it, behind a proxy too. Its host was checked against our names before. */
export function ownAddressOf(request: IncomingMessage, basePath: string): string {
  return `${usesHttps(request) ? 'https' : 'http'}://${request.headers.host ?? ''}${basePath}`;
}
