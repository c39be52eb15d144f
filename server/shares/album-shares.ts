import type { FilesDatabase, Transaction } from '../database/database.ts';
import type { Clock } from '../lib/clock.ts';
import type { Recipient } from './share-record.ts';

/** What the recipients of an album may do: see what is in it, or also add to it. */
export const ALBUM_ROLES = ['view', 'contribute'] as const;
export type AlbumRole = (typeof ALBUM_ROLES)[number];

interface AlbumShare {
  readonly recipient: Recipient;
  readonly role: AlbumRole;
}

type Reader = Pick<Transaction, 'all'>;

/** The records of whom albums are shared with. `access/album-grants.ts` decides what they allow at the moment. */
export interface AlbumShares {
  /** Oldest first. */
  of(albumId: number, within?: Reader): Promise<AlbumShare[]>;
  /** Shares an album, or changes the role. Shared anew, it is back for those who left it. @returns whether it is new */
  put(tx: Transaction, albumId: number, share: AlbumShare): Promise<boolean>;
  /**
   * What people who no longer have the album added to it leaves it, too: nobody shows the photos of others.
   * @returns whether it was shared with them
   */
  remove(tx: Transaction, albumId: number, recipient: Recipient): Promise<boolean>;
  /**
   * Ends the share with an account, and hides from it what it has through groups, until the album is shared anew. What the account
   * added leaves the album. @returns whether it had the album
   */
  leave(tx: Transaction, albumId: number, accountId: number): Promise<boolean>;
}

/** Members of the groups that albums are shared with, without those who left the album: the tables `s` and `m`. */
export const NOT_LEFT =
  'NOT EXISTS (SELECT 1 FROM album_left l WHERE l.album_id = s.album_id AND l.account_id = m.account_id)';

/** Takes out of an album what people added who do not have it. */
export const WITHOUT_MEMBERS = `DELETE FROM album_items WHERE album_id = ?1 AND added_by IS NOT NULL
  AND added_by <> (SELECT account_id FROM albums WHERE id = ?1)
  AND added_by NOT IN (SELECT uid FROM album_shares WHERE album_id = ?1 AND uid IS NOT NULL)
  AND added_by NOT IN (SELECT m.account_id FROM album_shares s CROSS JOIN group_members m ON m.group_id = s.gid
    WHERE s.album_id = ?1 AND ${NOT_LEFT})`;

interface Row {
  uid: number | null;
  gid: number | null;
  role: AlbumRole;
}

export function createAlbumShares(database: Pick<FilesDatabase, 'all'>, clock: Clock): AlbumShares {
  return {
    async of(albumId, within = database) {
      const rows = await within.all<Row>('SELECT uid, gid, role FROM album_shares WHERE album_id = ? ORDER BY id', [
        albumId,
      ]);
      return rows.map(({ uid, gid, role }) => ({
        role,
        recipient: uid !== null ? { uid, gid: null } : { uid: null, gid: gid ?? 0 },
      }));
    },

    async put(tx, albumId, { recipient: { uid, gid }, role }) {
      const { changes } = await tx.run(
        'UPDATE album_shares SET role = ? WHERE album_id = ? AND uid IS ? AND gid IS ?',
        [role, albumId, uid, gid],
      );
      if (changes > 0) return false;
      await tx.run('INSERT INTO album_shares (album_id, uid, gid, role, created_at) VALUES (?, ?, ?, ?, ?)', [
        albumId,
        uid,
        gid,
        role,
        clock.now(),
      ]);
      await tx.run(
        `DELETE FROM album_left WHERE album_id = ?1 AND (account_id = ?2
           OR account_id IN (SELECT account_id FROM group_members WHERE group_id = ?3))`,
        [albumId, uid, gid],
      );
      return true;
    },

    async remove(tx, albumId, { uid, gid }) {
      const { changes } = await tx.run('DELETE FROM album_shares WHERE album_id = ? AND uid IS ? AND gid IS ?', [
        albumId,
        uid,
        gid,
      ]);
      await tx.run(WITHOUT_MEMBERS, [albumId]);
      return changes > 0;
    },

    async leave(tx, albumId, accountId) {
      const { changes } = await tx.run('DELETE FROM album_shares WHERE album_id = ? AND uid = ?', [albumId, accountId]);
      const left = await tx.run(
        `INSERT OR IGNORE INTO album_left (album_id, account_id)
         SELECT ?1, ?2 WHERE EXISTS (SELECT 1 FROM album_shares s CROSS JOIN group_members m ON m.group_id = s.gid
           WHERE s.album_id = ?1 AND m.account_id = ?2)`,
        [albumId, accountId],
      );
      await tx.run(WITHOUT_MEMBERS, [albumId]);
      return changes + left.changes > 0;
    },
  };
}

/** Someone whom an album is shared with, directly or through a group: perhaps several times. */
export interface AlbumMembership {
  readonly album: number;
  readonly account: number;
  readonly role: AlbumRole;
}

/** Everyone whom these albums are shared with. */
export function membershipsOf(database: Reader, albumIds: readonly number[]): Promise<AlbumMembership[]> {
  return database.all<{ album: number; account: number; role: AlbumRole }>(
    `SELECT s.album_id AS album, s.uid AS account, s.role FROM json_each(?1) list
       CROSS JOIN album_shares s ON s.album_id = list.value WHERE s.uid IS NOT NULL
     UNION ALL
     SELECT s.album_id AS album, m.account_id AS account, s.role FROM json_each(?1) list
       CROSS JOIN album_shares s ON s.album_id = list.value CROSS JOIN group_members m ON m.group_id = s.gid
       WHERE ${NOT_LEFT}`,
    [JSON.stringify(albumIds)],
  );
}
