import { searchFold } from '../lib/names/names.ts';

/** Characters of a keyword: no value is looked for by more. */
const MAX_KEYWORD = 1_000;

/** What somebody looks for in values, folded; null for what no value can have, also for nothing but blanks. */
export function foldedKeyword(text: string): string | null {
  const folded = searchFold(text.trim());
  const isText = folded !== '' && folded.length <= MAX_KEYWORD && folded.isWellFormed() && !/[^\P{Cc}\n]/u.test(folded);
  return isText ? folded : null;
}

/** Whether an index of runs of three letters can be asked for it. */
export function isIndexed(folded: string): boolean {
  return [...folded].length >= 3;
}
