import type { AccountCaller } from '../../../access/caller.ts';
import {
  type AlbumItem,
  coversOf,
  describedMembers,
  type VisibleAlbum,
  visibleAlbums,
} from '../../../albums/visible-albums.ts';
import { momentOf } from '../../../listing/browse-photos.ts';
import { DETAILS, type FilesPagesParts, NO_ADDRESS, type Row, rowsOf, starsOf } from '../context.ts';

const REQUESTED = { details: DETAILS, address: NO_ADDRESS };

/** An album and its cover; null if it is empty. */
export interface CoveredAlbum {
  readonly album: VisibleAlbum;
  readonly cover: Row | null;
}

/** @param kinds by default all of them */
export async function coveredAlbums(
  parts: FilesPagesParts,
  caller: AccountCaller,
  kinds: readonly VisibleAlbum['kind'][] = ['favourites', 'list', 'folder'],
): Promise<CoveredAlbum[]> {
  const albums = (await visibleAlbums(parts.albumsContext, caller)).filter(({ kind }) => kinds.includes(kind));
  const covers = await coversOf(parts.listing, caller, albums, REQUESTED);
  const rows = await itemRows(parts, caller, [...covers.values()]);
  const byPath = new Map(rows.map((row) => [row.path, row]));
  return albums.map((album) => ({ album, cover: byPath.get(covers.get(album)?.path ?? '') ?? null }));
}

/** The cover of one album; null if it is empty. */
export async function albumCover(
  parts: FilesPagesParts,
  caller: AccountCaller,
  album: VisibleAlbum,
): Promise<Row | null> {
  const cover = (await coversOf(parts.listing, caller, [album], REQUESTED)).get(album);
  const [row = null] = cover === undefined ? [] : await itemRows(parts, caller, [cover]);
  return row;
}

/** Some photos and films of an album, with when they were taken. */
export async function albumRows(
  parts: FilesPagesParts,
  caller: AccountCaller,
  album: VisibleAlbum,
  { start, limit }: { readonly start: number; readonly limit: number },
): Promise<Row[]> {
  const part = { ...album, members: album.members.slice(start, start + limit) };
  const items = await describedMembers(parts.listing, caller, [part], REQUESTED);
  return itemRows(parts, caller, items);
}

async function itemRows(parts: FilesPagesParts, caller: AccountCaller, items: readonly AlbumItem[]): Promise<Row[]> {
  const rows = await rowsOf(parts, caller, items, { starred: await starsOf(parts, caller), deleted: new Map() });
  return rows.map((row, index) => ({ ...row, changedAt: momentOf(items[index]?.local ?? 0) }));
}
