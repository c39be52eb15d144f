import type { Migration } from './migration.ts';

/** Files of which more is read now are read again, in the background. */
export const readAgain: Migration = {
  name: '0036-read-again',
  statements: [
    // Forms and notes in PDFs, drawings and charts in documents.
    `UPDATE text_states SET state = 'waiting', tries = 0 WHERE state IN ('indexed', 'empty')
       AND item_id IN (SELECT id FROM items WHERE kind IN ('pdf', 'document', 'spreadsheet', 'presentation'))`,
    // Dates, places and titles of films.
    `UPDATE embedded_states SET state = 'waiting', tries = 0 WHERE state IN ('indexed', 'empty')
       AND item_id IN (SELECT id FROM items WHERE kind = 'video')`,
  ],
};
