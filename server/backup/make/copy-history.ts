import { join } from 'node:path';
import type { HomeRecord } from '../../catalogue/homes.ts';
import type { Snapshot } from '../../database/snapshot.ts';
import { t } from '../../messages/messages.ts';
import { openStored, storedContent } from '../../storage/content/work-area.ts';
import { type Disk, type DiskEntry, isOnline } from '../../storage/disk/disk.ts';
import type { Entry } from '../format/entries.ts';
import { historyFolder } from './trees.ts';
import { type WrittenFiles, whyLeftOut } from './written-files.ts';

type Kind = 'trash' | 'versions';

/** Queries for one home. Ids consist of letters and digits, so the results have the order of the list. */
const IDS: Record<Kind, string> = {
  trash: 'SELECT trash.id FROM trash JOIN items ON items.id = item_id WHERE home_id = ? ORDER BY trash.id',
  versions: 'SELECT versions.id FROM versions JOIN items ON items.id = item_id WHERE home_id = ? ORDER BY versions.id',
};

/**
 * Copies the older versions and deleted items in the copy of the database. A content never changes under its id; one that was
 * removed meanwhile is listed as missing, and one that cannot be read as left out.
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
      for (const { id } of ids) await copyContent(files, { disk, home }, join(home.area[kind], id), [...folder, id]);
    }
  }
}

interface Source {
  readonly disk: Disk;
  readonly home: HomeRecord;
}

async function copyContent(files: WrittenFiles, source: Source, from: string, path: readonly string[]): Promise<void> {
  const found = await storedContent(from).catch(unreadable);
  if (found === null) await files.write(await missing(source, path));
  else if (typeof found === 'string') await files.write({ path: path.join('/'), leftOut: found });
  else if (found.isDir) await copyStoredTree(files, source, from, path);
  else await copyStoredFile(files, source, found, from, path);
}

/** Why a content cannot be read. Anything may stand in place of its folder, and the others are still copied. */
function unreadable(error: NodeJS.ErrnoException): string | null {
  const why = whyLeftOut(error) ?? t('api.backup.reasonUnreadable', { reason: error.code ?? error.message });
  return why === 'gone' ? null : why;
}

/** The entry of a content that is not there: removed since the copy of the database, or gone with its disk. */
async function missing({ disk, home }: Source, path: readonly string[]): Promise<Entry> {
  const isThere = await isOnline(disk, home.homeRoot);
  return { path: path.join('/'), ...(isThere ? { absent: true } : { leftOut: t('api.backup.reasonOffline') }) };
}

async function copyStoredTree(
  files: WrittenFiles,
  source: Source,
  from: string,
  path: readonly string[],
): Promise<void> {
  const { folder } = await source.disk.run('listStored', { homeRoot: source.home.homeRoot, path: from });
  if (folder === null || !(await files.folder(path))) return;
  if (folder.hasOthers) files.notFollowed += 1;
  const entries = [...folder.entries.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
  for (const entry of entries) {
    const [at, target] = [join(from, entry.name), [...path, entry.name]];
    if (entry.isDir) await copyStoredTree(files, source, at, target);
    else await copyStoredFile(files, source, entry, at, target);
  }
}

async function copyStoredFile(
  files: WrittenFiles,
  source: Source,
  entry: DiskEntry,
  from: string,
  path: readonly string[],
): Promise<void> {
  const before = await files.before(path);
  const line = await files.file(path, { entry, ctime: null }, before, async () => (await openStored(from)).fd);
  await files.write(line ?? (await missing(source, path)));
}
