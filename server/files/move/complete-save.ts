import { join } from 'node:path';
import { checkStillShared, homePathOf, type ItemTarget, virtualPathOf } from '../../access/access.ts';
import type { AccountCaller } from '../../access/caller.ts';
import { onStorage } from '../../access/storage-failure.ts';
import { knownItem } from '../../catalogue/find.ts';
import type { Home } from '../../catalogue/homes.ts';
import { ITEM_COLUMNS, type Item, type ItemRow, itemOf } from '../../catalogue/items.ts';
import type { Transaction } from '../../database/database.ts';
import { ApiError } from '../../http/errors.ts';
import { failPoint } from '../../lib/process/fail-points.ts';
import { renameStored, storedContent } from '../../storage/content/work-area.ts';
import type { DiskEntry } from '../../storage/disk/disk.ts';
import { StorageError } from '../../storage/errors.ts';
import { flushEach, flushFolder } from '../../storage/flush.ts';
import { type FilesContext, lockKey } from '../context.ts';
import { emitItemEvent } from '../emit.ts';
import type { EntriesContext, JournalContext, RecoveryContext } from '../journal/context.ts';
import type { JournalEntryOf } from '../journal/journal.ts';
import { renewApiLock } from '../locks/locks.ts';
import { previousContentPath, retainAs } from '../publish/previous-content.ts';
import { recentWriteOf } from '../publish/recent-writes.ts';
import { statOrNull } from '../publish/replaced-content.ts';
import { deleteTrashRow } from '../trash/trash-rows.ts';
import { eraseVersionsLater, surplusVersions } from '../versions/version-limits.ts';
import { takeIdentity } from './keep-replaced.ts';
import { inheritHistory } from './record-moved.ts';
import { type EndedLock, ONE_STEP } from './vacated.ts';

/** A document in the trash, and the file that has its name now. */
interface SavedDocument {
  readonly program: string;
  readonly trashId: string;
  /** Of the document. */
  readonly itemId: number;
  /** The name. */
  readonly target: ItemTarget;
  /** Of the file that the program has put there. */
  readonly successorId: number;
  /** Of the API, on the document when it was deleted: people lock a name, not one of its contents. */
  readonly lock: EndedLock | null;
  /** The file must have been written before this: see `nextTurn`. Null where it does not matter. */
  readonly writtenBefore: number | null;
}

/**
 * Completes the save of a program that took a document from its name, gave the name to a new file, and deleted the document: the
 * file gets the identity of the document (uuid, shares, links, stars, comments, properties, versions, lock of the API), and the
 * content of the document becomes its latest version. Only what the program has written itself a moment ago gets the identity of
 * another file. Where anything is different, the document stays in the trash. After a crash in between, the next start finishes it:
 * `finishSave`.
 */
export async function completeSave(
  context: FilesContext,
  caller: AccountCaller,
  requested: SavedDocument,
): Promise<void> {
  const { home, segments } = requested.target;
  try {
    await onStorage(() =>
      context.pathLocks.run([lockKey(home, segments), lockKey(home, ['.trash', requested.trashId])], () =>
        context.catalogue.changing(home, () => completeLocked(context, caller, requested)),
      ),
    );
  } catch (error) {
    // The request itself was carried out.
    if (!(error instanceof ApiError || error instanceof StorageError)) throw error;
    context.log.warn({ err: error }, 'failed to complete the save of a document');
  }
}

async function completeLocked(context: FilesContext, caller: AccountCaller, requested: SavedDocument): Promise<void> {
  const { database, journal, settings, clock } = context;
  const { target, trashId, itemId, successorId, lock } = requested;
  const { home, segments } = target;
  await checkStillShared(target);
  const successor = await freshFile(context, requested);
  if (successor === null) return;
  const document = await trashedFile(context, requested);
  if (document === null) return;
  // With versions off, it stays in the trash, and only its identity goes to the file.
  if (settings.values.versionsKept === 0) {
    await database.write((tx) => takeAll(tx, successorId, itemId, lock));
    return;
  }
  const kept = retainAs(settings.values, homePathOf(segments), caller.account.id, clock.now());
  const entry: JournalEntryOf<'complete-save'> = {
    kind: 'complete-save',
    homeId: home.id,
    itemId,
    successorId,
    identity: successor.identity,
    trashId,
    to: [...segments],
    kept,
    ...(lock === null ? {} : { lock }),
  };
  const journalId = await database.write((tx) => journal.begin(tx, entry));
  await renameStored(join(home.area.trash, trashId), previousContentPath(home, kept)).catch(async (error) => {
    await database.write((tx) => journal.end(tx, journalId));
    throw error;
  });
  failPoint(context.failPoints, 'files.complete-save.renamed');
  const unflushed = await flushEach([flushFolder(home.area.versions), flushFolder(home.area.trash)]);
  const { item, surplus } = await database.write(async (tx) => {
    const recorded = await recordSaved(context, tx, entry, document, journalId);
    return { item: recorded, surplus: await surplusVersions(context, tx, home.id, successorId) };
  });
  if (item === null) return restoreDocument(context, home, entry, journalId);
  eraseVersionsLater(context, home, surplus);
  emitItemEvent(context, 'file.overwritten', caller, target, {
    itemId: successorId,
    path: virtualPathOf(target),
    size: successor.size,
    version: item.version,
    copiedFrom: null,
    restoredFrom: null,
  });
  if (unflushed !== null) throw unflushed;
}

/** The file that has the name, if the program has just made it, and nobody has changed it since. */
async function freshFile(
  context: FilesContext,
  { program, target, successorId, writtenBefore }: SavedDocument,
): Promise<Item | null> {
  const { home, segments } = target;
  const found = await context.disk.run('stat', { homeRoot: home.homeRoot, segments });
  const item = await knownItem(context.database, home.id, found);
  if (item === null || item.id !== successorId || item.isDir || item.identity !== found.entry.identity) return null;
  const write = recentWriteOf(context, item.id);
  if (write === null || write.program !== program || write.tag !== item.tag) return null;
  const isFresh = write.isNewFile && context.clock.now() - write.at < ONE_STEP;
  return isFresh && (writtenBefore === null || write.turn < writtenBefore) ? item : null;
}

/** The document as it is in the trash, if it still is the one that the program has deleted. */
async function trashedFile(
  { database }: FilesContext,
  { target: { home }, trashId, itemId }: SavedDocument,
): Promise<DiskEntry | null> {
  const row = await database.get<{ identity: string }>(
    `SELECT identity FROM trash CROSS JOIN items ON items.id = trash.item_id
     WHERE trash.id = ? AND item_id = ? AND home_id = ? AND is_dir = 0`,
    [trashId, itemId, home.id],
  );
  const stored = row === undefined ? null : await storedContent(join(home.area.trash, trashId));
  return stored !== null && !stored.isDir && stored.identity === row?.identity ? stored : null;
}

/**
 * Writes the rows of a document whose content has become a version of its successor. Used after it, and at a start after a crash.
 * @param document its content, where it is now
 * @returns the file; null if one of both has no row, and then nothing has changed
 */
async function recordSaved(
  { journal }: EntriesContext,
  tx: Transaction,
  { homeId, itemId, successorId, trashId, kept, lock }: JournalEntryOf<'complete-save'>,
  document: DiskEntry,
  journalId: number,
): Promise<Item | null> {
  const rowOf = (id: number) =>
    tx.get<ItemRow>(`SELECT ${ITEM_COLUMNS} FROM items WHERE id = ? AND home_id = ?`, [id, homeId]);
  const [before, after] = [await rowOf(itemId), await rowOf(successorId)];
  if (before === undefined || after === undefined) return null;
  await journal.end(tx, journalId);
  await takeAll(tx, successorId, itemId, lock ?? null);
  await deleteTrashRow(tx, trashId);
  await inheritHistory(tx, { homeId, itemId: successorId, kept }, itemOf(before), document);
  const row = await rowOf(successorId);
  return row === undefined ? null : itemOf(row);
}

async function takeAll(tx: Transaction, successorId: number, itemId: number, lock: EndedLock | null): Promise<void> {
  if (lock !== null) await renewApiLock(tx, successorId, lock);
  await takeIdentity(tx, successorId, itemId);
}

/**
 * Finishes it at a start after a crash. Where the successor is not what it was, the document goes back into the trash.
 */
export async function finishSave(
  context: RecoveryContext,
  home: Home,
  entry: JournalEntryOf<'complete-save'>,
  journalId: number,
): Promise<void> {
  const { database, journal, disk } = context;
  const path = previousContentPath(home, entry.kept);
  const document = await storedContent(path);
  if (document === null) return database.write((tx) => journal.end(tx, journalId));
  const found = await statOrNull(disk, home, entry.to);
  const isThere = found?.entry.identity === entry.identity;
  const recorded = isThere ? await database.write((tx) => recordSaved(context, tx, entry, document, journalId)) : null;
  if (recorded === null) await restoreDocument(context, home, entry, journalId);
}

/** Puts the document back into the trash, where its row still says that it is. */
async function restoreDocument(
  { database, journal }: JournalContext,
  home: Home,
  { trashId, kept }: JournalEntryOf<'complete-save'>,
  journalId: number,
): Promise<void> {
  await renameStored(previousContentPath(home, kept), join(home.area.trash, trashId));
  await flushFolder(home.area.trash);
  await flushFolder(home.area.versions);
  await database.write((tx) => journal.end(tx, journalId));
}
