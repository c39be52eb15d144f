import type { FilesDatabase } from '../database/database.ts';
import { IS_PROVEN } from './items.ts';

/** The recorded SHA-256 of a content. */
export interface ContentHash {
  /** Of the content that has it. */
  readonly identity: string;
  /** Hexadecimal, lower case. */
  readonly sha256: string;
}

/**
 * The recorded hashes of items, by id, with one statement; none of a content that is unproven. A hash holds for a file only if the
 * file still has the identity: the rows may be older than what was read from the disk.
 */
export async function hashesOf(
  database: Pick<FilesDatabase, 'all'>,
  ids: readonly number[],
): Promise<Map<number, ContentHash>> {
  const rows = await database.all<{ id: number } & ContentHash>(
    `SELECT id, identity, lower(hex(sha256)) AS sha256 FROM items
     WHERE id IN (SELECT value FROM json_each(?)) AND sha256 IS NOT NULL AND ${IS_PROVEN}`,
    [JSON.stringify(ids)],
  );
  return new Map(rows.map(({ id, identity, sha256 }) => [id, { identity, sha256 }]));
}
