import { HOME_BASE, type ItemTarget, shownName, targetIn, virtualPathOf } from '../access/access.ts';
import { type AccountCaller, type Caller, rightsOf } from '../access/caller.ts';
import { isPermitted } from '../access/rights.ts';
import type { Grant } from '../access/shared.ts';
import type { Home } from '../catalogue/homes.ts';
import { entryOf } from '../catalogue/items.ts';
import type { LocatedItem } from '../catalogue/newest.ts';
import type { ItemLocation } from '../catalogue/places.ts';
import type { Described, ItemFacts } from './details.ts';
import { type BrowseContext, type FactsContext, factsIn, type RequestedDetails, withRowFacts } from './listing.ts';

/** An item of a list, and the path by which the caller reaches it. */
export interface Reached extends LocatedItem {
  readonly target: ItemTarget;
}

/** Where an account may search: in its home, and in everything shared with it. */
export interface Reach {
  readonly home: Home | null;
  readonly grants: readonly Grant[];
  /** Leaves out items at other locations. */
  of(items: readonly LocatedItem[]): Reached[];
  /** Whether an item of a folder is among those of `of`, without its row. @param folder where the folder is */
  hasIn(folder: ItemLocation, folderId: number, itemId: number): boolean;
}

export async function reachOf({ access }: Pick<BrowseContext, 'access'>, caller: AccountCaller): Promise<Reach> {
  const home = caller.account.homeId === null ? null : await access.homeOf(caller);
  const grants = await access.shared.grantsOf(caller.account);
  const byItem = new Map<number, Grant>();
  for (const grant of grants) if (!byItem.has(grant.itemId)) byItem.set(grant.itemId, grant);

  function targetOf({ item, location }: LocatedItem): ItemTarget | null {
    if (home !== null && location.homeId === home.id) {
      return { home, segments: location.segments, base: HOME_BASE, top: 0, share: null };
    }
    for (const id of [...location.folders, item.id]) {
      const grant = byItem.get(id);
      if (grant !== undefined) return targetIn(grant, location.segments.slice(grant.location.segments.length));
    }
    return null;
  }

  return {
    home,
    grants,
    of: (items) =>
      items.flatMap((placed) => {
        const target = targetOf(placed);
        return target === null ? [] : [{ ...placed, target }];
      }),
    hasIn: ({ state, homeId, folders }, folderId, itemId) =>
      state === 'there' &&
      ((home !== null && homeId === home.id) || [...folders, folderId, itemId].some((id) => byItem.has(id))),
  };
}

/** The data to describe items of several homes, with one lookup per home. */
export async function describedFrom(
  context: FactsContext,
  caller: Caller,
  reached: readonly Reached[],
  requested: RequestedDetails,
): Promise<Described[]> {
  const facts = new Map<string, ItemFacts>();
  // In one home, comments, labels and contents may be readable through one share and not through another.
  const keyOf = ({ home, share }: ItemTarget) => {
    const readable = (['files/comments/list', 'files/metadata', 'files/download'] as const).map((one) =>
      isPermitted(rightsOf(caller), share, one),
    );
    return `${home.id}/${share === null}/${readable.join('/')}`;
  };
  for (const { target } of reached) {
    const key = keyOf(target);
    if (!facts.has(key)) facts.set(key, await factsIn(context, caller, target, requested));
  }
  for (const [key, known] of facts) {
    const items = reached.flatMap(({ item, target }) => (keyOf(target) === key ? [item] : []));
    facts.set(key, await withRowFacts(context, known, items));
  }
  return reached.map(({ item, target }) => ({
    item,
    entry: entryOf(item),
    path: virtualPathOf(target),
    name: shownName(target, item.name),
    facts: facts.get(keyOf(target)) as ItemFacts,
  }));
}
