import { grantPath } from '../../access/access.ts';
import { type AccountCaller, rightsOf } from '../../access/caller.ts';
import { permit } from '../../access/rights.ts';
import type { Grant } from '../../access/shared.ts';
import { itemsThere } from '../../catalogue/newest.ts';
import type { ShareRecord } from '../../shares/share-record.ts';
import { linkEnd } from '../../weblinks/link-end.ts';
import type { LinkRecord } from '../../weblinks/link-record.ts';
import { linkState } from '../../weblinks/open-link.ts';
import type { SharingParts } from './call.ts';
import { orNull, type Placed, placed } from './places.ts';
import { shareKey } from './share-id.ts';
import type { VisibleShare } from './shown-share.ts';

type Parts = Pick<SharingParts, 'dav' | 'sharing' | 'weblinks'>;

/**
 * What the caller shares, with people and by links that work.
 * @param withOthers also what others share of the caller's own home
 */
export async function sharesMade(parts: Parts, caller: AccountCaller, withOthers: boolean): Promise<VisibleShare[]> {
  permit(rightsOf(caller), 'files/browse');
  const { sharing, weblinks } = parts;
  const { account } = caller;
  const home = withOthers ? account.homeId : null;
  const [shares, links] = await Promise.all([sharing.access.shared.sharedBy(account), weblinks.links.by(account.id)]);
  const [others, otherLinks] =
    home === null ? [[], []] : await Promise.all([sharing.shares.inHome(home), weblinks.links.inHome(home)]);
  const allShares = [...shares, ...others.filter(({ sharerId }) => sharerId !== account.id)];
  const allLinks = await working(parts, [...links, ...otherLinks.filter(({ creatorId }) => creatorId !== account.id)]);
  const places = await placed(
    parts.dav,
    caller,
    [...allShares, ...allLinks].map(({ itemId }) => itemId),
  );
  return [
    ...allShares.flatMap((share) => at(places, share.itemId).map((there) => shareAt(share, there))),
    ...allLinks.flatMap((link) => at(places, link.itemId).map((there) => linkAt(link, there))),
  ];
}

/** What others share with the caller. */
export async function sharesReceived(parts: Parts, caller: AccountCaller): Promise<VisibleShare[]> {
  permit(rightsOf(caller), 'files/browse');
  const grants = await parts.sharing.access.shared.grantsOf(caller.account);
  const received = await Promise.all(grants.map((grant) => receivedAs(parts, caller, grant)));
  return received.filter((one) => one !== null);
}

/**
 * A share or link by its number for apps, of those above.
 * @returns null for any other
 */
export async function visibleShare(parts: Parts, caller: AccountCaller, id: string): Promise<VisibleShare | null> {
  permit(rightsOf(caller), 'files/browse');
  const { sharing, weblinks } = parts;
  const key = shareKey(id);
  if (key === null) return null;
  if (key.kind === 'link') {
    const link = await weblinks.links.byNumber(key.number);
    const there = link === null ? null : await placeOf(parts, caller, link.itemId);
    if (link === null || there === null || (await working(parts, [link])).length === 0) return null;
    return link.creatorId === caller.account.id || isInOwnHome(there) ? linkAt(link, there) : null;
  }
  const share = await sharing.shares.byId(key.number);
  if (share === null) return null;
  const isMine = share.sharerId === caller.account.id;
  const there = await placeOf(parts, caller, share.itemId);
  if (there !== null && (isMine ? await stands(parts, caller, share) : isInOwnHome(there)))
    return shareAt(share, there);
  const grants = await sharing.access.shared.grantsOf(caller.account);
  const grant = grants.find((one) => one.id === share.id);
  return grant === undefined ? null : receivedAs(parts, caller, grant);
}

async function placeOf({ dav }: Parts, caller: AccountCaller, itemId: number): Promise<Placed | null> {
  return (await placed(dav, caller, [itemId])).get(itemId) ?? null;
}

function at(places: ReadonlyMap<number, Placed>, itemId: number): Placed[] {
  const there = places.get(itemId);
  return there === undefined ? [] : [there];
}

function shareAt(share: ShareRecord, there: Placed): VisibleShare {
  return { kind: 'share', share, placed: there };
}

function linkAt(link: LinkRecord, there: Placed): VisibleShare {
  return { kind: 'link', link, placed: there };
}

function isInOwnHome({ target }: Placed): boolean {
  return target.share === null;
}

async function stands({ sharing }: Parts, { account }: AccountCaller, { id }: ShareRecord): Promise<boolean> {
  return (await sharing.access.shared.sharedBy(account)).some((share) => share.id === id);
}

/** Links that have ended are not there for apps, which can make another one then. */
async function working({ weblinks }: Parts, links: readonly LinkRecord[]): Promise<LinkRecord[]> {
  const now = weblinks.clock.now();
  const states = await Promise.all(links.map((link) => linkState(weblinks, link)));
  return links.filter((link, index) => states[index] !== null && linkEnd(link, now) === null);
}

async function receivedAs({ dav }: Parts, caller: AccountCaller, grant: Grant): Promise<VisibleShare | null> {
  const path = grantPath(grant).split('/').slice(1);
  const target = await orNull(dav.files.access.resolveItem(caller, path, 'files/browse'));
  const [found] = target === null ? [] : await itemsThere(dav.files.database, [grant.itemId]);
  if (target === null || found === undefined) return null;
  return { kind: 'grant', grant, placed: { ...found, target } };
}
