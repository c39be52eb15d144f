import { createHash } from 'node:crypto';
import { type Caller, responsibleId } from '../../access/caller.ts';
import { addressGroup } from '../../http/connection/client-address.ts';
import type { UploadIdentity, UploadSender } from './upload-rows.ts';

/**
 * The address is included: two devices with one app may send different contents of one size to one path. So is the sign-in, where
 * nothing else identifies the content. Parallel chunks may arrive in any order, which hides a second sender, so the client's own
 * name for the upload counts too.
 */
export function senderOf(
  caller: Caller,
  identity: Pick<UploadIdentity, 'lastModified' | 'digest' | 'parallelId'>,
): UploadSender {
  const { parallelId } = identity;
  const { client, channel, address } = caller;
  const accountId = responsibleId(caller);
  const authorizationId = caller.account === undefined ? '' : (caller.authorizationId ?? '');
  const sender = `${client?.clientId ?? channel} ${addressGroup(address)}`;
  if (parallelId === undefined) {
    return { accountId, client: identifiesContent(identity) ? sender : `${sender} ${authorizationId}` };
  }
  const name = createHash('sha256').update(parallelId).digest('hex');
  return { accountId, client: `${sender} ${authorizationId} ${name}` };
}

/** All senders that a caller can be without a client's own name for the upload. */
export function sendersOf(caller: Caller): UploadSender[] {
  const identified = { lastModified: 0, digest: undefined };
  const unidentified = { lastModified: undefined, digest: undefined };
  return [senderOf(caller, unidentified), senderOf(caller, identified)];
}

/** Whether the client sends enough to distinguish contents of one size without an id. */
export function identifiesContent({ lastModified, digest }: Pick<UploadIdentity, 'lastModified' | 'digest'>): boolean {
  return lastModified !== undefined || digest !== undefined;
}
