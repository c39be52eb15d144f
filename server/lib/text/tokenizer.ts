import { searchFold } from '../names/names.ts';

/** Of a longer word, its first letters count. In UTF-16 units. */
export const MAX_WORD_LENGTH = 64;

/** Scripts that put no blanks between their words: every letter of theirs is a word here, and a word of theirs a phrase. */
const UNSPACED = ['Han', 'Hiragana', 'Katakana', 'Thai', 'Lao', 'Khmer', 'Myanmar']
  .map((script) => `\\p{Script=${script}}`)
  .join('');
const LETTERS = '\\p{L}\\p{N}\\p{M}';
const SPACED_WORD = new RegExp(`[${LETTERS}]+`, 'gu');
const ANY_WORD = new RegExp(`(?=[${LETTERS}])[${UNSPACED}]\\p{M}*|(?:(?![${UNSPACED}])[${LETTERS}])+`, 'gu');
const HAS_UNSPACED = new RegExp(`[${UNSPACED}]`, 'u');

/**
 * What stands within words without being read: hyphens that only show at line ends, joiners, and the vowels that Arabic and
 * Hebrew mostly leave out.
 */
const UNREAD = /[\u00ad\u2060\ufeff\u0591-\u05c7\u0610-\u061a\u0640\u064b-\u065f\u0670\u06d6-\u06dc]|\u200c|\u200d/gu;

/**
 * The words of a text as contents are searched by them: without case, accents and punctuation. What is indexed and what is
 * asked for both come through here, so that the index takes words as they are and splits nothing by rules of its own. Letters
 * of scripts without blanks are taken one by one: a dictionary splits the same letters differently from one sentence, and
 * from one version of itself, to the next.
 */
export function tokenize(text: string): string[] {
  const folded = searchFold(text.toWellFormed()).replace(UNREAD, '');
  const words = folded.match(HAS_UNSPACED.test(folded) ? ANY_WORD : SPACED_WORD) ?? [];
  return words.map(shortened);
}

function shortened(word: string): string {
  return word.length <= MAX_WORD_LENGTH ? word : word.slice(0, MAX_WORD_LENGTH).toWellFormed();
}
