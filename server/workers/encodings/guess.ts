import { analyse } from 'chardet';
import * as letters from './common-letters.ts';
import { decodedStrictly, decoderOf } from './decoders.ts';
import { type DoubleByte, doubleByteWeight, type Weight } from './double-byte.ts';

/** Bytes from which the encoding is guessed. */
const SAMPLE = 64 * 1024;
/** Bytes of it whose characters are weighed one by one. */
const WEIGHED = 2 * 1024;
/** The confidence of a guess by `chardet` without evidence for or against. Per cent. */
const NO_EVIDENCE = 10;
/** Bytes from which the frequencies of letters that `chardet` compares mean something. */
const MIN_HIGH_BYTES = 40;

type Weigh = (char: string, before: string, after: string) => number;

/**
 * Weights of characters outside ASCII, by language: 2 and more for frequent letters, negative for what is in no word. For every
 * line, the language counts in which it weighs most.
 */
const ALPHABETS: Readonly<Record<string, readonly Weigh[]>> = {
  western: letters.WESTERN.map((marked) => latin(marked, 1.5)),
  central: letters.CENTRAL.map((marked) => latin(marked, 1)),
  baltic: letters.BALTIC.map((marked) => latin(marked, 1)),
  turkish: [latin(letters.TURKISH, 0.5)],
  cyrillic: script(/\p{Script=Cyrillic}/u, letters.CYRILLIC, /^\P{L}[ъьы]|[бвгджзклмнпрстфхцчшщъь]й.$/iu),
  greek: script(/\p{Script=Greek}/u, letters.GREEK, /ς\p{L}|[βγδζθκλμξπστφχψ]\P{L}$/u),
  hebrew: script(/\p{Script=Hebrew}/u, letters.HEBREW, /[ךםןףץ]\p{L}$|[כמנצפ]\P{L}$/u),
  arabic: script(/[\p{Script=Arabic}\u064b-\u0652]/u, letters.ARABIC, /\P{Script=Arabic}ة/u),
  // A mark above or below has a letter before it, and a vowel written first one behind it.
  thai: script(/\p{Script=Thai}/u, letters.THAI, /^[^ก-ฮัิีึืุู็][ัิีึืุู่้๊๋็์]|^.[เแโใไ][^ก-ฮ]/u),
};

/** Added to the sum of weights: how usual an encoding is where few letters decide. */
const USUAL: Readonly<Record<string, number>> = {
  'windows-1252': 0.4,
  'windows-1251': 1,
  ibm866: 0.2,
  'windows-1254': 0.5,
  'koi8-r': 0.6,
  gbk: 0.8,
  shift_jis: 0.8,
  'euc-kr': 0.8,
  big5: 0.6,
  cp437: 0.4,
  cp850: 0.3,
  'windows-1255': 0.3,
  'windows-874': -2,
  'iso-8859-2': -0.5,
  'windows-1257': -0.5,
  cp775: -0.5,
  cp860: -0.5,
  cp861: -0.5,
};
/** Texts of DOS are old. */
const OF_OLD_TEXTS: Readonly<Record<string, number>> = { ...USUAL, cp850: -3 };

const SINGLE_BYTE: Readonly<Record<string, keyof typeof ALPHABETS>> = {
  'windows-1252': 'western',
  'windows-1250': 'central',
  'windows-1254': 'turkish',
  'windows-1251': 'cyrillic',
  'koi8-r': 'cyrillic',
  'koi8-u': 'cyrillic',
  ibm866: 'cyrillic',
  'iso-8859-5': 'cyrillic',
  'iso-8859-2': 'central',
  'iso-8859-6': 'arabic',
  'iso-8859-7': 'greek',
  'iso-8859-8': 'hebrew',
  'windows-1253': 'greek',
  'windows-1255': 'hebrew',
  'windows-1256': 'arabic',
  'windows-874': 'thai',
  'windows-1257': 'baltic',
  cp437: 'western',
  cp860: 'western',
  cp861: 'western',
  cp775: 'baltic',
  cp850: 'western',
  cp852: 'central',
  cp857: 'turkish',
  cp737: 'greek',
  cp862: 'hebrew',
};

const DOUBLE_BYTE: readonly DoubleByte[] = ['shift_jis', 'euc-jp', 'euc-kr', 'gbk', 'big5'];

/** Encodings of texts. Of equally probable ones, the first. */
const OF_TEXTS = [
  'windows-1252',
  'windows-1251',
  'windows-1254',
  'windows-1250',
  'koi8-r',
  'ibm866',
  'windows-1253',
  'windows-1255',
  'windows-1256',
  'windows-874',
  'cp850',
  'koi8-u',
  'iso-8859-2',
  'windows-1257',
  ...DOUBLE_BYTE,
];

/** Encodings of the names in archives: mostly those of DOS, which Windows still uses for them. */
const OF_NAMES = [
  'cp437',
  'cp850',
  'windows-1252',
  'ibm866',
  'windows-1251',
  'cp857',
  'windows-1254',
  'cp852',
  'windows-1250',
  'koi8-r',
  'cp737',
  'windows-1253',
  'cp862',
  'windows-1255',
  'windows-1256',
  'windows-874',
  'cp860',
  'cp861',
  'cp775',
  ...DOUBLE_BYTE,
];

/**
 * The most probable encoding of a text that is not UTF-8: its letters, few as they may be, are weighed in every encoding. If there are
 * enough of them, their frequencies as `chardet` compares them count as well. windows-1252 without any evidence.
 */
export function encodingOfText(bytes: Uint8Array): string {
  const sample = fromFirstLetter(bytes);
  const weighed = sample.subarray(0, WEIGHED);
  const guesses = highBytes(weighed) < MIN_HIGH_BYTES ? new Map<string, number>() : guessesOf(sample);
  const isCut = sample.length === SAMPLE;
  const names = [...new Set([...OF_TEXTS, ...guesses.keys()])].filter(
    (name) => decodedStrictly(sample, name, isCut) !== null,
  );
  return best(names, weighed, OF_OLD_TEXTS, guesses) ?? 'windows-1252';
}

/** By the names of encodings, from 0 to 4. */
function guessesOf(sample: Uint8Array): Map<string, number> {
  const found = analyse(sample).filter(({ confidence }) => confidence > NO_EVIDENCE);
  return new Map(found.map(({ name, confidence }) => [standardName(name), confidence / 25]));
}

/** The same for the names of an archive, one in a line. cp437 without any evidence (APPNOTE 4.4.4, bit 11, and appendix D). */
export function encodingOfNames(names: Uint8Array): string {
  return best(OF_NAMES, fromFirstLetter(names).subarray(0, WEIGHED), USUAL, new Map()) ?? 'cp437';
}

function best(
  names: readonly string[],
  bytes: Uint8Array,
  usual: Readonly<Record<string, number>>,
  guesses: ReadonlyMap<string, number>,
): string | null {
  let found: { name: string; score: number } | null = null;
  for (const name of names) {
    const weight = weightOf(bytes, name);
    if (weight === null || weight.count === 0) continue;
    const score = (weight.sum + (usual[name] ?? 0)) / weight.count + (guesses.get(name) ?? 0);
    if (score > (found?.score ?? 0)) found = { name, score };
  }
  return found?.name ?? null;
}

/** The weights of all characters, and the number of their bytes. @returns null if the bytes contradict the encoding */
function weightOf(bytes: Uint8Array, name: string): Weight | null {
  const text = decodedStrictly(bytes, name, bytes.length === WEIGHED);
  if (text === null) return null;
  const pair = DOUBLE_BYTE.find((one) => one === name);
  if (pair !== undefined) return doubleByteWeight(bytes, text, pair);
  const languages = ALPHABETS[SINGLE_BYTE[name] ?? ''] ?? [];
  let sum = 0;
  let count = 0;
  // A line is in one language.
  for (const line of text.split('\n')) {
    const weights = languages.map((weigh) => singleByteWeight(line, weigh));
    const most = weights.reduce(
      (one, other) => (other.sum > one.sum ? other : one),
      weights[0] ?? { sum: 0, count: 0 },
    );
    sum += most.sum;
    count += most.count;
  }
  return { sum, count };
}

function singleByteWeight(text: string, weigh: Weigh): Weight {
  let sum = 0;
  let count = 0;
  for (let at = 0; at < text.length; at += 1) {
    const char = text.charAt(at);
    if (char <= '\x7f') continue;
    const before = text.charAt(at - 1);
    count += 1;
    // No language has a letter three times in a row.
    const isThird = char === before && char === text.charAt(at - 2) && /\p{L}/u.test(char);
    sum += isThird ? -3 : weigh(char, before, text.charAt(at + 1));
  }
  return { sum, count };
}

/** Where some letters are in words: between which others. */
const IN_WORDS: readonly (readonly [letter: RegExp, place: RegExp])[] = [
  // Italian
  [/[ìòù]/, /\P{L}$/u],
  // French: œuvre, œil, œdème; naïf, Loïc
  [/œ/i, /[uid]$/i],
  [/ï/i, /^[aeou]/i],
  // Portuguese
  [/õ/i, /e$/i],
  // Icelandic
  [/þ/i, /^\P{L}/u],
];

/** @param cluster what is taken off for a marked letter behind another one, which few languages of the region have */
function latin(marked: string, cluster: number): Weigh {
  const known = new Set([...marked, ...marked.toUpperCase()]);
  return (char, before, after) => {
    if (!/\p{Script=Latin}/u.test(char) || /[ªº]/.test(char)) return symbol(char, before, after);
    const isOdd = IN_WORDS.some(
      ([letter, place]) => letter.test(char) && !place.test(`${before || ' '}${after || ' '}`),
    );
    const crowded = before > '\x7f' && /\p{L}/u.test(before) ? cluster : 0;
    const alone = /\p{L}/u.test(before) || /\p{L}/u.test(after) ? 0 : 1;
    return (known.has(char) && !isOdd ? 2 : -1.5) - crowded - alone - oddCase(char, before);
  };
}

/** @param ranks of the letters: frequent, usual, rare */
function script(own: RegExp, ranks: readonly string[], misplaced: RegExp = /^$/): readonly Weigh[] {
  const weights = new Map(
    ranks.flatMap((some, rank) => [...some].map((letter) => [letter, 2.5 - rank * 0.7] as const)),
  );
  const weigh: Weigh = (char, before, after) => {
    if (!own.test(char)) return /\p{L}/u.test(char) ? -2 : symbol(char, before, after);
    const mixed = [before, after].filter((other) => /[a-z]/i.test(other)).length * 2;
    const alone = own.test(before) || own.test(after) ? 0 : 2;
    const lower = char.toLowerCase();
    const known = weights.get(lower) ?? 0;
    const odd = misplaced.test(`${before || ' '}${char}${after || ' '}`) ? 3 : 0;
    return (lower === char ? known : known * 0.85) - mixed - alone - odd - oddCase(char, before);
  };
  return [weigh];
}

/** A capital behind a small letter. */
function oddCase(char: string, before: string): number {
  const isCapital = char !== char.toLowerCase();
  return isCapital && before !== before.toUpperCase() ? 2.5 : 0;
}

const FRAME = /[\u2500-\u259f]/;
const OPENING = /[“‘„«¡¿§€©№—–°µ]/;

function symbol(char: string, before: string, after: string): number {
  if (/[\p{Cc}\p{Co}\p{Cn}\ufffd]/u.test(char)) return -5;
  if (char === '’') return 1.5;
  if (/[“”‘„‚–—…«»€°§£©®·¡¿\u00a0№•™×±¼½¾²³´µ]/.test(char)) {
    const isInWord = /\p{L}/u.test(after) && (/\p{L}/u.test(before) || !OPENING.test(char));
    // A fraction has a number before it.
    if (/[¼½¾]/.test(char) && /\p{L}/u.test(before)) return -2;
    const isBesideSymbol = [before, after].some((other) => other > '\x7f' && !/\p{L}/u.test(other));
    return isInWord || isBesideSymbol ? -2 : /[\p{Ps}\p{Pi}\p{Pf}\p{Pd}\p{Sc}]/u.test(char) ? 1.5 : 1;
  }
  // Frames are drawn in lines.
  if (FRAME.test(char) && !/[\p{L}\d]/u.test(before + after)) return 0.5;
  return -2;
}

function fromFirstLetter(bytes: Uint8Array): Uint8Array {
  const first = bytes.findIndex((byte) => byte > 0x7f);
  const start = Math.max(0, first - WEIGHED / 8);
  return bytes.subarray(start, start + SAMPLE);
}

function highBytes(bytes: Uint8Array): number {
  return bytes.reduce((sum, byte) => (byte > 0x7f ? sum + 1 : sum), 0);
}

/** Of what `chardet` calls it. GBK is read as GB 18030, which includes it. */
function standardName(name: string): string {
  const standard = decoderOf(name)?.encoding ?? name.toLowerCase();
  return standard === 'gb18030' ? 'gbk' : standard;
}
