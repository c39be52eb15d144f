import type { FilesDatabase, SqlValue, Transaction } from '../database/database.ts';
import type { Clock } from '../lib/clock.ts';
import {
  type Recipient,
  SHARE_COLUMNS,
  type ShareFlags,
  type ShareRecord,
  type ShareRow,
  shareOf,
} from './share-record.ts';

/** The terms of a share. */
export interface ShareTerms {
  readonly isAnonymous: boolean;
  readonly flags: ShareFlags;
  readonly alias: string;
}

interface NewShare extends ShareTerms {
  readonly itemId: number;
  readonly sharerId: number;
  readonly viaId: number | null;
  readonly recipient: Recipient;
}

type Reader = Pick<Transaction, 'get' | 'all'>;

/**
 * The records of all shares. `access/` decides what they allow at the moment (whether the item exists, what everyone in the chain
 * may do).
 */
export interface Shares {
  byId(id: number, within?: Reader): Promise<ShareRecord | null>;
  /** All shares for an account, directly or through its groups, oldest first. */
  reaching(accountId: number): Promise<ShareRecord[]>;
  /** The same for the item of one share. */
  reachingLike(accountId: number, id: number): Promise<ShareRecord[]>;
  reachingWith(accountId: number, id: number): Promise<ShareRecord | null>;
  /** All shares that an account made, latest first. */
  by(sharerId: number): Promise<ShareRecord[]>;
  /** All shares of an item, oldest first. */
  of(itemId: number, within?: Reader): Promise<ShareRecord[]>;
  /** All shares of the items of a home, by anyone. */
  inHome(homeId: string): Promise<ShareRecord[]>;
  add(tx: Transaction, share: NewShare): Promise<number>;
  change(tx: Transaction, id: number, terms: ShareTerms): Promise<void>;
  /** Together with the shares that derive from it. */
  remove(tx: Transaction, id: number): Promise<void>;
}

const SELECT = `SELECT ${SHARE_COLUMNS} FROM shares`;
const COLUMNS = SHARE_COLUMNS.split(', ')
  .map((column) => `s.${column}`)
  .join(', ');

/** For an account, as two indexed lookups. */
function reachingWhere(condition: string): string {
  return `SELECT ${COLUMNS} FROM shares s WHERE s.uid IS NOT NULL AND s.uid = ?1 ${condition}
    UNION ALL
    SELECT ${COLUMNS} FROM group_members m CROSS JOIN shares s ON s.gid = m.group_id
    WHERE m.account_id = ?1 AND s.gid IS NOT NULL AND s.sharer_id <> ?1 ${condition}
    ORDER BY 1`;
}

export function createShares(database: FilesDatabase, clock: Clock): Shares {
  async function many(reader: Reader, sql: string, params: readonly SqlValue[]): Promise<ShareRecord[]> {
    return (await reader.all<ShareRow>(sql, [...params])).map(shareOf);
  }

  return {
    async byId(id, within = database) {
      return (await many(within, `${SELECT} WHERE id = ?`, [id]))[0] ?? null;
    },

    reaching: (accountId) => many(database, reachingWhere(''), [accountId]),
    reachingLike: (accountId, id) =>
      many(database, reachingWhere('AND s.item_id = (SELECT item_id FROM shares WHERE id = ?2)'), [accountId, id]),
    reachingWith: async (accountId, id) =>
      (await many(database, reachingWhere('AND s.id = ?2'), [accountId, id]))[0] ?? null,

    by: (sharerId) => many(database, `${SELECT} WHERE sharer_id = ? ORDER BY id DESC`, [sharerId]),
    of: (itemId, within = database) => many(within, `${SELECT} WHERE item_id = ? ORDER BY id`, [itemId]),

    inHome: (homeId) =>
      many(database, `${SELECT} WHERE ? = (SELECT home_id FROM items WHERE items.id = item_id) ORDER BY id`, [homeId]),

    async add(tx, { itemId, sharerId, viaId, recipient, ...terms }) {
      const { lastId } = await tx.run(
        `INSERT INTO shares (item_id, sharer_id, via_id, uid, gid, anonymous, upload, download, comment, read_comments,
           alter_items, share, alias, created_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
        [itemId, sharerId, viaId, recipient.uid, recipient.gid, ...termValues(terms), clock.now()],
      );
      return lastId;
    },

    async change(tx, id, terms) {
      await tx.run(
        `UPDATE shares SET anonymous = ?, upload = ?, download = ?, comment = ?, read_comments = ?, alter_items = ?,
           share = ?, alias = ? WHERE id = ?`,
        [...termValues(terms), id],
      );
    },

    async remove(tx, id) {
      await tx.run('DELETE FROM shares WHERE id = ?', [id]);
    },
  };
}

function termValues({ isAnonymous, flags, alias }: ShareTerms): SqlValue[] {
  const { upload, download, comment, read_comments: reads, alter, share } = flags;
  return [...[isAnonymous, upload, download, comment, reads, alter, share].map(Number), alias];
}
