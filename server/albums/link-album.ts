import type { AccountCaller } from '../access/caller.ts';
import type { WeblinksContext } from '../weblinks/context.ts';
import { linkEnd } from '../weblinks/link-end.ts';
import type { LinkRecord } from '../weblinks/link-record.ts';
import { makeLinkToAlbum, removeLinkToSeveral } from '../weblinks/link-to-several.ts';
import { type LinkRequest, noLink } from '../weblinks/make-link.ts';
import { checkOwn, listRecord } from './change-albums.ts';
import { type Lookup, type VisibleAlbum, visibleAlbum } from './visible-albums.ts';

/** An album to which there can be a link: a list of the caller. */
interface LinkableAlbum {
  readonly id: number;
  readonly title: string;
  /** What would be in the link: what the caller added from the own home. */
  readonly itemIds: readonly number[];
}

/** What is done with the link of an album. */
type LinkAction = 'files/weblink' | 'albums/link' | 'albums/links' | 'albums/unlink';

/** @throws ApiError `not_found`, `permission_denied`; `invalid_parameter` for what is not a list */
export async function linkableAlbum(
  context: Lookup,
  caller: AccountCaller,
  name: string,
  action: LinkAction = 'files/weblink',
): Promise<LinkableAlbum> {
  const album = await visibleAlbum(context, caller, name, action);
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
  action?: LinkAction,
): Promise<LinkRecord> {
  return makeLinkToAlbum(weblinks, caller, await linkableAlbum(context, caller, name, action), request);
}

/** The newest link of the caller to an album that still works; null without one. */
export async function albumLink(
  weblinks: WeblinksContext,
  caller: AccountCaller,
  albumId: number,
): Promise<LinkRecord | null> {
  return (await workingLinks(weblinks, caller, albumId))[0] ?? null;
}

/** The same of those that end only when someone ends them. @throws ApiError like `linkableAlbum` */
export async function lastingAlbumLink(
  context: Lookup,
  weblinks: WeblinksContext,
  caller: AccountCaller,
  name: string,
): Promise<LinkRecord | null> {
  const { id } = await linkableAlbum(context, caller, name, 'albums/link');
  const links = await workingLinks(weblinks, caller, id);
  return links.find(({ expiresAt, downloadLimit }) => expiresAt === null && downloadLimit === 0) ?? null;
}

/** The caller's links to an album, newest first, also those that have ended. @throws ApiError like `linkableAlbum` */
export async function albumLinks(
  context: Lookup,
  weblinks: WeblinksContext,
  caller: AccountCaller,
  name: string,
  action: LinkAction,
): Promise<LinkRecord[]> {
  const { id } = await linkableAlbum(context, caller, name, action);
  return (await weblinks.links.ofSeveralBy(caller.account.id)).filter(({ albumId }) => albumId === id);
}

/**
 * Ends one of the caller's links to an album, or all of them.
 * @returns their ids @throws ApiError like `linkableAlbum`, and `no_weblink`
 */
export async function removeAlbumLinks(
  context: Lookup,
  weblinks: WeblinksContext,
  caller: AccountCaller,
  name: string,
  id: string | undefined,
): Promise<string[]> {
  const all = await albumLinks(context, weblinks, caller, name, 'albums/unlink');
  const meant = id === undefined ? all : all.filter((link) => link.id === id);
  if (meant.length === 0) throw noLink();
  for (const { number } of meant) await removeLinkToSeveral(weblinks, caller, number);
  return meant.map((link) => link.id);
}

async function workingLinks({ links, clock }: WeblinksContext, { account }: AccountCaller, albumId: number) {
  const all = await links.ofSeveralBy(account.id);
  return all.filter((link) => link.albumId === albumId && linkEnd(link, clock.now()) === null);
}

function ownItems({ account }: AccountCaller, { members }: VisibleAlbum): number[] {
  return members.flatMap(({ item, addedBy, isForAll }) => (addedBy === account.id && isForAll ? [item] : []));
}
