import { searchFold } from '../../../lib/names/names.ts';
import { bidiIsolate } from '../../../lib/text/bidi-isolate.ts';
import { type Html, html } from '../../../lib/text/html.ts';
import { matchingParts, type TextPart } from '../../../lib/text/matching-parts.ts';
import { tokenize } from '../../../lib/text/tokenizer.ts';
import { cutName, isLongName, startAndEnd } from '../../shell/shown-name.ts';
import { LONG_NAME } from '../listing/rows.ts';

/** The folded words of a search, as they may occur in names. */
export function searchedWords(words: string): readonly string[] {
  const folded = searchFold(words).split(/[\s*?]+/);
  return [...new Set([...folded, ...tokenize(words)])].filter((word) => word !== '');
}

/** A text with the words of a search marked. */
export function highlighted(text: string, words: readonly string[]): Html {
  return marked(matchingParts(bidiIsolate(text), words));
}

/** A name with the words of a search marked. Like `shownName`, it is shortened in the middle where it does not fit. */
export function highlightedName(name: string, words: readonly string[]): Html {
  if (!isLongName(name, LONG_NAME)) return highlighted(name, words);
  const [start, end] = startAndEnd(name);
  // Isolated text has further characters; then a word is only found within one of the parts.
  if (bidiIsolate(start) !== start || bidiIsolate(end) !== end) {
    const [first, last] = [start, end].map((part) => highlighted(part, words));
    return cutName(name, first ?? html``, last ?? html``);
  }
  const parts = matchingParts(name, words);
  return cutName(name, marked(between(parts, 0, start.length)), marked(between(parts, start.length, name.length)));
}

/** What parts have from one UTF-16 unit to another. */
function between(parts: readonly TextPart[], from: number, to: number): TextPart[] {
  let at = 0;
  return parts.flatMap(({ text, isMatch }) => {
    const kept = text.slice(Math.max(from - at, 0), Math.max(to - at, 0));
    at += text.length;
    return kept === '' ? [] : [{ text: kept, isMatch }];
  });
}

function marked(parts: readonly TextPart[]): Html {
  return html`${parts.map(({ text, isMatch }) => (isMatch ? html`<mark>${text}</mark>` : html`${text}`))}`;
}
