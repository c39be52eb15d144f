import { wordFold } from '../names/names.ts';

/** Longer words are truncated. In UTF-16 units. */
export const MAX_WORD_LENGTH = 64;

/** Scripts without spaces between words: each of their letters is a word here, and each of their words a phrase. */
const UNSPACED = ['Han', 'Hiragana', 'Katakana', 'Thai', 'Lao', 'Khmer', 'Myanmar']
  .map((script) => `\\p{Script=${script}}`)
  .join('');
const LETTERS = '\\p{L}\\p{N}\\p{M}';
const SPACED_WORD = new RegExp(`[${LETTERS}]+`, 'gu');
const ANY_WORD = new RegExp(`(?=[${LETTERS}])[${UNSPACED}]\\p{M}*|(?:(?![${UNSPACED}])[${LETTERS}])+`, 'gu');
const HAS_UNSPACED = new RegExp(`[${UNSPACED}]`, 'u');

/**
 * The words of a text for full-text search: without case, accents and punctuation. Both indexed texts and queries are split here,
 * so the index needs no rules of its own. Letters of scripts without spaces are words of their own, because dictionaries split
 * the same letters differently depending on sentence and version.
 */
export function tokenize(text: string): string[] {
  const folded = wordFold(text.toWellFormed());
  const words = folded.match(HAS_UNSPACED.test(folded) ? ANY_WORD : SPACED_WORD) ?? [];
  return words.map(shortened);
}

function shortened(word: string): string {
  return word.length <= MAX_WORD_LENGTH ? word : word.slice(0, MAX_WORD_LENGTH).toWellFormed();
}
