import { HOME_BASE, notFound } from '../../../access/access.ts';
import { ALBUMS_TREE } from '../../../access/album-grants.ts';
import type { AccountCaller } from '../../../access/caller.ts';
import { type AlbumPerson, addersOf } from '../../../albums/share-album.ts';
import {
  type AlbumItem,
  coversOf,
  describedMembers,
  type SeenMember,
  type VisibleAlbum,
  visibleAlbum,
  visibleAlbums,
} from '../../../albums/visible-albums.ts';
import { type WholeAlbum, wholeAlbum } from '../../../albums/whole-album.ts';
import { itemByUuid } from '../../../catalogue/item-by-uuid.ts';
import { filmsInside } from '../../../catalogue/photo-films.ts';
import { type PhotoPart, partsOfPhotos } from '../../../catalogue/photos.ts';
import { momentOf } from '../../../listing/browse/photos.ts';
import { t } from '../../../messages/messages.ts';
import {
  type FilesPagesParts,
  findItem,
  type Listed,
  NO_ADDRESS,
  orNotThere,
  ROW_DETAILS,
  type Row,
  segmentsOf,
  starsOf,
} from '../context.ts';
import { placeInAlbum } from '../listing/shared-roots.ts';
import { rowsOf } from '../rows-of.ts';

const REQUESTED = { details: ROW_DETAILS, address: NO_ADDRESS };

/** An album and its cover; null if it is empty. */
export interface CoveredAlbum {
  readonly album: VisibleAlbum;
  readonly cover: Row | null;
}

/** @param isWanted by default all of them */
export async function coveredAlbums(
  parts: FilesPagesParts,
  caller: AccountCaller,
  isWanted: (album: VisibleAlbum) => boolean = () => true,
): Promise<CoveredAlbum[]> {
  const albums = (await visibleAlbums(parts.albumsContext, caller)).filter(isWanted).map(wholeAlbum);
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

/** Some photos and films of an album, with when they were taken, and in a shared album with who added them. */
export async function albumRows(
  parts: FilesPagesParts,
  caller: AccountCaller,
  album: WholeAlbum,
  { start, limit }: { readonly start: number; readonly limit: number },
): Promise<Row[]> {
  return memberRows(parts, caller, album, album.members.slice(start, start + limit));
}

/** The index of an item in an album by its path, also below `/ALBUMS`; -1 if it is not in the album. @throws ApiError */
export async function indexInAlbum(
  parts: FilesPagesParts,
  caller: AccountCaller,
  album: WholeAlbum,
  path: string,
): Promise<number> {
  const [tree, , inAlbum = ''] = segmentsOf(path);
  const uuid =
    tree === ALBUMS_TREE ? inAlbum : ((await orNotThere(findItem(parts, caller, path, null)))?.row.uuid ?? null);
  const id = uuid === null ? undefined : (await itemByUuid(parts.listing.database, uuid))?.item.id;
  return album.members.findIndex(({ item }) => item === id);
}

/**
 * The item at a path below `/ALBUMS`, as it is shown on its own page.
 * @throws ApiError `not_found`
 */
export async function findInAlbum(
  parts: FilesPagesParts,
  caller: AccountCaller,
  path: string,
): Promise<{ row: Row; list: Listed }> {
  const [, name = '', uuid = ''] = segmentsOf(path);
  const album = { ...(await visibleAlbum(parts.albumsContext, caller, name)), partsOf: new Map() };
  const id = (await itemByUuid(parts.listing.database, uuid))?.item.id;
  const members = album.members.filter(({ item }) => item === id);
  const row = (await memberRows(parts, caller, album, members)).find((one) => one.path === path);
  if (row === undefined || row.rights === null) throw notFound();
  const { perms, reshare } = row.rights;
  const meta = { path: '/PHOTOS', parentPath: null, folderName: album.title, perms };
  return { row, list: { meta, rows: [row], total: 1, hidden: 0, reshare } };
}

async function memberRows(
  parts: FilesPagesParts,
  caller: AccountCaller,
  album: WholeAlbum,
  members: WholeAlbum['members'],
): Promise<Row[]> {
  const inside = members.flatMap(({ item }) => album.partsOf.get(item) ?? []);
  const all = [{ ...album, members: [...members, ...inside] }];
  const described = await describedMembers(parts.listing, caller, all, REQUESTED);
  const byId = new Map(described.map((item) => [item.id, item]));
  const insideIds = new Set(inside.map(({ item }) => item));
  const items = described.filter(({ id }) => !insideIds.has(id));
  const films = await filmsInside(
    parts.listing.database,
    described.flatMap(({ id, uuid }) => (uuid !== undefined && insideIds.has(id) ? [uuid] : [])),
  );
  const wholes = await partsOfPhotos(
    parts.listing.database,
    items.map(({ id }) => id),
  );
  const rows = (await itemRows(parts, caller, items)).map((row, index) => {
    const id = items[index]?.id ?? 0;
    const shown = { id, path: row.path, inside: album.partsOf.get(id) ?? [] };
    return { ...row, parts: partsIn(shown, wholes.get(id) ?? [], byId, films) };
  });
  if (!album.reach.isShared) return rows;
  const people = await addersOf(parts.albumsContext, caller, album, items);
  return rows.map((row, index) => {
    const { addedBy = null } = items[index] ?? {};
    const mayRemove = album.reach.role === 'owner' || addedBy === caller.account.id;
    return {
      ...row,
      folder: addedByText(caller, people.get(addedBy ?? 0)),
      cannot: [...(row.cannot ?? []), ...(mayRemove ? [] : (['albumRemove'] as const))],
    };
  });
}

/** A photo or film of an album, with what is one with it there. */
interface ShownMember {
  readonly id: number;
  readonly path: string;
  readonly inside: readonly SeenMember[];
}

/** @param beside what belongs to it in its folder @param byId what is known of all of them @param films uuids of photos with a film inside */
function partsIn(
  { id, path, inside }: ShownMember,
  beside: readonly PhotoPart[],
  byId: ReadonlyMap<number, AlbumItem>,
  films: ReadonlySet<string>,
): PhotoPart[] {
  const parts = inside.flatMap((member) => {
    const item = byId.get(member.item);
    return item === undefined
      ? []
      : [{ ...member, path: item.path, label: item.filename, hasFilm: films.has(item.uuid ?? '') }];
  });
  // The own photos have their films beside them, whether these are in the album or not.
  if (path.startsWith(`${HOME_BASE}/`)) {
    const photos = new Set(parts.filter(({ isFilm }) => !isFilm).map((part) => fileName(part.path)));
    return beside.filter(({ name, filmOf }) =>
      filmOf === null ? photos.has(name) : filmOf === fileName(path) || photos.has(filmOf),
    );
  }
  // Those of others are known by their paths only.
  const stillOf = (partOf: number | null) => (partOf === id ? fileName(path) : (byId.get(partOf ?? 0)?.path ?? ''));
  return parts.map(({ isFilm, partOf, path: name, label, hasFilm }) => ({
    ...{ name, isFilm, label, hasFilm },
    filmOf: isFilm ? stillOf(partOf) : null,
  }));
}

const fileName = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

function addedByText({ account }: AccountCaller, person: AlbumPerson | undefined): string {
  if (person === undefined) return t('albums.by.other');
  return person.id === account.id ? t('albums.by.self') : t('albums.by.person', { name: person.name });
}

async function itemRows(parts: FilesPagesParts, caller: AccountCaller, items: readonly AlbumItem[]): Promise<Row[]> {
  const rows = await rowsOf(parts, caller, items, { starred: await starsOf(parts, caller), deleted: new Map() });
  return rows.map((row, index) => {
    const { local = 0, grant = null } = items[index] ?? {};
    return { ...row, changedAt: momentOf(local), ...(grant === null ? {} : placeInAlbum(caller, grant)) };
  });
}
