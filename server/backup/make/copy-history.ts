import { join } from 'node:path';
import type { HomeRecord } from '../../catalogue/homes.ts';
import type { Snapshot } from '../../database/snapshot.ts';
import { openStored, storedContent } from '../../storage/content/work-area.ts';
import type { Disk, DiskEntry } from '../../storage/disk/disk.ts';
import { historyFolder } from './trees.ts';
import type { WrittenFiles } from './written-files.ts';

type Kind = 'trash' | 'versions';

/** Queries for one home. Ids consist of letters and digits, so the results have the order of the list. */
const IDS: Record<Kind, string> = {
  trash: 'SELECT trash.id FROM trash JOIN items ON items.id = item_id WHERE home_id = ? ORDER BY trash.id',
  versions: 'SELECT versions.id FROM versions JOIN items ON items.id = item_id WHERE home_id = ? ORDER BY versions.id',
};

/**
 * Copies the older versions and deleted items in the copy of the database. A content never changes under its id; one that was
 * removed meanwhile is listed as missing.
 */
export async function copyHistory(
  homes: readonly HomeRecord[],
  files: WrittenFiles,
  { snapshot, disk }: { snapshot: Snapshot; disk: Disk },
): Promise<void> {
  const ordered = [...homes].sort((a, b) => (a.id < b.id ? -1 : 1));
  for (const kind of ['trash', 'versions'] as const) {
    for (const home of ordered) {
      const ids = await snapshot.all<{ id: string }>(IDS[kind], [home.id]);
      if (ids.length === 0) continue;
      const folder = historyFolder(kind, home.id);
      await files.folder(folder.slice(0, 1));
      await files.folder(folder);
      for (const { id } of ids) await copyContent(files, disk, home, join(home.area[kind], id), [...folder, id]);
    }
  }
}

async function copyContent(
  files: WrittenFiles,
  disk: Disk,
  home: HomeRecord,
  from: string,
  path: readonly string[],
): Promise<void> {
  const found = await storedContent(from).catch(() => null);
  if (found === null) await files.write({ path: path.join('/'), absent: true });
  else if (found.isDir) await copyStoredTree(files, disk, home, from, path);
  else await copyStoredFile(files, found, from, path);
}

async function copyStoredTree(
  files: WrittenFiles,
  disk: Disk,
  home: HomeRecord,
  from: string,
  path: readonly string[],
): Promise<void> {
  const { folder } = await disk.run('listStored', { homeRoot: home.homeRoot, path: from });
  if (folder === null || !(await files.folder(path))) return;
  if (folder.hasOthers) files.notFollowed += 1;
  const entries = [...folder.entries.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
  for (const entry of entries) {
    const [source, target] = [join(from, entry.name), [...path, entry.name]];
    if (entry.isDir) await copyStoredTree(files, disk, home, source, target);
    else await copyStoredFile(files, entry, source, target);
  }
}

async function copyStoredFile(
  files: WrittenFiles,
  entry: DiskEntry,
  from: string,
  path: readonly string[],
): Promise<void> {
  const before = await files.before(path);
  const line = await files.file(path, { entry, ctime: null }, before, async () => (await openStored(from)).fd);
  await files.write(line ?? { path: path.join('/'), absent: true });
}
