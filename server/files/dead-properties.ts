import type { DatabaseReader, Transaction } from '../database/database.ts';
import { ApiError } from '../http/errors.ts';
import { t } from '../messages/messages.ts';

/** A property that WebDAV clients stored with an item; the server does not know what it means (RFC 4918 §4). */
export interface DeadProperty {
  readonly namespace: string;
  readonly name: string;
  /** The whole element, as XML that needs no context. */
  readonly value: string;
}

/**
 * Bytes of one property, the number and bytes of all properties of an item, and the bytes of all in a home: no quota counts them.
 * Items with few properties are not limited, because they can take little more than their rows.
 */
export const PROPERTY_LIMITS = {
  bytes: 64 * 1024,
  count: 200,
  allBytes: 256 * 1024,
  fewBytes: 4 * 1024,
  homeBytes: 64 * 1024 * 1024,
} as const;

/** A null value removes the property. */
export type DeadPropertyChange = Pick<DeadProperty, 'namespace' | 'name'> & { readonly value: string | null };

interface PropertyRow extends DeadProperty {
  item_id: number;
}

/** The properties of an item. */
export async function deadProperties(database: Pick<DatabaseReader, 'all'>, itemId: number): Promise<DeadProperty[]> {
  return database.all<DeadProperty>(
    'SELECT namespace, name, value FROM dav_properties WHERE item_id = ? ORDER BY namespace, name',
    [itemId],
  );
}

/** Bytes of the properties of all entries of a folder. @param parentId of the folder */
export async function deadPropertyBytesIn(database: Pick<DatabaseReader, 'get'>, parentId: number): Promise<number> {
  const found = await database.get<{ bytes: number }>(
    `SELECT coalesce(sum(octet_length(value)), 0) AS bytes FROM items CROSS JOIN dav_properties p ON p.item_id = items.id
     WHERE parent_id = ?`,
    [parentId],
  );
  return found?.bytes ?? 0;
}

/** The properties of several items, by their ids. */
export async function deadPropertiesOf(
  database: Pick<DatabaseReader, 'all'>,
  itemIds: readonly number[],
): Promise<Map<number, DeadProperty[]>> {
  const rows = await database.all<PropertyRow>(
    `SELECT item_id, namespace, name, value FROM dav_properties WHERE item_id IN (SELECT value FROM json_each(?))
     ORDER BY namespace, name`,
    [JSON.stringify(itemIds)],
  );
  const byItem = new Map<number, DeadProperty[]>();
  for (const row of rows) {
    const own = byItem.get(row.item_id);
    if (own === undefined) byItem.set(row.item_id, [row]);
    else own.push(row);
  }
  return byItem;
}

/**
 * Sets or removes properties of an item, all of them or none.
 * @param changes in order
 * @throws ApiError `quota_exceeded` for more than {@link PROPERTY_LIMITS} allow
 */
export async function changeDeadProperties(
  tx: Transaction,
  itemId: number,
  changes: readonly DeadPropertyChange[],
): Promise<void> {
  for (const { namespace, name, value } of changes) {
    const key = [itemId, namespace, name];
    if (value === null) {
      await tx.run('DELETE FROM dav_properties WHERE item_id = ? AND namespace = ? AND name = ?', key);
      continue;
    }
    if (Buffer.byteLength(value) > PROPERTY_LIMITS.bytes) throw tooMuch();
    await tx.run('INSERT OR REPLACE INTO dav_properties (item_id, namespace, name, value) VALUES (?, ?, ?, ?)', [
      ...key,
      value,
    ]);
  }
  const all = await tx.get<{ count: number; bytes: number }>(
    'SELECT count(*) AS count, coalesce(sum(octet_length(value)), 0) AS bytes FROM dav_properties WHERE item_id = ?',
    [itemId],
  );
  if (all === undefined) return;
  if (all.count > PROPERTY_LIMITS.count || all.bytes > PROPERTY_LIMITS.allBytes) throw tooMuch();
  const isMore = changes.some(({ value }) => value !== null) && all.bytes > PROPERTY_LIMITS.fewBytes;
  if (isMore && (await isHomeFull(tx, itemId))) {
    throw new ApiError(
      'quota_exceeded',
      t('api.webdav.propertiesOfHome', { megabytes: PROPERTY_LIMITS.homeBytes / 1024 / 1024 }),
    );
  }
}

/** Whether the items in the home of an item have as many properties as they may. */
async function isHomeFull(tx: Transaction, itemId: number): Promise<boolean> {
  const found = await tx.get<{ bytes: number }>(
    `SELECT coalesce(sum(octet_length(value)), 0) AS bytes FROM dav_properties CROSS JOIN items ON items.id = item_id
     WHERE home_id = (SELECT home_id FROM items WHERE id = ?)`,
    [itemId],
  );
  return (found?.bytes ?? 0) > PROPERTY_LIMITS.homeBytes;
}

/**
 * Gives a copy of an item, and everything below it, the properties of the original, unless the home of the copy has as many as it may.
 * A file that was replaced by the copy loses its own (RFC 4918 §9.8.4). Both have their rows.
 * @param itemId null for an original without a row, and so without properties
 */
export async function copyDeadProperties(tx: Transaction, itemId: number | null, copyId: number): Promise<void> {
  await tx.run('DELETE FROM dav_properties WHERE item_id = ?', [copyId]);
  if (itemId === null) return;
  const own = await tx.get<{ is_dir: number; bytes: number }>(
    `SELECT is_dir, (SELECT coalesce(sum(octet_length(value)), 0) FROM dav_properties WHERE item_id = id) AS bytes
     FROM items WHERE id = ?`,
    [itemId],
  );
  const mayBeMany = own?.is_dir === 1 || (own?.bytes ?? 0) > PROPERTY_LIMITS.fewBytes;
  if (mayBeMany && (await isHomeFull(tx, copyId))) return;
  await tx.run(
    `WITH RECURSIVE pairs (original, copy) AS (
       SELECT ?1, ?2
       UNION ALL
       SELECT a.id, b.id FROM pairs CROSS JOIN items a ON a.parent_id = original
         CROSS JOIN items b ON b.parent_id = copy AND b.name = a.name
     ) INSERT OR REPLACE INTO dav_properties (item_id, namespace, name, value)
       SELECT copy, namespace, p.name, value FROM pairs CROSS JOIN dav_properties p ON p.item_id = original`,
    [itemId, copyId],
  );
}

/** Whether any item of a home has properties, so that a copy in a home without any costs nothing. */
export async function hasDeadProperties(database: Pick<DatabaseReader, 'get'>, homeId: string): Promise<boolean> {
  const sql = 'SELECT 1 FROM dav_properties CROSS JOIN items ON items.id = item_id WHERE home_id = ? LIMIT 1';
  return (await database.get(sql, [homeId])) !== undefined;
}

function tooMuch(): ApiError {
  return new ApiError(
    'quota_exceeded',
    t('api.webdav.propertiesTooLarge', { kilobytes: PROPERTY_LIMITS.allBytes / 1024 }),
  );
}
