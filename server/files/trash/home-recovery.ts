import { dirname, join } from 'node:path';
import type { Homes } from '../../catalogue/homes.ts';
import { failPoint } from '../../lib/process/fail-points.ts';
import { eraseStored } from '../../storage/content/work-area.ts';
import { flushFolder } from '../../storage/flush.ts';
import { isFolder, removeEmpty } from '../../storage/homes/move-home.ts';
import { homeState } from '../../storage/inspect.ts';
import { areaIn, type Layout, realPath, trashedHomes } from '../../storage/layout.ts';
import type { JournalContext, RecoveryContext } from '../journal/context.ts';
import type { JournalEntry, JournalEntryOf } from '../journal/journal.ts';

export type HomeEntry = JournalEntryOf<'home-trash' | 'home-restore' | 'home-erase'>;

export function isHomeEntry(entry: JournalEntry): entry is HomeEntry {
  return entry.kind === 'home-trash' || entry.kind === 'home-restore' || entry.kind === 'home-erase';
}

/**
 * Finishes an interrupted operation on a whole home according to the disk: its marker is at the destination, or still at the
 * source.
 * @returns false while the disk is unavailable and the state is unknown
 */
export async function finishHome(
  context: RecoveryContext,
  homes: Homes,
  layout: Layout,
  entry: HomeEntry,
  journalId: number,
): Promise<boolean> {
  const { database, journal, disk } = context;
  if (entry.kind === 'home-erase') {
    if (entry.root !== null && !(await isFolder(dirname(realPath(layout.folder, entry.root))))) return false;
    await eraseHomeContent(context, layout, entry, journalId);
    return true;
  }
  const to = realPath(layout.folder, entry.to);
  const home = await homes.byId(entry.homeId);
  const isThere = async (root: string) => (await homeState(disk, { root, homeId: entry.homeId })) === 'ready';
  const hasMoved = home !== null && (await isThere(to));
  if (home !== null && !hasMoved && !(await isThere(home.homeRoot.root))) return false;
  await database.write(async (tx) => {
    if (hasMoved && entry.kind === 'home-trash') {
      await homes.trash(tx, entry.homeId, { root: to, username: entry.username, at: entry.at });
    } else if (hasMoved) await homes.restore(tx, entry.homeId, to);
    await journal.end(tx, journalId);
  });
  return true;
}

/** Frees the space of a home whose rows are deleted. Used after a permanent deletion, and at a start after a crash during one. */
export async function eraseHomeContent(
  { database, journal, failPoints }: JournalContext,
  layout: Layout,
  { root: stored, versionIds, trashIds, uploadIds }: JournalEntryOf<'home-erase'>,
  journalId: number,
): Promise<void> {
  failPoint(failPoints, 'files.home.erase');
  if (stored !== null) {
    const root = realPath(layout.folder, stored);
    await eraseStored(root);
    await flushFolder(dirname(root));
    await removeEmptyTrashFolders(layout, root);
  }
  const { versions, trash, incoming } = areaIn(layout.larder);
  for (const [folder, ids] of [
    [versions, versionIds],
    [trash, trashIds],
    [incoming, uploadIds],
  ] as const) {
    for (const id of ids) await eraseStored(join(folder, id));
    if (ids.length > 0) await flushFolder(folder);
  }
  failPoint(failPoints, 'files.home.erased');
  await database.write((tx) => journal.end(tx, journalId));
}

/** Removes the trash folder beside a home once it is empty. */
export async function removeEmptyTrashFolders(layout: Layout, place: string): Promise<void> {
  const holder = dirname(place);
  if (holder === trashedHomes(layout)) return;
  await removeEmpty(holder, dirname(holder), dirname(dirname(holder)));
}
