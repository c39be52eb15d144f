import type { ItemTarget } from '../access/access.ts';
import type { AccountCaller } from '../access/caller.ts';
import { nameForCaller } from '../files/locks/lock-holder.ts';
import type { LockRecord } from '../files/locks/lock-record.ts';
import type { DavContext } from './context.ts';
import { escapeXml } from './xml/xml-tree.ts';

/**
 * Locks as a caller may see them: what the client of another account stated about its owner is replaced by the name of the account,
 * or left out if the caller may not know it. Locks of the API show the name, too.
 */
export async function shownLocks(
  { files }: DavContext,
  caller: AccountCaller,
  { share }: Pick<ItemTarget, 'share'>,
  locks: readonly LockRecord[],
): Promise<LockRecord[]> {
  const names = new Map<number, string>();
  const shown: LockRecord[] = [];
  for (const lock of locks) {
    const { accountId } = lock;
    if (accountId === caller.account.id && lock.token !== null) {
      shown.push(lock);
      continue;
    }
    const owner = names.get(accountId) ?? escapeXml((await nameForCaller(files, caller, accountId, share)) ?? '');
    names.set(accountId, owner);
    shown.push({ ...lock, owner });
  }
  return shown;
}
