import { join } from 'node:path';
import type { Home } from '../../catalogue/homes.ts';
import { failPoint } from '../../lib/process/fail-points.ts';
import { eraseBut } from '../../storage/content/stored-tree.ts';
import { eraseStored, storedContent } from '../../storage/content/work-area.ts';
import type { DiskEntry } from '../../storage/disk/disk.ts';
import { flushAndClose, flushEach, flushFolder } from '../../storage/flush.ts';
import type { FilesContext } from '../context.ts';
import type { BackgroundContext, EntriesContext, JournalContext } from '../journal/context.ts';
import type { Journal, JournalEntryOf } from '../journal/journal.ts';
import { type HomePair, settleVersions } from './move-versions.ts';
import { isFullyCopied, treeDiff, treeInArea, treeInHome } from './tree-diff.ts';

/** Takes the copied source out of its location. @returns a failure to flush, or null @throws StorageError */
export async function takeOutCopied(
  { disk }: Pick<FilesContext, 'disk'>,
  { homeRoot, area }: Home,
  { from, takenId }: JournalEntryOf<'move-between'>,
): Promise<unknown> {
  const taken = await disk.run('moveOut', { homeRoot, segments: from, target: join(area.trash, takenId ?? '') });
  return flushEach([flushFolder(area.trash), flushAndClose(taken.folderFd)]);
}

/**
 * Compares the source that was taken out with its copy. Another program may have changed it in the last moment, and links cannot
 * be copied. In that case, the parts that the copy has are erased at once.
 * @returns what is left, under its former name; null when the copy is complete
 */
export async function whatIsLeft(
  { disk, log }: Pick<FilesContext, 'disk' | 'log'>,
  { source, target }: HomePair,
  { from, to, takenId }: JournalEntryOf<'move-between'>,
): Promise<DiskEntry | null> {
  if (takenId === null) return null;
  const path = join(source.area.trash, takenId);
  const taken = await storedContent(path);
  if (taken === null) return null;
  const left = { ...taken, name: from.at(-1) ?? '' };
  try {
    const missing = await treeDiff(treeInArea(disk, source, path), treeInHome(disk, { home: target, segments: to }));
    if (isFullyCopied(missing)) return null;
    return (await eraseBut(path, missing.files)) ? left : null;
  } catch (error) {
    // Nothing is erased without a comparison.
    log.error({ err: error }, 'failed to compare a moved item with its copy in the other home: it stays in the trash');
    return left;
  }
}

/** Frees the space of an item that moved to another home. Used after a move, and at a start after a crash during one. */
export async function finishMovedOut(
  context: JournalContext,
  between: HomePair,
  { takenId, versionIds }: JournalEntryOf<'moved-out'>,
  journalId: number,
): Promise<void> {
  const { database, journal, failPoints } = context;
  failPoint(failPoints, 'files.between.erase');
  const { trash } = between.source.area;
  // The versions first, because a further move of these items waits for them.
  await settleVersions({ database }, between, versionIds);
  if (takenId !== null) {
    await eraseStored(join(trash, takenId));
    await flushFolder(trash);
  }
  failPoint(failPoints, 'files.between.erased');
  await database.write((tx) => journal.end(tx, journalId));
}

/** Versions whose former copies are being erased, by their ids, per installation. */
const beingFreed = new WeakMap<Journal, Map<string, Promise<void>>>();

/** The same in the background. */
export function finishMovedOutLater(
  context: BackgroundContext,
  between: HomePair,
  { entry, journalId }: { readonly entry: JournalEntryOf<'moved-out'>; readonly journalId: number },
): void {
  const all = beingFreed.get(context.journal) ?? new Map<string, Promise<void>>();
  beingFreed.set(context.journal, all);
  const finished = finishMovedOut(context, between, entry, journalId);
  for (const id of entry.versionIds) all.set(id, finished);
  finished.then(
    () => {
      for (const id of entry.versionIds) if (all.get(id) === finished) all.delete(id);
    },
    (error) =>
      context.log.error(
        { err: error },
        'failed to erase the source of a move to another home; the next start continues',
      ),
  );
}

/**
 * Waits until no copies of these versions are being erased: versions stored at the same location again would be erased as
 * leftovers.
 * @throws why they could not be erased: they cannot move again before the next start
 */
export async function untilFreed({ journal }: EntriesContext, ids: readonly string[]): Promise<void> {
  const all = beingFreed.get(journal);
  if (all !== undefined) await Promise.all(ids.map((id) => all.get(id)));
}
