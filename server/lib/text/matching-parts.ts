import { wordFold } from '../names/names.ts';

/** A part of a text, and whether a search matches it. */
export interface TextPart {
  readonly text: string;
  readonly isMatch: boolean;
}

const letters = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/**
 * Splits a text into parts that match words of a search and parts that do not, regardless of case and accents. A letter with
 * its accents is never divided.
 * @param words folded (`searchFold`), without empty ones
 */
export function matchingParts(text: string, words: readonly string[]): TextPart[] {
  const graphemes = [...letters.segment(text)].map(({ segment }) => segment);
  // Of each folded character, the index of its grapheme.
  let folded = '';
  const origins: number[] = [];
  for (const [index, grapheme] of graphemes.entries()) {
    const fold = wordFold(grapheme);
    folded += fold;
    for (let i = 0; i < fold.length; i += 1) origins.push(index);
  }
  const isMatched = graphemes.map(() => false);
  for (const word of words) {
    for (let at = folded.indexOf(word); at >= 0 && word !== ''; at = folded.indexOf(word, at + word.length)) {
      const last = origins[at + word.length - 1] ?? 0;
      for (let index = origins[at] ?? 0; index <= last; index += 1) isMatched[index] = true;
    }
  }
  const parts: { text: string; isMatch: boolean }[] = [];
  for (const [index, grapheme] of graphemes.entries()) {
    const part = parts.at(-1);
    const isMatch = isMatched[index] ?? false;
    if (part?.isMatch === isMatch) part.text += grapheme;
    else parts.push({ text: grapheme, isMatch });
  }
  return parts;
}
