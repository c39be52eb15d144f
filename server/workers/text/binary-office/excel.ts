import { CompoundFile, MAX_STREAM } from '../../compound/compound-file.ts';
import { encodingOfPage } from '../../encodings/code-pages.ts';
import { decoderOf } from '../../encodings/decoders.ts';
import { JobError } from '../../job-error.ts';
import { type DateFormat, dateFormatOf } from '../date-format.ts';
import type { ReadText, TextSink } from '../sink.ts';
import { readerOfContent } from './other-content.ts';
import { type BiffRecord, recordsIn, StringReader } from './records.ts';

/** The version in the first record ([MS-XLS] 2.4.21): from Excel 97 on, letters are UTF-16, and texts of cells are shared. */
const EXCEL_97 = 0x6_00;

/** Records with text, numbers and what says how they are shown ([MS-XLS] 2.3.2). */
const BEGIN = 0x8_09;
const ENCRYPTED = 0x2f;
const CODE_PAGE = 0x42;
const FROM_1904 = 0x22;
const SHEET = 0x85;
const FORMAT = 0x4_1e;
const STYLE = 0xe0;
const SHARED = 0xfc;
const LABEL = 0x2_04;
const RICH_LABEL = 0xd6;
const RESULT = 0x2_07;
const NUMBER = 0x2_03;
const SHORT_NUMBER = 0x2_7e;
const SHORT_NUMBERS = 0xbd;
const FORMULA = 0x06;
const DRAWN_TEXT = 0x1_b6;
const NOTE_95 = 0x1c;
const CHART_TEXT = 0x10_0d;

/** Formats and styles: Excel has at most 4,050. */
const MAX_STYLES = 65_536;

/** Excel 5 to 2003: names of sheets, texts, numbers and dates as in the cells, comments and text boxes. */
export const readExcel: ReadText = async (fd, size, sink) => {
  const other = await readerOfContent(fd, 'spreadsheet');
  if (other !== null) return await other(fd, size, sink);
  const file = new CompoundFile(fd, size);
  const content = file.stream('Workbook', MAX_STREAM) ?? file.stream('Book', MAX_STREAM);
  if (content === null) throw new JobError('unsupported', 'no document of this kind');
  const workbook = new Workbook(sink);
  for (const record of recordsIn(content)) workbook.read(record);
};

class Workbook {
  readonly #sink: TextSink;
  #isWide = true;
  #encoding = 'windows-1252';
  #is1904 = false;
  readonly #codes = new Map<number, string>();
  /** The numbers of the formats, by those of the styles. */
  readonly #styles: number[] = [];
  readonly #formats = new Map<number, DateFormat | null>();

  constructor(sink: TextSink) {
    this.#sink = sink;
  }

  /** @throws JobError, Enough */
  read(record: BiffRecord): void {
    const { type, data } = record;
    if (type === BEGIN && data.length >= 2) this.#isWide = data.readUInt16LE(0) >= EXCEL_97;
    else if (type === ENCRYPTED) throw new JobError('unsupported', 'the workbook is encrypted');
    else if (type === CODE_PAGE && data.length >= 2) this.#encoding = encodingOfPage(data.readUInt16LE(0));
    else if (type === FROM_1904) this.#is1904 = data[0] === 1;
    else if (type === STYLE && data.length >= 4 && this.#styles.length < MAX_STYLES) {
      this.#styles.push(data.readUInt16LE(2));
    } else if (type === FORMAT && data.length >= 2 && this.#codes.size < MAX_STYLES) {
      this.#codes.set(data.readUInt16LE(0), this.#text(record, 2, this.#isWide ? 2 : 1));
    } else if (type === SHEET) this.#add(this.#text(record, 6, 1));
    else if (type === SHARED) this.#addShared(record);
    else if (type === LABEL || type === RICH_LABEL) this.#add(this.#text(record, 6, 2));
    else if (type === RESULT) this.#add(this.#text(record, 0, 2));
    else if (type === NUMBER && data.length >= 14) this.#addNumber(data.readUInt16LE(4), data.readDoubleLE(6));
    else if (type === SHORT_NUMBER && data.length >= 10) this.#addShort(data, 4);
    else if (type === SHORT_NUMBERS) for (let at = 4; at + 8 <= data.length; at += 6) this.#addShort(data, at);
    // A result that is no number has these marks, and its text in a record of its own.
    else if (type === FORMULA && data.length >= 14 && data.readUInt16LE(12) !== 0xff_ff) {
      this.#addNumber(data.readUInt16LE(4), data.readDoubleLE(6));
    } else if (type === DRAWN_TEXT && data.length >= 12) this.#addDrawn(record);
    else if (type === CHART_TEXT) this.#add(this.#text(record, 2, 1));
    else if (type === NOTE_95 && !this.#isWide) this.#add(this.#text(record, 4, 2));
  }

  #add(text: string): void {
    if (text !== '') this.#sink.add(`${text}\n`);
  }

  /** @param width bytes of the number of letters before them */
  #text({ data, more }: BiffRecord, at: number, width: 1 | 2): string {
    if (data.length < at + width) return '';
    const count = width === 1 ? (data[at] ?? 0) : data.readUInt16LE(at);
    const reader = new StringReader([data.subarray(at + width), ...more]);
    return this.#isWide ? reader.text(count) : this.#decode(reader.bytes(count));
  }

  #decode(bytes: Buffer): string {
    return decoderOf(this.#encoding)?.decode(bytes) ?? bytes.toString('latin1');
  }

  /** The texts of cells, each once ([MS-XLS] 2.4.265). */
  #addShared({ data, more }: BiffRecord): void {
    if (data.length < 8) return;
    const reader = new StringReader([data.subarray(8), ...more]);
    for (let left = data.readUInt32LE(4); left > 0 && !reader.isAtEnd; left -= 1) {
      this.#add(reader.text(reader.number(2)));
    }
  }

  /** The letters of a comment or text box follow in a record of their own ([MS-XLS] 2.4.329). */
  #addDrawn({ data, more }: BiffRecord): void {
    const count = data.readUInt16LE(10);
    if (count > 0 && more.length > 0) this.#add(new StringReader([...more]).text(count));
  }

  /** A number in thirty bits ([MS-XLS] 2.5.217), after its style. */
  #addShort(data: Buffer, at: number): void {
    const bits = data.readInt32LE(at + 2);
    const whole = Buffer.alloc(8);
    whole.writeInt32LE(bits & ~3, 4);
    const value = (bits & 2) === 0 ? whole.readDoubleLE(0) : bits >> 2;
    this.#addNumber(data.readUInt16LE(at), (bits & 1) === 0 ? value : value / 100);
  }

  #addNumber(style: number, value: number): void {
    if (!Number.isFinite(value)) return;
    const format = this.#formatOf(this.#styles[style] ?? 0);
    this.#add((format?.(value) ?? '') || String(value));
  }

  #formatOf(id: number): DateFormat | null {
    let format = this.#formats.get(id);
    if (format === undefined) {
      format = dateFormatOf(id, this.#codes.get(id), this.#is1904);
      this.#formats.set(id, format);
    }
    return format;
  }
}
