import { LINKS_BASE, SHARED_BASE, SHARES_BASE, targetIn } from '../../access/access.ts';
import type { AccountCaller } from '../../access/caller.ts';
import type { Grant } from '../../access/shared.ts';
import { type AccountRecord, displayName } from '../../accounts/account-record.ts';
import { itemsThere } from '../../catalogue/newest.ts';
import { nameSortKey } from '../../lib/names/names.ts';
import { uniqueNames } from '../../lib/names/numbered-name.ts';
import { linkEnd } from '../../weblinks/link-end.ts';

import { arrangeEntries, paginate } from '../arrange.ts';
import { type Described, describe, type ListedItem } from '../details.ts';
import type { BrowseContext, BrowseOptions, Listing } from '../listing.ts';
import { describedFrom, reachOf } from '../reach.ts';

export const SHARED_NAME = 'Shared with me';
export const SHARES_NAME = 'My shares';
export const LINKS_NAME = 'My links';

/** In a list of shares, each entry has its own permissions. */
const PERMS = { upload: false, download: false, alter: false };

/** `/ROOT/SHARED` (§2.1): the people who share something with the caller, then anonymous shares. */
export async function browseShared(
  context: BrowseContext,
  caller: AccountCaller,
  options: BrowseOptions,
): Promise<Listing> {
  const grants = await context.access.shared.grantsOf(caller.account);
  const people = options.itemType === 'files' ? [] : sharersOf(grants);
  const anonymous = await listedGrants(context, caller, anonymousOf(grants), options);
  const now = context.clock.now();
  const { page, paging } = paginate<ListedItem | Described>([...people, ...anonymous], options);
  return {
    meta: { path: SHARED_BASE, parentPath: '/ROOT', folderName: SHARED_NAME, perms: PERMS, ...paging },
    files: page.map((one) => ('entry' in one ? describe(one, options.details, now) : one)),
  };
}

/** `/ROOT/<user_id>`: what one person shares with the caller. */
export async function browseSharer(
  context: BrowseContext,
  caller: AccountCaller,
  { sharer, grants }: { readonly sharer: AccountRecord; readonly grants: readonly Grant[] },
  options: BrowseOptions,
): Promise<Listing> {
  const listed = await listedGrants(context, caller, grants, options);
  const now = context.clock.now();
  const { page, paging } = paginate(listed, options);
  return {
    meta: {
      path: `/ROOT/${sharer.id}`,
      parentPath: SHARED_BASE,
      folderName: displayName(sharer),
      perms: PERMS,
      ...paging,
    },
    files: page.map((described) => describe(described, options.details, now)),
  };
}

/** `/SHARES`: what the caller shares, at its locations for them, each item once. */
export async function browseShares(
  context: BrowseContext,
  caller: AccountCaller,
  options: BrowseOptions,
): Promise<Listing> {
  const records = await context.access.shared.sharedBy(caller.account);
  const listed = await listedItems(context, caller, records, options);
  return {
    meta: { path: SHARES_BASE, parentPath: '/ROOT', folderName: SHARES_NAME, perms: PERMS, ...listed.paging },
    files: listed.files,
  };
}

/** `/LINKS`: the same for the caller's web links. Temporary links that have ended are left out. */
export async function browseLinks(
  context: BrowseContext,
  caller: AccountCaller,
  options: BrowseOptions,
): Promise<Listing> {
  const now = context.clock.now();
  const links = (await context.links.by(caller.account.id)).filter(
    (link) => link.isPermanent || linkEnd(link, now) === null,
  );
  const listed = await listedItems(context, caller, links, options);
  return {
    meta: { path: LINKS_BASE, parentPath: '/ROOT', folderName: LINKS_NAME, perms: PERMS, ...listed.paging },
    files: listed.files,
  };
}

/** The items at locations the caller reaches, each once. */
async function listedItems(
  context: BrowseContext,
  caller: AccountCaller,
  of: readonly { readonly itemId: number }[],
  options: BrowseOptions,
) {
  const items = await itemsThere(context.database, [...new Set(of.map(({ itemId }) => itemId))]);
  const reached = (await reachOf(context, caller)).of(items);
  const listed = arrangeEntries(await describedFrom(context, caller, reached, options), options);
  const { page, paging } = paginate(listed, options);
  const now = context.clock.now();
  return { paging, files: page.map((described) => describe(described, options.details, now)) };
}

/** Sorted by name. Two of the same name can be distinguished. */
function sharersOf(grants: readonly Grant[]): ListedItem[] {
  const sharers = new Map(grants.flatMap(({ sharer }) => (sharer === null ? [] : [[sharer.id, sharer] as const])));
  const people = [...sharers.values()].map((sharer) => ({ id: sharer.id, name: displayName(sharer) }));
  people.sort((a, b) => (nameSortKey(a.name) < nameSortKey(b.name) ? -1 : 1));
  const names = uniqueNames(people.map(({ name }) => ({ name, isFolder: true })));
  return people.map(({ id }, index) => ({ filename: names[index] ?? '', is_dir: true, path: `/ROOT/${id}` }));
}

function anonymousOf(grants: readonly Grant[]): Grant[] {
  return grants.filter(({ sharer }) => sharer === null);
}

/** With their names for the caller, made unique. */
async function listedGrants(
  context: BrowseContext,
  caller: AccountCaller,
  grants: readonly Grant[],
  options: BrowseOptions,
): Promise<Described[]> {
  const placed = new Map(
    (
      await itemsThere(
        context.database,
        grants.map(({ itemId }) => itemId),
      )
    ).map((one) => [one.item.id, one]),
  );
  const reached = grants.flatMap((grant) => {
    const one = placed.get(grant.itemId);
    return one === undefined ? [] : [{ ...one, target: targetIn(grant, []) }];
  });
  const described = await describedFrom(context, caller, reached, options);
  const names = uniqueNames(described.map(({ name = '', entry }) => ({ name, isFolder: entry.isDir })));
  return arrangeEntries(
    described.map((one, index) => ({ ...one, name: names[index] ?? '' })),
    options,
  );
}
