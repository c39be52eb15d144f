import { isAscii } from 'node:buffer';
import { decodedStrictly } from '../encodings/decoders.ts';
import { doubleByteWeight } from '../encodings/double-byte.ts';

/** Bytes from the first sign on that have to be of seven bits. */
const SAMPLE = 64 * 1024;
/** Characters of HZ from which it is told. */
const WEIGHED = 2 * 1024;
/** The least weight of what is Chinese: see `doubleByteWeight`. Other programs use the signs of HZ as well. */
const MIN_WEIGHT = 0.5;

// biome-ignore lint/suspicious/noControlCharactersInRegex: it begins with the character ESC
const JAPANESE = /\x1b(?:\$[@AB]|\$\([DOPQ]|\([JI])/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: it begins with the character ESC
const KOREAN = /(?:^|[\r\n])\x1b\$\)C/;
const CHINESE = /~\{(?:[\x21-\x77][\x21-\x7e]){1,2000}~\}/g;

/**
 * The encoding of a text that has only bytes of seven bits, by its escape sequences: ISO-2022-JP (RFC 1468, RFC 1554, and its
 * characters of half width), ISO-2022-KR (RFC 1557) or HZ (RFC 1843). Null for any other.
 */
export function sevenBitEncodingOf(bytes: Uint8Array): string | null {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const [sign, tilde] = [buffer.indexOf(0x1b), buffer.indexOf('~{')];
  if (sign < 0 && tilde < 0) return null;
  const text = buffer.toString('latin1');
  const japanese = sign < 0 ? -1 : text.search(JAPANESE);
  if (japanese >= 0 && isAscii(buffer.subarray(0, japanese + SAMPLE))) return 'iso-2022-jp';
  if (!isAscii(buffer)) return null;
  if (sign >= 0 && text.includes('\x0e') && KOREAN.test(text)) return 'iso-2022-kr';
  return tilde >= 0 && isChinese(text) ? 'hz-gb-2312' : null;
}

/** Whether everything between the signs of HZ is Chinese. */
function isChinese(text: string): boolean {
  let letters = '';
  for (const [whole] of text.matchAll(CHINESE)) {
    letters += whole.slice(2, -2);
    if (letters.length > WEIGHED) break;
  }
  const codes = Buffer.from(letters, 'latin1').map((code) => code | 0x80);
  const decoded = decodedStrictly(codes, 'gbk', false);
  if (decoded === null || decoded === '') return false;
  const { sum, count } = doubleByteWeight(codes, decoded, 'gbk');
  return sum / count >= MIN_WEIGHT;
}
