import { ApiError } from '../http/errors.ts';
import { t } from '../messages/messages.ts';
import type { Scope } from './scopes.ts';

/** RFC 6750 §3.1. @param missing of the ones that are needed @param needed all of them */
export function insufficientScope(missing: readonly Scope[], needed: readonly Scope[]): ApiError {
  return new ApiError('insufficient_scope', t('api.oauth.insufficientScope', { scope: missing.join(' ') }), {
    details: { scope: missing.join(' ') },
    headers: { 'WWW-Authenticate': `Bearer error="insufficient_scope", scope="${needed.join(' ')}"` },
  });
}
