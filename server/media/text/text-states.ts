import type { Database, Transaction } from '../../database/database.ts';

/** A file that waits to be read. */
export interface WaitingText {
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

/** What came of a file. */
export interface TextOutcome {
  readonly text: WaitingText;
  readonly state: 'indexed' | 'empty' | 'failed' | 'away';
  /** Separated by blanks; for `indexed`. */
  readonly words?: string;
}

/** How many files there are of these states; what has no words, or is not to be found, is not counted. */
export interface TextCounts {
  readonly waiting: number;
  readonly indexed: number;
  readonly failed: number;
}

/** What waits in these homes: what never failed before what did, then the newest modification first. */
export async function waitingTexts(
  database: Pick<Database, 'all'>,
  homeIds: readonly string[],
  limit: number,
): Promise<WaitingText[]> {
  const found = await Promise.all(
    homeIds.map((homeId) =>
      database.all<WaitingText>(
        `SELECT i.id, i.home_id AS homeId, i.name, i.kind, i.size, i.identity, s.mtime, s.tries
         FROM text_states s CROSS JOIN items i ON i.id = s.item_id
         WHERE s.state = 'waiting' AND s.home_id = ? ORDER BY s.tries, s.mtime DESC LIMIT ?`,
        [homeId, limit],
      ),
    ),
  );
  return found
    .flat()
    .sort((a, b) => a.tries - b.tries || b.mtime - a.mtime)
    .slice(0, limit);
}

/** Writes down that files are going to be read, before anything is done with them. */
export async function countTry(tx: Transaction, texts: readonly WaitingText[]): Promise<void> {
  await changeTries(tx, texts, 1);
}

/** Files that were counted, and then not read. */
export async function uncountTry(tx: Transaction, texts: readonly WaitingText[]): Promise<void> {
  await changeTries(tx, texts, -1);
}

async function changeTries(tx: Transaction, texts: readonly WaitingText[], by: number): Promise<void> {
  await tx.run(
    `UPDATE text_states SET tries = max(0, tries + ?) WHERE state = 'waiting' AND item_id IN (SELECT value FROM json_each(?))`,
    [by, JSON.stringify(texts.map(({ id }) => id))],
  );
}

/** Writes what came of a file, unless it has another content by now: then it waits already to be read again. */
export async function writeOutcome(tx: Transaction, { text, state, words }: TextOutcome): Promise<void> {
  const { changes } = await tx.run(
    `UPDATE text_states SET state = ?1, tries = 0 WHERE item_id = ?2 AND state = 'waiting'
       AND EXISTS (SELECT 1 FROM items WHERE id = ?2 AND identity = ?3)`,
    [state, text.id, text.identity],
  );
  if (changes === 0 || state === 'away') return;
  await tx.run('DELETE FROM texts WHERE rowid = ?', [text.id]);
  if (words !== undefined) await tx.run('INSERT INTO texts (rowid, words) VALUES (?, ?)', [text.id, words]);
}

/** What was not to be found waits again. */
export async function awaitAway(tx: Transaction): Promise<void> {
  await tx.run("UPDATE text_states SET state = 'waiting' WHERE state = 'away'");
}

/** The same for what is below these items, and themselves. */
export async function awaitBelow(tx: Transaction, itemIds: readonly number[]): Promise<void> {
  await tx.run(
    `UPDATE text_states SET state = 'waiting' WHERE state = 'away' AND item_id IN (
       WITH RECURSIVE below (id) AS (
         SELECT value FROM json_each(?)
         UNION SELECT items.id FROM below CROSS JOIN items ON items.parent_id = below.id
       ) SELECT id FROM below)`,
    [JSON.stringify(itemIds)],
  );
}

export async function countTexts(database: Pick<Database, 'get'>): Promise<TextCounts> {
  const counts = await database.get<TextCounts>(
    `SELECT count(*) FILTER (WHERE state = 'waiting') AS waiting, count(*) FILTER (WHERE state = 'indexed') AS indexed,
       count(*) FILTER (WHERE state = 'failed') AS failed FROM text_states`,
  );
  return counts ?? { waiting: 0, indexed: 0, failed: 0 };
}
