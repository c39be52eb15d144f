import { notFound, targetIn } from '../access/access.ts';
import type { LinkReach, LinkVisitor } from '../access/caller.ts';
import { missingSharePermission } from '../access/rights.ts';
import type { Grant } from '../access/shared.ts';
import type { AccountRecord } from '../accounts/accounts.ts';
import { blockReason } from '../accounts/permissions/account-status.ts';
import { locationsOf } from '../catalogue/places.ts';
import { ApiError } from '../http/errors.ts';
import type { Origin } from '../lib/events.ts';
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
  /** What a visitor reaches, with the rights of the link, limited by those of everyone in the chain of shares. */
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
  const { access, accounts, database, clock } = context;
  const [creator, places] = await Promise.all([accounts.byId(link.creatorId), locationsOf(database, [link.itemId])]);
  const location = places.get(link.itemId);
  if (location?.state !== 'there' || creator === null) return null;
  if (blockReason(creator, clock.now()) !== null || !creator.permissions.weblink) return null;
  const isOwn = creator.homeId === location.homeId;
  const through = isOwn ? null : await sharedWith(context, creator, [...location.folders, link.itemId]);
  if (!isOwn && through === null) return null;
  const home = through === null ? await access.homeOf({ account: creator }) : through.home;
  const own = flagsOf(link);
  const grant: Grant = {
    id: link.number,
    itemId: link.itemId,
    home,
    location,
    sharer: creator,
    alias: through?.itemId === link.itemId ? through.alias : '',
    since: link.createdAt,
    flags: through === null ? own : bothFlags(own, through.flags),
    grantors: [creator, ...(through?.grantors ?? [])],
    owner: through?.owner ?? creator,
    hidden: new Set(through?.hidden),
    isUnchanged: async () => {
      const record = await context.links.byNumber(link.number);
      const now = record === null ? null : await linkState(context, record);
      if (now === null || now.grant.home.id !== home.id) return false;
      // After a change of password or terms, every visitor must pass them again.
      if (GATES.some((gate) => now.link[gate] !== link[gate])) return false;
      // No name has a slash, so the joined paths are unambiguous.
      if (now.grant.location.segments.join('/') !== location.segments.join('/')) return false;
      return SHARE_FLAGS.every((flag) => now.grant.flags[flag] || !grant.flags[flag]);
    },
  };
  return { link, creator, grant };
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

/** A visitor's paths begin at the linked item: it is `/`, and nothing above it exists. */
function reachThrough({ grant }: OpenLink): LinkReach {
  // The link has just been looked up.
  let isFresh = true;
  return {
    grant,
    async itemAt(segments) {
      if (!isFresh && !(await grant.isUnchanged())) throw notFound();
      isFresh = false;
      return { ...targetIn(grant, segments), base: '' };
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
  return { door: 'link', client: null, address, visitor };
}
