import { itemsThere } from '../catalogue/newest.ts';
import type { Database } from '../database/database.ts';
import { searchContents } from './contents.ts';
import type { Hits, SearchFolder } from './find-by-name.ts';

/** Hits requested from the index at a time: some may be in other folders, or in the trash. */
const MORE = 500;
/** Most hits read per home. */
const MOST_CONTENTS = 20_000;

/** Files whose text has all of these words, best first. @param limit of hits */
export async function findByContents(
  database: Pick<Database, 'all'>,
  folder: SearchFolder,
  text: string,
  limit: number,
): Promise<Hits> {
  for (let asked = Math.min(limit + MORE, MOST_CONTENTS); ; asked = Math.min(asked * 4, MOST_CONTENTS)) {
    const { ids, isCut } = await searchContents(database, folder.homeId, text, asked);
    const [items, folderId] = await Promise.all([itemsThere(database, ids), folder.itemId]);
    const hits = items
      .filter(({ place }) => place.folders.includes(folderId))
      .map(({ item, place }) => ({ item, segments: place.segments }));
    if (hits.length > limit) return { hits: hits.slice(0, limit), isCut: true };
    if (!isCut || asked === MOST_CONTENTS) return { hits, isCut };
  }
}
