import { normalized } from './normalized.ts';
import { utf8Length } from './utf8-length.ts';

/**
 * Rules for the names of files and folders, combining the restrictions of Windows, macOS and Linux, so that a folder can move
 * between them. They are strict for new names and lenient for existing ones.
 */

/** What no new name may contain: control characters among it. */
export const FORBIDDEN_CHARACTERS: readonly string[] = [
  ...'/\\:*?"<>|',
  ...[...Array(0x20).keys(), 0x7f].map((code) => String.fromCharCode(code)),
];
/** Devices of Windows, which no new name may be, with an extension or without, in any case. */
export const DEVICE_NAMES: readonly string[] = [
  ...['con', 'prn', 'aux', 'nul', 'conin$', 'conout$'],
  ...['com', 'lpt'].flatMap((port) => [...'0123456789¹²³'].map((number) => `${port}${number}`)),
];
/** What no new name may end with. */
export const FORBIDDEN_ENDINGS: readonly string[] = [' ', '.'];
export const MAX_NAME_BYTES = 255;

const FORBIDDEN: ReadonlySet<string> = new Set(FORBIDDEN_CHARACTERS);
const DEVICES: ReadonlySet<string> = new Set(DEVICE_NAMES);

/** `reference`: the name means the folder itself or the one above it. */
export type NameProblem = 'empty' | 'reference' | 'encoding' | 'characters' | 'ending' | 'device' | 'length';

/** Why a new file or folder may not have this name, or null when it may. */
export function newNameProblem(name: string): NameProblem | null {
  if (name === '') return 'empty';
  if (name === '.' || name === '..') return 'reference';
  if (!name.isWellFormed()) return 'encoding';
  for (const character of name) if (FORBIDDEN.has(character)) return 'characters';
  if (FORBIDDEN_ENDINGS.some((ending) => name.endsWith(ending))) return 'ending';
  if (DEVICES.has((name.trimEnd().split('.', 1)[0] ?? '').toLowerCase())) return 'device';
  if (utf8Length(name) > MAX_NAME_BYTES) return 'length';
  return null;
}

/** Whether a path segment can be a name on a disk at all. */
export function isReachable(segment: string): boolean {
  return !['', '.', '..'].includes(segment) && !/[/\0]/.test(segment) && segment.isWellFormed();
}

/** Equal for names that a case-insensitive or normalizing disk treats as one. */
export function foldName(name: string): string {
  return isAscii(name) ? name.toLowerCase() : normalized(normalized(name, 'NFC').toLowerCase(), 'NFC');
}

/**
 * A key whose plain comparison gives the natural order, ignoring case and accents: runs of digits are prefixed with their length,
 * so that 2 comes before 10.
 */
export function nameSortKey(name: string): string {
  const plain = isAscii(name) ? name : normalized(name, 'NFKD').replace(/\p{M}/gu, '');
  return plain.toLowerCase().replace(/\d+/g, (digits) => {
    const value = digits.replace(/^0+(?=\d)/, '');
    return `${String.fromCharCode(0x30 + Math.min(value.length, 0x4000))}${value}`;
  });
}

/** Letters and punctuation that no decomposition changes, and how people type them on other keyboards. */
const PLAIN: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ħ: 'h',
  ı: 'i',
  ς: 'σ',
  '\u02b9': "'",
  '\u02bb': "'",
  '\u02bc': "'",
  '\u05f3': "'",
  '\u2018': "'",
  '\u2019': "'",
  '\u201b': "'",
  '\u2032': "'",
  '\u05f4': '"',
  '\u201c': '"',
  '\u201d': '"',
  '\u201e': '"',
  '\u201f': '"',
  '\u2010': '-',
  '\u2012': '-',
  '\u2013': '-',
  '\u2014': '-',
  '\u2015': '-',
  '\u2212': '-',
  '\u05be': '-',
  '\ua78c': "'",
  '\u201a': "'",
  '\u2039': "'",
  '\u203a': "'",
  '\u00ab': '"',
  '\u00bb': '"',
  '\u301c': '~',
  // Of Persian, Urdu and the Quran, as keyboards for Arabic have them.
  '\u06cc': '\u064a',
  '\u0649': '\u064a',
  '\u06a9': '\u0643',
  '\u0671': '\u0627',
  ...digitsFrom(0x0660),
  ...digitsFrom(0x06f0),
};

/** The digits of a script, by the code of its zero. */
function digitsFrom(zero: number): Readonly<Record<string, string>> {
  return Object.fromEntries(Array.from({ length: 10 }, (_, digit) => [String.fromCharCode(zero + digit), `${digit}`]));
}
const SPECIAL = new RegExp(`[${Object.keys(PLAIN).join('')}]`, 'g');
/** Combining diacritical marks. Not every mark: Indic vowel signs are letters to their readers. */
const ACCENTS = /[\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]/g;

/**
 * Characters within words that are not read: soft hyphens, joiners, spaces without width, marks of direction, signs of formulas,
 * variants of emoji, of Japanese and of Mongolian letters, and the optional vowel marks of Arabic and Hebrew.
 */
const UNREAD =
  /[\u00ad\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u061c\u0640\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e4\u06e7\u06e8\u06ea-\u06ed\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]|\u200b|\u200c|\u200d|[\u180b-\u180e]|[\ufe00-\ufe0f]|[\u{e0100}-\u{e01ef}]/gu;

/**
 * The search form of names, values and words of documents: equal for texts that differ in case, accents, width, composition, the
 * form of quotation marks and dashes, or characters that are not read. It is stored: a change needs a migration.
 */
export function searchFold(text: string): string {
  if (isAscii(text)) return text.toLowerCase();
  const plain = withoutAccents(text);
  // A text of nothing else keeps them.
  return plainSigns(plain.replace(UNREAD, '') || plain);
}

/** The same for a text that words are taken from: of characters that are not read nothing is left, whatever stands around them. */
export function wordFold(text: string): string {
  return isAscii(text) ? text.toLowerCase() : plainSigns(withoutAccents(text).replace(UNREAD, ''));
}

function withoutAccents(text: string): string {
  // The acute accent without a letter is typed as an apostrophe; it would become a blank. Inches are one sign, not two of feet.
  const typed = text.replaceAll('\u00b4', "'").replaceAll('\u2033', '"');
  return normalized(normalized(typed, 'NFKD').toLowerCase(), 'NFKD').replace(ACCENTS, '');
}

function plainSigns(text: string): string {
  return normalized(
    text.replace(SPECIAL, (letter) => PLAIN[letter] ?? letter),
    'NFC',
  );
}

function isAscii(text: string): boolean {
  for (let i = 0; i < text.length; i += 1) if (text.charCodeAt(i) > 127) return false;
  return true;
}
