import { randomUUID } from 'node:crypto';
import { permissionMissing } from '../accounts/permissions/require-permission.ts';
import type { FilesDatabase, Transaction } from '../database/database.ts';
import { ApiError } from '../http/errors.ts';
import type { Clock } from '../lib/clock.ts';
import { t } from '../messages/messages.ts';
import { NOT_LEFT } from '../shares/album-shares.ts';
import type { Recipient } from '../shares/share-record.ts';
import {
  keepAlbum,
  type Lost,
  purgeDeletedAlbums,
  type Returning,
  recipientsOfDeleted,
  restoreAlbum,
} from './deleted-albums.ts';

/** How an album is sorted: by when photos were taken, the oldest first, or by hand. */
export const ALBUM_ORDERS = ['taken', 'hand'] as const;
export type AlbumOrder = (typeof ALBUM_ORDERS)[number];

export interface AlbumRecord {
  readonly id: number;
  readonly uuid: string;
  /** The account that it belongs to. */
  readonly accountId: number;
  /** Empty for the album of a folder. */
  readonly title: string;
  readonly order: AlbumOrder;
  /** The chosen cover; null for the first photo. */
  readonly coverId: number | null;
  /** The folder that the album shows; null for a list. */
  readonly folderId: number | null;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
  readonly isShared: boolean;
  /** Whether its owner made a web link to it. */
  readonly isLinked: boolean;
}

/** What others added to an album, by its name. */
interface NamedMember {
  /** The id of the album. */
  readonly album: number;
  readonly item: number;
  readonly addedBy: number;
  /** Folded as by `searchFold`. */
  readonly nameFold: string;
}

/** A photo or film in an album, as far as it is known without its row. */
export interface AlbumMember {
  /** The id of the album. */
  readonly album: number;
  readonly item: number;
  readonly folder: number;
  readonly isFilm: boolean;
  /** The id of the photo that a film belongs to, or that stands for the burst of a photo; null for what stands for itself. */
  readonly partOf: number | null;
  /** What the clock said when it was taken, in milliseconds as if it were UTC. */
  readonly local: number;
  /** Sorts by hand. */
  readonly place: number;
  /** The account that added it to a list; null for one that is gone, and for folders and favourites. */
  readonly addedBy: number | null;
  /** Milliseconds since the epoch. */
  readonly addedAt: number;
}

/** The albums that an account may have, and the photos and films in each. */
const MAX_ALBUMS = 1_000;
const MAX_MEMBERS = 50_000;

/** The albums of accounts, whatever their items allow: see `visible-albums.ts`. */
export interface Albums {
  /** Its own, the newest first. */
  of(accountId: number): Promise<AlbumRecord[]>;
  /** Those of others that are shared with it, the newest first. Whether it has them is decided by `access/album-grants.ts`. */
  sharedWith(accountId: number): Promise<AlbumRecord[]>;
  /** Of any account: the caller has to find out whether it has the album. */
  byUuid(uuid: string): Promise<AlbumRecord | null>;
  /** @throws ApiError `conflict` if there are too many */
  add(accountId: number, title: string): Promise<AlbumRecord>;
  /** The album of a folder, made unless it exists. @throws ApiError `conflict` if there are too many */
  ofFolder(accountId: number, folderId: number): Promise<AlbumRecord>;
  /** @param uuid of the folder @returns null unless it is shown as an album */
  ofFolderUuid(accountId: number, uuid: string): Promise<AlbumRecord | null>;
  edit(id: number, changes: Partial<Pick<AlbumRecord, 'title' | 'order' | 'coverId'>>): Promise<void>;
  /** Deletes an album. For a while, `restore` brings it back. */
  remove(id: number): Promise<void>;
  /** Whom a deleted album was shared with; null unless the account deleted it a moment ago. */
  recipientsOfDeleted(accountId: number, uuid: string): Promise<readonly Recipient[] | null>;
  /** @throws ApiError `not_found`, `conflict` if there are too many */
  restore(accountId: number, uuid: string, returning: Returning): Promise<Lost>;
  /** Forgets albums that were deleted long ago. */
  purge(): Promise<void>;
  /** What is in these lists and folders. */
  members(albumIds: readonly number[]): Promise<AlbumMember[]>;
  /**
   * What others than an account added to these lists, with the names.
   * @param part what every name contains, folded as by `searchFold`; empty for all of them
   */
  namesByOthers(albumIds: readonly number[], accountId: number, part: string): Promise<NamedMember[]>;
  /** The same as `members` for starred photos and films, the last starred first. */
  favourites(accountId: number): Promise<AlbumMember[]>;
  /**
   * Adds items, in this order, at the end or before one of the album. With `before`, those that are there already are moved.
   * @throws ApiError `conflict` if there are too many; `not_found` if the album was deleted meanwhile; `permission_denied` if it was
   * shared meanwhile
   */
  addItems(id: number, accountId: number, itemIds: readonly number[], how: HowToAdd): Promise<void>;
  /** By their uuids. @param addedBy only what this account added; null for all of them */
  removeItems(id: number, uuids: readonly string[], addedBy: number | null): Promise<void>;
}

interface HowToAdd {
  /** Whether others may see the items through the album from now on. */
  readonly mayShare: boolean;
  /** The same for visitors of a web link to it. */
  readonly mayLink: boolean;
  readonly before?: number | null;
}

interface AlbumRow {
  id: number;
  uuid: string;
  account_id: number;
  title: string;
  sort: AlbumOrder;
  cover_id: number | null;
  folder_id: number | null;
  created_at: number;
  shared: number;
  linked: number;
}

type MemberRow = Omit<AlbumMember, 'isFilm'> & { film: number };

const MEMBER = 'p.item_id AS item, p.folder_id AS folder, p.is_film AS film, p.part_of AS partOf, p.local';
/** The columns of an `AlbumRow`. */
const ALBUM = `a.*, EXISTS (SELECT 1 FROM album_shares s WHERE s.album_id = a.id) AS shared,
  EXISTS (SELECT 1 FROM weblinks w WHERE w.album_id = a.id AND w.album_id IS NOT NULL) AS linked`;

export function createAlbums(database: FilesDatabase, clock: Clock): Albums {
  async function insert(accountId: number, title: string, folderId: number | null): Promise<AlbumRecord> {
    return database.write(async (tx) => {
      const there =
        folderId === null
          ? undefined
          : await tx.get<AlbumRow>(
              'SELECT *, 0 AS shared, 0 AS linked FROM albums WHERE folder_id = ? AND account_id = ?',
              [folderId, accountId],
            );
      if (there !== undefined) return albumOf(there);
      await checkCount(tx, accountId);
      const row = await tx.get<AlbumRow>(
        `INSERT INTO albums (uuid, account_id, title, sort, folder_id, created_at) VALUES (?, ?, ?, 'taken', ?, ?) RETURNING *, 0 AS shared, 0 AS linked`,
        [randomUUID(), accountId, title, folderId, clock.now()],
      );
      if (row === undefined) throw new Error('the album was not inserted');
      return albumOf(row);
    });
  }

  return {
    async of(accountId) {
      const rows = await database.all<AlbumRow>(
        `SELECT ${ALBUM} FROM albums a WHERE a.account_id = ? ORDER BY a.id DESC`,
        [accountId],
      );
      return rows.map(albumOf);
    },

    async sharedWith(accountId) {
      const rows = await database.all<AlbumRow>(
        `SELECT ${ALBUM} FROM albums a WHERE a.account_id <> ?1 AND a.folder_id IS NULL AND a.id IN (
           SELECT s.album_id FROM album_shares s WHERE s.uid IS NOT NULL AND s.uid = ?1
           UNION SELECT s.album_id FROM group_members m CROSS JOIN album_shares s ON s.gid = m.group_id
             WHERE m.account_id = ?1 AND s.gid IS NOT NULL AND ${NOT_LEFT}) ORDER BY a.id DESC`,
        [accountId],
      );
      return rows.map(albumOf);
    },

    async byUuid(uuid) {
      const row = await database.get<AlbumRow>(`SELECT ${ALBUM} FROM albums a WHERE a.uuid = ?`, [uuid]);
      return row === undefined ? null : albumOf(row);
    },

    add: (accountId, title) => insert(accountId, title, null),
    ofFolder: (accountId, folderId) => insert(accountId, '', folderId),

    async ofFolderUuid(accountId, uuid) {
      const row = await database.get<AlbumRow>(
        `SELECT albums.*, 0 AS shared, 0 AS linked FROM items CROSS JOIN albums ON albums.folder_id = items.id AND albums.account_id = ?2
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
      await database.write(async (tx) => {
        await keepAlbum(tx, id, clock.now());
        await tx.run('DELETE FROM albums WHERE id = ?', [id]);
      });
    },

    recipientsOfDeleted: (accountId, uuid) => recipientsOfDeleted(database, accountId, uuid, clock.now()),
    restore: (accountId, uuid, returning) =>
      database.write(async (tx) => {
        await checkCount(tx, accountId);
        return restoreAlbum(tx, accountId, uuid, clock.now(), returning);
      }),
    purge: () => database.write((tx) => purgeDeletedAlbums(tx, clock.now())),

    async members(albumIds) {
      const params = [JSON.stringify(albumIds)];
      const listed = await database.all<MemberRow>(
        `SELECT a.id AS album, ${MEMBER}, m.place, m.added_by AS addedBy, m.added_at AS addedAt FROM json_each(?1) list
           CROSS JOIN albums a ON a.id = list.value CROSS JOIN album_items m ON m.album_id = a.id
           CROSS JOIN photos p ON p.item_id = m.item_id WHERE a.folder_id IS NULL`,
        params,
      );
      const inFolders = await database.all<MemberRow>(
        `SELECT a.id AS album, ${MEMBER}, 0 AS place, NULL AS addedBy, 0 AS addedAt FROM json_each(?1) list
           CROSS JOIN albums a ON a.id = list.value CROSS JOIN items i ON i.parent_id = a.folder_id
           CROSS JOIN photos p ON p.item_id = i.id WHERE a.folder_id IS NOT NULL`,
        params,
      );
      return [...listed, ...inFolders].map(memberOf);
    },

    namesByOthers(albumIds, accountId, part) {
      return database.all<NamedMember>(
        `SELECT m.album_id AS album, m.item_id AS item, m.added_by AS addedBy, i.name_fold AS nameFold FROM json_each(?1) list
           CROSS JOIN album_items m ON m.album_id = list.value CROSS JOIN items i ON i.id = m.item_id
           WHERE m.added_by <> ?2 AND instr(i.name_fold, ?3) > 0`,
        [JSON.stringify(albumIds), accountId, part],
      );
    },

    async favourites(accountId) {
      const rows = await database.all<MemberRow>(
        `SELECT 0 AS album, ${MEMBER}, -s.starred_at AS place, NULL AS addedBy, 0 AS addedAt FROM stars s CROSS JOIN photos p ON p.item_id = s.item_id
         WHERE s.account_id = ?`,
        [accountId],
      );
      return rows.map(memberOf);
    },

    async addItems(id, accountId, itemIds, { mayShare, mayLink, before = null }) {
      await database.write(async (tx) => {
        const there = await tx.get<{ shared: number; linked: number; mine: number }>(
          `SELECT EXISTS (SELECT 1 FROM album_shares s WHERE s.album_id = a.id) AS shared,
             EXISTS (SELECT 1 FROM weblinks w WHERE w.album_id = a.id AND w.album_id IS NOT NULL AND w.creator_id = ?2) AS linked,
             a.account_id = ?2 OR EXISTS (SELECT 1 FROM album_shares s WHERE s.album_id = a.id AND s.role = 'contribute'
               AND (s.uid = ?2 OR EXISTS (SELECT 1 FROM group_members m WHERE m.group_id = s.gid AND m.account_id = ?2 AND ${NOT_LEFT}))) AS mine
           FROM albums a WHERE a.id = ?1`,
          [id, accountId],
        );
        if (there === undefined || there.mine === 0) throw new ApiError('not_found', t('api.albums.notFound'));
        if (there.shared === 1 && !mayShare) throw permissionMissing('share');
        if (there.linked === 1 && !mayLink) throw permissionMissing('weblink');
        await tx.run(
          `INSERT INTO album_items (album_id, item_id, added_by, added_at, place)
           SELECT ?1, items.id, ?2, ?3,
             1 + list.key + (SELECT coalesce(max(place), 0) FROM album_items WHERE album_id = ?1)
           FROM json_each(?4) list CROSS JOIN items ON items.id = list.value WHERE true
           -- Only the one whose home has an item can show it to others.
           ON CONFLICT DO UPDATE SET added_by = excluded.added_by, added_at = excluded.added_at
             WHERE album_items.added_by IS NOT excluded.added_by AND (SELECT home_id FROM items WHERE id = excluded.item_id) =
               (SELECT home_id FROM accounts WHERE id = excluded.added_by)`,
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

    async removeItems(id, uuids, addedBy) {
      await database.write((tx) =>
        tx.run(
          `DELETE FROM album_items WHERE album_id = ?1 AND item_id IN
             (SELECT items.id FROM json_each(?2) list CROSS JOIN items ON items.uuid = list.value)
             AND (?3 IS NULL OR added_by = ?3)`,
          [id, JSON.stringify(uuids), addedBy],
        ),
      );
    },
  };
}

/** @throws ApiError `conflict` */
async function checkCount(tx: Transaction, accountId: number): Promise<void> {
  const count = await tx.get<{ count: number }>('SELECT count(*) AS count FROM albums WHERE account_id = ?', [
    accountId,
  ]);
  if ((count?.count ?? 0) >= MAX_ALBUMS) {
    throw new ApiError('conflict', t('api.albums.tooMany', { max: MAX_ALBUMS }));
  }
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
  const { id, uuid, account_id: accountId, title, sort: order, cover_id: coverId, folder_id: folderId } = row;
  return {
    id,
    uuid,
    accountId,
    title,
    order,
    coverId,
    folderId,
    createdAt: row.created_at,
    isShared: row.shared === 1,
    isLinked: row.linked === 1,
  };
}

function memberOf({ film, ...member }: MemberRow): AlbumMember {
  return { ...member, isFilm: film === 1 };
}
