import { type ItemTarget, virtualPathOf } from '../../access/access.ts';
import { type AccountCaller, type Caller, responsibleId } from '../../access/caller.ts';
import type { Home } from '../../catalogue/homes.ts';
import type { Transaction } from '../../database/database.ts';
import { ApiError } from '../../http/errors.ts';
import { normalized } from '../../lib/names/normalized.ts';
import { t } from '../../messages/messages.ts';
import type { FilesContext } from '../context.ts';
import { emitItemEvent } from '../emit.ts';
import { withFile } from '../with-file.ts';
import { mayOpenLocks, nameForCaller } from './lock-holder.ts';

/** @throws ApiError `not_found`, `invalid_path` for a folder, `already_locked`, `locked` by someone else */
export async function lockFile(context: FilesContext, caller: AccountCaller, path: readonly string[]): Promise<void> {
  const { account } = caller;
  const target = await context.access.resolveItem(caller, path, 'files/lock');
  await withFile(context, target, async ({ item }) => {
    const holder = await context.database.write(async (tx) => {
      const { changes } = await tx.run(
        'INSERT INTO locks (item_id, account_id, locked_at) VALUES (?, ?, ?) ON CONFLICT DO NOTHING',
        [item.id, account.id, context.clock.now()],
      );
      return changes > 0 ? null : holderOf(tx, item.id);
    });
    if (holder === account.id) throw new ApiError('already_locked', t('api.locks.alreadyLocked'));
    if (holder !== null) throw await lockedBy(context, caller, holder, target);
    emitItemEvent(context, 'file.locked', caller, target, { itemId: item.id, path: virtualPathOf(target) });
  });
}

/**
 * Removes the caller's own lock; locks of others only for the owner of the home or an administrator of that owner.
 * @throws ApiError `not_found`, `invalid_path` for a folder, `not_locked`, `locked`
 */
export async function unlockFile(context: FilesContext, caller: AccountCaller, path: readonly string[]): Promise<void> {
  const { account } = caller;
  const target = await context.access.resolveItem(caller, path, 'files/unlock');
  await withFile(context, target, async ({ item }) => {
    const mayOpen = await mayOpenLocks(context, account, target.home);
    const holder = await context.database.write(async (tx) => {
      const found = await holderOf(tx, item.id);
      if (found === account.id || mayOpen) await tx.run('DELETE FROM locks WHERE item_id = ?', [item.id]);
      return found;
    });
    if (holder === null) throw new ApiError('not_locked', t('api.locks.notLocked'));
    if (holder !== account.id && !mayOpen) throw await lockedBy(context, caller, holder, target);
    const of = holder === account.id ? null : await usernameOf(context, holder);
    emitItemEvent(context, 'file.unlocked', caller, target, { itemId: item.id, path: virtualPathOf(target), of });
  });
}

async function holderOf(tx: Transaction, itemId: number): Promise<number | null> {
  const row = await tx.get<{ account_id: number }>('SELECT account_id FROM locks WHERE item_id = ?', [itemId]);
  return row?.account_id ?? null;
}

async function usernameOf({ database }: FilesContext, accountId: number): Promise<string | null> {
  const row = await database.get<{ username: string }>('SELECT username FROM accounts WHERE id = ?', [accountId]);
  return row?.username ?? null;
}

/** The locked items of a home. */
export async function lockedIn({ database }: Pick<FilesContext, 'database'>, home: Home): Promise<Set<number>> {
  const rows = await database.all<{ item_id: number }>(
    'SELECT item_id FROM locks CROSS JOIN items ON items.id = item_id WHERE home_id = ?',
    [home.id],
  );
  return new Set(rows.map(({ item_id }) => item_id));
}

/**
 * Checks that nobody else has locked an item or anything below it. Call it with the path locked: locking a file takes the lock of
 * its path too, so the result stays valid.
 * @throws ApiError `locked`
 */
export async function checkUnlocked(context: FilesContext, caller: Caller, target: ItemTarget): Promise<void> {
  const { home, segments } = target;
  const prefix = namesOf(segments);
  for (const { path, account_id: holder } of await locksOfOthers(context, caller, home)) {
    const names = path.split('/');
    if (!namesOf(names).startsWith(prefix)) continue;
    throw await lockedBy(context, caller, holder, { ...target, segments: names });
  }
}

/** One key for names that are equal in either Unicode form. Names contain no slash, so it separates them. */
function namesOf(segments: readonly string[]): string {
  return segments.map((name) => `${normalized(name, 'NFC')}/`).join('');
}

/** With the path to the file. Missing items, which have a name that no disk has, hold no locks. */
function locksOfOthers(
  { database }: FilesContext,
  caller: Caller,
  { id }: Home,
): Promise<{ path: string; account_id: number }[]> {
  return database.all(
    `WITH RECURSIVE up (account_id, parent_id, path) AS (
       SELECT account_id, parent_id, name FROM locks CROSS JOIN items ON items.id = item_id
         WHERE home_id = ?1 AND account_id <> ?2 AND instr(name, '/') = 0
       UNION ALL
       SELECT account_id, items.parent_id, iif(items.parent_id IS NULL, path, items.name || '/' || path)
         FROM up CROSS JOIN items ON items.id = up.parent_id WHERE instr(items.name, '/') = 0
     ) SELECT account_id, path FROM up WHERE parent_id IS NULL`,
    [id, responsibleId(caller)],
  );
}

async function lockedBy(context: FilesContext, caller: Caller, holder: number, target: ItemTarget): Promise<ApiError> {
  const by = await nameForCaller(context, caller, holder, target.share);
  const name = target.segments.at(-1) ?? '';
  const message = by === null ? t('api.locks.lockedByOther', { name }) : t('api.locks.lockedBy', { name, user: by });
  return new ApiError('locked', message, {
    details: { path: virtualPathOf(target), ...(by === null ? {} : { by }) },
  });
}

/** Ends the locks of an item and of everything below it. It starts from the locks, because there are few. */
export async function endLocks(tx: Transaction, homeId: string, itemId: number): Promise<void> {
  await tx.run(
    `WITH RECURSIVE up (lock, id) AS (
       SELECT item_id, item_id FROM locks CROSS JOIN items ON items.id = item_id WHERE home_id = ?1
       UNION ALL SELECT lock, parent_id FROM up CROSS JOIN items ON items.id = up.id WHERE parent_id IS NOT NULL
     ) DELETE FROM locks WHERE item_id IN (SELECT lock FROM up WHERE id = ?2)`,
    [homeId, itemId],
  );
}

/** Moves the lock of a file to its replacement, unless that has one. */
export async function inheritLock(tx: Transaction, itemId: number, replacedId: number): Promise<void> {
  await tx.run('UPDATE OR IGNORE locks SET item_id = ? WHERE item_id = ?', [itemId, replacedId]);
  await tx.run('DELETE FROM locks WHERE item_id = ?', [replacedId]);
}
