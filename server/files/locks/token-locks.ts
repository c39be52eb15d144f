import { randomUUID } from 'node:crypto';
import { checkStillShared, type ItemTarget, isTop, virtualPathOf } from '../../access/access.ts';
import { type AccountCaller, responsibleId } from '../../access/caller.ts';
import { onStorage } from '../../access/storage-failure.ts';
import { itemFound } from '../../catalogue/find.ts';
import { rootId } from '../../catalogue/items.ts';
import type { DatabaseReader } from '../../database/database.ts';
import { ApiError } from '../../http/errors.ts';
import { HOUR, SECOND } from '../../lib/clock.ts';
import { t } from '../../messages/messages.ts';
import { type FilesContext, lockKey } from '../context.ts';
import { emitItemEvent } from '../emit.ts';
import { mayOpenLocks } from './lock-holder.ts';
import { covers, deleteExpiredLocks, depthOf, HOLDS, holds, isBelow, type LockRecord, locksIn } from './lock-record.ts';
import { lockedBy } from './locks.ts';

/** Locks with a token that one account can have at the same time. */
const MAX_LOCKS = 1_000;
/** Milliseconds: a client that wants more refreshes its lock. */
export const LONGEST_LOCK = HOUR;
const SHORTEST_LOCK = 5 * SECOND;

/** What a client asks for (RFC 4918 §9.10). */
interface RequestedLock {
  readonly isShared: boolean;
  /** For a folder: whether everything below it is locked too. */
  readonly isDeep: boolean;
  /** XML that needs no context. */
  readonly owner: string;
  /** Milliseconds. */
  readonly timeout: number;
}

/**
 * Locks a file or folder with a token. The lock belongs to the account and credential of the caller.
 * @param check throws when the item must not be locked; called with the path locked, once nothing else forbids it
 * @throws ApiError `not_found`, `locked` when another lock conflicts, `conflict` when the account has too many
 */
export async function addTokenLock(
  context: FilesContext,
  caller: AccountCaller,
  target: ItemTarget,
  requested: RequestedLock,
  check: () => Promise<void> = async () => undefined,
): Promise<LockRecord> {
  const { clock, database } = context;
  const { home, segments } = target;
  return onStorage(async () => {
    await context.catalogue.ensureItemRow(home, segments);
    return context.pathLocks.run([lockKey(home, segments)], async () => {
      await checkStillShared(target);
      const found = await context.disk.run('stat', { homeRoot: home.homeRoot, segments });
      const isDeep = requested.isDeep && found.entry.isDir;
      // It would stop everyone's work in all of it.
      if (isDeep && isTop(target)) throw new ApiError('permission_denied', t('api.locks.whole'));
      await refuseConflicting(context, caller, target, { isShared: requested.isShared, isDeep });
      await check();
      if (found.entry.isDir) context.folderLocks.noteAdded(home.id);
      const isRoot = segments.length === 0;
      const itemId = isRoot ? await rootId(database, home.id, '') : (await itemFound(database, home.id, found)).id;
      const token = `urn:uuid:${randomUUID()}`;
      const now = clock.now();
      const expiresAt = now + limited(requested.timeout);
      await database.write(async (tx) => {
        await deleteExpiredLocks(tx, now);
        await refuseTooMany(tx, caller, now);
        await tx.run(
          `INSERT INTO locks (item_id, account_id, locked_at, token, credential, owner, is_shared, is_deep, expires_at)
           VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
          [
            itemId,
            caller.account.id,
            now,
            token,
            caller.credential?.id ?? null,
            requested.owner,
            requested.isShared ? 1 : 0,
            isDeep ? 1 : 0,
            expiresAt,
          ],
        );
      });
      // Inserted after the check whether there is one: a new entry that waits for this path sees it.
      if (found.entry.isDir) context.folderLocks.noteAdded(home.id);
      if (!isRoot) emitItemEvent(context, 'file.locked', caller, target, { itemId, path: virtualPathOf(target) });
      const lock = (await locksIn(context, home.id)).find((one) => one.token === token);
      if (lock === undefined) throw new ApiError('conflict', t('api.access.pathBusy'));
      return lock;
    });
  });
}

/**
 * Whether a file that does not exist yet could be locked: what is refused anyway must not leave an empty file.
 * @throws ApiError `locked`, `conflict`
 */
export async function checkNewLock(
  context: FilesContext,
  caller: AccountCaller,
  target: ItemTarget,
  { isShared }: Pick<RequestedLock, 'isShared'>,
): Promise<void> {
  await refuseConflicting(context, caller, target, { isShared, isDeep: false });
  await refuseTooMany(context.database, caller, context.clock.now());
}

/** @throws ApiError `locked` when there is a lock beside which the requested one cannot exist */
async function refuseConflicting(
  context: FilesContext,
  caller: AccountCaller,
  target: ItemTarget,
  { isShared, isDeep }: Pick<RequestedLock, 'isShared' | 'isDeep'>,
): Promise<void> {
  for (const lock of await locksIn(context, target.home.id)) {
    const concerns = covers(lock, target) || (isDeep && isBelow(lock, target));
    if (concerns && !(lock.isShared && isShared)) throw await lockedBy(context, caller, lock, target);
  }
}

/** @throws ApiError `conflict` */
async function refuseTooMany(
  database: Pick<DatabaseReader, 'get'>,
  { account }: AccountCaller,
  now: number,
): Promise<void> {
  const owned = await database.get<{ count: number }>(
    `SELECT count(*) AS count FROM locks WHERE account_id = ?1 AND token IS NOT NULL AND ${HOLDS}`,
    [account.id, now],
  );
  if ((owned?.count ?? 0) >= MAX_LOCKS) throw new ApiError('conflict', t('api.locks.tooMany', { most: MAX_LOCKS }));
}

/**
 * Extends the locks whose tokens the caller submits and that protect the item.
 * @param timeout milliseconds from now
 * @param check throws when they must not be extended; called with the path locked
 * @throws ApiError `precondition_failed` when there is none
 */
export async function refreshTokenLock(
  context: FilesContext,
  caller: AccountCaller,
  target: ItemTarget,
  timeout: number,
  check: () => Promise<void> = async () => undefined,
): Promise<LockRecord> {
  const { home, segments } = target;
  return onStorage(() =>
    context.pathLocks.run([lockKey(home, segments)], async () => {
      const own = (await locksIn(context, home.id)).filter(
        (lock) => lock.token !== null && covers(lock, target) && holds(caller, lock),
      );
      const [first] = own;
      if (first === undefined) throw new ApiError('precondition_failed', t('api.locks.tokenUnknown'));
      await check();
      const expiresAt = context.clock.now() + limited(timeout);
      const { changes } = await context.database.write((tx) =>
        tx.run('UPDATE locks SET expires_at = ? WHERE token IN (SELECT value FROM json_each(?))', [
          expiresAt,
          JSON.stringify(own.map(({ token }) => token)),
        ]),
      );
      if (changes === 0) throw new ApiError('precondition_failed', t('api.locks.tokenUnknown'));
      return { ...first, expiresAt };
    }),
  );
}

/**
 * Ends the lock with a token. The owner of the home can end those of others.
 * @param check throws when it must not be ended; called with the path locked
 * @throws ApiError `conflict` when no lock with this token protects the item, `permission_denied` for the lock of another caller
 */
export async function removeTokenLock(
  context: FilesContext,
  caller: AccountCaller,
  target: ItemTarget,
  token: string,
  check: () => Promise<void> = async () => undefined,
): Promise<void> {
  await onStorage(() =>
    context.pathLocks.run([lockKey(target.home, target.segments)], () =>
      removeLocked(context, caller, target, { token, check }),
    ),
  );
}

async function removeLocked(
  context: FilesContext,
  caller: AccountCaller,
  target: ItemTarget,
  { token, check }: { readonly token: string; readonly check: () => Promise<void> },
): Promise<void> {
  const lock = (await locksIn(context, target.home.id)).find((one) => one.token === token && covers(one, target));
  if (lock === undefined) throw new ApiError('conflict', t('api.locks.tokenUnknown'));
  const isOwn = lock.accountId === responsibleId(caller) && (caller.credential?.id ?? null) === lock.credential;
  // Nor may a caller who is limited to a share or a folder end a lock from above it.
  const isWithin = depthOf(lock) >= target.top;
  if (!isOwn && !(isWithin && (await mayOpenLocks(context, caller.account, target.home)))) {
    throw new ApiError('permission_denied', (await lockedBy(context, caller, lock, target)).message);
  }
  await check();
  // The id of a lock that another request has ended may be that of a new one by now.
  const { changes } = await context.database.write((tx) => tx.run('DELETE FROM locks WHERE token = ?', [token]));
  if (changes === 0) throw new ApiError('conflict', t('api.locks.tokenUnknown'));
  const path = virtualPathOf(target);
  if (target.segments.length > 0) {
    emitItemEvent(context, 'file.unlocked', caller, target, { itemId: lock.itemId, path, of: null });
  }
}

function limited(timeout: number): number {
  return Math.min(Math.max(timeout, SHORTEST_LOCK), LONGEST_LOCK);
}
