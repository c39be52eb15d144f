import type { IncomingMessage, ServerResponse } from 'node:http';
import { type AccountCaller, rightsOf } from '../../access/caller.ts';
import { type FileAction, permit } from '../../access/rights.ts';
import { ApiError } from '../../http/errors.ts';
import { t } from '../../messages/messages.ts';
import type { NextcloudParts } from '../context.ts';

export type SharingParts = Pick<NextcloudParts, 'basePath' | 'dav' | 'sharing' | 'weblinks' | 'thumbnails'>;

/** A request about shares whose caller is known. */
export interface SharingCall {
  readonly parts: SharingParts;
  readonly caller: AccountCaller;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Asks again who the caller is, after a body has arrived. @throws ApiError when the credential has ended */
  readonly confirm: () => Promise<AccountCaller>;
}

/**
 * Before any lookup. An app may share only if its person has chosen that while connecting it, so that the refusal says how.
 * @throws ApiError `permission_denied`
 */
export function permitSharing(caller: AccountCaller, action: FileAction): void {
  try {
    permit(rightsOf(caller), action);
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'insufficient_scope') throw error;
    throw new ApiError('permission_denied', t('api.nextcloud.shares.mayNot'));
  }
}

/** @returns the error to throw for shares that do not exist, or that the caller may not know of */
export function unknownShare(): ApiError {
  return new ApiError('not_found', t('api.nextcloud.shares.unknown'));
}
