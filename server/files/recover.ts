import { join } from 'node:path';
import type { Home, Homes } from '../catalogue/homes.ts';
import { foldName } from '../lib/names.ts';
import { eraseStored, type StoredContent, storedContent, tidyArea } from '../storage/area.ts';
import type { Disk, Found } from '../storage/disk.ts';
import { StorageError } from '../storage/errors.ts';
import { flushAndClose } from '../storage/flush.ts';
import type { FilesContext } from './context.ts';
import { eraseContent, recordTrashed } from './delete.ts';
import type { JournalEntry, JournalEntryOf } from './journal.ts';
import { recordMoved } from './move.ts';
import { recordContent } from './record-content.ts';

type RecoverContext = Pick<FilesContext, 'database' | 'journal' | 'disk' | 'clock' | 'log'>;

/**
 * Finishes or undoes what a crash interrupted, before anything is served, and clears uploads that never got a name.
 * What belongs to a home whose disk is not there stays in the journal until it is.
 */
export async function recover(context: RecoverContext, homes: Homes): Promise<void> {
  for (const { id, entry } of await context.journal.pending()) {
    const home = await homes.byId(entry.homeId);
    if (home === null) {
      await context.database.write((tx) => context.journal.end(tx, id));
      continue;
    }
    try {
      await finish(context, home, entry, id);
      context.log.info({ kind: entry.kind }, 'finished what the last run had begun');
    } catch (error) {
      if (!(error instanceof StorageError) || error.reason !== 'offline') throw error;
      context.log.warn({ kind: entry.kind }, 'a disk is not connected; what was begun there is finished later');
    }
  }
  for (const home of await homes.all()) await tidyArea(home.place.root, home.area);
}

async function finish(context: RecoverContext, home: Home, entry: JournalEntry, id: number): Promise<void> {
  switch (entry.kind) {
    case 'overwrite':
      return finishOverwrite(context, home, entry, id);
    case 'move':
      return finishMove(context, home, entry, id);
    case 'trash':
      return finishTrash(context, home, entry, id);
    case 'erase':
      return finishErase(context, home, entry, id);
  }
}

/**
 * The old content has two names until the rename: one name left means that the new content is in place, or, on a disk
 * without hard links, that nothing is and the old content goes back.
 */
async function finishOverwrite(
  { database, journal, disk, clock }: RecoverContext,
  home: Home,
  { segments, versionId }: JournalEntryOf<'overwrite'>,
  id: number,
): Promise<void> {
  const keptAs = join(home.area.versions, versionId);
  const kept = await storedContent(keptAs);
  const found = await statOrNull(disk, home, segments);
  await giveBack(disk, home, segments, keptAs, kept, found !== null);
  const isReplaced = kept !== null && kept.links === 1 && found !== null;
  await database.write(async (tx) => {
    if (isReplaced) {
      const replaced = { ...found.entry, size: kept.size, mtime: kept.mtime, identity: 'replaced' };
      await recordContent(tx, home.id, { ...found, replaced }, versionId, clock.now());
    }
    await journal.end(tx, id);
  });
}

/**
 * The item under its new name is recognized by its identity: then the rows follow it, and a second name it may still
 * have, its old one, goes. Otherwise it never moved, and what was kept for it is given back.
 */
async function finishMove(
  context: RecoverContext,
  home: Home,
  entry: JournalEntryOf<'move'>,
  id: number,
): Promise<void> {
  const { database, journal, disk } = context;
  const { place, area } = home;
  const [before, after] = [await statOrNull(disk, home, entry.from), await statOrNull(disk, home, entry.to)];
  const keptAs = join(area.versions, entry.versionId);
  const kept = await storedContent(keptAs);
  if (after?.entry.identity !== entry.identity) {
    await giveBack(disk, home, entry.to, keptAs, kept, after !== null);
    await database.write((tx) => journal.end(tx, id));
    return;
  }
  if (before?.entry.identity === entry.identity && !isSamePath(entry)) {
    const surplus = join(area.incoming, entry.versionId);
    const taken = await disk.run('takeOut', { place, segments: entry.from, target: surplus });
    await flushAndClose(taken.folderFd);
    await eraseStored(surplus);
  }
  const replaced = kept === null ? null : { ...after.entry, size: kept.size, mtime: kept.mtime, identity: 'replaced' };
  await database.write((tx) => recordMoved(context, tx, entry, { ...after, replaced }, id));
}

/** Whether both paths are one on a disk that ignores case: a name that was only respelled. */
function isSamePath({ from, to }: JournalEntryOf<'move'>): boolean {
  return foldName(from.join('/')) === foldName(to.join('/'));
}

async function statOrNull(disk: Disk, { place }: Home, segments: readonly string[]): Promise<Found | null> {
  return disk.run('stat', { place, segments }).catch((error) => {
    if (error instanceof StorageError && error.reason === 'not-found') return null;
    throw error;
  });
}

/** An old content that was kept for a change that never came: its second name goes, or its only one goes back. */
async function giveBack(
  disk: Disk,
  { place }: Home,
  segments: readonly string[],
  keptAs: string,
  kept: StoredContent | null,
  isInPlace: boolean,
): Promise<void> {
  if (kept === null) return;
  if (kept.links > 1) {
    await eraseStored(keptAs);
  } else if (!isInPlace) {
    const back = await disk.run('putBack', {
      place,
      parent: segments.slice(0, -1),
      name: segments.at(-1) ?? '',
      source: keptAs,
    });
    await flushAndClose(back.folderFd);
  }
}

async function finishTrash(
  context: RecoverContext,
  home: Home,
  entry: JournalEntryOf<'trash'>,
  id: number,
): Promise<void> {
  const isTaken = await exists(home, entry.trashId);
  await context.database.write((tx) => (isTaken ? recordTrashed(context, tx, entry, id) : context.journal.end(tx, id)));
}

/** Out of its folder already: it goes. Still in its place: nobody was told that it is gone, so it stays. */
async function finishErase(
  context: RecoverContext,
  home: Home,
  entry: JournalEntryOf<'erase'>,
  id: number,
): Promise<void> {
  const isErased = await wasTaken(context, home, entry);
  if (!isErased) {
    await context.database.write((tx) => context.journal.end(tx, id));
    return;
  }
  await context.database.write((tx) => tx.run('DELETE FROM items WHERE id = ?', [entry.itemId]));
  await eraseContent(context, home, entry, id);
}

async function wasTaken(
  { database }: RecoverContext,
  home: Home,
  { trashId, itemId }: JournalEntryOf<'erase'>,
): Promise<boolean> {
  if (await exists(home, trashId)) return true;
  return (await database.get('SELECT 1 FROM items WHERE id = ?', [itemId])) === undefined;
}

async function exists(home: Home, trashId: string): Promise<boolean> {
  return (await storedContent(join(home.area.trash, trashId))) !== null;
}
