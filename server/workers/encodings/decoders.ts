import { TextDecoder } from 'node:util';
import iconv from 'iconv-lite';
import { decodeIso2022Jp } from './iso-2022-jp.ts';

/** Decodes the bytes of one encoding. Bytes without a meaning in it become U+FFFD. */
export interface Decoder {
  /** Its name in the Encoding Standard or, for others, that of the code page. */
  readonly encoding: string;
  decode(bytes: Uint8Array): string;
}

/** Node decodes these as control characters: their meaning in windows-1252. */
const FROM_80 = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ';

/** Encodings that only iconv-lite knows: those of DOS, in old texts and in the names of archives, and of old mail. */
const OTHERS = /^(?:cp(?:437|737|775|85[02578]|86[0-59]|720)|utf-?7|utf-?32(?:be|le)?|iso-8859-16)$/;

/**
 * Encodings whose extensions Node leaves out, though the Encoding Standard has them: all syllables of Korean (Unified Hangul Code),
 * and the characters of Hong Kong. By their names there, those of iconv-lite.
 */
const EXTENDED: Readonly<Record<string, string>> = { 'euc-kr': 'cp949', big5: 'big5hkscs' };

/** @param name as in the Encoding Standard, or of a code page, such as `cp850` @returns null for an unknown one */
export function decoderOf(name: string): Decoder | null {
  const sevenBit = SEVEN_BIT.get(name.toLowerCase());
  if (sevenBit !== undefined) return sevenBit;
  const decoder = textDecoderOf(name);
  if (decoder !== null) return SPECIAL.get(decoder.encoding) ?? extended(decoder.encoding) ?? decoder;
  return OTHERS.test(name.toLowerCase()) ? iconvDecoder(name, name) : null;
}

const extended = (encoding: string): Decoder | null => {
  const name = EXTENDED[encoding];
  return name === undefined ? null : iconvDecoder(encoding, name);
};

/** @param name as iconv-lite has it */
const iconvDecoder = (encoding: string, name: string): Decoder => ({
  encoding,
  decode: (bytes) => iconv.decode(bufferOf(bytes), name),
});

const bufferOf = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/** @param isCut whether the last character may be incomplete @returns null if bytes have no meaning in this encoding */
export function decodedStrictly(bytes: Uint8Array, name: string, isCut: boolean): string | null {
  const decoder = textDecoderOf(name, { fatal: true });
  if (decoder === null || decoder.encoding === 'windows-1252') return decoderOf(name)?.decode(bytes) ?? null;
  const extension = EXTENDED[decoder.encoding];
  if (extension !== undefined) {
    const stream = iconv.getDecoder(extension);
    const text = stream.write(bufferOf(bytes)) + (isCut ? '' : (stream.end() ?? ''));
    return text.includes('\ufffd') ? null : text;
  }
  try {
    return decoder.decode(bytes, { stream: isCut });
  } catch {
    return null;
  }
}

/** Text of a format that names no encoding: UTF-8 where it can be, otherwise what old programs wrote. @param otherwise see `decoderOf` */
export function utf8Or(otherwise: string, bytes: Uint8Array): string {
  return decodedStrictly(bytes, 'utf-8', false) ?? (decoderOf(otherwise) ?? WESTERN).decode(bytes);
}

const WESTERN: Decoder = {
  encoding: 'windows-1252',
  decode: (bytes) =>
    new TextDecoder('windows-1252')
      .decode(bytes)
      .replace(/[\u0080-\u009f]/g, (char) => FROM_80[char.charCodeAt(0) - 0x80] ?? char),
};

const JAPANESE: Decoder = {
  encoding: 'iso-2022-jp',
  decode: (bytes) => decodeIso2022Jp(bufferOf(bytes)),
};

/**
 * Old mail in seven bits: between its signs, letters are those of an encoding of eight bits without the highest bit. The Encoding
 * Standard decodes none of them.
 */
function sevenBitDecoder(encoding: string, of: string, letters: RegExp): Decoder {
  return {
    encoding,
    decode: (bytes) => {
      const text = bufferOf(bytes).toString('latin1');
      const withHighBits = text.replace(letters, (sign: string, between: string | undefined) => {
        if (between === undefined) return sign === '~~' ? '~' : '';
        const codes = Buffer.from(between, 'latin1').map((byte) => (byte > 0x20 ? byte | 0x80 : byte));
        return Buffer.from(codes).toString('latin1');
      });
      return (decoderOf(of) ?? WESTERN).decode(Buffer.from(withHighBits, 'latin1'));
    },
  };
}

/** ISO-2022-KR (RFC 1557): its announcement, and letters between SO and SI, or until the end of the line. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the signs are control characters
const KOREAN = /\x1b\$\)C|\x0e([^\x0f\r\n]*)\x0f?|\x0f/g;
/** HZ (RFC 1843): letters between `~{` and `~}`, a tilde as two, and line breaks that are not in the text. */
const CHINESE = /~~|~\r?\n|~\{((?:(?!~\})[^\r\n])*)(?:~\})?/g;

const SEVEN_BIT: ReadonlyMap<string, Decoder> = new Map(
  [sevenBitDecoder('iso-2022-kr', 'euc-kr', KOREAN), sevenBitDecoder('hz-gb-2312', 'gb18030', CHINESE)].map((one) => [
    one.encoding,
    one,
  ]),
);

/** Encodings that are read in another way than by the Encoding Standard. */
const SPECIAL: ReadonlyMap<string, Decoder> = new Map([WESTERN, JAPANESE].map((one) => [one.encoding, one]));

/** @returns null for an encoding that the Encoding Standard does not name */
export function textDecoderOf(name: string, options = {}): TextDecoder | null {
  try {
    return new TextDecoder(name, options);
  } catch {
    return null;
  }
}
