import { itemsThere } from '../catalogue/newest.ts';
import type { Database } from '../database/database.ts';
import { searchContents } from './contents.ts';
import { finderIn, type Hits, type SearchFolder } from './find-by-name.ts';

/** Hits requested from the index at a time: some may be in other folders, or in the trash. */
const MORE = 500;
/** Most hits read per home. */
const MAX_CONTENTS = 20_000;

/** Files whose text has all of these words, best first. @param limit of hits */
export async function findByContents(
  database: Pick<Database, 'all'>,
  folder: SearchFolder,
  text: string,
  limit: number,
): Promise<Hits> {
  for (let requested = Math.min(limit + MORE, MAX_CONTENTS); ; requested = Math.min(requested * 4, MAX_CONTENTS)) {
    const { ids, isCut } = await searchContents(database, folder.homeId, text, requested);
    const items = await itemsThere(database, ids);
    const isFound = await finderIn(
      folder,
      items.map(({ item }) => item),
    );
    const hits = items
      .filter(({ item, location }) => isFound(item, location.folders))
      .map(({ item, location }) => ({ item, segments: location.segments }));
    if (hits.length > limit) return { hits: hits.slice(0, limit), isCut: true };
    if (!isCut || requested === MAX_CONTENTS) return { hits, isCut };
  }
}
