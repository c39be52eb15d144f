import { locationsOfItems } from '../catalogue/places.ts';
import type { Database } from '../database/database.ts';
import { type Criterion, folderCriterion, type Narrow } from './criterion.ts';
import { finderIn, type Hit, type Hits, inOrder, type SearchFolder } from './find-by-name.ts';
import type { NameQuery } from './name-query.ts';
import type { Candidate } from './names.ts';

/** Most candidates examined. */
const MAX_EXAMINED = 200_000;
/** So few items are examined faster than anything is counted. */
const FEW = 200;

/**
 * Files and folders that match all criteria. The narrowest one leads.
 * @param query of names, for the order
 * @param limit of hits
 */
export async function findByCriteria(
  database: Pick<Database, 'all'>,
  folder: SearchFolder,
  criteria: readonly Criterion[],
  query: NameQuery | null,
  limit: number,
): Promise<Hits> {
  const [leading, others] = await inTurn(database, folder, criteria);
  if (leading === undefined) return { hits: [], isCut: false };
  const found: { hit: Hit; fold: string }[] = [];
  const isCut = () => criteria.some((one) => one.isCut?.() === true);
  let examinedCount = 0;
  for await (const page of leading.pages(folder.homeId, narrowBy(others))) {
    examinedCount += page.length;
    let candidates: readonly Candidate[] = page;
    for (const other of others) if (candidates.length > 0) candidates = await other.keep(candidates);
    if (candidates.length > 0) {
      const items = candidates.map(({ item }) => item);
      const [places, isFound] = await Promise.all([locationsOfItems(database, items), finderIn(folder, items)]);
      for (const { item, fold } of candidates) {
        const scope = places.get(item.id);
        if (scope?.state !== 'there' || !isFound(item, scope.folders)) continue;
        if (found.length === limit) return { hits: inOrder(query, found), isCut: true };
        found.push({ hit: { item, segments: scope.segments }, fold });
      }
    }
    if (examinedCount >= MAX_EXAMINED) return { hits: inOrder(query, found), isCut: true };
  }
  return { hits: inOrder(query, found), isCut: isCut() };
}

function narrowBy(others: readonly Criterion[]): Narrow | undefined {
  const all = others.flatMap(({ keepIds }) => keepIds ?? []);
  if (all.length === 0) return undefined;
  return async (ids) => {
    let left = ids;
    for (const keepIds of all) if (left.length > 0) left = await keepIds(left);
    return left;
  };
}

/** The criterion with the fewest items first; that may be the folder itself. */
async function inTurn(
  database: Pick<Database, 'all'>,
  { isPart = false, itemId }: SearchFolder,
  criteria: readonly Criterion[],
): Promise<[Criterion | undefined, readonly Criterion[]]> {
  if (criteria.length < 2 && !isPart) return [criteria[0], []];
  const counted = await Promise.all(criteria.map(async (one) => ({ one, count: await one.count() })));
  if (isPart && counted.every(({ count }) => count > FEW)) {
    const below = folderCriterion(database, await itemId);
    counted.push({ one: below, count: await below.count() });
  }
  const [first, ...rest] = counted.sort((a, b) => a.count - b.count).map(({ one }) => one);
  return [first, rest];
}
