import { searchFold } from '../lib/names/names.ts';

/** A query for names: all of the words, anywhere in the name, or a pattern for the whole name. */
export type NameQuery =
  | { readonly kind: 'words'; readonly words: readonly string[] }
  | { readonly kind: 'pattern'; readonly pattern: string };

/** No name is longer, or has more words. */
const MAX_LETTERS = 1_000;
const MAX_WORDS = 130;

/**
 * Parses a query. Words match regardless of case and accents; with `*` (any characters) or `?` (one character) it is a pattern
 * for the whole name. There is no other syntax.
 * @returns null if no name can match, also for blanks
 */
export function nameQuery(text: string): NameQuery | null {
  if (text.length > MAX_LETTERS || text.includes('\0') || !text.isWellFormed()) return null;
  const folded = searchFold(text).trim();
  if (folded === '') return null;
  if (/[*?]/.test(folded)) return { kind: 'pattern', pattern: folded.replace(/\*+/g, '*') };
  const words = [...new Set(folded.split(/\s+/))];
  return words.length > MAX_WORDS ? null : { kind: 'words', words };
}

/** Whether a folded name matches. */
export function fitsName(query: NameQuery, fold: string): boolean {
  return query.kind === 'pattern' ? fitsPattern(query.pattern, fold) : query.words.every((word) => fold.includes(word));
}

/** In time proportional to pattern times name at most. */
function fitsPattern(pattern: string, name: string): boolean {
  const [signs, letters] = [[...pattern], [...name]];
  let [sign, letter, star, from] = [0, 0, -1, 0];
  while (letter < letters.length) {
    if (signs[sign] === '*') {
      star = sign;
      from = letter;
      sign += 1;
    } else if (signs[sign] === '?' || signs[sign] === letters[letter]) {
      sign += 1;
      letter += 1;
    } else if (star >= 0) {
      // Backtracks: the last star takes one more character.
      sign = star + 1;
      from += 1;
      letter = from;
    } else return false;
  }
  while (signs[sign] === '*') sign += 1;
  return sign === signs.length;
}

/** Runs of three or more characters that every matching name contains, for a trigram index. */
export function letterRuns(query: NameQuery): string[] {
  const parts = query.kind === 'pattern' ? query.pattern.split(/[*?]/) : query.words;
  return parts.filter((part) => [...part].length >= 3);
}

/** The rank of a match: smaller is better. */
export function nameRank(query: NameQuery, fold: string): number {
  if (query.kind === 'pattern') return 0;
  const [first = ''] = query.words;
  const phrase = query.words.join(' ');
  if (fold === phrase || fold.startsWith(`${phrase}.`)) return 0;
  if (fold.startsWith(phrase)) return 1;
  if (fold.includes(phrase)) return 2;
  return fold.startsWith(first) ? 3 : 4;
}
