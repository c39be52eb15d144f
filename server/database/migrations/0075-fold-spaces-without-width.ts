import { foldAgain } from './0034-search-forms.ts';
import type { Migration } from './migration.ts';

/** Spaces without width within words are not read now. */
export const foldSpacesWithoutWidth: Migration = {
  name: '0075-fold-spaces-without-width',
  statements: [
    // Which documents have them is not stored.
    "UPDATE text_states SET state = 'waiting', tries = 0 WHERE state = 'indexed'",
  ],
  fill: (tx) => foldAgain(tx, '*\u200b*'),
};
