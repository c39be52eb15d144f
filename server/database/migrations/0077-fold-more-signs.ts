import { foldAgain } from './0034-search-forms.ts';
import type { Migration } from './migration.ts';

/**
 * More signs are not read, and more letters, digits and quotation marks are equal for the search. Documents are read again for that, and
 * because more of them can be decoded.
 */
export const foldMoreSigns: Migration = {
  name: '0077-fold-more-signs',
  statements: ["UPDATE text_states SET state = 'waiting', tries = 0 WHERE state = 'indexed'"],
  fill: (tx) => foldAgain(tx, '*[^ -~]*'),
};
