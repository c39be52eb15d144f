import type { ActivityDatabase, FilesDatabase } from '../../database/database.ts';

/** A file whose hash is not recorded, as the catalogue knows it. */
export interface UnhashedFile {
  readonly id: number;
  readonly homeId: string;
  /** The id of its folder's row. */
  readonly parentId: number;
  readonly identity: string;
  /** Milliseconds since the epoch. */
  readonly mtime: number;
}

export interface HashedFile {
  readonly id: number;
  /** Of the content that was hashed. */
  readonly identity: string;
  readonly sha256: Buffer;
}

/**
 * The next files without a hash, by id. Those in the trash are among them.
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
    `SELECT id, home_id AS homeId, parent_id AS parentId, identity, mtime FROM items INDEXED BY items_unhashed
     WHERE sha256 IS NULL AND is_dir = 0 AND missing_since IS NULL AND id > ?
       AND home_id IN (SELECT value FROM json_each(?)) ORDER BY id LIMIT ?`,
    [after, JSON.stringify(homes), most],
  );
}

/** Records hashes of files that are still the same. Nothing caches hashes, so cached listings stay valid. */
export async function recordHashes(
  database: Pick<ActivityDatabase, 'write'>,
  files: readonly HashedFile[],
): Promise<void> {
  if (files.length === 0) return;
  const rows = files.map(({ id, identity, sha256 }) => [id, identity, sha256.toString('hex')]);
  await database.write((tx) =>
    tx.run(
      `UPDATE items SET sha256 = unhex(value->>2) FROM json_each(?)
       WHERE items.id = value->>0 AND items.identity = value->>1 AND items.sha256 IS NULL`,
      [JSON.stringify(rows)],
    ),
  );
}
