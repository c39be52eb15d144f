import type { ItemTarget } from '../../access/access.ts';
import { type Caller, knowsPeopleAs } from '../../access/caller.ts';
import { displayName } from '../../accounts/account-record.ts';
import { accountsByIds, accountsOfHome } from '../../accounts/account-rows.ts';
import type { AccountRecord } from '../../accounts/accounts.ts';
import { groupIdsOf } from '../../accounts/group-rows.ts';
import { reaches, sees } from '../../accounts/permissions/administration.ts';
import type { Home } from '../../catalogue/homes.ts';
import type { FilesContext, RowsContext } from '../context.ts';
import { depthOf, type LockRecord } from './lock-record.ts';

/** Whether an account may remove locks of others: in its own home, and in those of accounts it administers. */
export async function mayOpenLocks(context: FilesContext, account: AccountRecord, home: Home): Promise<boolean> {
  const owner = await ownerOf(context, home);
  if (owner === null) return account.type === 'superuser';
  return owner.id === account.id || reaches(account, { ...owner, groupIds: await groupsOf(context, owner.id) });
}

/** If several accounts share a home, the first one counts as its owner. */
export async function ownerOf({ database }: RowsContext, home: Home): Promise<AccountRecord | null> {
  const [owner] = await accountsOfHome(database, home.id);
  return owner ?? null;
}

/**
 * Whether a lock does not keep a caller from deleting an item or restoring one. The owner of the home could end every lock in it
 * first. Over WebDAV, however, the programs of one account heed each other's locks (RFC 4918 §6.1), and a caller who is limited to a
 * folder ends no lock from above it.
 * @param owner the account that counts as the owner of the home
 */
export async function mayDeleteDespite(
  context: RowsContext,
  caller: Caller,
  lock: LockRecord,
  { home, top }: Pick<ItemTarget, 'home' | 'top'>,
  owner: () => Promise<AccountRecord | null> = () => ownerOf(context, home),
): Promise<boolean> {
  if (caller.account === undefined || caller.account.homeId !== home.id) return false;
  const { account, lockTokens } = caller;
  if (lockTokens !== undefined && lock.accountId === account.id) return false;
  if (depthOf(lock) < top) return false;
  return (await owner())?.id === account.id;
}

/** The name of an account for the caller; null if they may not know of each other, or if the sharer hides it. */
export async function nameForCaller(
  context: RowsContext,
  caller: Caller,
  accountId: number,
  share: ItemTarget['share'],
): Promise<string | null> {
  if (share?.hidden.has(accountId)) return null;
  const other = await accountSeenBy(context, knowsPeopleAs(caller), accountId);
  return other === null ? null : displayName(other);
}

/** An account as another may know of it; null if it does not exist, or if they may not know of each other. */
export async function accountSeenBy(
  context: RowsContext,
  reader: AccountRecord,
  accountId: number,
): Promise<AccountRecord | null> {
  const [other] = await accountsByIds(context.database, [accountId]);
  if (other === undefined) return null;
  return sees(reader, { ...other, groupIds: await groupsOf(context, accountId) }) ? other : null;
}

async function groupsOf({ database }: RowsContext, accountId: number): Promise<readonly number[]> {
  return (await groupIdsOf(database, [accountId])).get(accountId) ?? [];
}
