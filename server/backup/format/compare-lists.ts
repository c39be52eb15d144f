import type { Snapshot } from '../../database/snapshot.ts';
import { plainStat } from '../../storage/plain-files.ts';
import { itemsOf, type KnownItem, lostItemsOf } from '../make/catalogue-rows.ts';
import type { HomeTree } from '../make/trees.ts';
import type { WrittenFiles } from '../make/written-files.ts';
import { type Entry, EntryReader, type FileEntry } from './entries.ts';

/** The differences between the copied files and the copy of the database. Matches take no memory. */
export interface Difference {
  /** Files in the database that were not copied at their paths; `isTaken`: another file was. */
  readonly items: readonly { readonly item: KnownItem; readonly key: string; readonly isTaken: boolean }[];
  /** Folders in the database that did not exist. */
  readonly folders: readonly KnownItem[];
  /** Copied files that differ from the database's entry at their path, by `contentKey`. */
  readonly loose: ReadonlyMap<string, FileEntry>;
  /** The paths of those of them for which the database has another entry. */
  readonly atKnownPaths: ReadonlySet<string>;
  /** Copies at paths of the database of files that have since moved: key → path. */
  readonly renamed: ReadonlyMap<string, string>;
  /** Folders that no longer exist and are not in the database. */
  readonly goneFolders: string[];
}

/** What stays the same when a file is moved or written to: its inode and creation time. */
export function contentKey(identity: string): string {
  const [inode = '', birth = ''] = identity.split('.');
  return `${inode}.${birth}`;
}

/** Compares the list with the copy of the database in one pass; both have the same order. */
export async function compareLists(
  trees: readonly HomeTree[],
  snapshot: Snapshot,
  files: WrittenFiles,
  { list, since }: { list: string; since: number },
): Promise<Difference> {
  const items: { item: KnownItem; key: string; isTaken: boolean }[] = [];
  const folders: KnownItem[] = [];
  const loose = new Map<string, FileEntry>();
  const atKnownPaths = new Set<string>();
  const renamed = new Map<string, string>();
  const goneFolders: string[] = [];
  const isLoose = async (entry: Entry) => {
    if ('folder' in entry && entry.gone === true) goneFolders.push(entry.path);
    if ('sha256' in entry) addLoose(loose, entry);
  };
  const reader = new EntryReader(list);
  try {
    for (const tree of trees) {
      for await (const item of itemsOf(snapshot, tree)) {
        const entry = await reader.skipTo(item.path, isLoose);
        if (entry !== null && 'leftOut' in entry) continue;
        if (item.isDir) {
          if (entry === null || !('folder' in entry)) folders.push(item);
          if (entry !== null && 'sha256' in entry) addLoose(loose, entry);
          continue;
        }
        const key = contentKey(item.identity);
        if (entry !== null && 'sha256' in entry) {
          if (contentKey(entry.identity ?? '') === key) {
            if (entry.gone === true) renamed.set(key, entry.path);
            continue;
          }
          addLoose(loose, entry);
          atKnownPaths.add(entry.path);
          items.push({ item, key, isTaken: true });
        } else if (entry !== null || (await plainStat(files.at(item.path)).catch(() => null)) === null) {
          // On disks that decompose names, it exists under another spelling.
          items.push({ item, key, isTaken: entry !== null });
        }
      }
    }
    await reader.skipPast([], isLoose);
    for (const tree of trees) {
      for (const item of await lostItemsOf(snapshot, tree, since))
        items.push({ item, key: contentKey(item.identity), isTaken: true });
    }
  } finally {
    await reader.close();
  }
  return { items, folders, loose, atKnownPaths, renamed, goneFolders };
}

/** Of two copies of one file, the one that is still in place counts. */
function addLoose(loose: Map<string, FileEntry>, entry: FileEntry): void {
  const key = contentKey(entry.identity ?? '');
  if (loose.get(key)?.gone !== undefined || !loose.has(key)) loose.set(key, entry);
}
