import type { FilesDatabase } from '../../database/database.ts';
import type { Disk } from '../../storage/disk/disk.ts';
import { listingEntry } from '../../storage/disk/disk-entry.ts';
import type { FolderWatch } from '../../storage/disk/watch.ts';
import { StorageError } from '../../storage/errors.ts';
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
   * Compares every file. Otherwise only the folders whose own time has changed: in those something came, went or was
   * renamed. That is quick, but a file that was edited in its place does not change its folder's time.
   */
  readonly thorough: boolean;
  /** Watches every folder before it is looked at, so that nothing is missed in between. */
  readonly watch: FolderWatch;
  /** Told of every step: folders and entries since the last one, and milliseconds that it took. Waits as long as it likes. */
  readonly step: (done: Step) => Promise<void>;
  /** Told of a folder that cannot be read; what the catalogue has of it stays. */
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
  /** Whether it is to be compared. */
  readonly isDue: boolean;
}

type Child = Pick<Folder, 'id' | 'listed'> & { readonly name: string; readonly identity: string };

/** Folders that are compared in one go, at most, and the entries after which they are enough. */
const AT_ONCE = 64;

/**
 * Goes through a home, each folder before those in it, and brings the catalogue in line with the disk. In memory are the
 * folders beside the way down, and one step.
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

/** More folders that are to be compared, as they stand last in the list. */
function takeDue(first: Folder, waiting: Folder[]): Folder[] {
  const due = [first];
  while (due.length < AT_ONCE && waiting.at(-1)?.isDue) due.push(waiting.pop() as Folder);
  return due;
}

interface Compared {
  readonly folder: Folder;
  readonly children: readonly Child[];
  readonly items: number;
}

/** Compares as many of the folders as fit into one step; the others wait again. */
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
 * Like `compare` of the catalogue, but one folder that cannot be read spoils it for no other.
 * @throws StorageError `offline`, and what the database failed with
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

/** What a disk says of one folder, such as EACCES or EIO. Anything else, above all of the database, is nothing about it. */
function throwUnlessUnreadable(error: unknown): null {
  const { code } = error as NodeJS.ErrnoException;
  const isOfDisk = error instanceof StorageError ? error.reason !== 'offline' : /^E[A-Z\d]+$/.test(code ?? '');
  if (!isOfDisk) throw error;
  return null;
}

/** Notes of folders that they are in line with the disk as it was when it was listed. */
async function markListed(
  { database }: ScanParts,
  folders: readonly Folder[],
  contents: readonly (FolderContent | null)[],
): Promise<void> {
  const marks = folders.flatMap(({ id, listed }, index) => {
    const stamp = contents[index]?.listing.stamp;
    return stamp == null || stamp === listed ? [] : [[id, stamp]];
  });
  if (marks.length === 0) return;
  await database.write((tx) =>
    tx.run('UPDATE items SET listed = value->>1 FROM json_each(?) WHERE items.id = value->>0', [JSON.stringify(marks)]),
  );
}

/** The folders in a folder, as the disk just said. */
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

/** The folders in a folder whose time says that none came or went. */
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
 * The same for a folder that is looked at alone.
 * @returns the folders that nobody has looked into yet, and how many cannot be watched
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
    return watched === 'added' || (watched !== 'known' && (listed === null || listed === CONTENTS_MISSED));
  });
  return {
    unseen: unseen.map(({ id, name, listed }) => ({ id, segments: [...segments, name], listed, isDue: true })),
    unwatched,
  };
}

function identitiesOf(children: readonly Child[]): Map<string, string> {
  return new Map(children.map(({ name, identity }) => [name, identity]));
}

/** Asks for the times of folders after their watch has begun: what changes from here on is reported. */
async function dueAmong(
  { backgroundDisk }: ScanParts,
  home: Home,
  { segments }: Folder,
  children: readonly Child[],
  { thorough }: Scan,
): Promise<Folder[]> {
  const asked = thorough ? [] : children.filter(({ listed }) => listed !== null);
  const names = asked.map(({ name }) => name);
  const { times } =
    names.length === 0
      ? { times: [] }
      : await backgroundDisk.run('folderTimes', { place: home.place, segments, names }).catch((error) => {
          throwUnlessUnreadable(error);
          return { times: [] };
        });
  const unchanged = new Set(asked.filter(({ listed }, index) => times[index] === listed));
  return children.map((child) => ({
    id: child.id,
    segments: [...segments, child.name],
    listed: child.listed,
    isDue: !unchanged.has(child),
  }));
}
