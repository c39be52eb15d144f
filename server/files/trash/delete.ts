import { join } from 'node:path';
import { checkStillShared, homePathOf, type ItemTarget, isTop, virtualPathOf } from '../../access/access.ts';
import type { AccountCaller } from '../../access/caller.ts';
import type { ItemName } from '../../access/item-name.ts';
import { onStorage } from '../../access/storage-failure.ts';
import type { Home } from '../../catalogue/homes.ts';
import { rememberPath } from '../../catalogue/remember.ts';
import type { Transaction } from '../../database/database.ts';
import { ApiError } from '../../http/errors.ts';
import type { Preconditions } from '../../http/request/preconditions.ts';
import { companionName, isHiddenName } from '../../lib/names/hidden-names.ts';
import { randomAlphanumeric } from '../../lib/random.ts';
import { t } from '../../messages/messages.ts';
import { StorageError } from '../../storage/errors.ts';
import { flushAndClose, flushEach, flushFolder } from '../../storage/flush.ts';
import { type FilesContext, lockKey } from '../context.ts';
import { emitItemEvent } from '../emit.ts';
import { checkConditions } from '../item-conditions.ts';
import type { EntriesContext } from '../journal/context.ts';
import type { JournalEntryOf } from '../journal/journal.ts';
import { apiLockOf, checkDeletable, checkEntryUnlocked, endLocks } from '../locks/locks.ts';
import { completeSave } from '../move/complete-save.ts';
import { type EndedLock, noteVacated, vacatedAt } from '../move/vacated.ts';
import { recordTrashedRow } from '../publish/previous-content.ts';
import { versionsBelow } from '../versions/version-rows.ts';
import { eraseContent, eraseRows, movedAway } from './erase.ts';

/** How an item is deleted. */
interface DeleteOptions {
  readonly permanent?: boolean;
  /** Evaluated once the path is locked. */
  readonly conditions?: Preconditions | null;
  /** Another condition, evaluated with them. @throws ApiError to refuse it */
  readonly check?: (() => Promise<void>) | undefined;
  /** The program (account, credential and device) that may save a document in several steps: see `move/vacated.ts`. */
  readonly program?: string | undefined;
}

/**
 * Puts an item into the trash, or deletes it permanently (§3). Either way it leaves its folder in one step.
 * @returns the id in the trash; null when it is deleted permanently, or is in the trash of the one who shares it
 * @throws ApiError `not_found`, `invalid_path` for the home itself, `precondition_failed`
 */
export async function deleteItem(
  context: FilesContext,
  caller: AccountCaller,
  named: ItemName,
  { permanent = false, conditions = null, check, program }: DeleteOptions = {},
): Promise<string | null> {
  const action = permanent ? 'files/delete:permanent' : 'files/delete';
  const target = await context.access.resolveItem(caller, named, action);
  if (isTop(target)) throw new ApiError('invalid_path', t('api.files.deleteRoot'));
  const deletion = { permanent, conditions, check, checkLocks: checkDeletable };
  const trashed = await deleteTarget(context, caller, target, deletion);
  await deleteCompanion(context, caller, target, deletion);
  if (program !== undefined && trashed?.isFile === true) await noteStep(context, caller, program, target, trashed);
  return target.share === null ? (trashed?.id ?? null) : null;
}

/** The last step in which a program saves a document, or the first one: see `move/vacated.ts`. */
async function noteStep(
  context: FilesContext,
  caller: AccountCaller,
  program: string,
  target: ItemTarget,
  { id: trashId, itemId, lock }: Trashed,
): Promise<void> {
  if (isHiddenName(target.segments.at(-1) ?? '')) return;
  const left = vacatedAt(context, program, target);
  if (left === null || left.itemId !== itemId || left.successorId === null) {
    noteVacated(context, { program, itemId, former: target, now: { trashId }, lock });
  } else {
    const { former, successorId } = left;
    const requested = { program, trashId, itemId, target: former, successorId, lock };
    await completeSave(context, caller, { ...requested, writtenBefore: null });
  }
}

/**
 * Puts an item that is to be replaced into the trash. A lock keeps everyone from replacing it.
 * @param check a condition, checked once the path is locked
 * @returns where `restoreTrashed` finds it
 * @throws ApiError as `deleteItem`
 */
export async function trashReplaced(
  context: FilesContext,
  caller: AccountCaller,
  path: readonly string[],
  check?: () => Promise<void>,
): Promise<{ readonly home: Home; readonly trashId: string }> {
  const target = await context.access.resolveItem(caller, path, 'files/delete');
  if (isTop(target)) throw new ApiError('invalid_path', t('api.files.deleteRoot'));
  const deletion = { permanent: false, conditions: null, check, checkLocks: checkEntryUnlocked };
  const trashed = await deleteTarget(context, caller, target, deletion);
  await deleteCompanion(context, caller, target, deletion);
  if (trashed === null) throw new Error('an item of the trash has an id');
  return { home: target.home, trashId: trashed.id };
}

/** An item that is in the trash now. */
interface Trashed {
  readonly id: string;
  readonly itemId: number;
  readonly isFile: boolean;
  /** The lock of the API that ended. */
  readonly lock: EndedLock | null;
}

interface Deletion {
  readonly permanent: boolean;
  readonly conditions: Preconditions | null;
  readonly check: (() => Promise<void>) | undefined;
  /** Throws when a lock protects the item from the caller. */
  readonly checkLocks: (context: FilesContext, caller: AccountCaller, target: ItemTarget) => Promise<void>;
}

function deleteTarget(
  context: FilesContext,
  caller: AccountCaller,
  target: ItemTarget,
  { permanent, conditions, check, checkLocks }: Deletion,
): Promise<Trashed | null> {
  const { home, segments } = target;
  const checkLock = () => checkLocks(context, caller, target);
  return onStorage(async () => {
    await context.catalogue.ensureItemRow(home, segments);
    return context.pathLocks.run([lockKey(home, segments)], () =>
      context.catalogue.changing(home, async () => {
        await checkStillShared(target);
        await checkConditions(context, caller, target, conditions);
        await check?.();
        return permanent ? erase(context, caller, target, checkLock) : moveToTrash(context, caller, target, checkLock);
      }),
    );
  });
}

/** The file in which macOS stores the attributes of an item means nothing without it. Listings do not show it. */
async function deleteCompanion(
  context: FilesContext,
  caller: AccountCaller,
  target: ItemTarget,
  deletion: Deletion,
): Promise<void> {
  const { disk, log } = context;
  const { home, segments } = target;
  const name = segments.at(-1) ?? '';
  if (isHiddenName(name)) return;
  // The caller named the item by its uuid, not the companion.
  const companion = { ...target, named: undefined, segments: [...segments.slice(0, -1), companionName(name)] };
  try {
    const { entry } = await disk.run('inspect', { homeRoot: home.homeRoot, segments: companion.segments });
    if (entry === null || entry.isDir) return;
    await deleteTarget(context, caller, companion, { ...deletion, conditions: null, check: undefined });
  } catch (error) {
    // The item itself is deleted. Another program may have deleted the companion, too, or have it open.
    if (!(error instanceof ApiError || error instanceof StorageError)) throw error;
    log.debug({ err: error }, 'failed to delete the companion of an item');
  }
}

/** @param checkLock throws when a lock protects the item */
async function moveToTrash(
  context: FilesContext,
  caller: AccountCaller,
  target: ItemTarget,
  checkLock: () => Promise<void>,
): Promise<Trashed> {
  const { database, journal, clock } = context;
  const { home } = target;
  const trashId = randomAlphanumeric(16);
  const found = await context.disk.run('stat', { homeRoot: home.homeRoot, segments: target.segments });
  await checkLock();
  const segments = [...target.segments.slice(0, -1), found.entry.name];
  const { entry, journalId } = await database.write(async (tx) => {
    const item = await rememberPath(tx, home.id, found.parents, found.entry);
    const entry: JournalEntryOf<'trash'> = {
      kind: 'trash',
      homeId: home.id,
      itemId: item.id,
      identity: found.entry.identity,
      trashId,
      path: homePathOf(segments),
      deletedAt: clock.now(),
      deletedBy: caller.account.id,
    };
    return { entry, journalId: await journal.begin(tx, entry) };
  });
  const unflushed = await moveOutOfFolder(context, target, trashId, journalId);
  const lock = await database.write(async (tx) => {
    const ending = await apiLockOf(tx, entry.itemId);
    await recordTrashed(context, tx, entry, journalId);
    return ending;
  });
  if (unflushed !== null) throw unflushed;
  const { isDir: isFolder } = found.entry;
  const path = virtualPathOf(target, segments);
  emitItemEvent(context, 'item.trashed', caller, target, { itemId: entry.itemId, path, isFolder, trashId });
  return { id: trashId, itemId: entry.itemId, isFile: !isFolder, lock };
}

/** Writes the rows of an item that is in the trash now. Used after a delete, and at a start after a crash during one. */
export async function recordTrashed(
  { journal }: EntriesContext,
  tx: Transaction,
  { homeId, itemId, trashId, path, deletedAt, deletedBy }: JournalEntryOf<'trash'>,
  journalId: number,
): Promise<void> {
  await endLocks(tx, homeId, itemId);
  await recordTrashedRow(tx, homeId, itemId, { id: trashId, path, at: deletedAt, by: deletedBy });
  await journal.end(tx, journalId);
}

/** @param checkLock throws when a lock protects the item */
async function erase(
  context: FilesContext,
  caller: AccountCaller,
  target: ItemTarget,
  checkLock: () => Promise<void>,
): Promise<null> {
  const { database, journal, log } = context;
  const { home } = target;
  const trashId = randomAlphanumeric(16);
  const found = await context.disk.run('stat', { homeRoot: home.homeRoot, segments: target.segments });
  await checkLock();
  const { entry, journalId } = await database.write(async (tx) => {
    const item = await rememberPath(tx, home.id, found.parents, found.entry);
    const versionIds = await versionsBelow(tx, item.id);
    const entry: JournalEntryOf<'erase'> = {
      kind: 'erase',
      homeId: home.id,
      itemId: item.id,
      identity: found.entry.identity,
      trashId,
      versionIds,
    };
    return { entry, journalId: await journal.begin(tx, entry) };
  });
  const unflushed = await moveOutOfFolder(context, target, trashId, journalId);
  const away = await movedAway(context, home, entry.itemId, trashId);
  await database.write((tx) => eraseRows(context, tx, home.id, entry.itemId, away));
  if (unflushed !== null) throw unflushed;
  const path = virtualPathOf(target);
  const { isDir: isFolder } = found.entry;
  emitItemEvent(context, 'item.removed', caller, target, { itemId: entry.itemId, path, isFolder, wasInTrash: false });
  // The item is out of reach already; the space of a large tree is freed in the background.
  eraseContent(context, home, entry, journalId).catch((error) =>
    log.error({ err: error }, 'failed to erase an item; the next start continues'),
  );
  return null;
}

/**
 * Renames the item out of the folder, flushed on both sides. If the disk refuses, the journal entry is removed.
 * @returns a failure to flush, thrown once the rows agree with the disk, or null
 */
async function moveOutOfFolder(
  context: FilesContext,
  { home, segments }: ItemTarget,
  trashId: string,
  journalId: number,
): Promise<unknown> {
  const { database, disk, journal, reserve } = context;
  try {
    const target = join(home.area.trash, trashId);
    const taken = await reserve.forDeletion(() => disk.run('moveOut', { homeRoot: home.homeRoot, segments, target }));
    return await flushEach([flushFolder(home.area.trash), flushAndClose(taken.folderFd)]);
  } catch (error) {
    if (error instanceof StorageError) await database.write((tx) => journal.end(tx, journalId));
    throw error;
  }
}
