import type { IncomingMessage } from 'node:http';
import { type ApiError, invalidParameter } from '../http/errors.ts';
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
  throw notAllowed(allowed);
}

function notAllowed(allowed: readonly Depth[]): ApiError {
  return invalidParameter('Depth', t('api.webdav.depth', { allowed: allowed.map((one) => `"${one}"`).join(', ') }));
}

/**
 * For MOVE and DELETE, which act on everything in a folder (RFC 4918 §9.6.1, §9.9.2). `0` means the same for a file.
 * @throws ApiError `invalid_parameter`
 */
export function depthOfWhole(request: IncomingMessage): '0' | 'infinity' {
  return requireDepth(request, ['0', 'infinity']);
}

/** @throws ApiError `invalid_parameter` for a folder without what is in it */
export function refuseFolderAlone(depth: '0' | 'infinity', isFolder: boolean): void {
  if (isFolder && depth === '0') throw notAllowed(['infinity']);
}

/** For PROPFIND (RFC 4918 §9.1.1). @throws DavError `permission_denied` without a depth, and for `infinity` */
export function requireFiniteDepth({ headers }: IncomingMessage): '0' | '1' {
  const { depth } = headers;
  if (depth === '0' || depth === '1') return depth;
  throw new DavError('permission_denied', t('api.webdav.finiteDepth'), '<d:propfind-finite-depth/>');
}
