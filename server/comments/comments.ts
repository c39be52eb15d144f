import type { FilesDatabase, Transaction } from '../database/database.ts';
import type { Clock } from '../lib/clock.ts';
import { searchFold } from '../lib/names/names.ts';
import { COMMENT_COLUMNS, type CommentRecord, type CommentRow, commentOf } from './comment-record.ts';

/** Most comments per list. */
export const MAX_LISTED = 1_000;

type NewComment = Pick<CommentRecord, 'itemId' | 'accountId' | 'visitorName' | 'comment'>;

/** Comments on files and folders. They stay with an item that is moved, and are not copied with it. */
export interface Comments {
  /** The latest comments of an item, oldest first. @param before only those older than the comment with this id */
  of(itemId: number, before?: number): Promise<CommentRecord[]>;
  /** The number of comments of each item of a home, by item id; items without comments are left out. */
  countsIn(homeId: string): Promise<Map<number, number>>;
  byId(tx: Pick<Transaction, 'get'>, id: number): Promise<CommentRecord | null>;
  /** @returns its id */
  add(tx: Transaction, comment: NewComment): Promise<number>;
  remove(tx: Transaction, id: number): Promise<void>;
}

export function createComments(database: Pick<FilesDatabase, 'all'>, clock: Clock): Comments {
  return {
    async of(itemId, before = Number.MAX_SAFE_INTEGER) {
      const rows = await database.all<CommentRow>(
        `SELECT ${COMMENT_COLUMNS} FROM comments WHERE item_id = ? AND id < ? ORDER BY id DESC LIMIT ?`,
        [itemId, before, MAX_LISTED],
      );
      return rows.reverse().map(commentOf);
    },

    async countsIn(homeId) {
      // It starts from the comments, because there are fewer of them than files.
      const rows = await database.all<{ item_id: number; count: number }>(
        `SELECT item_id, count FROM (SELECT item_id, count(*) AS count FROM comments GROUP BY item_id)
         CROSS JOIN items ON items.id = item_id WHERE home_id = ?`,
        [homeId],
      );
      return new Map(rows.map(({ item_id: itemId, count }) => [itemId, count]));
    },

    async byId(tx, id) {
      const row = await tx.get<CommentRow>(`SELECT ${COMMENT_COLUMNS} FROM comments WHERE id = ?`, [id]);
      return row === undefined ? null : commentOf(row);
    },

    async add(tx, { itemId, accountId, visitorName, comment }) {
      const { lastId } = await tx.run(
        'INSERT INTO comments (item_id, account_id, visitor_name, comment, fold, created_at) VALUES (?, ?, ?, ?, ?, ?)',
        [itemId, accountId, visitorName, comment, searchFold(comment), clock.now()],
      );
      return lastId;
    },

    async remove(tx, id) {
      await tx.run('DELETE FROM comments WHERE id = ?', [id]);
    },
  };
}
