import { randomUUID } from 'node:crypto';
import type { FilesDatabase, Transaction } from '../database/database.ts';
import { ApiError } from '../http/errors.ts';
import type { Clock } from '../lib/clock.ts';
import { t } from '../messages/messages.ts';

/** How an album is sorted: by when photos were taken, the oldest first, or by hand. */
export const ALBUM_ORDERS = ['taken', 'hand'] as const;
export type AlbumOrder = (typeof ALBUM_ORDERS)[number];

export interface AlbumRecord {
  readonly id: number;
  readonly uuid: string;
  /** Empty for the album of a folder. */
  readonly title: string;
  readonly order: AlbumOrder;
  /** The chosen cover; null for the first photo. */
  readonly coverId: number | null;
  /** The folder that the album shows; null for a list. */
  readonly folderId: number | null;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
}

/** A photo or film in an album, as far as it is known without its row. */
export interface AlbumMember {
  /** The id of the album. */
  readonly album: number;
  readonly item: number;
  readonly folder: number;
  readonly isFilm: boolean;
  /** What the clock said when it was taken, in milliseconds as if it were UTC. */
  readonly local: number;
  /** Sorts by hand. */
  readonly place: number;
}

/** The albums that an account may have, and the photos and films in each. */
const MAX_ALBUMS = 1_000;
const MAX_MEMBERS = 50_000;

/** The albums of accounts, whatever their items allow: see `visible-albums.ts`. */
export interface Albums {
  /** The newest first. */
  of(accountId: number): Promise<AlbumRecord[]>;
  /** @returns null unless it is of this account */
  byUuid(accountId: number, uuid: string): Promise<AlbumRecord | null>;
  /** @throws ApiError `conflict` if there are too many */
  add(accountId: number, title: string): Promise<AlbumRecord>;
  /** The album of a folder, made unless it exists. @throws ApiError `conflict` if there are too many */
  ofFolder(accountId: number, folderId: number): Promise<AlbumRecord>;
  /** @param uuid of the folder @returns null unless it is shown as an album */
  ofFolderUuid(accountId: number, uuid: string): Promise<AlbumRecord | null>;
  edit(id: number, changes: Partial<Pick<AlbumRecord, 'title' | 'order' | 'coverId'>>): Promise<void>;
  remove(id: number): Promise<void>;
  /** What is in all lists and folders of an account, or in one. */
  members(accountId: number, albumId?: number): Promise<AlbumMember[]>;
  /** The same for starred photos and films, the last starred first. */
  favourites(accountId: number): Promise<AlbumMember[]>;
  /**
   * Adds items, in this order, at the end or before one of the album. With `before`, those that are there already are moved.
   * @throws ApiError `conflict` if there are too many; `not_found` if the album was deleted meanwhile
   */
  addItems(id: number, accountId: number, itemIds: readonly number[], before?: number | null): Promise<void>;
  /** By their uuids. */
  removeItems(id: number, uuids: readonly string[]): Promise<void>;
}

interface AlbumRow {
  id: number;
  uuid: string;
  title: string;
  sort: AlbumOrder;
  cover_id: number | null;
  folder_id: number | null;
  created_at: number;
}

type MemberRow = Omit<AlbumMember, 'isFilm'> & { film: number };

const MEMBER = 'p.item_id AS item, p.folder_id AS folder, p.is_film AS film, p.local';

export function createAlbums(database: FilesDatabase, clock: Clock): Albums {
  async function insert(accountId: number, title: string, folderId: number | null): Promise<AlbumRecord> {
    return database.write(async (tx) => {
      const there =
        folderId === null
          ? undefined
          : await tx.get<AlbumRow>('SELECT * FROM albums WHERE folder_id = ? AND account_id = ?', [
              folderId,
              accountId,
            ]);
      if (there !== undefined) return albumOf(there);
      const count = await tx.get<{ count: number }>('SELECT count(*) AS count FROM albums WHERE account_id = ?', [
        accountId,
      ]);
      if ((count?.count ?? 0) >= MAX_ALBUMS) {
        throw new ApiError('conflict', t('api.albums.tooMany', { max: MAX_ALBUMS }));
      }
      const row = await tx.get<AlbumRow>(
        `INSERT INTO albums (uuid, account_id, title, sort, folder_id, created_at) VALUES (?, ?, ?, 'taken', ?, ?) RETURNING *`,
        [randomUUID(), accountId, title, folderId, clock.now()],
      );
      if (row === undefined) throw new Error('the album was not inserted');
      return albumOf(row);
    });
  }

  return {
    async of(accountId) {
      const rows = await database.all<AlbumRow>('SELECT * FROM albums WHERE account_id = ? ORDER BY id DESC', [
        accountId,
      ]);
      return rows.map(albumOf);
    },

    async byUuid(accountId, uuid) {
      const row = await database.get<AlbumRow>('SELECT * FROM albums WHERE uuid = ? AND account_id = ?', [
        uuid,
        accountId,
      ]);
      return row === undefined ? null : albumOf(row);
    },

    add: (accountId, title) => insert(accountId, title, null),
    ofFolder: (accountId, folderId) => insert(accountId, '', folderId),

    async ofFolderUuid(accountId, uuid) {
      const row = await database.get<AlbumRow>(
        `SELECT albums.* FROM items CROSS JOIN albums ON albums.folder_id = items.id AND albums.account_id = ?2
         WHERE items.uuid = ?1`,
        [uuid, accountId],
      );
      return row === undefined ? null : albumOf(row);
    },

    async edit(id, { title, order, coverId }) {
      await database.write((tx) =>
        tx.run(
          `UPDATE albums SET title = coalesce(?2, title), sort = coalesce(?3, sort),
             cover_id = CASE WHEN ?4 THEN ?5 ELSE cover_id END WHERE id = ?1`,
          [id, title ?? null, order ?? null, coverId === undefined ? 0 : 1, coverId ?? null],
        ),
      );
    },

    async remove(id) {
      await database.write((tx) => tx.run('DELETE FROM albums WHERE id = ?', [id]));
    },

    async members(accountId, albumId) {
      const own = albumId === undefined ? 'a.account_id = ?1' : 'a.id = ?2 AND a.account_id = ?1';
      const params = albumId === undefined ? [accountId] : [accountId, albumId];
      const listed = await database.all<MemberRow>(
        `SELECT a.id AS album, ${MEMBER}, m.place FROM albums a CROSS JOIN album_items m ON m.album_id = a.id
           CROSS JOIN photos p ON p.item_id = m.item_id WHERE ${own} AND a.folder_id IS NULL`,
        params,
      );
      const inFolders = await database.all<MemberRow>(
        `SELECT a.id AS album, ${MEMBER}, 0 AS place FROM albums a CROSS JOIN items i ON i.parent_id = a.folder_id
           CROSS JOIN photos p ON p.item_id = i.id WHERE ${own} AND a.folder_id IS NOT NULL`,
        params,
      );
      return [...listed, ...inFolders].map(memberOf);
    },

    async favourites(accountId) {
      const rows = await database.all<MemberRow>(
        `SELECT 0 AS album, ${MEMBER}, -s.starred_at AS place FROM stars s CROSS JOIN photos p ON p.item_id = s.item_id
         WHERE s.account_id = ?`,
        [accountId],
      );
      return rows.map(memberOf);
    },

    async addItems(id, accountId, itemIds, before = null) {
      await database.write(async (tx) => {
        const there = await tx.get('SELECT id FROM albums WHERE id = ?', [id]);
        if (there === undefined) throw new ApiError('not_found', t('api.albums.notFound'));
        await tx.run(
          `INSERT INTO album_items (album_id, item_id, added_by, added_at, place)
           SELECT ?1, items.id, ?2, ?3,
             1 + list.key + (SELECT coalesce(max(place), 0) FROM album_items WHERE album_id = ?1)
           FROM json_each(?4) list CROSS JOIN items ON items.id = list.value WHERE true
           ON CONFLICT DO NOTHING`,
          [id, accountId, clock.now(), JSON.stringify(itemIds)],
        );
        const all = await tx.all<{ item_id: number }>(
          'SELECT item_id FROM album_items WHERE album_id = ? ORDER BY place, item_id',
          [id],
        );
        if (all.length > MAX_MEMBERS) {
          throw new ApiError('conflict', t('api.albums.tooManyItems', { max: MAX_MEMBERS }));
        }
        if (before !== null)
          await place(
            tx,
            id,
            moved(
              all.map(({ item_id: item }) => item),
              itemIds,
              before,
            ),
          );
      });
    },

    async removeItems(id, uuids) {
      await database.write((tx) =>
        tx.run(
          `DELETE FROM album_items WHERE album_id = ? AND item_id IN
             (SELECT items.id FROM json_each(?) list CROSS JOIN items ON items.uuid = list.value)`,
          [id, JSON.stringify(uuids)],
        ),
      );
    },
  };
}

/** @returns the items of an album with some of them before another one; unchanged if that is one of them, or not in the album */
function moved(all: readonly number[], itemIds: readonly number[], before: number): readonly number[] {
  const some = new Set(itemIds);
  if (some.has(before) || !all.includes(before)) return all;
  const rest = all.filter((item) => !some.has(item));
  const index = rest.indexOf(before);
  return [...rest.slice(0, index), ...some, ...rest.slice(index)];
}

async function place(tx: Transaction, albumId: number, itemIds: readonly number[]): Promise<void> {
  await tx.run(
    `UPDATE album_items SET place = list.key FROM json_each(?2) list
     WHERE album_items.album_id = ?1 AND album_items.item_id = list.value`,
    [albumId, JSON.stringify(itemIds)],
  );
}

function albumOf(row: AlbumRow): AlbumRecord {
  const { id, uuid, title, sort: order, cover_id: coverId, folder_id: folderId, created_at: createdAt } = row;
  return { id, uuid, title, order, coverId, folderId, createdAt };
}

function memberOf({ film, ...member }: MemberRow): AlbumMember {
  return { ...member, isFilm: film === 1 };
}
