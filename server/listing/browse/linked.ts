import { type ItemTarget, targetIn } from '../../access/access.ts';
import type { LinkVisitor } from '../../access/caller.ts';
import { itemsThere } from '../../catalogue/newest.ts';
import { partsAmong } from '../../catalogue/photos.ts';
import type { OpenLink } from '../../weblinks/open-link.ts';
import { arrangeEntries, paginate } from '../arrange.ts';
import { type Described, describe, type ListedItem } from '../details.ts';
import type { BrowseContext, BrowseOptions, Listing } from '../listing.ts';
import { describedFrom } from '../reach.ts';

interface LinkedPage extends Pick<Listing, 'files'> {
  readonly total: number;
  readonly parts: LinkedParts;
}

/** What is one with a photo of an album, by the path of that photo. */
export type LinkedParts = ReadonlyMap<string, readonly LinkedPart[]>;

export interface LinkedPart {
  readonly item: ListedItem;
  /** Of a film: the path of its photo. */
  readonly filmOf: string | null;
}

/** What is one with a photo of an album: the other photos of its burst, and the film of a Live Photo where it can be played. */
export interface Joining {
  playsFilm(still: ListedItem): boolean;
}

/**
 * The items of a web link to several, as its visitors have them: each by its name in the link. Those of a link to an album are in the
 * order of the album.
 * @param joining null where every item is an entry of its own
 */
export async function browseLinked(
  context: BrowseContext,
  caller: LinkVisitor,
  { items, album }: Pick<OpenLink, 'album'> & { readonly items: NonNullable<OpenLink['items']> },
  options: BrowseOptions,
  joining: Joining | null,
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
  const parts = new Map<string, LinkedPart[]>();
  let entries = album === null ? arrangeEntries(described, options) : described;
  if (album !== null && joining !== null) {
    const all = await partsAmong(context.database, [...targets.keys()]);
    const byId = new Map(described.map((one) => [one.item?.id, one]));
    entries = described.filter((one) => {
      const part = all.get(one.item?.id ?? 0);
      const [whole, still] = [byId.get(part?.whole), byId.get(part?.filmOf ?? part?.whole)];
      if (part === undefined || whole === undefined || still === undefined) return true;
      const [{ path }, shown] = [listed(whole), listed(still)];
      const before = parts.get(path) ?? [];
      const isFilm = part.filmOf !== null;
      // One film plays over a photo. A second one is an entry of its own.
      if (isFilm && (!joining.playsFilm(shown) || before.some(({ filmOf }) => filmOf === shown.path))) return true;
      parts.set(path, [...before, { item: listed(one), filmOf: isFilm ? shown.path : null }]);
      return false;
    });
  }
  const { page } = paginate(entries, options);
  return { total: entries.length, files: page.map(listed), parts };
}
