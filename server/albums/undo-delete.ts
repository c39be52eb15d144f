import { type AccountCaller, rightsOf } from '../access/caller.ts';
import { isPermitted, permit } from '../access/rights.ts';
import { ApiError } from '../http/errors.ts';
import type { Recipient } from '../shares/share-record.ts';
import { groupToShareWith, userToShareWith } from '../sharing/recipients.ts';
import type { Lost } from './deleted-albums.ts';
import type { AlbumSharingContext } from './share-album.ts';
import { albumNotFound, checkUnlimited } from './visible-albums.ts';

/**
 * Undoes the deletion of an own album. It returns with what may return by the rights of now.
 * @throws ApiError `not_found` for an album that was not deleted, or long ago; `permission_denied`; `conflict` for too many albums
 */
export async function undoDelete(context: AlbumSharingContext, caller: AccountCaller, uuid: string): Promise<Lost> {
  permit(rightsOf(caller), 'albums/add');
  checkUnlimited(caller);
  const { albums, sharing } = context;
  const { account } = caller;
  const before = await albums.recipientsOfDeleted(account.id, uuid);
  if (before === null) throw albumNotFound();
  const recipients: Recipient[] = [];
  if (isPermitted(rightsOf(caller), null, 'albums/share')) {
    for (const recipient of before) if (await mayReturn(sharing, caller, recipient)) recipients.push(recipient);
  }
  const mayLink = isPermitted(rightsOf(caller), null, 'files/weblink');
  return albums.restore(account.id, uuid, { recipients, mayLink });
}

async function mayReturn(
  sharing: AlbumSharingContext['sharing'],
  { account }: AccountCaller,
  { uid, gid }: Recipient,
): Promise<boolean> {
  try {
    if (uid === null) await groupToShareWith(sharing, account, gid);
    else return (await userToShareWith(sharing, account, uid)).type !== 'guest';
    return true;
  } catch (error) {
    if (error instanceof ApiError) return false;
    throw error;
  }
}
