import type { AccountCaller } from '../access/caller.ts';
import type { WeblinksContext } from '../weblinks/context.ts';
import { linkEnd } from '../weblinks/link-end.ts';
import type { LinkRecord } from '../weblinks/link-record.ts';
import { makeLinkToAlbum } from '../weblinks/link-to-several.ts';
import type { LinkRequest } from '../weblinks/make-link.ts';
import { checkOwn, listRecord } from './change-albums.ts';
import { type Lookup, type VisibleAlbum, visibleAlbum } from './visible-albums.ts';

/** An album to which there can be a link: a list of the caller. */
interface LinkableAlbum {
  readonly id: number;
  readonly title: string;
  /** What would be in the link: what the caller added from the own home. */
  readonly itemIds: readonly number[];
}

/** @throws ApiError `not_found`, `permission_denied`; `invalid_parameter` for what is not a list */
export async function linkableAlbum(context: Lookup, caller: AccountCaller, name: string): Promise<LinkableAlbum> {
  const album = await visibleAlbum(context, caller, name, 'files/weblink');
  checkOwn(album);
  return { id: listRecord(album).id, title: album.title, itemIds: ownItems(caller, album) };
}

/** A new link to an album: see `makeLinkToAlbum`. @throws ApiError like `linkableAlbum`, and `conflict` */
export async function linkAlbum(
  context: Lookup,
  weblinks: WeblinksContext,
  caller: AccountCaller,
  name: string,
  request: LinkRequest,
): Promise<LinkRecord> {
  return makeLinkToAlbum(weblinks, caller, await linkableAlbum(context, caller, name), request);
}

/** The newest link of the caller to an album that still works, and has not a single download; null without one. */
export async function albumLink(
  { links, clock }: WeblinksContext,
  { account }: AccountCaller,
  albumId: number,
): Promise<LinkRecord | null> {
  const all = await links.ofSeveralBy(account.id);
  return all.find((link) => link.albumId === albumId && linkEnd(link, clock.now()) === null) ?? null;
}

function ownItems({ account }: AccountCaller, { members }: VisibleAlbum): number[] {
  return members.flatMap(({ item, addedBy, isForAll }) => (addedBy === account.id && isForAll ? [item] : []));
}
