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

/** How often everything is looked through, at most, and how often in vain. */
const MAX_ROUNDS = 20;
const MAX_VAIN = 2;

export interface FollowParts {
  readonly disk: Disk;
  /** The copy of the database in the backup: what the files are brought in line with. */
  readonly snapshot: Snapshot;
  /** The database as it is now. */
  readonly live: Pick<Database, 'all'>;
  /** Milliseconds since the epoch: what went missing before is not looked for. */
  readonly since: number;
  /** The list of what was copied, with identities. */
  readonly list: string;
}

interface Sought {
  /** Files that the copy of the database knows, of which nothing was copied; `isTaken`: their path has something else. */
  readonly items: readonly { readonly item: KnownItem; readonly isTaken: boolean }[];
  /** Copies of what is not where it was and that the database does not know: moved, or removed. */
  readonly copies: readonly FileEntry[];
  /** Folders that the copy of the database knows and that were not there. */
  readonly folders: readonly KnownItem[];
  /** Makes the folders on the way. @returns whether something can be put there */
  readonly prepare: (path: readonly string[]) => Promise<boolean>;
}

interface FoundMoved {
  readonly entries: readonly Entry[];
  /** Copies of what is nowhere any more. */
  readonly goneCopies: readonly FileEntry[];
  /** Paths of what is nowhere any more and was never copied. */
  readonly missing: readonly (readonly string[])[];
}

/** Looks for what was moved, while it may be moved on: again and again, as long as that finds something. */
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

  /** @param keys one of which the file has to have @returns whether it is copied */
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
      // Another content came to the same item where it is: that one was copied.
      if (isTaken && path === item.path.join('/')) pending.delete(key);
      else if (await copyFrom(key, tree, now.segments, [key, contentKey(now.identity)])) count += 1;
    }
    return count;
  };

  const look = async (tree: HomeTree, segments: readonly string[]): Promise<number> => {
    await files.rest();
    const listing = await disk.run('list', { place: tree.home.place, segments }).catch((error) => {
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

/** For a file whose own path has another one: where it is now, or a name of its own beside that. */
async function freePath(files: WrittenFiles, { id, path }: KnownItem, now: readonly string[]) {
  if ((await plainStat(files.at(now)).catch(() => null)) === null) return now;
  return [...path.slice(0, -1), `${path.at(-1) ?? ''} (moved ${id})`];
}
