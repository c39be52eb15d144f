import type { Database, Transaction } from '../database/database.ts';

/** A file in the queue. */
export interface WaitingFile {
  readonly id: number;
  readonly homeId: string;
  readonly name: string;
  /** Its file type. */
  readonly kind: string;
  /** Bytes. */
  readonly size: number;
  readonly identity: string;
  readonly mtime: number;
  /** How often reading it began without ending. */
  readonly tries: number;
}

export type ReadState = 'indexed' | 'empty' | 'failed' | 'away';

/** Number of files in these states; empty files and those not found are not counted. */
export interface ReadingCounts {
  readonly waiting: number;
  readonly indexed: number;
  readonly failed: number;
}

/** The table with the state of every file; the migrations describe the states. */
export type StatesTable = 'text_states' | 'embedded_states';

/** The reading state of every file, in one of these tables. */
interface ReadingStates {
  /** The queue for these homes: files without failures first, then by modification time, newest first. */
  waiting(database: Pick<Database, 'all'>, homeIds: readonly string[], limit: number): Promise<WaitingFile[]>;
  /** One file, or null when it is not waiting. */
  waitingOne(database: Pick<Database, 'get'>, itemId: number): Promise<WaitingFile | null>;
  /** Records that files are about to be read, before they are opened. */
  countTry(tx: Transaction, files: readonly WaitingFile[]): Promise<void>;
  /** For files that were counted, but not read. */
  uncountTry(tx: Transaction, files: readonly WaitingFile[]): Promise<void>;
  /** @returns the ids of these files without those whose content has changed: they wait again already */
  settle(
    tx: Transaction,
    outcomes: readonly { readonly file: WaitingFile; readonly state: ReadState }[],
  ): Promise<ReadonlySet<number>>;
  /** Queues files that were not found again. */
  awaitAway(tx: Transaction): Promise<void>;
  /** The same for these items and everything below them. */
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

    async settle(tx, outcomes) {
      const settled = await tx.all<{ id: number }>(
        `UPDATE ${table} SET state = value->>1, tries = 0 FROM json_each(?)
         WHERE item_id = value->>0 AND state = 'waiting'
           AND EXISTS (SELECT 1 FROM items WHERE id = value->>0 AND identity = value->>2)
         RETURNING item_id AS id`,
        [JSON.stringify(outcomes.map(({ file, state }) => [file.id, state, file.identity]))],
      );
      return new Set(settled.map(({ id }) => id));
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
