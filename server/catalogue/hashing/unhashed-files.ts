import type { FilesDatabase } from '../../database/database.ts';

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
