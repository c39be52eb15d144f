import { createTextIndex } from '../../../dist/server/media/text/text-index.js';
import { searchContents } from '../../../dist/server/search/contents.js';
import { HOME_ID, openIndexHousehold } from './index-household.ts';

/** The reader and search of documents. */
export async function openTextHousehold() {
  const house = await openIndexHousehold(createTextIndex, 'text_states');
  return {
    ...house,
    /** The names of the hits, best first. */
    async search(text: string, { homeId = HOME_ID, limit = 1_000 } = {}): Promise<string[]> {
      const { ids } = await searchContents(house.database, homeId, text, limit);
      const rows = await house.database.all<{ id: number; name: string }>(
        'SELECT id, name FROM items WHERE id IN (SELECT value FROM json_each(?))',
        [JSON.stringify(ids)],
      );
      return ids.map((id) => rows.find((row) => row.id === id)?.name ?? '');
    },
  };
}

export type TextHousehold = Awaited<ReturnType<typeof openTextHousehold>>;
