import { type ItemTarget, targetIn } from '../../access/access.ts';
import type { LinkVisitor } from '../../access/caller.ts';
import { itemsThere } from '../../catalogue/newest.ts';
import { type PartOf, partsAmong } from '../../catalogue/photos.ts';
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

/** What is one with a photo of an album, as far as it is in it. */
export type Joined = 'nothing' | 'bursts' | 'bursts and films';

/**
 * The items of a web link to several, as its visitors have them: each by its name in the link. Those of a link to an album are in the
 * order of the album.
 */
export async function browseLinked(
  context: BrowseContext,
  caller: LinkVisitor,
  { items, album }: Pick<OpenLink, 'album'> & { readonly items: NonNullable<OpenLink['items']> },
  options: BrowseOptions,
  joined: Joined,
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
  if (album !== null && joined !== 'nothing') {
    const found = await partsAmong(context.database, [...targets.keys()]);
    const byId = new Map(described.map((one) => [one.item?.id, one]));
    const pathOf = (id: number) => targets.get(id)?.base ?? '';
    entries = described.filter((one) => {
      const part = partIn(found, one.item?.id ?? 0, joined);
      if (part === undefined || !byId.has(part.whole)) return true;
      const whole = pathOf(part.whole);
      const filmOf = part.filmOf === null ? null : pathOf(part.filmOf);
      parts.set(whole, [...(parts.get(whole) ?? []), { item: listed(one), filmOf }]);
      return false;
    });
  }
  const { page } = paginate(entries, options);
  return { total: entries.length, files: page.map(listed), parts };
}

/** What an item is part of, if it is not shown by itself. */
export function partIn(found: ReadonlyMap<number, PartOf>, id: number, joined: Joined): PartOf | undefined {
  const part = found.get(id);
  return part === undefined || (part.filmOf !== null && joined !== 'bursts and films') ? undefined : part;
}
