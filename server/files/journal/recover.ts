import { join } from 'node:path';
import type { Home, Homes } from '../../catalogue/homes.ts';
import { insertItem, rootId, TRASH_ROOT } from '../../catalogue/items.ts';
import { foldName } from '../../lib/names/names.ts';
import { cleanUpArea, eraseStored, storedContent } from '../../storage/content/work-area.ts';
import { isOnline } from '../../storage/disk/disk.ts';
import { StorageError } from '../../storage/errors.ts';
import { flushAndClose } from '../../storage/flush.ts';
import type { Layout } from '../../storage/layout.ts';
import {
  finishMoveAcrossHomes,
  isMoveAcrossHomesEntry,
  type MoveAcrossHomesEntry,
} from '../move/across-homes-recovery.ts';
import { finishSave } from '../move/complete-save.ts';
import { recordMoved } from '../move/record-moved.ts';
import { recordContent } from '../publish/record-content.ts';
import { findPreviousContent, statOrNull } from '../publish/replaced-content.ts';
import { recordTrashed } from '../trash/delete.ts';
import { eraseContent, eraseRows, movedAway } from '../trash/erase.ts';
import { finishHome, type HomeEntry, isHomeEntry } from '../trash/home-recovery.ts';
import { recordRestored } from '../trash/trash.ts';
import type { UploadRowsContext } from '../upload/context.ts';
import { continuedUploads } from '../upload/expire-uploads.ts';
import { cleanUpParts } from '../upload/parts/clean-up-parts.ts';
import { eraseVersions } from '../versions/version-limits.ts';
import type { RecoveryContext } from './context.ts';
import type { JournalEntry, JournalEntryOf, QuarantinedEntry } from './journal.ts';

type RecoverContext = RecoveryContext;

/** What a start needs beside that, to remove uploads that nobody can continue. */
type StartContext = RecoverContext & UploadRowsContext;

/**
 * Finishes or undoes interrupted changes before requests are served, and removes uploads that were never published. Entries for a
 * home on an unavailable disk stay in the journal until the disk is back.
 */
export async function recover(context: StartContext, homes: Homes, layout: Layout): Promise<Recovery> {
  const { entries, quarantined } = await context.journal.pending();
  for (const { id, kind, why } of quarantined)
    context.log.error({ entry: id, kind, why }, 'failed to read an entry of the journal, which is kept');
  const unfinished: Recovery['unfinished'] = [];
  for (const { id, entry } of entries) {
    const error = await recoverEntry(context, entry, () => finishEntry(context, homes, layout, entry, id));
    if (error !== null) unfinished.push({ id, kind: entry.kind, error });
  }
  await cleanUpAreas(context, homes);
  return { quarantined, unfinished };
}

/** Changes that a start could not finish or undo; they stay in the journal. */
export interface Recovery {
  readonly quarantined: readonly QuarantinedEntry[];
  readonly unfinished: { readonly id: number; readonly kind: string; readonly error: unknown }[];
}

export const nothingToRecover: Recovery = { quarantined: [], unfinished: [] };

/** Finishes or undoes one interrupted change. @returns false when a disk it concerns is unavailable */
export async function finishEntry(
  context: RecoverContext,
  homes: Homes,
  layout: Layout,
  entry: JournalEntry,
  id: number,
): Promise<boolean> {
  if (isHomeEntry(entry)) return finishHome(context, homes, layout, entry, id);
  if (isMoveAcrossHomesEntry(entry)) return finishMoveAcrossHomes(context, homes, entry, id);
  const home = await homes.byId(entry.homeId);
  if (home === null) {
    await context.database.write((tx) => context.journal.end(tx, id));
    return true;
  }
  // With the disk unavailable, a missing item proves nothing.
  await context.disk.run('stat', { homeRoot: home.homeRoot, segments: [] });
  await finish(context, home, entry, id);
  return true;
}

async function cleanUpAreas(context: StartContext, homes: Homes): Promise<void> {
  const online: Home[] = [];
  for (const home of await homes.all()) if (await isOnline(context.disk, home.homeRoot)) online.push(home);
  // Homes share an area: an upload that one of them continues is not a leftover of another.
  const continued = await continuedUploads(context, online);
  await cleanUpParts(context, online);
  for (const home of online) {
    await cleanUpArea(home.homeRoot.root, home.area, continued).catch((error) => {
      // One home's failing disk must not keep the server from starting.
      context.log.warn({ err: error, homeId: home.id }, 'failed to remove leftovers of uploads in a home');
    });
  }
}

/**
 * One change that cannot be finished must not keep the server from starting.
 * @returns why it could not be finished; null when it was, or will be once its disk is available
 */
export async function recoverEntry(
  { log }: RecoverContext,
  entry: JournalEntry,
  finishOne: () => Promise<boolean>,
): Promise<unknown> {
  const isDone = await finishOne().catch((error: unknown) => {
    if (error instanceof StorageError && error.reason === 'offline') return false;
    log.error({ err: error, kind: entry.kind }, 'failed to complete an interrupted change');
    return { error };
  });
  if (typeof isDone === 'object') return isDone.error;
  if (isDone) log.info({ kind: entry.kind }, 'completed an interrupted change');
  else log.warn({ kind: entry.kind }, 'a disk is not connected: changes begun on it are completed later');
  return null;
}

async function finish(
  context: RecoverContext,
  home: Home,
  entry: Exclude<JournalEntry, HomeEntry | MoveAcrossHomesEntry>,
  id: number,
): Promise<void> {
  switch (entry.kind) {
    case 'overwrite':
      return finishOverwrite(context, home, entry, id);
    case 'move':
      return finishMove(context, home, entry, id);
    case 'trash':
      return finishTrash(context, home, entry, id);
    case 'complete-save':
      return finishSave(context, home, entry, id);
    case 'restore':
      return finishRestore(context, home, entry, id);
    case 'erase':
      return finishErase(context, home, entry, id);
    case 'forget':
      return eraseVersions(context, home, { entry, journalId: id });
  }
}

/** Writes the rows of an overwrite whose new content is in place; otherwise nothing was replaced. */
async function finishOverwrite(
  { database, journal, disk }: RecoverContext,
  home: Home,
  { segments, kept }: JournalEntryOf<'overwrite'>,
  id: number,
): Promise<void> {
  const found = await statOrNull(disk, home, segments);
  const replaced = await findPreviousContent(disk, home, segments, kept, found);
  await database.write(async (tx) => {
    if (replaced !== null && found !== null) {
      await recordContent(tx, home.id, { ...found, replaced }, kept);
    }
    await journal.end(tx, id);
  });
}

/** Recognizes the item under its new name by its identity. Then the rows follow, and a remaining old name is removed. */
async function finishMove(
  context: RecoverContext,
  home: Home,
  entry: JournalEntryOf<'move'>,
  id: number,
): Promise<void> {
  const { database, journal, disk } = context;
  const before = await statOrNull(disk, home, entry.from);
  const after = await statOrNull(disk, home, entry.to);
  const replaced = await findPreviousContent(disk, home, entry.to, entry.kept, after);
  if (after?.entry.identity !== entry.identity) {
    await database.write((tx) => journal.end(tx, id));
    return;
  }
  if (before?.entry.identity === entry.identity && !isSamePath(entry)) {
    const surplus = join(home.area.incoming, entry.kept.id);
    const taken = await disk.run('moveOut', { homeRoot: home.homeRoot, segments: entry.from, target: surplus });
    await flushAndClose(taken.folderFd);
    await eraseStored(surplus);
  }
  await database.write((tx) => recordMoved(context, tx, entry, { ...after, replaced }, id));
}

/** Whether both paths are the same on a case-insensitive disk: a name that only changed its case. */
function isSamePath({ from, to }: JournalEntryOf<'move'>): boolean {
  return foldName(from.join('/')) === foldName(to.join('/'));
}

/** The item is in the trash, so its rows follow. A row that now belongs to another file at the path is left alone. */
async function finishTrash(
  context: RecoverContext,
  home: Home,
  entry: JournalEntryOf<'trash'>,
  id: number,
): Promise<void> {
  const { database, journal } = context;
  const stored = await storedContent(join(home.area.trash, entry.trashId));
  await database.write(async (tx) => {
    if (stored === null) return journal.end(tx, id);
    const row = await tx.get<{ identity: string }>('SELECT identity FROM items WHERE id = ?', [entry.itemId]);
    const isStillIts = row?.identity === entry.identity;
    const { id: itemId } = isStillIts
      ? { id: entry.itemId }
      : await insertItem(tx, home.id, await rootId(tx, home.id, TRASH_ROOT), { ...stored, name: entry.trashId });
    return recordTrashed(context, tx, { ...entry, itemId }, id);
  });
}

/** If it is still in the trash, nothing happened, except for a file that temporarily has both names. */
async function finishRestore(
  context: RecoverContext,
  home: Home,
  entry: JournalEntryOf<'restore'>,
  id: number,
): Promise<void> {
  const { database, journal, disk } = context;
  const inTrash = join(home.area.trash, entry.trashId);
  const stored = await storedContent(inTrash);
  const back = await statOrNull(disk, home, entry.to);
  const hasBothNames = stored !== null && !stored.isDir && stored.identity === back?.entry.identity;
  if (back === null || (stored !== null && !hasBothNames)) {
    await database.write((tx) => journal.end(tx, id));
    return;
  }
  if (hasBothNames) await eraseStored(inTrash);
  await database.write((tx) => recordRestored(context, tx, entry, back, id));
}

/** If it has left its folder, it is erased. If not, no client was told of a deletion, so it stays. */
async function finishErase(
  context: RecoverContext,
  home: Home,
  entry: JournalEntryOf<'erase'>,
  id: number,
): Promise<void> {
  const { database, journal } = context;
  const row = await database.get<{ identity: string }>('SELECT identity FROM items WHERE id = ?', [entry.itemId]);
  const isTaken = (await storedContent(join(home.area.trash, entry.trashId))) !== null;
  if (!isTaken && row !== undefined) {
    await database.write((tx) => journal.end(tx, id));
    return;
  }
  const isStillIts = row?.identity === entry.identity;
  if (isStillIts) {
    const away = await movedAway(context, home, entry.itemId, entry.trashId);
    await database.write((tx) => eraseRows(context, tx, home.id, entry.itemId, away));
  }
  // Another file at this path has taken over the row and its versions.
  const versionIds = row === undefined || isStillIts ? entry.versionIds : [];
  await eraseContent(context, home, { ...entry, versionIds }, id);
}
