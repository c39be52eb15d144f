import { type ItemTarget, isTop, virtualPathOf } from '../../access/access.ts';
import { type AccountCaller, type Caller, responsibleId } from '../../access/caller.ts';
import type { ItemName } from '../../access/item-name.ts';
import { usernameOf } from '../../accounts/account-rows.ts';
import type { Home } from '../../catalogue/homes.ts';
import type { Transaction } from '../../database/database.ts';
import { ApiError } from '../../http/errors.ts';
import { t } from '../../messages/messages.ts';
import type { FilesContext } from '../context.ts';
import { emitItemEvent } from '../emit.ts';
import { withFile } from '../with-file.ts';
import { mayDeleteDespite, mayOpenLocks, nameForCaller } from './lock-holder.ts';
import {
  covers,
  deleteExpiredLocks,
  foreignLocks,
  HOLDS,
  holds,
  isBelow,
  isOnFolderOf,
  type LockRecord,
  type LockRowsContext,
  locksIn,
} from './lock-record.ts';

/** @throws ApiError `not_found`, `invalid_path` for a folder, `already_locked`, `locked` by someone else */
export async function lockFile(context: FilesContext, caller: AccountCaller, named: ItemName): Promise<void> {
  const { account } = caller;
  const target = await context.access.resolveItem(caller, named, 'files/lock');
  await withFile(context, target, async ({ item }) => {
    const locks = (await locksIn(context, target.home.id)).filter((lock) => covers(lock, target));
    const [other] = locks.filter((lock) => !holds(caller, lock));
    if (other !== undefined) throw await lockedBy(context, caller, other, target);
    if (locks.length > 0) throw new ApiError('already_locked', t('api.locks.alreadyLocked'));
    await context.database.write((tx) =>
      tx.run('INSERT INTO locks (item_id, account_id, locked_at) VALUES (?, ?, ?)', [
        item.id,
        account.id,
        context.clock.now(),
      ]),
    );
    emitItemEvent(context, 'file.locked', caller, target, { itemId: item.id, path: virtualPathOf(target) });
  });
}

/**
 * Removes the caller's own lock; locks of others only for the owner of the home or an administrator of that owner.
 * @throws ApiError `not_found`, `invalid_path` for a folder, `not_locked`, `locked`
 */
export async function unlockFile(context: FilesContext, caller: AccountCaller, named: ItemName): Promise<void> {
  const { account } = caller;
  const target = await context.access.resolveItem(caller, named, 'files/unlock');
  await withFile(context, target, async ({ item }) => {
    const mayOpen = await mayOpenLocks(context, account, target.home);
    const locks = (await locksIn(context, target.home.id)).filter(({ itemId }) => itemId === item.id);
    const [first] = locks;
    if (first === undefined) throw new ApiError('not_locked', t('api.locks.notLocked'));
    const [other] = locks.filter((lock) => !holds(caller, lock));
    if (other !== undefined && !mayOpen) throw await lockedBy(context, caller, other, target);
    await context.database.write((tx) => tx.run('DELETE FROM locks WHERE item_id = ?', [item.id]));
    const of = first.accountId === account.id ? null : await usernameOf(context.database, first.accountId);
    emitItemEvent(context, 'file.unlocked', caller, target, { itemId: item.id, path: virtualPathOf(target), of });
  });
}

/** The locked items of a home. */
export async function lockedIn({ database, clock }: LockRowsContext, home: Home): Promise<Set<number>> {
  const rows = await database.all<{ item_id: number }>(
    `SELECT item_id FROM locks CROSS JOIN items ON items.id = item_id
     WHERE home_id = ?1 AND ${HOLDS}`,
    [home.id, clock.now()],
  );
  return new Set(rows.map(({ item_id }) => item_id));
}

/**
 * Checks that no lock forbids a caller to change an item with everything below it. Call it with the path locked: locking a file
 * takes the lock of its path too, so the result stays valid.
 * @throws ApiError `locked`
 */
export async function checkUnlocked(context: FilesContext, caller: Caller, target: ItemTarget): Promise<void> {
  await refuseLocked(context, caller, target, (lock) => covers(lock, target) || isBelow(lock, target));
}

/** The same for a change of the item itself, and of nothing below it. @throws ApiError `locked` */
export async function checkItemUnlocked(context: FilesContext, caller: Caller, target: ItemTarget): Promise<void> {
  await refuseLocked(context, caller, target, (lock) => covers(lock, target));
}

/** The same for a change that also adds the item to its folder, or removes it from there. @throws ApiError `locked` */
export async function checkEntryUnlocked(context: FilesContext, caller: Caller, target: ItemTarget): Promise<void> {
  await refuseLocked(
    context,
    caller,
    target,
    (lock) => covers(lock, target) || isBelow(lock, target) || isOnFolderOf(lock, target),
  );
}

/**
 * The same for a deletion, which the locks of others do not keep the owner of the home from: see `mayDeleteDespite`. The locks of
 * what is deleted end with it.
 * @throws ApiError `locked`
 */
export async function checkDeletable(context: FilesContext, caller: Caller, target: ItemTarget): Promise<void> {
  const concerns = (lock: LockRecord) => covers(lock, target) || isBelow(lock, target) || isOnFolderOf(lock, target);
  await refuseLocked(context, caller, target, concerns, (lock) => mayDeleteDespite(context, caller, lock, target));
}

/** The same for an item that is new at its path: only locks of the folders above concern it. @throws ApiError `locked` */
export async function checkNewEntryUnlocked(context: FilesContext, caller: Caller, target: ItemTarget): Promise<void> {
  if (!(await context.folderLocks.mayExistIn(context.database, target.home.id))) return;
  await refuseLocked(context, caller, target, concernsNewEntry(target));
}

/** The same for an item that comes out of the trash: see `checkDeletable`. @throws ApiError `locked` */
export async function checkRestorable(context: FilesContext, caller: Caller, target: ItemTarget): Promise<void> {
  if (!(await context.folderLocks.mayExistIn(context.database, target.home.id))) return;
  await refuseLocked(context, caller, target, concernsNewEntry(target), (lock) =>
    mayDeleteDespite(context, caller, lock, target),
  );
}

function concernsNewEntry(target: ItemTarget): (lock: LockRecord) => boolean {
  const folder = { segments: target.segments.slice(0, -1) };
  return (lock) => (target.segments.length > 0 && lock.isDeep && covers(lock, folder)) || isOnFolderOf(lock, target);
}

/** The same for a move. @param overwrite whether a file may be at the destination @throws ApiError `locked` */
export async function checkMoveUnlocked(
  context: FilesContext,
  caller: Caller,
  {
    source,
    target,
    overwrite,
  }: { readonly source: ItemTarget; readonly target: ItemTarget; readonly overwrite: boolean },
): Promise<void> {
  await checkEntryUnlocked(context, caller, source);
  await (overwrite ? checkEntryUnlocked : checkNewEntryUnlocked)(context, caller, target);
}

async function refuseLocked(
  context: FilesContext,
  caller: Caller,
  target: ItemTarget,
  concerns: (lock: LockRecord) => boolean,
  isPassed: (lock: LockRecord) => Promise<boolean> = async () => false,
): Promise<void> {
  for (const lock of foreignLocks(caller, await locksIn(context, target.home.id))) {
    if (!concerns(lock) || (await isPassed(lock))) continue;
    throw await lockedBy(context, caller, lock, target);
  }
}

/** The error for a lock of another caller or credential. It says whose lock it is if the caller may know. */
export async function lockedBy(
  context: FilesContext,
  caller: Caller,
  lock: LockRecord,
  target: ItemTarget,
): Promise<ApiError> {
  const isOwn = lock.accountId === responsibleId(caller) && caller.account !== undefined;
  const by = isOwn ? null : await nameForCaller(context, caller, lock.accountId, target.share);
  const path = lock.path === '' ? [] : lock.path.split('/');
  // A folder above the shared one is none of the caller's business.
  const shown = isTop({ segments: path, top: target.top }) ? target.segments.slice(0, Math.max(target.top, 1)) : path;
  const name = shown.at(-1) ?? '';
  const message = isOwn
    ? t('api.locks.lockedByOwnProgram', { name })
    : by === null
      ? t('api.locks.lockedByOther', { name })
      : t('api.locks.lockedBy', { name, user: by });
  return new ApiError('locked', message, {
    details: { path: virtualPathOf(target, shown), ...(by === null ? {} : { by }) },
  });
}

/** Ends the locks of an item and of everything below it. It starts from the locks, because there are few. */
export async function endLocks(
  tx: Transaction,
  homeId: string,
  itemId: number,
  which: 'all' | 'with-token' = 'all',
): Promise<void> {
  await tx.run(
    `WITH RECURSIVE up (lock, id) AS (
       SELECT locks.id, item_id FROM locks CROSS JOIN items ON items.id = item_id
         WHERE home_id = ?1 AND (?3 = 'all' OR token IS NOT NULL)
       UNION ALL SELECT lock, parent_id FROM up CROSS JOIN items ON items.id = up.id WHERE parent_id IS NOT NULL
     ) DELETE FROM locks WHERE id IN (SELECT lock FROM up WHERE id = ?2)`,
    [homeId, itemId, which],
  );
}

/** The lock of the API on a file; null if there is none. */
export async function apiLockOf(
  tx: Transaction,
  itemId: number,
): Promise<{ readonly accountId: number; readonly lockedAt: number } | null> {
  const lock = await tx.get<{ accountId: number; lockedAt: number }>(
    'SELECT account_id AS accountId, locked_at AS lockedAt FROM locks WHERE item_id = ? AND token IS NULL',
    [itemId],
  );
  return lock ?? null;
}

/** Locks a file again with a lock of the API that has ended, unless it has one, or the account is gone. */
export async function renewApiLock(
  tx: Transaction,
  itemId: number,
  { accountId, lockedAt }: { readonly accountId: number; readonly lockedAt: number },
): Promise<void> {
  await tx.run(
    `INSERT OR IGNORE INTO locks (item_id, account_id, locked_at) SELECT ?1, id, ?3 FROM accounts WHERE id = ?2`,
    [itemId, accountId, lockedAt],
  );
}

/** Moves the locks of a file to its replacement. If both have a lock of the API, that of the replacement stays. */
export async function inheritLock(tx: Transaction, itemId: number, replacedId: number): Promise<void> {
  await tx.run('UPDATE OR IGNORE locks SET item_id = ? WHERE item_id = ?', [itemId, replacedId]);
  await tx.run('DELETE FROM locks WHERE item_id = ?', [replacedId]);
}

export async function purgeLocks({ database, clock }: LockRowsContext): Promise<void> {
  await database.write((tx) => deleteExpiredLocks(tx, clock.now()));
}
