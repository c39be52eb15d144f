import { searchFold } from '../lib/names/names.ts';

/** What names are looked for: all of the words, anywhere in the name, or a pattern for the whole of it. */
export type NameQuery =
  | { readonly kind: 'words'; readonly words: readonly string[] }
  | { readonly kind: 'pattern'; readonly pattern: string };

/** No name is so long, nor has so many words. */
const MAX_LETTERS = 1_000;
const MAX_WORDS = 130;

/**
 * Reads what somebody typed. Words are looked for without regard to case and accents; with `*` (any letters) or `?` (one
 * letter) in it, it is a pattern that the whole name has to fit. Nothing else in it has a meaning of its own.
 * @returns null for what no name can have; also for nothing but blanks
 */
export function nameQuery(text: string): NameQuery | null {
  if (text.length > MAX_LETTERS || text.includes('\0') || !text.isWellFormed()) return null;
  const folded = searchFold(text).trim();
  if (folded === '') return null;
  if (/[*?]/.test(folded)) return { kind: 'pattern', pattern: folded.replace(/\*+/g, '*') };
  const words = [...new Set(folded.split(/\s+/))];
  return words.length > MAX_WORDS ? null : { kind: 'words', words };
}

/** Whether a folded name is one of those looked for. */
export function fitsName(query: NameQuery, fold: string): boolean {
  return query.kind === 'pattern' ? fitsPattern(query.pattern, fold) : query.words.every((word) => fold.includes(word));
}

/** In time that grows with pattern times name at most, whatever the pattern. */
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
      // The last star takes one letter more.
      sign = star + 1;
      from += 1;
      letter = from;
    } else return false;
  }
  while (signs[sign] === '*') sign += 1;
  return sign === signs.length;
}

/** Letters that every name that fits has in a row, where that are three or more: what an index of such runs can be asked for. */
export function letterRuns(query: NameQuery): string[] {
  const parts = query.kind === 'pattern' ? query.pattern.split(/[*?]/) : query.words;
  return parts.filter((part) => [...part].length >= 3);
}

/** How well a name fits: the smaller the better. */
export function nameRank(query: NameQuery, fold: string): number {
  if (query.kind === 'pattern') return 0;
  const [first = ''] = query.words;
  const phrase = query.words.join(' ');
  if (fold === phrase || fold.startsWith(`${phrase}.`)) return 0;
  if (fold.startsWith(phrase)) return 1;
  if (fold.includes(phrase)) return 2;
  return fold.startsWith(first) ? 3 : 4;
}
