import type { FilesDatabase } from '../database/database.ts';
import type { Clock } from '../lib/clock.ts';

/** Stars that people put on files and folders, each for themselves. They stay with an item that is moved. */
export interface Stars {
  /** @returns false when it has one already */
  add(accountId: number, itemId: number): Promise<boolean>;
  /** @returns false when there is none */
  remove(accountId: number, itemId: number): Promise<boolean>;
  /** The ids of the items, last starred first. */
  of(accountId: number): Promise<number[]>;
  /** Their uuids, in any order, for marking them in a list. */
  uuidsOf(accountId: number): Promise<string[]>;
}

export function createStars(database: FilesDatabase, clock: Clock): Stars {
  return {
    async add(accountId, itemId) {
      const { changes } = await database.write((tx) =>
        tx.run('INSERT INTO stars (account_id, item_id, starred_at) VALUES (?, ?, ?) ON CONFLICT DO NOTHING', [
          accountId,
          itemId,
          clock.now(),
        ]),
      );
      return changes > 0;
    },

    async remove(accountId, itemId) {
      const { changes } = await database.write((tx) =>
        tx.run('DELETE FROM stars WHERE account_id = ? AND item_id = ?', [accountId, itemId]),
      );
      return changes > 0;
    },

    async of(accountId) {
      const rows = await database.all<{ item_id: number }>(
        'SELECT item_id FROM stars WHERE account_id = ? ORDER BY starred_at DESC, item_id DESC',
        [accountId],
      );
      return rows.map(({ item_id: itemId }) => itemId);
    },

    async uuidsOf(accountId) {
      const rows = await database.all<{ uuid: string }>(
        'SELECT items.uuid FROM stars CROSS JOIN items ON items.id = stars.item_id WHERE stars.account_id = ?',
        [accountId],
      );
      return rows.map(({ uuid }) => uuid);
    },
  };
}
