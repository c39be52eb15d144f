import type { Transaction } from '../../database/database.ts';
import type { DiskEntry } from '../../storage/disk/disk.ts';
import { seenContent, touchedColumn } from '../items.ts';

/** What was read from a file, while nothing touched it. */
export interface ReadContent {
  readonly id: number;
  readonly identity: string;
  /** See `DiskEntry.touched`: before and after. */
  readonly touched: number;
  readonly sha256: Buffer;
}

/**
 * Records what was read from files whose rows still say the same: the hashes, and that the contents are proven. One that has another
 * hash than before is another content, with another tag.
 */
export async function recordProofs(tx: Transaction, contents: readonly ReadContent[]): Promise<void> {
  if (contents.length === 0) return;
  const rows = contents.map(({ id, identity, touched, sha256 }) => [id, identity, touched, sha256.toString('hex')]);
  await tx.run(
    `UPDATE items SET
       tag = CASE WHEN sha256 IS NULL OR sha256 = unhex(value->>3) THEN tag ELSE lower(hex(randomblob(9))) END,
       sha256 = unhex(value->>3), touched = value->>2
     FROM json_each(?)
     WHERE items.id = value->>0 AND items.identity = value->>1 AND (touched IS NULL OR abs(touched) = value->>2)`,
    [JSON.stringify(rows)],
  );
}

/** Records that a file was touched since, if it is still the file of the row, wherever that is now. */
export async function recordTouch(tx: Transaction, id: number, entry: DiskEntry): Promise<void> {
  const { size, mtime, identity } = entry;
  await tx.run(
    `UPDATE items SET ${seenContent({ size: '?1', mtime: '?2', identity: '?3', touched: '?4' })}
     WHERE id = ?5 AND identity = ?3`,
    [size, mtime, identity, touchedColumn(entry), id],
  );
}
