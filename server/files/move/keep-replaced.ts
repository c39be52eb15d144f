import { randomUUID } from 'node:crypto';
import type { Transaction } from '../../database/database.ts';

/** Fields whose values people enter; the values of all others are read from the content. */
const ENTERED = "SELECT id FROM metadata_fields WHERE system IS NULL OR system IN ('tag', 'rating', 'label')";

/**
 * Gives a moved file the identity of the file that it replaces: its uuid, and everything that people attached to it. Its versions
 * and comments are inherited anyway. Attachments that both have stay as they are on the moved file.
 */
export async function takeIdentity(tx: Transaction, itemId: number, replacedId: number): Promise<void> {
  const both = [itemId, replacedId];
  const uuidOf = async (id: number) =>
    (await tx.get<{ uuid: string }>('SELECT uuid FROM items WHERE id = ?', [id]))?.uuid ?? randomUUID();
  const [own, replaced] = [await uuidOf(itemId), await uuidOf(replacedId)];
  const setUuid = (id: number, uuid: string) => tx.run('UPDATE items SET uuid = ? WHERE id = ?', [uuid, id]);
  // Uuids are unique, so they cannot be exchanged at once.
  await setUuid(itemId, randomUUID());
  await setUuid(replacedId, own);
  await setUuid(itemId, replaced);
  for (const table of [
    'stars',
    'album_items',
    'shares',
    'weblinks',
    'weblink_items',
    'weblink_sent',
    'dav_properties',
  ]) {
    await tx.run(`UPDATE OR IGNORE ${table} SET item_id = ? WHERE item_id = ?`, both);
  }
  await tx.run('UPDATE albums SET cover_id = ? WHERE cover_id = ?', both);
  await tx.run(
    `UPDATE metadata_values SET item_id = ?1, home_id = (SELECT home_id FROM items WHERE id = ?1)
     WHERE item_id = ?2 AND field_id IN (${ENTERED})
       AND field_id NOT IN (SELECT field_id FROM metadata_values WHERE item_id = ?1)`,
    both,
  );
}
