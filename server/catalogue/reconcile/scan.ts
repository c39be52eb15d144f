import type { FilesDatabase } from '../../database/database.ts';
import type { Disk } from '../../storage/disk/disk.ts';
import { listingEntry } from '../../storage/disk/disk-entry.ts';
import { StorageError } from '../../storage/errors.ts';
import type { FolderWatch } from '../../storage/watch/watch.ts';
import type { Catalogue, ComparedFolder, FolderContent } from '../catalogue.ts';
import type { Home } from '../homes.ts';
import { FILES_ROOT, rootId } from '../items.ts';
import { CONTENTS_MISSED } from './missing.ts';

export interface ScanParts {
  readonly database: FilesDatabase;
  readonly catalogue: Catalogue;
  readonly backgroundDisk: Disk;
}

export interface Scan {
  /** The folders to begin with; null for the whole home. */
  readonly from: readonly Folder[] | null;
  /**
   * Compares every file. Otherwise only folders with a changed modification time are compared, in which items were added, removed
   * or renamed. That is fast, but a file edited in place does not change its folder's time.
   */
  readonly thorough: boolean;
  /** Watches every folder before it is read, so that no change is missed in between. */
  readonly watch: FolderWatch;
  /**
   * Called at every step, with the folders and entries since the last one, and the milliseconds it took. The scan waits for it.
   */
  readonly step: (done: Step) => Promise<void>;
  /** Called for an unreadable folder; its rows stay. */
  readonly unreadable: (segments: readonly string[], error: unknown) => void;
}

export interface Step {
  readonly folders: number;
  readonly items: number;
  readonly unwatched: number;
  readonly took: number;
}

export interface Folder {
  readonly id: number;
  readonly segments: readonly string[];
  /** The stamp of its row. */
  readonly listed: string | null;
  /** Whether it has to be compared. */
  readonly isDue: boolean;
}

type Child = Pick<Folder, 'id' | 'listed'> & { readonly name: string; readonly identity: string };

/** Folders compared together at most, and the number of entries that suffice. */
const BATCH_SIZE = 64;

/**
 * Scans a home, parents first, and reconciles the catalogue with the disk. Memory holds the siblings on the current path, and one
 * step.
 * @throws StorageError `offline`, and whatever `step` throws
 */
export async function scan(parts: ScanParts, home: Home, options: Scan): Promise<void> {
  const { from, watch } = options;
  let unwatched = from === null && watch.add([], '') === 'none' ? 1 : 0;
  const waiting = [...(from ?? [await wholeHome(parts, home)])];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const began = performance.now();
    const done = next.isDue ? await compareSome(parts, home, takeDue(next, waiting), waiting, options) : null;
    const folders = done ?? [{ folder: next, children: await knownFolders(parts, next.id), items: 0 }];
    let items = 0;
    for (const compared of folders) {
      items += compared.items;
      unwatched += watchChildren(watch, compared.folder, compared.children);
      waiting.push(...(await dueAmong(parts, home, compared.folder, compared.children, options)));
    }
    await options.step({ folders: folders.length, items, unwatched, took: performance.now() - began });
    unwatched = 0;
  }
}

/** Takes further folders to compare from the end of the list. */
function takeDue(first: Folder, waiting: Folder[]): Folder[] {
  const due = [first];
  while (due.length < BATCH_SIZE && waiting.at(-1)?.isDue) due.push(waiting.pop() as Folder);
  return due;
}

/**
 * Replaces the stamp of a folder that was read too shortly after a change to have one: its rows agree with the disk, and it is
 * compared again by the next scan.
 */
const UNSETTLED = 'unsettled';

/** Whether the rows of a folder agreed with the disk at a known time. */
function isKnown(listed: string | null): boolean {
  return listed !== null && listed !== CONTENTS_MISSED && listed !== UNSETTLED;
}

interface Compared {
  readonly folder: Folder;
  readonly children: readonly Child[];
  readonly items: number;
}

/** Compares as many of the folders as fit into one step; the others are put back. */
async function compareSome(
  parts: ScanParts,
  home: Home,
  due: readonly Folder[],
  waiting: Folder[],
  options: Scan,
): Promise<Compared[]> {
  const contents = await compareAll(parts, home, due, options);
  waiting.push(...due.slice(contents.length).reverse());
  const folders = due.slice(0, contents.length);
  await markListed(parts, folders, contents);
  return folders.map((folder, index) => {
    const content = contents[index] ?? null;
    return { folder, children: foldersIn(content), items: content?.listing.names.length ?? 0 };
  });
}

async function wholeHome({ database }: ScanParts, home: Home): Promise<Folder> {
  return { id: await rootId(database, home.id, FILES_ROOT), segments: [], listed: null, isDue: true };
}

/**
 * Like `compare` of the catalogue, but one unreadable folder does not affect the others.
 * @throws StorageError `offline`, and errors of the database
 */
export async function compareAll(
  { catalogue }: Pick<ScanParts, 'catalogue'>,
  home: Home,
  due: readonly ComparedFolder[],
  { unreadable }: Pick<Scan, 'unreadable'>,
): Promise<(FolderContent | null)[]> {
  const together = await catalogue.compare(home, due).catch(throwUnlessUnreadable);
  if (together !== null) return together;
  const contents: (FolderContent | null)[] = [];
  for (const folder of due) {
    const [content] = await catalogue.compare(home, [folder]).catch((error) => {
      throwUnlessUnreadable(error);
      unreadable(folder.segments, error);
      return [null];
    });
    contents.push(content ?? null);
  }
  return contents;
}

/** A disk error of one folder, such as EACCES or EIO, means that it is unreadable. All other errors are thrown. */
function throwUnlessUnreadable(error: unknown): null {
  const { code } = error as NodeJS.ErrnoException;
  const isOfDisk = error instanceof StorageError ? error.reason !== 'offline' : /^E[A-Z\d]+$/.test(code ?? '');
  if (!isOfDisk) throw error;
  return null;
}

/** Records that folders match the disk at the time of their listing. */
async function markListed(
  { database }: ScanParts,
  folders: readonly Folder[],
  contents: readonly (FolderContent | null)[],
): Promise<void> {
  const marks = folders.flatMap(({ id, listed }, index) => {
    const content = contents[index] ?? null;
    if (content === null) return [];
    // An older stamp stays: it differs from the present time of the folder.
    const stamp = content.listing.stamp ?? (isKnown(listed) ? listed : UNSETTLED);
    return stamp === listed ? [] : [[id, stamp]];
  });
  if (marks.length === 0) return;
  await database.write((tx) =>
    tx.run('UPDATE items SET listed = value->>1 FROM json_each(?) WHERE items.id = value->>0', [JSON.stringify(marks)]),
  );
}

/** The subfolders in a listing. */
export function foldersIn(content: FolderContent | null): Child[] {
  if (content === null) return [];
  const { listing, items } = content;
  return listing.names.slice(0, listing.folderCount).flatMap((name, index) => {
    const item = items.at(index);
    return item === undefined
      ? []
      : [{ id: item.id, name, listed: item.listed, identity: listingEntry(listing, index).identity }];
  });
}

/** The subfolders from the rows, if the folder's time shows that none was added or removed. */
async function knownFolders({ database }: ScanParts, id: number): Promise<Child[]> {
  return database.all<Child>(
    'SELECT id, name, identity, listed FROM items WHERE parent_id = ? AND is_dir = 1 AND missing_since IS NULL',
    [id],
  );
}

/** @returns how many cannot be watched */
function watchChildren(watch: FolderWatch, { segments }: Folder, children: readonly Child[]): number {
  watch.keepOnly(segments, identitiesOf(children));
  return children.filter(({ name, identity }) => watch.add([...segments, name], identity) === 'none').length;
}

/**
 * The same for a folder that is compared alone.
 * @returns the new folders, and how many cannot be watched
 */
export function watchNew(
  watch: FolderWatch,
  segments: readonly string[],
  children: readonly Child[],
): { unseen: Folder[]; unwatched: number } {
  watch.keepOnly(segments, identitiesOf(children));
  let unwatched = 0;
  const unseen = children.filter(({ name, identity, listed }) => {
    const watched = watch.add([...segments, name], identity);
    if (watched === 'none') unwatched += 1;
    return watched === 'added' || (watched !== 'known' && !isKnown(listed));
  });
  return {
    unseen: unseen.map(({ id, name, listed }) => ({ id, segments: [...segments, name], listed, isDue: true })),
    unwatched,
  };
}

function identitiesOf(children: readonly Child[]): Map<string, string> {
  return new Map(children.map(({ name, identity }) => [name, identity]));
}

/** Reads the times of folders after their watch has begun: later changes are reported. */
async function dueAmong(
  { backgroundDisk }: ScanParts,
  home: Home,
  { segments }: Folder,
  children: readonly Child[],
  { thorough }: Scan,
): Promise<Folder[]> {
  const requested = thorough ? [] : children.filter(({ listed }) => listed !== null);
  const names = requested.map(({ name }) => name);
  const { times } =
    names.length === 0
      ? { times: [] }
      : await backgroundDisk.run('folderTimes', { homeRoot: home.homeRoot, segments, names }).catch((error) => {
          throwUnlessUnreadable(error);
          return { times: [] };
        });
  const unchanged = new Set(requested.filter(({ listed }, index) => times[index] === listed));
  return children.map((child) => ({
    id: child.id,
    segments: [...segments, child.name],
    listed: child.listed,
    isDue: !unchanged.has(child),
  }));
}
