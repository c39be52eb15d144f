import { searchFold } from '../../../lib/names/names.ts';
import { type Html, html } from '../../../lib/text/html.ts';
import { matchingParts } from '../../../lib/text/matching-parts.ts';
import { tokenize } from '../../../lib/text/tokenizer.ts';

/** The folded words of a search, as they may occur in names. */
export function searchedWords(words: string): readonly string[] {
  const folded = searchFold(words).split(/[\s*?]+/);
  return [...new Set([...folded, ...tokenize(words)])].filter((word) => word !== '');
}

/** A text with the words of a search marked. */
export function highlighted(text: string, words: readonly string[]): Html {
  return html`${matchingParts(text, words).map(({ text: part, isMatch }) =>
    isMatch ? html`<mark>${part}</mark>` : html`${part}`,
  )}`;
}
