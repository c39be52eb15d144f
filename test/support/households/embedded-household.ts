import { newestOf } from '../../../dist/server/catalogue/newest.js';
import { createEmbeddedIndex } from '../../../dist/server/media/embedded/embedded-index.js';
import { HOME_ID, openIndexHousehold } from './index-household.ts';

/** The reader of embedded metadata. */
export async function openEmbeddedHousehold() {
  const house = await openIndexHousehold(createEmbeddedIndex, 'embedded_states');
  return {
    ...house,
    /** The values of a file by field key, several separated by commas. */
    async fields(name: string): Promise<Record<string, string>> {
      const rows = await house.database.all<{ system: string; value: string }>(
        `SELECT f.system, t.value FROM items i JOIN metadata_values v ON v.item_id = i.id
         JOIN metadata_terms t ON t.id = v.term_id JOIN metadata_fields f ON f.id = v.field_id
         WHERE i.name = ? ORDER BY f.id, v.position`,
        [name],
      );
      const fields: Record<string, string> = {};
      for (const { system, value } of rows) {
        fields[system] = fields[system] === undefined ? value : `${fields[system]}, ${value}`;
      }
      return fields;
    },
    /** Names, newest first. */
    async photos(): Promise<string[]> {
      const newest = await newestOf(house.database, HOME_ID, ['image', 'raw'], 100);
      return newest.map(({ item }) => item.name);
    },
    async idOf(name: string): Promise<number> {
      return (await house.database.get<{ id: number }>('SELECT id FROM items WHERE name = ?', [name]))?.id ?? 0;
    },
    places: () =>
      house.database.all<{ name: string; latitude: number; longitude: number }>(
        'SELECT name, latitude, longitude FROM embedded_places JOIN items ON id = item_id ORDER BY name',
      ),
  };
}

export type EmbeddedHousehold = Awaited<ReturnType<typeof openEmbeddedHousehold>>;
