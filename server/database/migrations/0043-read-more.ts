import type { Migration } from './migration.ts';

/** Files of which more is read now are read again, in the background: dates in workbooks, and Rich Text. */
export const readMore: Migration = {
  name: '0043-read-more',
  statements: [
    `UPDATE text_states SET state = 'waiting', tries = 0 WHERE state IN ('indexed', 'empty', 'failed')
      AND item_id IN (SELECT id FROM items WHERE kind = 'spreadsheet' OR (kind = 'document' AND name LIKE '%.rtf'))`,
  ],
};
