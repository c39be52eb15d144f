import { JAPANESE, KOREAN, SIMPLIFIED, TRADITIONAL } from './common-letters.ts';

export type DoubleByte = 'shift_jis' | 'euc-jp' | 'euc-kr' | 'gbk' | 'big5';

const COMMON: Readonly<Record<DoubleByte, ReadonlySet<string>>> = {
  shift_jis: new Set(JAPANESE),
  'euc-jp': new Set(JAPANESE),
  'euc-kr': new Set(KOREAN),
  gbk: new Set(SIMPLIFIED),
  big5: new Set(TRADITIONAL),
};

/** Weights of characters by the part of the character set that they are in. */
const COMMON_LETTER = 3;
const SYLLABLE = 2.5;
const SIGN = 0.8;
const USUAL = 0.9;
const OTHER_SCRIPT = -0.5;
const SECOND_LEVEL = -0.8;
const EXTENSION = -1.8;

const isIn = (value: number, from: number, to: number) => value >= from && value <= to;

/** The weight of a character by its two bytes. Every set has its frequent characters in rows of their own. */
const BY_ROW: Readonly<Record<DoubleByte, (lead: number, trail: number) => number>> = {
  // GB 2312: level 1 in rows 16 to 55. GBK added the other bytes.
  gbk(lead, trail) {
    if (trail < 0xa1 || lead < 0xa1 || lead > 0xf7) return EXTENSION;
    if (lead === 0xa1 || lead === 0xa3) return SIGN;
    if (lead < 0xb0) return OTHER_SCRIPT;
    return lead <= 0xd7 ? USUAL : SECOND_LEVEL;
  },
  big5(lead) {
    if (isIn(lead, 0xa1, 0xa3)) return SIGN;
    if (isIn(lead, 0xa4, 0xc6)) return USUAL;
    return isIn(lead, 0xc9, 0xf9) ? SECOND_LEVEL : EXTENSION;
  },
  // KS X 1001: Hangul in rows 16 to 40, ideographs from row 42.
  'euc-kr'(lead, trail) {
    if (trail < 0xa1 || lead < 0xa1) return EXTENSION;
    if (isIn(lead, 0xa1, 0xa3)) return SIGN;
    if (isIn(lead, 0xb0, 0xc8)) return USUAL - 0.2;
    return lead >= 0xca ? -1 : OTHER_SCRIPT;
  },
  // JIS X 0208: kana in rows 4 and 5, level 1 in rows 16 to 47.
  'euc-jp'(lead) {
    if (lead === 0xa4 || lead === 0xa5) return SYLLABLE;
    if (isIn(lead, 0xa1, 0xa3)) return SIGN;
    if (isIn(lead, 0xb0, 0xcf)) return USUAL;
    return isIn(lead, 0xd0, 0xf4) ? SECOND_LEVEL : EXTENSION;
  },
  shift_jis(lead, trail) {
    if ((lead === 0x82 && trail >= 0x9f) || (lead === 0x83 && trail <= 0x96)) return SYLLABLE;
    if (lead <= 0x82) return SIGN;
    if (lead === 0x83 || lead === 0x84) return OTHER_SCRIPT;
    if (isIn(lead, 0x88, 0x98)) return USUAL;
    return isIn(lead, 0x98, 0xea) ? SECOND_LEVEL : EXTENSION;
  },
};

/** The weights of characters, times their bytes, and the number of these bytes. */
export interface Weight {
  readonly sum: number;
  readonly count: number;
}

/**
 * How probable it is that a text is in an encoding of two bytes per character: from -4 to 3 for each byte of such a character.
 * @param text the bytes, as decoded by it without an error
 */
export function doubleByteWeight(bytes: Uint8Array, text: string, encoding: DoubleByte): Weight {
  const common = COMMON[encoding];
  let at = 0;
  let sum = 0;
  let count = 0;
  let before = '';
  const chars = [...text];
  for (const [index, char] of chars.entries()) {
    const lead = bytes[at] ?? 0;
    if (lead <= 0x7f) {
      at += 1;
    } else {
      const length = lengthAt(bytes, at, encoding);
      const weight = common.has(char) ? COMMON_LETTER : rowWeight(bytes, at, length, encoding);
      const trail = String.fromCharCode(bytes[at + length - 1] ?? 0);
      sum += (weight - besideLetters(before, trail, chars[index + 1] ?? '')) * length;
      count += length;
      at += length;
    }
    before = char;
  }
  return { sum, count };
}

function rowWeight(bytes: Uint8Array, at: number, length: number, encoding: DoubleByte): number {
  // Katakana of half width, and characters of three or four bytes.
  if (length !== 2) return length === 1 ? -0.6 : EXTENSION;
  return BY_ROW[encoding](bytes[at] ?? 0, bytes[at + 1] ?? 0);
}

function lengthAt(bytes: Uint8Array, at: number, encoding: DoubleByte): number {
  const lead = bytes[at] ?? 0;
  const trail = bytes[at + 1] ?? 0;
  if (encoding === 'shift_jis' && isIn(lead, 0xa1, 0xdf)) return 1;
  if (encoding === 'euc-jp' && lead === 0x8f) return 3;
  if (encoding === 'gbk' && isIn(trail, 0x30, 0x39)) return 4;
  if (encoding === 'gbk' && lead === 0x80) return 1;
  return 2;
}

/** Within a word of Latin letters, a byte is one more of its letters. */
function besideLetters(before: string, trail: string, after: string): number {
  const isLatin = (char: string) => /[a-z]/i.test(char);
  if (!isLatin(before)) return 0;
  if (isLatin(trail)) return 2.5;
  return isLatin(after) ? 2 : 0.7;
}
