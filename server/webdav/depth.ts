import type { IncomingMessage } from 'node:http';
import { invalidParameter } from '../http/errors.ts';
import { t } from '../messages/messages.ts';

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
