import { type ItemTarget, targetIn } from '../access/access.ts';
import type { LinkVisitor } from '../access/caller.ts';
import { itemsThere } from '../catalogue/newest.ts';
import type { OpenLink } from '../weblinks/open-link.ts';
import { arrangeEntries, paginate } from './arrange.ts';
import { describe } from './details.ts';
import type { BrowseContext, BrowseOptions, Listing } from './listing.ts';
import { describedFrom } from './reach.ts';

/**
 * The items of a web link to several, as its visitors have them: each by its name in the link. Those of a link to an album are in the
 * order of the album.
 */
export async function browseLinked(
  context: BrowseContext,
  caller: LinkVisitor,
  { items, album }: Pick<OpenLink, 'album'> & { readonly items: NonNullable<OpenLink['items']> },
  options: BrowseOptions,
): Promise<Pick<Listing, 'files'> & { readonly total: number }> {
  const targets = new Map<number, ItemTarget>(
    items.map(({ name, grant }) => [grant.itemId, { ...targetIn(grant, []), base: `/${name}` }]),
  );
  const found = await itemsThere(context.database, [...targets.keys()]);
  const reached = found.flatMap((placed) => {
    const target = targets.get(placed.item.id);
    return target === undefined ? [] : [{ ...placed, target }];
  });
  const described = await describedFrom(context, caller, reached, options);
  const entries = album === null ? arrangeEntries(described, options) : described;
  const { page } = paginate(entries, options);
  const now = context.clock.now();
  return { total: entries.length, files: page.map((described) => describe(described, options.details, now)) };
}
