import { searchFold } from '../names/names.ts';
import { matchingParts, type TextPart } from './matching-parts.ts';

/** Characters of a passage, approximately: before the first match, and in all. */
const BEFORE = 60;
const LENGTH = 200;
/** Characters compared at a time, and how many of them again with the next ones. */
const WINDOW = 600;
const OVERLAP = 150;

/**
 * The passage of a text that matches most words of a search; among equal ones the first. Regardless of case and accents, and
 * preferably at the beginning of words.
 * @param words folded (`searchFold`)
 * @returns null if none occurs
 */
export function passageIn(text: string, words: readonly string[]): TextPart[] | null {
  const plain = text.replaceAll(/\s+/g, ' ').trim();
  let best: { readonly start: number; readonly count: number } | null = null;
  for (let start = 0; start < plain.length; start += WINDOW - OVERLAP) {
    // Words of the text begin after a blank.
    const folded = ` ${searchFold(plain.slice(start, start + WINDOW))}`;
    const count = words.reduce((sum, word) => sum + (begins(folded, word) ? 1 : 0), 0);
    if (count > (best?.count ?? 0)) best = { start, count };
    if (count === words.length) break;
    if (start + WINDOW >= plain.length) break;
  }
  if (best === null) return null;
  return cropped(matchingParts(plain.slice(best.start, best.start + WINDOW), words), {
    isStart: best.start === 0,
    isEnd: best.start + WINDOW >= plain.length,
  });
}

const NO_LETTER = /[^\p{L}\p{N}]/u;
/** Scripts that have no blanks between words: see `tokenize`. */
const UNSPACED =
  /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

/** Whether a word of a text begins with it. */
function begins(folded: string, word: string): boolean {
  for (let at = folded.indexOf(word); at > 0; at = folded.indexOf(word, at + 1)) {
    if (UNSPACED.test(word) || NO_LETTER.test(folded[at - 1] ?? '')) return true;
  }
  return false;
}

/** Begins before the first match, and is cut between words. */
function cropped(parts: readonly TextPart[], { isStart, isEnd }: { isStart: boolean; isEnd: boolean }): TextPart[] {
  const first = parts.findIndex(({ isMatch }) => isMatch);
  if (first < 0) return [];
  const lead = parts.slice(0, first).map(({ text }) => text);
  const before = lead.join('');
  const shortened = before.length <= BEFORE && isStart ? before : `… ${before.slice(-BEFORE).replace(/^\S*\s/, '')}`;
  const kept: TextPart[] = shortened === '' ? [] : [{ text: shortened, isMatch: false }];
  let length = shortened.length;
  for (const [index, part] of parts.slice(first).entries()) {
    const left = LENGTH - length;
    if (part.text.length <= left) {
      kept.push(part);
      length += part.text.length;
      if (index === parts.length - first - 1 && !isEnd) kept.push({ text: ' …', isMatch: false });
      continue;
    }
    const cut = part.text.slice(0, left).replace(/\s\S*$/, '');
    kept.push(part.isMatch ? part : { text: `${cut} …`, isMatch: false });
    break;
  }
  return kept;
}
