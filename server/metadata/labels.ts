import type { Database } from '../database/database.ts';
import { labelText } from './marks.ts';

/** The labels of the items of a home, as in listings, by item id. */
export async function labelsIn(database: Pick<Database, 'all'>, homeId: string): Promise<ReadonlyMap<number, string>> {
  const rows = await database.all<{ item_id: number; value: string; color: string | null }>(
    `SELECT v.item_id, t.value, v.color FROM metadata_fields f CROSS JOIN metadata_terms t ON t.field_id = f.id
     CROSS JOIN metadata_values v ON v.term_id = t.id AND v.home_id = ? WHERE f.system = 'label'`,
    [homeId],
  );
  return new Map(rows.map(({ item_id: itemId, value, color }) => [itemId, labelText({ value, color })]));
}
