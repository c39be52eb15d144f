import type { Database } from '../database/database.ts';
import type { Found } from '../storage/disk.ts';
import { ITEM_COLUMNS, type Item, type ItemRow, itemOf } from './items.ts';
import { rememberPath } from './remember.ts';
import { way } from './way.ts';

/** The item of what was just found at a path. Nothing is written when its row is there and says the same. */
export async function itemFound(database: Database, homeId: string, { parents, entry }: Found): Promise<Item> {
  const [row] = await database.all<ItemRow>(
    `WITH RECURSIVE ${way('?1', '?2')}
     SELECT ${ITEM_COLUMNS} FROM items WHERE parent_id = (SELECT id FROM way WHERE depth = ?3) AND name = ?4
       AND missing_since IS NULL`,
    [homeId, JSON.stringify(parents.map(({ name }) => name)), parents.length - 1, entry.name],
  );
  if (row !== undefined && row.identity === entry.identity && (row.is_dir === 1) === entry.isDir) return itemOf(row);
  return database.write((tx) => rememberPath(tx, homeId, parents, entry));
}
