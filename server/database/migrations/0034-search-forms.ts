import { searchFold } from '../../lib/names/names.ts';
import type { Transaction } from '../write-queue.ts';
import type { Migration } from './migration.ts';

const FILL_BATCH = 5_000;

/** The stored search forms, and the texts that they are of. Forms of ASCII have not changed. */
const FORMS = [
  { table: 'items', text: 'name', fold: 'name_fold' },
  { table: 'metadata_terms', text: 'value', fold: 'fold' },
  { table: 'comments', text: 'comment', fold: 'fold' },
];

export const searchForms: Migration = {
  name: '0034-search-forms',
  statements: [
    // Documents are read again, because the words of many are others now.
    "UPDATE text_states SET state = 'waiting', tries = 0 WHERE state IN ('indexed', 'empty', 'failed')",
  ],

  fill: (tx) => foldAgain(tx, '*[^ -~]*'),
};

/** Triggers take the changed forms into the indexes. @param pattern which texts have changed forms (`GLOB`) */
export async function foldAgain(tx: Transaction, pattern: string): Promise<void> {
  for (const { table, text, fold } of FORMS) {
    for (let last = 0; ; ) {
      const rows = await tx.all<{ id: number; text: string; fold: string }>(
        `SELECT id, ${text} AS text, ${fold} AS fold FROM ${table}
         WHERE id > ? AND ${fold} <> '' AND ${text} GLOB ? ORDER BY id LIMIT ?`,
        [last, pattern, FILL_BATCH],
      );
      if (rows.length === 0) break;
      last = rows.at(-1)?.id ?? last;
      const changed = rows.flatMap((row) =>
        searchFold(row.text) === row.fold ? [] : [[row.id, searchFold(row.text)]],
      );
      await tx.run(
        `UPDATE ${table} SET ${fold} = changed.value->>1 FROM json_each(?) changed WHERE ${table}.id = changed.value->>0`,
        [JSON.stringify(changed)],
      );
    }
  }
}
