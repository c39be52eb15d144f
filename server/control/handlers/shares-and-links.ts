import type { Accounts } from '../../accounts/accounts.ts';
import { allAlbumShares, endAlbumShares, type ListedAlbumShare } from '../../albums/all-album-shares.ts';
import type { SharedOrLinkedItem } from '../../files/shares-and-links-query.ts';
import { isoSeconds } from '../../lib/datetime.ts';
import type { Origin } from '../../lib/events.ts';
import type { AlbumShares } from '../../shares/album-shares.ts';
import { allShares, endShares, type ListedShare } from '../../sharing/all-shares.ts';
import type { SharingContext } from '../../sharing/context.ts';
import { allLinks, endLinks, type ListedLink } from '../../weblinks/all-links.ts';
import type { WeblinksContext } from '../../weblinks/context.ts';
import { linkEnd } from '../../weblinks/link-end.ts';
import { givesDownloads, takesUploads } from '../../weblinks/link-record.ts';
import type { Output } from '../contract/contract.ts';
import type { sharesAndLinksMethods } from '../contract/shares-and-links.ts';
import type { Handlers } from '../dispatcher.ts';
import { ownerActor } from '../owner-actor.ts';

export type SharesAndLinksHandlers = Pick<Handlers, keyof typeof sharesAndLinksMethods>;

interface SharesAndLinksHandlerParts {
  readonly accounts: Accounts;
  readonly weblinks: WeblinksContext;
  readonly sharing: SharingContext;
  readonly albumShares: AlbumShares;
}

/** Lists and ends links and shares for the owner. */
export function sharesAndLinksHandlers({
  accounts,
  weblinks,
  sharing,
  albumShares,
}: SharesAndLinksHandlerParts): SharesAndLinksHandlers {
  const owner = (origin: Origin) => ownerActor(accounts, origin);
  return {
    'links.list': async (query) => {
      const { links, total, next } = await allLinks(weblinks, query);
      const now = weblinks.clock.now();
      return { links: links.map((listed) => linkView(listed, now)), total, next };
    },
    'links.remove': async ({ numbers }, origin) => ({
      removed: await endLinks(weblinks, numbers, await owner(origin)),
    }),
    'shares.list': async (query) => {
      const { shares, total, next } = await allShares(sharing, query);
      return { shares: shares.map(shareView), total, next };
    },
    'shares.remove': async ({ ids }, origin) => ({ removed: await endShares(sharing, ids, await owner(origin)) }),
    'albumShares.list': async (query) => {
      const { shares, total, next } = await allAlbumShares(sharing, query);
      return { shares: shares.map(albumShareView), total, next };
    },
    'albumShares.remove': async ({ ids }, origin) => ({
      removed: await endAlbumShares({ ...sharing, albumShares }, ids, await owner(origin)),
    }),
  };
}

function itemView({ name, isDir, owner, place }: SharedOrLinkedItem): Output<'links.list'>['links'][number]['item'] {
  return { name, isDir, owner, path: place.segments.join('/'), state: place.state };
}

function linkView({ link, item, items, album, by }: ListedLink, now: number): Output<'links.list'>['links'][number] {
  return {
    number: link.number,
    item: itemView(item),
    items,
    album,
    by,
    createdAt: isoSeconds(link.createdAt),
    expiresAt: link.expiresAt === null ? null : isoSeconds(link.expiresAt),
    downloadLimit: link.downloadLimit,
    downloads: link.downloads,
    hasPassword: link.passwordHash !== null,
    requiresLogin: link.requireLogin,
    takesUploads: takesUploads(link),
    givesDownloads: givesDownloads(link),
    ended: linkEnd(link, now) !== null,
    endedBy: linkEnd(link, now),
  };
}

function shareView({ share, item, by, to }: ListedShare): Output<'shares.list'>['shares'][number] {
  const rights = Object.entries(share.flags).filter(([, isGiven]) => isGiven);
  return {
    id: share.id,
    item: itemView(item),
    by,
    with: { kind: to.kind, name: to.name },
    rights: rights.map(([flag]) => flag as keyof typeof share.flags),
    createdAt: isoSeconds(share.createdAt),
  };
}

function albumShareView({ to, createdAt, ...share }: ListedAlbumShare): Output<'albumShares.list'>['shares'][number] {
  return { ...share, with: { kind: to.kind, name: to.name }, createdAt: isoSeconds(createdAt) };
}
