import { type ItemTarget, targetIn } from '../../access/access.ts';
import type { LinkVisitor } from '../../access/caller.ts';
import { itemsThere } from '../../catalogue/newest.ts';
import { burstsAmong } from '../../catalogue/photos.ts';
import type { OpenLink } from '../../weblinks/open-link.ts';
import { arrangeEntries, paginate } from '../arrange.ts';
import { type Described, describe, type ListedItem } from '../details.ts';
import type { BrowseContext, BrowseOptions, Listing } from '../listing.ts';
import { describedFrom } from '../reach.ts';

interface LinkedPage extends Pick<Listing, 'files'> {
  readonly total: number;
  readonly bursts: ReadonlyMap<string, readonly ListedItem[]>;
}

/**
 * The items of a web link to several, as its visitors have them: each by its name in the link. Those of a link to an album are in the
 * order of the album.
 * @param areBurstsOne whether the photos of a burst are one in an album, as far as they are in it
 * @returns `bursts` has what is one with a photo, by the path of that photo
 */
export async function browseLinked(
  context: BrowseContext,
  caller: LinkVisitor,
  { items, album }: Pick<OpenLink, 'album'> & { readonly items: NonNullable<OpenLink['items']> },
  options: BrowseOptions,
  areBurstsOne: boolean,
): Promise<LinkedPage> {
  const targets = new Map<number, ItemTarget>(
    items.map(({ name, grant }) => [grant.itemId, { ...targetIn(grant, []), base: `/${name}` }]),
  );
  const found = await itemsThere(context.database, [...targets.keys()]);
  const reached = found.flatMap((placed) => {
    const target = targets.get(placed.item.id);
    return target === undefined ? [] : [{ ...placed, target }];
  });
  const described = await describedFrom(context, caller, reached, options);
  const now = context.clock.now();
  const listed = (one: Described) => describe(one, options.details, now);
  const bursts = new Map<string, ListedItem[]>();
  let entries = album === null ? arrangeEntries(described, options) : described;
  if (album !== null && areBurstsOne) {
    const firsts = await burstsAmong(context.database, [...targets.keys()]);
    const byId = new Map(described.map((one) => [one.item?.id, one]));
    entries = described.filter((one) => {
      const first = byId.get(firsts.get(one.item?.id ?? 0));
      if (first === undefined) return true;
      const { path } = listed(first);
      bursts.set(path, [...(bursts.get(path) ?? []), listed(one)]);
      return false;
    });
  }
  const { page } = paginate(entries, options);
  return { total: entries.length, files: page.map(listed), bursts };
}
