import { IS_PROVEN } from '../catalogue/items.ts';
import type { FilesDatabase } from '../database/database.ts';
import type { Checksum } from './checksum.ts';

/**
 * Remembers the verified checksum of a content, unless another one has taken its place already.
 * @param stored the uuid of its file, and its tag with quotes
 */
export async function rememberChecksum(
  database: Pick<FilesDatabase, 'write'>,
  { uuid, etag }: { readonly uuid: string; readonly etag: string },
  { algorithm, value }: Checksum,
): Promise<void> {
  await database.write((tx) =>
    tx.run(
      `INSERT OR REPLACE INTO dav_checksums (item_id, tag, checksum)
       SELECT id, tag, ?1 FROM items WHERE uuid = ?2 AND tag = trim(?3, '"')`,
      [`${algorithm}:${value}`, uuid, etag],
    ),
  );
}

interface ChecksumRow {
  id: number;
  identity: string;
  touched: number | null;
  sha256: Buffer | null;
  checksum: string | null;
}

/** Of an unproven content, nothing is known. */
const CHECKSUMS = `SELECT items.id, items.identity, touched, sha256, checksum FROM items
  LEFT JOIN dav_checksums c ON c.item_id = items.id AND c.tag = items.tag
  WHERE ${IS_PROVEN}`;

/** What is known of the content of a file. */
export interface KnownChecksums {
  /** Of the content, as in `DiskEntry`. The row may be of an older one. */
  readonly identity: string;
  readonly touched: number;
  /** As sync clients write them. */
  readonly text: string;
}

/** The known checksums of the files of a folder, by item ids. @param parentId of the folder */
export async function checksumsIn(
  database: Pick<FilesDatabase, 'all'>,
  parentId: number,
): Promise<Map<number, KnownChecksums>> {
  const rows = await database.all<ChecksumRow>(
    `${CHECKSUMS} AND parent_id = ? AND (sha256 IS NOT NULL OR checksum IS NOT NULL)`,
    [parentId],
  );
  return new Map(
    rows.map((row) => [row.id, { identity: row.identity, touched: row.touched ?? 0, text: textOf(row) ?? '' }]),
  );
}

/** The same of files of several folders, of the contents that their rows have. */
export async function checksumsOfEach(
  database: Pick<FilesDatabase, 'all'>,
  itemIds: readonly number[],
): Promise<Map<number, string>> {
  const rows = await database.all<ChecksumRow>(`${CHECKSUMS} AND items.id IN (SELECT value FROM json_each(?))`, [
    JSON.stringify(itemIds),
  ]);
  const known = new Map<number, string>();
  for (const row of rows) {
    const text = textOf(row);
    if (text !== null) known.set(row.id, text);
  }
  return known;
}

/** The same of one file, if its row is of this content; null if none is known. @param identity of the content */
export async function checksumsOf(
  database: Pick<FilesDatabase, 'get'>,
  itemId: number,
  identity: string,
): Promise<string | null> {
  const row = await database.get<ChecksumRow>(`${CHECKSUMS} AND items.id = ? AND items.identity = ?`, [
    itemId,
    identity,
  ]);
  return row === undefined ? null : textOf(row);
}

/** `SHA256:…`, after the checksum that the client of the content prefers. */
function textOf({ sha256, checksum }: ChecksumRow): string | null {
  const known = sha256 === null ? null : `SHA256:${sha256.toString('hex')}`;
  const all = [checksum, known].filter((one) => one !== null);
  return all.length === 0 ? null : [...new Set(all)].join(' ');
}
