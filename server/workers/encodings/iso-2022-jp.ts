import { TextDecoder } from 'node:util';

/** What an escape sequence beyond RFC 1468 switches to, up to the next one or the end of the line. */
interface OtherSet {
  /** The encoding that has the same characters, with the highest bit set. */
  readonly of: string;
  /** Bytes before each character there. */
  readonly prefix: readonly number[];
}

/** JIS X 0212, GB 2312, KS X 1001 (RFC 1554, 2.1), and what the planes of JIS X 0213 have in common with JIS X 0208. */
const OTHERS: ReadonlyMap<string, OtherSet> = new Map([
  ['$(D', { of: 'euc-jp', prefix: [0x8f] }],
  ['$A', { of: 'gbk', prefix: [] }],
  ['$(C', { of: 'euc-kr', prefix: [] }],
  ['$(O', { of: 'euc-jp', prefix: [] }],
  ['$(Q', { of: 'euc-jp', prefix: [] }],
]);
/** The sets of 96 characters, of which an escape sequence each time shifts to one. */
const SHIFTED: Readonly<Record<string, string>> = { A: 'iso-8859-1', F: 'iso-8859-7' };
/** What Japanese programs show in place of a character that they do not have. */
const GETA = '〓';

const TOKEN =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the signs begin with the character ESC
  /\x1b(?:\.(?<designated>[AF])|N(?<shifted>[\s\S])|(?<set>\$A|\$\([CDOPQ])(?<content>[^\x1b\r\n]*)|(?<usual>\([BIJ]|\$[@B]))/g;

// biome-ignore lint/suspicious/noControlCharactersInRegex: it begins with the character ESC
const SUPERSEDED = /(?:\x1b(?:\([BIJ]|\$[@B]))+(?=\x1b(?:\([BIJ]|\$[@B]))/g;

/**
 * ISO-2022-JP (RFC 1468) with the sets of its extensions -1, -2 (RFC 1554) and -2004. The Encoding Standard has none of them.
 * Programs put together texts that each begin and end with an escape sequence. Of two in a row only the second counts; the
 * Encoding Standard (ISO-2022-JP decoder) has a replacement character between them.
 */
export function decodeIso2022Jp(bytes: Buffer): string {
  const text = bytes.toString('latin1');
  const parts: string[] = [];
  let usual = '';
  let state = '';
  let at = 0;
  let shift = 'A';
  const endUsual = () => {
    if (usual !== '') parts.push(decodeUsual(usual));
    usual = '';
  };
  const addUsual = (more: string) => {
    // The set of the line continues behind a single character of another one.
    usual += usual === '' && more !== '' ? state + more : more;
    if (/[\r\n]/.test(more)) state = '';
  };
  for (const match of text.matchAll(TOKEN)) {
    const { designated, shifted, set, content = '', usual: sequence } = match.groups ?? {};
    addUsual(text.slice(at, match.index));
    at = match.index + match[0].length;
    if (designated !== undefined) shift = designated;
    else if (sequence !== undefined) {
      state = match[0];
      usual += state;
    } else {
      endUsual();
      if (set !== undefined) state = '';
      parts.push(set === undefined ? shiftedText(shifted ?? '', shift) : otherText(content, OTHERS.get(set)));
    }
  }
  addUsual(text.slice(at));
  endUsual();
  return parts.join('');
}

/** Kept, because a text may have a great many parts. */
const DECODERS = new Map<string, TextDecoder>();

function decoded(encoding: string, bytes: Uint8Array): string {
  const decoder = DECODERS.get(encoding) ?? new TextDecoder(encoding);
  DECODERS.set(encoding, decoder);
  return decoder.decode(bytes);
}

function decodeUsual(text: string): string {
  return decoded('iso-2022-jp', Buffer.from(text.replaceAll(SUPERSEDED, ''), 'latin1'));
}

function shiftedText(char: string, shift: string): string {
  return decoded(SHIFTED[shift] ?? 'iso-8859-1', Uint8Array.of(char.charCodeAt(0) | 0x80));
}

function otherText(content: string, set: OtherSet | undefined): string {
  const pairs = content.match(/[^ \t][^ \t]?|[ \t]+/g) ?? [];
  if (set === undefined) return pairs.map((pair) => (pair.trim() === '' ? pair : GETA)).join('');
  const bytes = Buffer.alloc(content.length + pairs.length * set.prefix.length);
  let filled = 0;
  for (const pair of pairs) {
    const isBlank = pair.trim() === '';
    if (!isBlank) for (const byte of set.prefix) filled = bytes.writeUInt8(byte, filled);
    for (let index = 0; index < pair.length; index += 1) {
      const code = pair.charCodeAt(index);
      filled = bytes.writeUInt8(isBlank ? code : code | 0x80, filled);
    }
  }
  return decoded(set.of, bytes.subarray(0, filled)).replaceAll('\ufffd', GETA);
}
