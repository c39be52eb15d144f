import type { IncomingMessage } from 'node:http';
import { invalidParameter } from '../http/errors.ts';
import { t } from '../messages/messages.ts';
import { DavError } from './failure.ts';

export type Depth = '0' | '1' | 'infinity';

/**
 * The header `Depth` (RFC 4918 §10.2); without it, `infinity`.
 * @throws ApiError `invalid_parameter` for one that the method does not allow
 */
export function requireDepth<Allowed extends Depth>(request: IncomingMessage, allowed: readonly Allowed[]): Allowed {
  const depth = String(request.headers.depth ?? 'infinity').toLowerCase();
  const found = allowed.find((one) => one === depth);
  if (found !== undefined) return found;
  throw invalidParameter('Depth', t('api.webdav.depth', { allowed: allowed.map((one) => `"${one}"`).join(', ') }));
}

/** For PROPFIND (RFC 4918 §9.1.1). @throws DavError `permission_denied` without a depth, and for `infinity` */
export function requireFiniteDepth({ headers }: IncomingMessage): '0' | '1' {
  const { depth } = headers;
  if (depth === '0' || depth === '1') return depth;
  throw new DavError('permission_denied', t('api.webdav.finiteDepth'), '<d:propfind-finite-depth/>');
}
