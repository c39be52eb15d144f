import type { FilesDatabase } from '../../database/database.ts';
import { TRASH_ROOT } from '../items.ts';

/** A file whose hash is not recorded, or not proven, as the catalogue knows it. */
export interface UnhashedFile {
  readonly id: number;
  readonly homeId: string;
  /** The id of its folder's row. */
  readonly parentId: number;
  readonly identity: string;
  /** Milliseconds since the epoch. */
  readonly mtime: number;
  /** See `Item.touched`. */
  readonly touched: number | null;
}

/**
 * The next files without a hash, or with one that is not proven, by id. Those in the trash are among them.
 * @param homes the ids of the homes
 * @param after the id of the last one before
 */
export async function unhashedFiles(
  database: Pick<FilesDatabase, 'all'>,
  homes: readonly string[],
  after: number,
  most: number,
): Promise<UnhashedFile[]> {
  return database.all<UnhashedFile>(
    `SELECT id, home_id AS homeId, parent_id AS parentId, identity, mtime, touched FROM items INDEXED BY items_unproven
     WHERE (sha256 IS NULL OR touched < 0) AND is_dir = 0 AND missing_since IS NULL AND id > ?
       AND home_id IN (SELECT value FROM json_each(?)) ORDER BY id LIMIT ?`,
    [after, JSON.stringify(homes), most],
  );
}

/** The number of those files and their bytes, without those in the trash. @param except the ids of files that do not count */
export async function unhashedSum(
  database: Pick<FilesDatabase, 'allAside'>,
  homes: readonly string[],
  except: readonly string[],
): Promise<{ readonly files: number; readonly bytes: number }> {
  const [sum] = await database.allAside<{ files: number; bytes: number }>(
    `WITH RECURSIVE deleted (id) AS (
       SELECT id FROM items WHERE parent_id IS NULL AND name = ?1
       UNION ALL SELECT i.id FROM deleted CROSS JOIN items i ON i.parent_id = deleted.id)
     SELECT count(*) AS files, coalesce(sum(size), 0) AS bytes FROM items INDEXED BY items_unproven
     WHERE (sha256 IS NULL OR touched < 0) AND is_dir = 0 AND missing_since IS NULL
       AND home_id IN (SELECT value FROM json_each(?2)) AND id NOT IN (SELECT id FROM deleted)
       AND id NOT IN (SELECT CAST(value AS INTEGER) FROM json_each(?3))`,
    [TRASH_ROOT, JSON.stringify(homes), JSON.stringify(except)],
  );
  return sum ?? { files: 0, bytes: 0 };
}
