import { CompoundFile, MAX_STREAM } from '../../compound/compound-file.ts';
import { type Decoder, decoderOf } from '../../encodings/decoders.ts';
import { JobError } from '../../job-error.ts';
import type { ReadText, TextSink } from '../sink.ts';
import { readerOfContent } from './other-content.ts';

/** The first versions of the header ([MS-DOC] 2.5.1) of Word 6 and of Word 97. */
const WORD_6 = 101;
const WORD_97 = 193;
/** Flags of the header: saved as pieces, encrypted, and which of two streams has the tables. */
const IS_COMPLEX = 0x4;
const IS_ENCRYPTED = 0x1_00;
const HAS_TABLE_1 = 0x2_00;
/** Where the header says where the list of pieces is. */
const PIECES_6 = 0x1_60;
const PIECES_97 = 0x1_a2;
/** The mark of a piece with letters of one byte ([MS-DOC] 2.9.73). */
const IS_COMPRESSED = 0x40_00_00_00;
/** Bytes that are decoded at once. */
const WINDOW = 64 * 1024;

/** A part of the text, which is one behind the other only in the list. In bytes of the document. */
interface Piece {
  readonly start: number;
  readonly end: number;
  readonly isWide: boolean;
}

/**
 * Word 6 to 2003: the text of the pages, notes, headers, comments and text boxes. What tracked changes delete is in it, too: that
 * stands in the formatting, which is not read.
 */
export const readWord: ReadText = async (fd, size, sink) => {
  const other = await readerOfContent(fd, 'office');
  if (other !== null) return await other(fd, size, sink);
  const file = new CompoundFile(fd, size);
  const document = file.stream('WordDocument', MAX_STREAM);
  if (document === null) throw new JobError('unsupported', 'no document of this kind');
  if (document.length < PIECES_97 + 8) throw new JobError('corrupt', 'the document breaks off');
  const version = document.readUInt16LE(2);
  const flags = document.readUInt16LE(10);
  if (version < WORD_6) throw new JobError('unsupported', 'a document of an older Word');
  if ((flags & IS_ENCRYPTED) !== 0) throw new JobError('unsupported', 'the document is encrypted');
  if (version >= WORD_97) {
    const table = file.stream((flags & HAS_TABLE_1) === 0 ? '0Table' : '1Table', MAX_STREAM);
    if (table === null) throw new JobError('corrupt', 'the document has no tables');
    const start = document.readUInt32LE(PIECES_97);
    const list = table.subarray(start, start + document.readUInt32LE(PIECES_97 + 4));
    addText(sink, document, piecesIn(list, true), decoderNamed('windows-1252'));
    return;
  }
  const letters = decoderNamed(encodingOf(document.readUInt16LE(6)));
  const start = document.readUInt32LE(PIECES_6);
  const pieces =
    (flags & IS_COMPLEX) === 0
      ? [{ start: document.readUInt32LE(24), end: document.readUInt32LE(28), isWide: false }]
      : piecesIn(document.subarray(start, start + document.readUInt32LE(PIECES_6 + 4)), false);
  addText(sink, document, pieces, letters);
};

/**
 * The pieces in the order of the text ([MS-DOC] 2.8.35): first their limits in letters, then where they are.
 * @param hasWide whether letters may have two bytes
 */
function piecesIn(list: Buffer, hasWide: boolean): Piece[] {
  let at = 0;
  // Formatting comes first.
  while (list[at] === 1 && at + 3 <= list.length) at += 3 + list.readUInt16LE(at + 1);
  if (list[at] !== 2 || at + 5 > list.length) throw new JobError('corrupt', 'the document has no list of pieces');
  const size = Math.min(list.readUInt32LE(at + 1), list.length - at - 5);
  const limits = list.subarray(at + 5, at + 5 + size);
  const count = Math.floor((size - 4) / 12);
  const pieces: Piece[] = [];
  for (let index = 0; index < count; index += 1) {
    const letters = limits.readUInt32LE(index * 4 + 4) - limits.readUInt32LE(index * 4);
    const place = limits.readUInt32LE((count + 1) * 4 + index * 8 + 2);
    const isWide = hasWide && (place & IS_COMPRESSED) === 0;
    const offset = place & ~IS_COMPRESSED;
    const start = hasWide && !isWide ? offset / 2 : offset;
    if (letters > 0) pieces.push({ start, end: start + letters * (isWide ? 2 : 1), isWide });
  }
  return pieces;
}

const wide: Decoder = { encoding: 'utf-16le', decode: (bytes) => Buffer.from(bytes).toString('utf16le') };

function addText(sink: TextSink, document: Buffer, pieces: readonly Piece[], narrow: Decoder): void {
  const fields = new Fields();
  let left = document.length;
  for (const { start, end, isWide } of pieces) {
    const decoder = isWide ? wide : narrow;
    const last = Math.min(end, document.length);
    // Pieces do not overlap: together they are no longer than the document.
    left -= Math.max(0, last - start);
    if (left < 0) throw new JobError('corrupt', 'the pieces of the document overlap');
    for (let at = start; at < last; at += WINDOW) {
      sink.add(fields.visible(decoder.decode(document.subarray(at, Math.min(last, at + WINDOW)))));
    }
  }
}

/** Deeper fields are not genuine. */
const MAX_DEPTH = 100;

/** What is special in the text ([MS-DOC] 2.4.1, 2.8.25); the rest of the control characters stands for what is no text. */
const CHARACTERS: ReadonlyMap<string, string> = new Map([
  ['\u0007', '\t'],
  ['\u0009', '\t'],
  ['\u000b', '\n'],
  ['\u000c', '\n'],
  ['\u000d', '\n'],
  ['\u001e', '-'],
  ['\u001f', '\u00ad'],
]);

/** Leaves out the instructions of fields, which may go on in the next piece: their results are the text. */
class Fields {
  /** Of each open field, whether its result has begun. */
  #open: boolean[] = [];

  visible(text: string): string {
    let shown = '';
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the format marks by control characters
    for (const part of text.split(/([\u0000-\u001f])/u)) {
      if (part === '\u0013' && this.#open.length < MAX_DEPTH) this.#open.push(false);
      else if (part === '\u0014' && this.#open.length > 0) this.#open[this.#open.length - 1] = true;
      else if (part === '\u0015') this.#open.pop();
      // Instructions are one paragraph: one that does not end hides no more than that.
      else if (part === '\r' && this.#open.includes(false)) this.#open = [];
      if (this.#open.includes(false)) continue;
      shown += part.length === 1 && part < ' ' ? (CHARACTERS.get(part) ?? ' ') : part;
    }
    return shown;
  }
}

/** The code pages of languages ([MS-LCID]) by the lower ten bits; of others windows-1252. */
const CODE_PAGES: ReadonlyMap<number, string> = new Map(
  Object.entries({
    'windows-1250': [0x05, 0x0e, 0x15, 0x18, 0x1a, 0x1b, 0x1c, 0x24],
    'windows-1251': [0x02, 0x19, 0x22, 0x23, 0x2f],
    'windows-1253': [0x08],
    'windows-1254': [0x1f],
    'windows-1255': [0x0d],
    'windows-1256': [0x01, 0x20, 0x29],
    'windows-1257': [0x25, 0x26, 0x27],
    'windows-874': [0x1e],
    shift_jis: [0x11],
    'euc-kr': [0x12],
    gbk: [0x04],
  }).flatMap(([name, languages]) => languages.map((language) => [language, name] as const)),
);
/** Chinese of Taiwan, Hong Kong and Macau. */
const TRADITIONAL: ReadonlySet<number> = new Set([0x04_04, 0x0c_04, 0x14_04]);

function encodingOf(language: number): string {
  return TRADITIONAL.has(language) ? 'big5' : (CODE_PAGES.get(language & 0x3_ff) ?? 'windows-1252');
}

function decoderNamed(name: string): Decoder {
  const decoder = decoderOf(name);
  if (decoder === null) throw new Error(`no decoder of ${name}`);
  return decoder;
}
