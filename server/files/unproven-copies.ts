import { recordTouch } from '../catalogue/hashing/record-proof.ts';
import type { Home } from '../catalogue/homes.ts';
import { type Item, isUpToDate } from '../catalogue/items.ts';
import { locationsOf } from '../catalogue/places.ts';
import { untilTouchSettled } from '../storage/disk/time-resolution.ts';
import { StorageError } from '../storage/errors.ts';
import { proveContent } from './content-tag.ts';
import type { ContentsContext } from './context.ts';

/** Files of one size that are read. */
const MAX_READ = 100;

type UnprovenRow = Pick<Item, 'id' | 'name' | 'identity' | 'mtime' | 'touched'>;

/**
 * Reads files of a home whose content is not known, as the background does, so that duplicates among them are recognised. Their
 * contents are proven afterwards, so none is read twice.
 * @param size bytes: only files of this size can be duplicates
 * @param requested says by its name and the folders above it whether a file counts
 * @param most files that are read
 * @returns whether all of them could be read, and how many were
 */
export async function proveFilesOfSize(
  context: Omit<ContentsContext, 'catalogue'>,
  home: Home,
  size: number,
  requested: (name: string, folders: readonly number[]) => boolean,
  most = MAX_READ,
): Promise<{ readonly areAll: boolean; readonly read: number }> {
  const { database } = context;
  const rows = await database.all<UnprovenRow>(
    `SELECT id, name, identity, mtime, touched FROM items INDEXED BY items_unproven_sizes
     WHERE home_id = ? AND size = ? AND (sha256 IS NULL OR touched < 0) AND is_dir = 0 AND missing_since IS NULL
     ORDER BY id LIMIT ${MAX_READ + 1}`,
    [home.id, size],
  );
  const places = await locationsOf(
    database,
    rows.map(({ id }) => id),
  );
  const files = rows.filter(({ id, name }) => requested(name, places.get(id)?.folders ?? []));
  let areAll = rows.length <= MAX_READ && files.length <= most;
  let read = 0;
  for (const file of files.slice(0, most)) {
    const place = places.get(file.id);
    if (place?.state !== 'there') continue;
    read += 1;
    if (!(await isProven(context, home, place.segments, file))) areAll = false;
  }
  return { areAll, read };
}

async function isProven(
  context: Omit<ContentsContext, 'catalogue'>,
  home: Home,
  segments: readonly string[],
  row: UnprovenRow,
): Promise<boolean> {
  const { database, disk } = context;
  try {
    const found = await disk.run('stat', { homeRoot: home.homeRoot, segments });
    // The catalogue does not know yet what is there now.
    if (found.entry.identity !== row.identity) return false;
    await untilTouchSettled(found.entry.touched);
    if (!isUpToDate({ ...row, isDir: false }, found.entry)) {
      await database.write((tx) => recordTouch(tx, row.id, found.entry));
    }
    return await proveContent(context, home, found, row.id, Number.POSITIVE_INFINITY);
  } catch (error) {
    // It was removed or moved meanwhile, or cannot be read. Without the disk, the import itself ends.
    if (error instanceof StorageError && error.reason !== 'offline') return false;
    throw error;
  }
}
