import { ignoreFailure } from '../../lib/async/ignore-failure.ts';
import { eraseStored } from '../../storage/content/work-area.ts';
import { plainStat, removeEmptyFolder, renamePatiently } from '../../storage/plain-files.ts';
import { compareLists, type Difference } from '../format/compare-lists.ts';
import { comparePaths, type Entry, entriesIn, type FileEntry } from '../format/entries.ts';
import type { KnownItem } from './catalogue-rows.ts';
import { type FollowParts, findMoved } from './find-moved.ts';
import type { HomeTree } from './trees.ts';
import type { WrittenFiles } from './written-files.ts';

/** Changes to a list. */
interface Renamed {
  /** Paths that are no longer in the backup. */
  readonly dropped: ReadonlySet<string>;
  /** Added entries, in the order of the list. */
  readonly added: readonly Entry[];
}

/**
 * Matches the copied files to the copy of the database, for files that were moved while the backup was made. Files are followed
 * by identity: a copy under another name gets the database's name, and a file without a copy is searched for at its present path
 * in the live database, and then everywhere on the disk.
 * @returns the paths that are in the copy of the database but not in the backup, and the changes of the list
 */
export async function followMoved(
  trees: readonly HomeTree[],
  files: WrittenFiles,
  parts: FollowParts,
): Promise<{ missing: readonly (readonly string[])[]; renamed: Renamed }> {
  const found = await compareLists(trees, parts.snapshot, files, parts);
  const work = new Following(files);
  await work.useNewNames(found);
  const unseen = await work.useCopies(found);
  const result = await findMoved(trees, files, parts, {
    items: unseen,
    copies: work.unused(found),
    folders: found.folders,
    prepare: (path) => work.prepare(path),
  });
  for (const entry of result.entries) work.add(entry);
  for (const { path } of result.goneCopies) await work.remove(path);
  for (const path of found.goneFolders.reverse()) await work.removeFolder(path);
  const added = [...work.added].sort((a, b) => comparePaths(a.path.split('/'), b.path.split('/')));
  return { missing: result.missing, renamed: { dropped: work.dropped, added } };
}

/** Writes a list again with the changes. */
export async function writeFollowed(list: string, files: WrittenFiles, { dropped, added }: Renamed): Promise<void> {
  const coming = [...added];
  const writeBefore = async (path: string | null) => {
    const segments = path?.split('/');
    for (let [next] = coming; next !== undefined; [next] = coming) {
      if (segments !== undefined && comparePaths(next.path.split('/'), segments) > 0) return;
      coming.shift();
      await files.write(next);
    }
  };
  for await (const entry of entriesIn(list)) {
    if (dropped.has(entry.path)) continue;
    await writeBefore(entry.path);
    await files.write(entry);
  }
  await writeBefore(null);
}

/** Changes the copies, and collects the changes of the list. */
class Following {
  readonly dropped = new Set<string>();
  readonly added: Entry[] = [];
  readonly #files: WrittenFiles;
  readonly #used = new Set<FileEntry>();

  constructor(files: WrittenFiles) {
    this.#files = files;
  }

  /** A file was copied at its path in the database and again under a newer name: keeps the newer copy, at that path. */
  async useNewNames({ renamed, loose, atKnownPaths }: Difference): Promise<void> {
    for (const [key, path] of renamed) {
      const copy = loose.get(key);
      if (copy === undefined || copy.gone === true || atKnownPaths.has(copy.path)) continue;
      await this.remove(path);
      await renamePatiently(this.#files.at(copy.path.split('/')), this.#files.at(path.split('/')));
      this.#used.add(copy);
      this.dropped.add(copy.path);
      this.added.push({ ...copy, path });
    }
  }

  /** @returns the items of which nothing was copied under any name */
  async useCopies({ items, loose, atKnownPaths }: Difference): Promise<{ item: KnownItem; isTaken: boolean }[]> {
    const unseen: { item: KnownItem; isTaken: boolean }[] = [];
    for (const { item, key, isTaken } of items) {
      const copy = loose.get(key);
      if (copy === undefined) {
        unseen.push({ item, isTaken });
        continue;
      }
      // The database has a file twice that was moved while it looked: at its old path and at its new one.
      if (this.#used.has(copy)) continue;
      this.#used.add(copy);
      if (isTaken || atKnownPaths.has(copy.path)) continue;
      if (!(await this.prepare(item.path))) continue;
      await renamePatiently(this.#files.at(copy.path.split('/')), this.#files.at(item.path));
      this.dropped.add(copy.path);
      this.added.push({ ...copy, path: item.path.join('/') });
    }
    return unseen;
  }

  /** Copies of files that were not found again and belong to no item. */
  unused({ loose, atKnownPaths }: Difference): FileEntry[] {
    return [...loose.values()].filter(
      (copy) => copy.gone === true && !atKnownPaths.has(copy.path) && !this.#used.has(copy),
    );
  }

  add(entry: Entry): void {
    this.added.push(entry);
  }

  async remove(path: string): Promise<void> {
    await eraseStored(this.#files.at(path.split('/')));
    this.dropped.add(path);
  }

  /** A folder that no longer exists stays while it contains something. */
  async removeFolder(path: string): Promise<void> {
    await ignoreFailure(
      removeEmptyFolder(this.#files.at(path.split('/'))),
      'failed to remove an empty folder of a backup',
    );
    if ((await plainStat(this.#files.at(path.split('/')))) === null) this.dropped.add(path);
  }

  /** Creates the parent folders of a path. @returns whether something can be stored there */
  async prepare(path: readonly string[]): Promise<boolean> {
    for (let length = 1; length < path.length; length += 1) {
      const folder = path.slice(0, length);
      const kind = (await plainStat(this.#files.at(folder)))?.kind;
      if (kind === 'folder') continue;
      if (kind !== undefined || !(await this.#files.makeFolder(folder))) return false;
      this.added.push({ path: folder.join('/'), folder: true });
    }
    return (await plainStat(this.#files.at(path))) === null;
  }
}
