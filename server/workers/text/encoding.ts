import { TextDecoder } from 'node:util';
import { type Decoder, decoderOf } from '../encodings/decoders.ts';
import { encodingOfText } from '../encodings/guess.ts';
import { JobError } from '../job-error.ts';
import { sevenBitEncodingOf } from './seven-bits.ts';

/** Bytes, and UTF-16 units, from which it is told what a text is. */
const SAMPLE = 64 * 1024;
/** From this fraction of control characters on it is not text. */
const MAX_ODD = 0.02;

/** What no text in UTF-16 contains, but for a letter that is cut at the end. */
const ODD_UNITS = /[^\P{C}\p{Cf}\t-\r]|\ufffd(?!$)/u;
/** Names that programs write without looking at the text: the encoding of 7-bit bytes is none. */
const ASCII = /^(?:us-)?ascii$|^ansi_x3\.4-19(?:68|86)$|^7bit$/i;
/** From this byte on, a byte in UTF-8 begins a character of several bytes. */
const FIRST_OF_SEVERAL = 0xc2;
/** A text is UTF-8 with damages if it has so many characters of several bytes for each byte that is wrong. */
const SOUND_PER_DAMAGE = 20;
/** And as many characters in total: programs replace damages, and a text of many is none. */
const LENGTH_PER_DAMAGE = 100;

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
const CONTROL_CHARACTERS = /[\u0000-\u0007\u000e-\u001a\u001c-\u001f\u007f\ufffd]/g;

/**
 * The text of bytes: by byte order mark, declared encoding, strict UTF-8, or a guess, in this order.
 * @param declared the encoding that the document names, or null
 * @throws JobError `unsupported` when it is not text
 */
export function decodeText(bytes: Uint8Array, declared: string | null = null): string {
  const text = decode(bytes, declared);
  const start = text.slice(0, SAMPLE);
  const controls = start.match(CONTROL_CHARACTERS)?.length ?? 0;
  if (controls > start.length * MAX_ODD) throw new JobError('unsupported', 'these bytes are no text');
  return text;
}

/**
 * The same of a part of a message, whose charset is stated outside of it, so that UTF-16 is possible although nothing in the bytes
 * tells of it. Other bytes that only claim to be UTF-16 are nearly always UTF-8.
 */
export function decodeSent(bytes: Uint8Array, charset: string | null): string {
  const wide = /^\s*utf-?16(le|be)?\s*$/i.exec(charset ?? '');
  const isWide = wide !== null && bytes.length % 2 === 0 && strictUtf8(bytes) === null;
  const fitting = isWide && encodingOfMark(bytes) === null ? encodingOfUnits(bytes.subarray(0, 1024)) : null;
  if (fitting === null) return decodeText(bytes, charset);
  const order = wide?.[1]?.toLowerCase();
  return new TextDecoder(order === undefined ? fitting : `utf-16${order}`).decode(bytes);
}

function decode(bytes: Uint8Array, declared: string | null): string {
  const marked = encodingOfMark(bytes) ?? encodingOfZeros(bytes);
  if (marked !== null) return (decoderOf(marked) ?? new TextDecoder(marked)).decode(bytes);
  if (declared !== null && !ASCII.test(declared)) {
    const decoder = decoderNamed(declared);
    // If the declaration could be read, the document is not UTF-16, even if it claims so.
    if (decoder !== null && !decoder.encoding.startsWith('utf-16')) return decoder.decode(bytes);
  }
  const sevenBit = sevenBitEncodingOf(bytes);
  const utf8 = sevenBit === null ? (strictUtf8(bytes) ?? damagedUtf8(bytes)) : null;
  if (utf8 !== null) return utf8;
  const decoder = decoderOf(sevenBit ?? encodingOfText(bytes));
  return (decoder ?? new TextDecoder('windows-1252')).decode(bytes);
}

/** The text of bytes that are UTF-8 but for a few, or null. In no other encoding nearly all letters happen to be valid UTF-8. */
function damagedUtf8(bytes: Uint8Array): string | null {
  const text = new TextDecoder().decode(bytes);
  let [sound, damages] = [0, 0];
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit === 0xfffd) damages += 1;
    else if (unit > 0x7f) sound += 1;
  }
  return sound >= damages * SOUND_PER_DAMAGE && text.length >= damages * LENGTH_PER_DAMAGE ? text : null;
}

/**
 * The text of bytes that are UTF-8, or null. The last character may be incomplete, as where a text is cut, unless all that tells of
 * UTF-8 is its first byte: in other encodings, that is how words end (`café`).
 */
export function strictUtf8(bytes: Uint8Array): string | null {
  const last = bytes.at(-1) ?? 0;
  if (last >= FIRST_OF_SEVERAL && bytes.findIndex((byte) => byte >= 0x80) === bytes.length - 1) return null;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true });
  } catch {
    return null;
  }
}

/** From the byte order mark, or null. */
export function encodingOfMark(bytes: Uint8Array): string | null {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return bytes.length >= 4 && isZero(bytes, 2) ? 'utf-32le' : 'utf-16le';
  if (bytes.length >= 4 && isZero(bytes, 0) && bytes[2] === 0xfe && bytes[3] === 0xff) return 'utf-32be';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 'utf-8' : null;
}

function isZero(bytes: Uint8Array, at: number): boolean {
  return bytes[at] === 0 && bytes[at + 1] === 0;
}

/**
 * UTF-16 without a mark. In Latin text every other byte is zero, always on the same side. Text of other scripts has at least blanks
 * or line ends, and few different high bytes.
 */
export function encodingOfZeros(bytes: Uint8Array): string | null {
  const start = bytes.subarray(0, 1024);
  let even = 0;
  let controls = 0;
  for (const [index, byte] of start.entries()) {
    if (byte === 0 && index % 2 === 0) even += 1;
    else if (byte === 0) controls += 1;
  }
  const half = start.length / 2;
  if (controls > half * 0.6 && even < half * 0.05) return 'utf-16le';
  if (even > half * 0.6 && controls < half * 0.05) return 'utf-16be';
  // No other text contains zeros.
  return even + controls > 0 ? encodingOfUnits(start) : null;
}

function encodingOfUnits(start: Uint8Array): string | null {
  const fitting = ['utf-16le', 'utf-16be'].flatMap((encoding) => {
    const text = new TextDecoder(encoding).decode(start.subarray(0, start.length & ~1));
    const pages = new Set([...text].map((char) => (char.codePointAt(0) ?? 0) >> 8));
    return ODD_UNITS.test(text) ? [] : [{ encoding, pages: pages.size }];
  });
  return fitting.sort((a, b) => a.pages - b.pages)[0]?.encoding ?? null;
}

/** Names that programs use beside those of the Encoding Standard, and the encodings that include what they mean. */
const ALIASES: Readonly<Record<string, string>> = {
  cp874: 'windows-874',
  cp932: 'shift_jis',
  cp936: 'gbk',
  cp949: 'euc-kr',
  cp950: 'big5',
  cp1361: 'euc-kr',
  uhc: 'euc-kr',
  macroman: 'macintosh',
  'x-mac-roman': 'macintosh',
  'eucjp-ms': 'euc-jp',
  'x-euc-jp': 'euc-jp',
  'koi8-ru': 'koi8-u',
  latin9: 'iso-8859-15',
  latin10: 'iso-8859-16',
  'iso8859-16': 'iso-8859-16',
};

/** The decoder of a charset as mail, contacts and documents name it. @returns null for an unsupported one */
function decoderNamed(charset: string): Decoder | null {
  const name = charset.trim().toLowerCase();
  const general = name
    .replace(/^(?:x-)?(?:ms|win|windows)[-_]?(?=(?:125\d|874|932|936|949|950)$)/, 'cp')
    .replace(/^(?:cp|ibm|dos)[-_]?(?=\d)/, 'cp')
    .replace(/^(?:x-)?(?:iso-2022-jp-(?:1|2|3|ms|2004)|cp5022[01])$/, 'iso-2022-jp')
    .replace(/^latin-(?=\d+$)/, 'latin');
  return decoderOf(name) ?? decoderOf(ALIASES[general] ?? general);
}
