import { ApiError } from '../http/errors.ts';
import { hrefOf } from './address.ts';
import { addressFinder } from './address-of.ts';
import type { DavCall } from './context.ts';
import { DavError, lockTokenSubmitted } from './failure.ts';

/**
 * The same error, which names the locked resource (RFC 4918 §16, `lock-token-submitted`): it may be another one than that of the
 * request, such as the destination of a MOVE or a folder above.
 */
export async function withLockedAddress(
  { context, caller, address }: Pick<DavCall, 'context' | 'caller' | 'address'>,
  error: unknown,
): Promise<unknown> {
  if (!(error instanceof ApiError) || error instanceof DavError || error.code !== 'locked') return error;
  const { path } = error.details ?? {};
  if (typeof path !== 'string') return error;
  try {
    const segments = await (await addressFinder(context, caller))(path);
    if (segments === null) return error;
    return new DavError('locked', error.message, lockTokenSubmitted(hrefOf(address.prefix, segments, false)));
  } catch (failure) {
    // The refusal is what matters. It names the resource of the request then.
    context.files.log.debug({ err: failure }, 'failed to find the address of what is locked');
    return error;
  }
}
