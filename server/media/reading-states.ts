import type { Database, Transaction } from '../database/database.ts';

/** A file that waits to be read. */
export interface WaitingFile {
  readonly id: number;
  readonly homeId: string;
  readonly name: string;
  /** Its family in the file type table. */
  readonly kind: string;
  /** Bytes. */
  readonly size: number;
  readonly identity: string;
  readonly mtime: number;
  /** How often it was begun to be read, and that did not end. */
  readonly tries: number;
}

export type ReadState = 'indexed' | 'empty' | 'failed' | 'away';

/** How many files there are of these states; what has nothing in it, or is not to be found, is not counted. */
export interface ReadingCounts {
  readonly waiting: number;
  readonly indexed: number;
  readonly failed: number;
}

/** Where it is kept how far the reading of every file is; the migrations say what the states mean. */
export type StatesTable = 'text_states' | 'embedded_states';

/** How far the reading of every file is, in one of the tables for that. */
export interface ReadingStates {
  /** What waits in these homes: what never failed before what did, then the newest modification first. */
  waiting(database: Pick<Database, 'all'>, homeIds: readonly string[], limit: number): Promise<WaitingFile[]>;
  /** One file, or null when it does not wait. */
  waitingOne(database: Pick<Database, 'get'>, itemId: number): Promise<WaitingFile | null>;
  /** Writes down that files are going to be read, before anything is done with them. */
  countTry(tx: Transaction, files: readonly WaitingFile[]): Promise<void>;
  /** Files that were counted, and then not read. */
  uncountTry(tx: Transaction, files: readonly WaitingFile[]): Promise<void>;
  /** @returns false when it has another content by now: then it waits already to be read again */
  settle(tx: Transaction, file: WaitingFile, state: ReadState): Promise<boolean>;
  /** What was not to be found waits again. */
  awaitAway(tx: Transaction): Promise<void>;
  /** The same for what is below these items, and themselves. */
  awaitBelow(tx: Transaction, itemIds: readonly number[]): Promise<void>;
  counts(database: Pick<Database, 'get'>): Promise<ReadingCounts>;
}

export function readingStates(table: StatesTable): ReadingStates {
  const columns = 'i.id, i.home_id AS homeId, i.name, i.kind, i.size, i.identity, s.mtime, s.tries';

  async function changeTries(tx: Transaction, files: readonly WaitingFile[], by: number): Promise<void> {
    await tx.run(
      `UPDATE ${table} SET tries = max(0, tries + ?) WHERE state = 'waiting' AND item_id IN (SELECT value FROM json_each(?))`,
      [by, JSON.stringify(files.map(({ id }) => id))],
    );
  }

  return {
    async waiting(database, homeIds, limit) {
      const found = await Promise.all(
        homeIds.map((homeId) =>
          database.all<WaitingFile>(
            `SELECT ${columns} FROM ${table} s CROSS JOIN items i ON i.id = s.item_id
             WHERE s.state = 'waiting' AND s.home_id = ? ORDER BY s.tries, s.mtime DESC LIMIT ?`,
            [homeId, limit],
          ),
        ),
      );
      return found
        .flat()
        .sort((a, b) => a.tries - b.tries || b.mtime - a.mtime)
        .slice(0, limit);
    },

    waitingOne: (database, itemId) =>
      database
        .get<WaitingFile>(
          `SELECT ${columns} FROM ${table} s CROSS JOIN items i ON i.id = s.item_id
           WHERE s.item_id = ? AND s.state = 'waiting'`,
          [itemId],
        )
        .then((file) => file ?? null),

    countTry: (tx, files) => changeTries(tx, files, 1),
    uncountTry: (tx, files) => changeTries(tx, files, -1),

    async settle(tx, file, state) {
      const { changes } = await tx.run(
        `UPDATE ${table} SET state = ?1, tries = 0 WHERE item_id = ?2 AND state = 'waiting'
           AND EXISTS (SELECT 1 FROM items WHERE id = ?2 AND identity = ?3)`,
        [state, file.id, file.identity],
      );
      return changes > 0;
    },

    async awaitAway(tx) {
      await tx.run(`UPDATE ${table} SET state = 'waiting' WHERE state = 'away'`);
    },

    async awaitBelow(tx, itemIds) {
      await tx.run(
        `UPDATE ${table} SET state = 'waiting' WHERE state = 'away' AND item_id IN (
           WITH RECURSIVE below (id) AS (
             SELECT value FROM json_each(?)
             UNION SELECT items.id FROM below CROSS JOIN items ON items.parent_id = below.id
           ) SELECT id FROM below)`,
        [JSON.stringify(itemIds)],
      );
    },

    async counts(database) {
      const counts = await database.get<ReadingCounts>(
        `SELECT count(*) FILTER (WHERE state = 'waiting') AS waiting, count(*) FILTER (WHERE state = 'indexed') AS indexed,
           count(*) FILTER (WHERE state = 'failed') AS failed FROM ${table}`,
      );
      return counts ?? { waiting: 0, indexed: 0, failed: 0 };
    },
  };
}
