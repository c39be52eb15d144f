import type { Database } from '../database/database.ts';

/** The ids of the built-in fields, by their keys: `image.taken`, `tag`, … They never change. */
export async function systemFieldIds(database: Pick<Database, 'all'>): Promise<ReadonlyMap<string, number>> {
  const rows = await database.all<{ system: string; id: number }>(
    'SELECT system, id FROM metadata_fields WHERE system IS NOT NULL',
  );
  return new Map(rows.map(({ system, id }) => [system, id]));
}
