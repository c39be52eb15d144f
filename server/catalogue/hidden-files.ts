import type { FilesDatabase } from '../database/database.ts';
import { TRASH_ROOT } from './items.ts';
import { locationsOf } from './places.ts';

/** SQL for whether a row is a file that listings leave out: the same as `isHiddenName`. @param of the name of its table */
export function isHiddenFile(of: string): string {
  return `(${of}.is_dir = 0 AND (${of}.name GLOB '._*' OR lower(${of}.name) IN ('.ds_store', 'thumbs.db', 'desktop.ini')))`;
}

/** SQL for `WITH RECURSIVE`: the rows in the trash of a home, its root included. @param homeId the parameter with the id of the home */
export function deletedIn(homeId: string): string {
  return `deleted (id) AS (
    SELECT id FROM items WHERE home_id = ${homeId} AND parent_id IS NULL AND name = '${TRASH_ROOT}'
    UNION ALL SELECT i.id FROM deleted CROSS JOIN items i ON i.parent_id = deleted.id)`;
}

/** A file that operating systems store for themselves. */
interface HiddenFile {
  readonly uuid: string;
  /** Below the root of the home. */
  readonly segments: readonly string[];
}

/**
 * The next such files of a home in their places, by id.
 * @param after the id of the last one before
 * @returns `next` to continue after; null at the end
 */
export async function hiddenFilesOf(
  database: Pick<FilesDatabase, 'all' | 'allAside'>,
  homeId: string,
  after: number,
  most: number,
): Promise<{ files: HiddenFile[]; next: number | null }> {
  const rows = await database.allAside<{ id: number; uuid: string }>(
    `WITH RECURSIVE ${deletedIn('?1')}
     SELECT id, uuid FROM items
     WHERE home_id = ?1 AND id > ?2 AND missing_since IS NULL AND ${isHiddenFile('items')} AND id NOT IN (SELECT id FROM deleted)
     ORDER BY id LIMIT ?3`,
    [homeId, after, most],
  );
  const places = await locationsOf(
    database,
    rows.map(({ id }) => id),
  );
  const files = rows.flatMap(({ id, uuid }) => {
    const location = places.get(id);
    return location?.state === 'there' ? [{ uuid, segments: location.segments }] : [];
  });
  return { files, next: rows.length < most ? null : (rows.at(-1)?.id ?? null) };
}
