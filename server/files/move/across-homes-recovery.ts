import { join } from 'node:path';
import type { Home, Homes } from '../../catalogue/homes.ts';
import { eraseStored, storedContent } from '../../storage/content/work-area.ts';
import { isOnline } from '../../storage/disk/disk.ts';
import { StorageError } from '../../storage/errors.ts';
import { flushAndClose } from '../../storage/flush.ts';
import type { RecoveryContext } from '../journal/context.ts';
import type { JournalEntry, JournalEntryOf } from '../journal/journal.ts';
import { recordContent } from '../publish/record-content.ts';
import { findPreviousContent, statOrNull } from '../publish/replaced-content.ts';
import { finishMovedOut, takeOutCopied, whatIsLeft } from './move-cleanup.ts';
import { bringVersions, type HomePair, settleVersions, shareArea } from './move-versions.ts';
import { changeHome, recordMovedAcrossHomes, trashLeft } from './record-across-homes.ts';
import { isFullyCopied, treeDiff, treeInHome } from './tree-diff.ts';

export type MoveAcrossHomesEntry = JournalEntryOf<'move-between' | 'moved-out'>;
type MoveEntry = JournalEntryOf<'move-between'>;
type RecoverContext = RecoveryContext;

export function isMoveAcrossHomesEntry(entry: JournalEntry): entry is MoveAcrossHomesEntry {
  return entry.kind === 'move-between' || entry.kind === 'moved-out';
}

/**
 * Finishes or undoes a move from one home to another.
 * @returns false while one of their disks is unavailable and the state is unknown
 */
export async function finishMoveAcrossHomes(
  context: RecoverContext,
  homes: Homes,
  entry: MoveAcrossHomesEntry,
  journalId: number,
): Promise<boolean> {
  const { disk, database, journal } = context;
  const [source, target] = [await homes.byId(entry.homeId), await homes.byId(entry.toHomeId)];
  for (const home of [source, target]) if (home !== null && !(await isOnline(disk, home.homeRoot))) return false;
  if (source === null || target === null) {
    // One of the homes was deleted permanently, with its rows and contents: restore what was taken out.
    if (source !== null && entry.kind === 'move-between') await bringBack(context, source, entry);
    await database.write((tx) => journal.end(tx, journalId));
    return true;
  }
  const between = { source, target };
  if (entry.kind === 'moved-out') await finishMovedOut(context, between, entry, journalId);
  else await finishMove(context, between, entry, journalId);
  return true;
}

/** Recognizes the item at the destination by its identity, and continues the move from there. */
async function finishMove(
  context: RecoverContext,
  between: HomePair,
  entry: MoveEntry,
  journalId: number,
): Promise<void> {
  const { database, journal, disk } = context;
  const { source, target } = between;
  const after = await statOrNull(disk, target, entry.to);
  const replaced = await findPreviousContent(disk, target, entry.to, entry.kept, after);
  const isThere = after !== null && after.entry.identity === entry.identity;
  if (!isThere || !(await hasLeft(context, between, entry))) {
    await bringBack(context, source, entry);
    await changeHome(context, entry.itemId, source);
    await settleVersions(context, between, entry.versionIds);
    await database.write(async (tx) => {
      // It was put in place, or another program has stored something there since: either way it is new content.
      if (after !== null && replaced !== null) await recordContent(tx, target.id, { ...after, replaced }, entry.kept);
      await journal.end(tx, journalId);
    });
    return;
  }
  const left = await whatIsLeft(context, between, entry);
  // The cleanup of an older move may have removed them.
  if (!shareArea(between)) await bringVersions(context, between, entry.versionIds, null);
  const { movedOut } = await recordMovedAcrossHomes(context, between, entry, { ...after, replaced, left }, journalId);
  if (movedOut !== null) await finishMovedOut(context, between, movedOut.entry, movedOut.journalId);
}

/**
 * Makes sure that the item exists only at its destination. A source that changed after it was copied, as it may while the copy's
 * disk is unavailable, stays: then there are two items.
 * @returns whether it has left the source
 */
async function hasLeft(context: RecoverContext, { source, target }: HomePair, entry: MoveEntry): Promise<boolean> {
  const { disk } = context;
  const { from, to, identity, takenId } = entry;
  const before = await statOrNull(disk, source, from);
  if (takenId === null) {
    // A file can temporarily have both names.
    if (before?.entry.identity === identity) await removeName(context, source, entry);
    return true;
  }
  if (before === null || (await storedContent(join(source.area.trash, takenId))) !== null) return true;
  const missing = await treeDiff(
    treeInHome(disk, { home: source, segments: from }),
    treeInHome(disk, { home: target, segments: to }),
  );
  if (!isFullyCopied(missing)) return false;
  const unflushed = await takeOutCopied(context, source, entry);
  if (unflushed !== null) throw unflushed;
  return true;
}

async function removeName(
  { disk }: RecoverContext,
  { homeRoot, area }: Home,
  { from, kept }: MoveEntry,
): Promise<void> {
  const surplus = join(area.incoming, kept.id);
  const taken = await disk.run('moveOut', { homeRoot, segments: from, target: surplus });
  await flushAndClose(taken.folderFd);
  await eraseStored(surplus);
}

/** Restores what was taken out although its copy no longer exists: to its old location or, if that is taken, to the trash. */
async function bringBack({ database, disk }: RecoverContext, home: Home, entry: MoveEntry): Promise<void> {
  const { from, takenId } = entry;
  const source = join(home.area.trash, takenId ?? '');
  const taken = takenId === null ? null : await storedContent(source);
  if (takenId === null || taken === null) return;
  const name = from.at(-1) ?? '';
  try {
    const back = await disk.run('moveIn', { homeRoot: home.homeRoot, parent: from.slice(0, -1), name, source });
    await flushAndClose(back.folderFd);
  } catch (error) {
    if (!(error instanceof StorageError)) throw error;
    await database.write((tx) => trashLeft(tx, home, entry, takenId, { ...taken, name }, null));
  }
}
