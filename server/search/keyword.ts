import { searchFold } from '../lib/names/names.ts';

/** Most characters of a keyword. */
const MAX_KEYWORD = 1_000;

/** The folded keyword; null if no value can match, also for blanks. */
export function foldedKeyword(text: string): string | null {
  const folded = searchFold(text.trim());
  const isText = folded !== '' && folded.length <= MAX_KEYWORD && folded.isWellFormed() && !/[^\P{Cc}\n]/u.test(folded);
  return isText ? folded : null;
}

/** Whether a trigram index can be used for it. */
export function isIndexed(folded: string): boolean {
  return [...folded].length >= 3;
}
