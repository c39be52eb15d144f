import { notFound, targetIn } from '../access/access.ts';
import type { LinkReach, LinkVisitor } from '../access/caller.ts';
import { missingSharePermission } from '../access/rights.ts';
import type { Grant } from '../access/shared.ts';
import type { AccountRecord } from '../accounts/accounts.ts';
import { blockReason } from '../accounts/permissions/account-status.ts';
import { type ItemLocation, locationsOf } from '../catalogue/places.ts';
import { ApiError } from '../http/errors.ts';
import type { Origin } from '../lib/events.ts';
import { uniqueNames } from '../lib/names/numbered-name.ts';
import { t } from '../messages/messages.ts';
import { bothFlags, SHARE_FLAGS, type ShareFlags } from '../shares/share-record.ts';
import type { WeblinksContext } from './context.ts';
import { linkEnd, refuseEnded } from './link-end.ts';
import { givesDownloads, type LinkRecord, takesUploads } from './link-record.ts';

type LinkStateContext = Pick<WeblinksContext, 'links' | 'accounts' | 'access' | 'database' | 'clock'>;
type OpenContext = LinkStateContext & Pick<WeblinksContext, 'counts'>;

/** What a visitor must pass before anything is opened. */
const GATES = ['passwordHash', 'downloadTerms', 'requireLogin'] as const;

/** A link, and what it opens at the moment. */
export interface OpenLink {
  readonly link: LinkRecord;
  readonly creator: AccountRecord;
  /**
   * What a visitor reaches, with the rights of the link, limited by those of everyone in the chain of shares. Of a link to several
   * items: the first of them, with the same rights as the others.
   */
  readonly grant: Grant;
  /** The items of a link to several, each by its name in the paths of visitors; null for a link to one item. */
  readonly items: readonly OpenItem[] | null;
  /** The title of the album that the link follows; null for any other link. */
  readonly album: string | null;
}

/** One item of a link to several. */
interface OpenItem {
  /** Unique in the link. */
  readonly name: string;
  readonly grant: Grant;
}

/**
 * Looks a link up by its id. A link is treated as nonexistent if its item is deleted or in the trash, if its maker lacks the
 * permission `weblink`, was deactivated by an administrator or has expired, or if the share it depends on has ended.
 * @throws ApiError `not_found`, `link_expired`, `link_used_up`
 */
export async function openLink(
  context: OpenContext,
  id: string,
  {
    allowUsedUp = false,
  }: {
    /** Also opens a link that is used up. The caller then has to call `refuseEnded`, which lets downloads in progress continue. */
    readonly allowUsedUp?: boolean;
  } = {},
): Promise<OpenLink> {
  const link = /^[A-Za-z0-9]{32}$/.test(id) ? await recordOf(context, id) : null;
  const open = link === null ? null : await linkState(context, link);
  if (open === null) throw new ApiError('not_found', t('api.links.notFound'));
  refuseEnded(open.link, context.clock.now(), () => allowUsedUp);
  return open;
}

/** A link may be used up by a download that was abandoned, so this gives such slots back first. */
async function recordOf({ links, counts, clock }: OpenContext, id: string): Promise<LinkRecord | null> {
  const link = await links.byId(id);
  const isUsedUp = link !== null && linkEnd(link, clock.now()) === 'link_used_up';
  return isUsedUp && (await counts.sweep()) ? links.byId(id) : link;
}

/** The link's state. @returns null for a link that opens nothing */
export async function linkState(context: LinkStateContext, link: LinkRecord): Promise<OpenLink | null> {
  const creator = await creatorOf(context, link);
  if (creator === null) return null;
  if (link.isOfSeveral) {
    const items = await itemsIn(context, link, creator);
    const [first] = items;
    const album = await context.links.albumTitle(link);
    return first === undefined ? null : { link, creator, grant: first.grant, items, album };
  }
  const location = (await locationsOf(context.database, [link.itemId])).get(link.itemId);
  const grant = location === undefined ? null : await grantOf(context, link, creator, link.itemId, location);
  return grant === null ? null : { link, creator, grant, items: null, album: null };
}

/** @returns null for a link whose maker may have none at the moment */
async function creatorOf(
  { accounts, clock }: Pick<LinkStateContext, 'accounts' | 'clock'>,
  link: LinkRecord,
): Promise<AccountRecord | null> {
  const creator = await accounts.byId(link.creatorId);
  if (creator === null || blockReason(creator, clock.now()) !== null) return null;
  return creator.permissions.weblink ? creator : null;
}

/** The items of a link to several that are there. They are the maker's own, so that all have the same rights. */
async function itemsIn(context: LinkStateContext, link: LinkRecord, creator: AccountRecord): Promise<OpenItem[]> {
  const ids = await context.links.itemsOf(link.number);
  const places = await locationsOf(context.database, ids);
  const grants: Grant[] = [];
  for (const id of ids) {
    const location = places.get(id);
    if (location === undefined || location.homeId !== creator.homeId) continue;
    const grant = await grantOf(context, link, creator, id, location);
    if (grant !== null) grants.push(grant);
  }
  // Files are numbered before their ending, and a name with a dot is more often that of a file.
  const names = uniqueNames(grants.map(({ location }) => ({ name: location.segments.at(-1) ?? '', isFolder: false })));
  return grants.map((grant, index) => {
    const name = names[index] ?? '';
    return { name, grant: { ...grant, alias: name } };
  });
}

/** What a visitor reaches of one item of a link. @returns null for one that is not there, or no longer within reach */
async function grantOf(
  context: LinkStateContext,
  link: LinkRecord,
  creator: AccountRecord,
  itemId: number,
  location: ItemLocation,
): Promise<Grant | null> {
  if (location.state !== 'there') return null;
  const isOwn = creator.homeId === location.homeId;
  const through = isOwn ? null : await sharedWith(context, creator, [...location.folders, itemId]);
  if (!isOwn && through === null) return null;
  const home = through === null ? await context.access.homeOf({ account: creator }) : through.home;
  const own = flagsOf(link);
  const grant: Grant = {
    id: link.number,
    itemId,
    home,
    location,
    sharer: creator,
    alias: through?.itemId === itemId ? through.alias : '',
    since: link.createdAt,
    flags: through === null ? own : bothFlags(own, through.flags),
    grantors: [creator, ...(through?.grantors ?? [])],
    owner: through?.owner ?? creator,
    hidden: new Set(through?.hidden),
    isUnchanged: async () => {
      const now = await grantAgain(context, link, itemId);
      if (now === null || now.home.id !== home.id) return false;
      // No name has a slash, so the joined paths are unambiguous.
      if (now.location.segments.join('/') !== location.segments.join('/')) return false;
      return SHARE_FLAGS.every((flag) => now.flags[flag] || !grant.flags[flag]);
    },
  };
  return grant;
}

/** What the link gives of an item now. @returns null if nothing, or if visitors have to pass a changed password or terms again */
async function grantAgain(context: LinkStateContext, before: LinkRecord, itemId: number): Promise<Grant | null> {
  const link = await context.links.byNumber(before.number);
  if (link === null || GATES.some((gate) => link[gate] !== before[gate])) return null;
  const creator = await creatorOf(context, link);
  if (creator === null) return null;
  const isPart = link.isOfSeveral
    ? (await context.links.itemsOf(link.number)).includes(itemId)
    : link.itemId === itemId;
  const location = isPart ? (await locationsOf(context.database, [itemId])).get(itemId) : undefined;
  if (location === undefined || (link.isOfSeveral && location.homeId !== creator.homeId)) return null;
  return grantOf(context, link, creator, itemId, location);
}

/** The grants through which the maker of a link reaches an item in another home. */
async function sharedWith(
  { access }: Pick<OpenContext, 'access'>,
  creator: AccountRecord,
  wayTo: readonly number[],
): Promise<Grant | null> {
  const grants = await access.shared.grantsOf(creator);
  const fitting = ({ itemId, ...rights }: Grant) =>
    wayTo.includes(itemId) && missingSharePermission('files/weblink', rights) === null;
  return grants.find(fitting) ?? null;
}

function flagsOf(link: LinkRecord): ShareFlags {
  return {
    upload: takesUploads(link),
    download: givesDownloads(link),
    comment: link.showComments,
    read_comments: link.showComments,
    alter: false,
    share: false,
  };
}

/**
 * A visitor's paths begin at the linked item: it is `/`, and nothing above it exists. Of a link to several items, each is in `/`,
 * which is no folder itself.
 */
function reachThrough({ grant, items }: OpenLink): LinkReach {
  // The link has just been looked up.
  let isFresh = true;
  return {
    grant,
    async itemAt(segments) {
      const [first, ...below] = segments;
      const item = items?.find(({ name }) => name === first);
      if (items !== null && item === undefined) throw notFound();
      const through = item?.grant ?? grant;
      if (!isFresh && !(await through.isUnchanged())) throw notFound();
      isFresh = false;
      return item === undefined
        ? { ...targetIn(through, segments), base: '' }
        : { ...targetIn(through, below), base: `/${item.name}` };
    },
  };
}

/** A visitor of a link. @param name that they entered @param signedInAs the account signed in in their browser */
export function visitorOf(
  open: OpenLink,
  { address }: Pick<Origin, 'address'>,
  { name, signedInAs }: Pick<LinkVisitor['visitor'], 'name' | 'signedInAs'>,
): LinkVisitor {
  const visitor = { link: open.link.number, name, signedInAs, reach: reachThrough(open) };
  return { channel: 'link', client: null, address, visitor };
}
