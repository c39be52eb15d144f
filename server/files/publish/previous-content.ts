import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { z } from 'zod';
import type { Home } from '../../catalogue/homes.ts';
import { IS_PROVEN, type Item, insertItem, rootId, TRASH_ROOT } from '../../catalogue/items.ts';
import type { Transaction } from '../../database/database.ts';
import { randomAlphanumeric } from '../../lib/random.ts';
import type { SettingsValues } from '../../settings/settings.ts';
import type { DiskEntry } from '../../storage/disk/disk.ts';

/** Where replaced content goes: decided, and written into the journal, before it is replaced. */
export const previousContentSchema = z.object({
  as: z.enum(['version', 'trash']),
  /** Its name in `versions/` or in `trash/`. */
  id: z.string().regex(/^[A-Za-z0-9-]{8,64}$/),
  /** The virtual path it had. */
  path: z.string(),
  /** Who replaces it, and when (milliseconds since the epoch). */
  by: z.number(),
  at: z.number(),
});

export type PreviousContent = z.infer<typeof previousContentSchema>;

/** It becomes a version, or goes to the trash if versions are off. */
export function retainAs(
  { versionsKept }: Pick<SettingsValues, 'versionsKept'>,
  path: string,
  by: number,
  at: number,
): PreviousContent {
  return versionsKept > 0
    ? { as: 'version', id: randomUUID(), path, by, at }
    : { as: 'trash', id: randomAlphanumeric(16), path, by, at };
}

export function previousContentPath({ area }: Home, { as, id }: PreviousContent): string {
  return join(as === 'version' ? area.versions : area.trash, id);
}

/** The recorded SHA-256 of the content of a row; null if it is unknown, or not certain. */
export async function provenSha256(tx: Transaction, itemId: number): Promise<Buffer | null> {
  const sql = `SELECT sha256 FROM items WHERE id = ? AND ${IS_PROVEN}`;
  return (await tx.get<{ sha256: Buffer | null }>(sql, [itemId]))?.sha256 ?? null;
}

/**
 * Writes the row of the content that `item` had until now.
 * @param sha256 of that content, if known; by default what the row of `item` says
 */
export async function recordPreviousContent(
  tx: Transaction,
  homeId: string,
  item: Pick<Item, 'id' | 'version' | 'parentId' | 'changedBy'>,
  replaced: DiskEntry,
  kept: PreviousContent,
  sha256?: Buffer | null,
): Promise<void> {
  const given = [sha256 === undefined ? 0 : 1, sha256 ?? null];
  if (kept.as === 'version') {
    await tx.run(
      `INSERT INTO versions (id, item_id, version, size, mtime, stored_at, changed_by, sha256)
       VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, iif(?8, ?9, (SELECT sha256 FROM items WHERE id = ?2 AND ${IS_PROVEN})))`,
      [kept.id, item.id, item.version, replaced.size, replaced.mtime, kept.at, item.changedBy, ...given],
    );
    return;
  }
  // Temporarily beside the item it belonged to, under a name that no disk has: a restore puts it there.
  const parentId = item.parentId ?? (await rootId(tx, homeId, TRASH_ROOT));
  const trashed = await insertItem(tx, homeId, parentId, { ...replaced, name: `/${kept.id}` }, item.changedBy);
  await tx.run(
    `UPDATE items SET version = ?1, sha256 = iif(?4, ?5, (SELECT sha256 FROM items WHERE id = ?2 AND ${IS_PROVEN}))
     WHERE id = ?3`,
    [item.version, item.id, trashed.id, ...given],
  );
  await recordTrashedRow(tx, homeId, trashed.id, kept);
}

/** Moves an item's row, and those below it, to the trash. */
export async function recordTrashedRow(
  tx: Transaction,
  homeId: string,
  itemId: number,
  { id, path, at, by }: Pick<PreviousContent, 'id' | 'path' | 'at' | 'by'>,
): Promise<void> {
  await tx.run(
    `INSERT INTO trash (id, item_id, original_parent_id, original_path, deleted_at, deleted_by)
     SELECT ?, id, parent_id, ?, ?, (SELECT id FROM accounts WHERE id = ?) FROM items WHERE id = ?`,
    [id, path, at, by, itemId],
  );
  await tx.run('UPDATE items SET parent_id = ?, name = ?, missing_since = NULL WHERE id = ?', [
    await rootId(tx, homeId, TRASH_ROOT),
    id,
    itemId,
  ]);
}
