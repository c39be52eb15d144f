import type { Database } from '../../database/database.ts';
import type { Snapshot } from '../../database/snapshot.ts';
import { t } from '../../messages/messages.ts';
import { requireOpened } from '../../storage/content/hashed-copy.ts';
import type { Disk } from '../../storage/disk/disk.ts';
import { listingEntry } from '../../storage/disk/disk-entry.ts';
import { plainStat } from '../../storage/plain-files.ts';
import { contentKey } from '../format/compare-lists.ts';
import type { Entry, FileEntry } from '../format/entries.ts';
import { currentPath, type KnownItem } from './catalogue-rows.ts';
import { openIn } from './copy-homes.ts';
import type { HomeTree } from './trees.ts';
import { type WrittenFiles, whyLeftOut } from './written-files.ts';

/** Most passes through everything, and most passes without a result. */
const MAX_ROUNDS = 20;
const MAX_VAIN = 2;

export interface FollowParts {
  readonly disk: Disk;
  /** The copy of the database in the backup, which the files are matched to. */
  readonly snapshot: Snapshot;
  /** The live database. */
  readonly live: Pick<Database, 'all'>;
  /** Milliseconds since the epoch: files missing for longer are not searched for. */
  readonly since: number;
  /** The list of copied files, with identities. */
  readonly list: string;
}

interface Sought {
  /** Files in the copy of the database of which nothing was copied; `isTaken`: another file is at their path. */
  readonly items: readonly { readonly item: KnownItem; readonly isTaken: boolean }[];
  /** Copies of files that have left their path and are not in the database: moved, or removed. */
  readonly copies: readonly FileEntry[];
  /** Folders in the copy of the database that did not exist. */
  readonly folders: readonly KnownItem[];
  /** Creates the parent folders. @returns whether something can be stored there */
  readonly prepare: (path: readonly string[]) => Promise<boolean>;
}

interface FoundMoved {
  readonly entries: readonly Entry[];
  /** Copies of files that no longer exist anywhere. */
  readonly goneCopies: readonly FileEntry[];
  /** Paths of files that no longer exist anywhere and were never copied. */
  readonly missing: readonly (readonly string[])[];
}

/** Searches for moved files, which may move again meanwhile, as long as passes have results. */
export async function findMoved(
  trees: readonly HomeTree[],
  files: WrittenFiles,
  { disk, live }: FollowParts,
  { items, copies, folders, prepare }: Sought,
): Promise<FoundMoved> {
  const entries: Entry[] = [];
  const pending = new Map(items.map((one) => [contentKey(one.item.identity), one]));
  const lost = new Map(copies.map((copy) => [contentKey(copy.identity ?? ''), copy]));
  const treeOf = (homeId: string) => trees.find(({ home }) => home.id === homeId);

  /** @param keys the file must have one of them @returns whether it was copied */
  const copyFrom = async (key: string, tree: HomeTree, segments: readonly string[], keys: readonly string[]) => {
    const one = pending.get(key);
    if (one === undefined) return false;
    const opened = openIn(disk, tree, segments);
    const open = async () => requireOpened(await opened(), (identity) => keys.includes(contentKey(identity)));
    const path = one.isTaken ? await freePath(files, one.item, [...tree.folder, ...segments]) : one.item.path;
    if (!(await prepare(path))) {
      entries.push({ path: path.join('/'), leftOut: t('api.backup.nameTaken') });
      return pending.delete(key);
    }
    const entry = await files.file(path, { entry: { size: 0, identity: '' }, ctime: null }, null, open);
    if (entry === null) return false;
    entries.push(entry);
    return pending.delete(key);
  };

  const askDatabase = async () => {
    let count = 0;
    for (const [key, { item, isTaken }] of [...pending]) {
      const now = await currentPath(live, item.id);
      const tree = now === null ? undefined : treeOf(now.homeId);
      if (now === null || tree === undefined) continue;
      const path = [...tree.folder, ...now.segments].join('/');
      // The same item got other content at its path, which was copied.
      if (isTaken && path === item.path.join('/')) pending.delete(key);
      else if (await copyFrom(key, tree, now.segments, [key, contentKey(now.identity)])) count += 1;
    }
    return count;
  };

  const look = async (tree: HomeTree, segments: readonly string[]): Promise<number> => {
    await files.rest();
    const listing = await disk.run('list', { homeRoot: tree.home.homeRoot, segments }).catch((error) => {
      if (whyLeftOut(error) === null) throw error;
      return null;
    });
    if (listing === null) return 0;
    let count = 0;
    for (let index = listing.folderCount; index < listing.names.length; index += 1) {
      const { name, identity } = listingEntry(listing, index);
      const key = contentKey(identity);
      if (lost.delete(key)) count += 1;
      if (await copyFrom(key, tree, [...segments, name], [key])) count += 1;
    }
    for (const name of listing.names.slice(0, listing.folderCount)) {
      if (pending.size + lost.size === 0) break;
      count += await look(tree, [...segments, name]);
    }
    return count;
  };

  let vain = 0;
  for (let round = 0; round < MAX_ROUNDS && vain < MAX_VAIN && pending.size + lost.size > 0; round += 1) {
    let count = await askDatabase();
    for (const tree of trees) if (pending.size + lost.size > 0) count += await look(tree, []);
    vain = count === 0 ? vain + 1 : 0;
  }
  const missing = [...pending.values()].filter(({ isTaken }) => !isTaken).map(({ item }) => item.path);
  for (const folder of folders) {
    if ((await plainStat(files.at(folder.path)).catch(() => null)) !== null) continue;
    const isThere = (await currentPath(live, folder.id)) !== null && (await prepare(folder.path));
    if (isThere && (await files.makeFolder(folder.path))) entries.push({ path: folder.path.join('/'), folder: true });
    else missing.push(folder.path);
  }
  return { entries, goneCopies: [...lost.values()], missing };
}

/** The path for a file whose own path is in use: its present one, or a name of its own beside it. */
async function freePath(files: WrittenFiles, { id, path }: KnownItem, now: readonly string[]) {
  if ((await plainStat(files.at(now)).catch(() => null)) === null) return now;
  return [...path.slice(0, -1), `${path.at(-1) ?? ''} (moved ${id})`];
}
