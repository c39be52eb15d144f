import { MAX_TITLE } from '../albums/change-albums.ts';
import { ApiError } from '../http/errors.ts';
import type { ImportContext } from './context.ts';
import type { PlannedAlbum } from './exports/plan.ts';
import type { ImportRecord } from './imports.ts';

/** The albums that the folders of an export become. */
export interface ImportAlbums {
  /** @returns the folders of those albums that have all of their items now */
  add(items: readonly { readonly album: PlannedAlbum; readonly itemId: number }[]): Promise<ReadonlySet<string>>;
  /** Whether someone has deleted the album since this import made it: it is not made again. */
  isDeleted(album: PlannedAlbum): boolean;
}

/** Albums of the account with the same title are continued, but two folders of an export never become the same album. */
export function createImportAlbums(
  { imports, albums }: Pick<ImportContext, 'imports' | 'albums'>,
  { id, accountId }: Pick<ImportRecord, 'id' | 'accountId'>,
): ImportAlbums {
  const deleted = new Set<string>();

  async function albumFor({ folder, title }: PlannedAlbum): Promise<number | null> {
    const known = await imports.albumOf(id, folder);
    if (known !== undefined) return known;
    const requested = allowedTitle(title) || allowedTitle(folder) || '-';
    const taken = await imports.albums(id);
    const there = (await albums.of(accountId)).find(
      // An import shows nothing to others.
      (one) => one.folderId === null && !one.isShared && !one.isLinked && one.title === requested && !taken.has(one.id),
    );
    const albumId = there?.id ?? (await albums.add(accountId, requested)).id;
    await imports.setAlbum(id, folder, albumId);
    return albumId;
  }

  /** @returns false if the album cannot have them */
  async function addTo(album: PlannedAlbum, itemIds: readonly number[]): Promise<boolean> {
    try {
      const albumId = await albumFor(album);
      if (albumId === null) deleted.add(album.folder);
      else await albums.addItems(albumId, accountId, itemIds, { mayShare: true, mayLink: true });
      return albumId !== null;
    } catch (error) {
      if (!(error instanceof ApiError) || (error.code !== 'conflict' && error.code !== 'not_found')) throw error;
      if (error.code === 'not_found') deleted.add(album.folder);
      return false;
    }
  }

  return {
    async add(items) {
      const byFolder = new Map<string, { readonly album: PlannedAlbum; readonly itemIds: number[] }>();
      for (const { album, itemId } of items) {
        const own = byFolder.get(album.folder);
        if (own === undefined) byFolder.set(album.folder, { album, itemIds: [itemId] });
        else own.itemIds.push(itemId);
      }
      const listed = new Set<string>();
      for (const [folder, { album, itemIds }] of byFolder) if (await addTo(album, itemIds)) listed.add(folder);
      return listed;
    },
    isDeleted: ({ folder }) => deleted.has(folder),
  };
}

function allowedTitle(title: string): string {
  const line = title.replace(/\p{Cc}+/gu, ' ').trim();
  return line.slice(0, MAX_TITLE).toWellFormed().trim();
}
