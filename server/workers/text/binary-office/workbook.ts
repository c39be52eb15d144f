import { CompoundFile, MAX_STREAM } from '../../compound/compound-file.ts';
import { encodingOfPage } from '../../encodings/code-pages.ts';
import { decoderOf } from '../../encodings/decoders.ts';
import { JobError } from '../../job-error.ts';
import { type DateForm, type DateFormat, dateFormatOf } from '../date-format.ts';
import { type BiffRecord, recordsIn, StringReader } from './records.ts';

/** The version in the first record ([MS-XLS] 2.4.21): from Excel 97 on, letters are UTF-16, and texts of cells are shared. */
const EXCEL_97 = 0x6_00;

/** Records that begin a part of a workbook, and those that say how the others are read ([MS-XLS] 2.3.2). */
export const BEGIN = 0x8_09;
const ENCRYPTED = 0x2f;
const CODE_PAGE = 0x42;
const FROM_1904 = 0x22;
const FORMAT = 0x4_1e;
const STYLE = 0xe0;

/** Formats and styles: Excel has at most 4,050. */
const MAX_STYLES = 65_536;

/** The records of an open compound file that is a workbook. @throws JobError */
export function workbookRecords(fd: number, size: number): Iterable<BiffRecord> {
  const file = new CompoundFile(fd, size);
  const content = file.stream('Workbook', MAX_STREAM) ?? file.stream('Book', MAX_STREAM);
  if (content === null) throw new JobError('unsupported', 'no document of this kind');
  return recordsIn(content);
}

/** What is needed to read texts and numbers of a workbook of Excel 5 to 2003. */
export class WorkbookState {
  #isWide = true;
  #encoding = 'windows-1252';
  #is1904 = false;
  readonly #form: DateForm;
  readonly #codes = new Map<number, string>();
  /** The numbers of the formats, by those of the styles. */
  readonly #styles: number[] = [];
  readonly #formats = new Map<number, DateFormat | null>();

  constructor(form: DateForm) {
    this.#form = form;
  }

  /** Whether letters are as from Excel 97 on. */
  get isWide(): boolean {
    return this.#isWide;
  }

  /** @returns whether the record says how others are read @throws JobError */
  learn(record: BiffRecord): boolean {
    const { type, data } = record;
    if (type === BEGIN && data.length >= 2) this.#isWide = data.readUInt16LE(0) >= EXCEL_97;
    else if (type === ENCRYPTED) throw new JobError('unsupported', 'the workbook is encrypted');
    else if (type === CODE_PAGE && data.length >= 2) this.#encoding = encodingOfPage(data.readUInt16LE(0));
    else if (type === FROM_1904) this.#is1904 = data[0] === 1;
    else if (type === STYLE && data.length >= 4 && this.#styles.length < MAX_STYLES) {
      this.#styles.push(data.readUInt16LE(2));
    } else if (type === FORMAT && data.length >= 2 && this.#codes.size < MAX_STYLES) {
      this.#codes.set(data.readUInt16LE(0), this.text(record, 2, this.#isWide ? 2 : 1));
    } else return false;
    return true;
  }

  /** @param width bytes of the number of letters before them */
  text({ data, more }: Pick<BiffRecord, 'data' | 'more'>, at: number, width: 1 | 2): string {
    if (data.length < at + width) return '';
    const count = width === 1 ? (data[at] ?? 0) : data.readUInt16LE(at);
    const reader = new StringReader([data.subarray(at + width), ...more]);
    return this.#isWide ? reader.text(count) : this.#decode(reader.bytes(count));
  }

  /** What a number is shown as, if its style is a date; otherwise ''. */
  dateOf(style: number, value: number): string {
    return this.#formatOf(this.#styles[style] ?? 0)?.(value) ?? '';
  }

  #decode(bytes: Buffer): string {
    return decoderOf(this.#encoding)?.decode(bytes) ?? bytes.toString('latin1');
  }

  #formatOf(id: number): DateFormat | null {
    let format = this.#formats.get(id);
    if (format === undefined) {
      format = dateFormatOf(id, this.#codes.get(id), this.#is1904, this.#form);
      this.#formats.set(id, format);
    }
    return format;
  }
}

/** The texts of cells, each once ([MS-XLS] 2.4.265). */
export function* sharedTexts({ data, more }: BiffRecord): Generator<string> {
  if (data.length < 8) return;
  const reader = new StringReader([data.subarray(8), ...more]);
  for (let left = data.readUInt32LE(4); left > 0 && !reader.isAtEnd; left -= 1) yield reader.text(reader.number(2));
}

/** A number in thirty bits ([MS-XLS] 2.5.217). */
export function shortNumber(data: Buffer, at: number): number {
  const bits = data.readInt32LE(at);
  const whole = Buffer.alloc(8);
  whole.writeInt32LE(bits & ~3, 4);
  const value = (bits & 2) === 0 ? whole.readDoubleLE(0) : bits >> 2;
  return (bits & 1) === 0 ? value : value / 100;
}
