import type { ReadText, TextSink } from '../sink.ts';
import { readerOfContent } from './other-content.ts';
import { type BiffRecord, StringReader } from './records.ts';
import { sharedTexts, shortNumber, WorkbookState, workbookRecords } from './workbook.ts';

/** Records with text and numbers ([MS-XLS] 2.3.2). */
const SHEET = 0x85;
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

/** Excel 5 to 2003: names of sheets, texts, numbers and dates as in the cells, comments and text boxes. */
export const readExcel: ReadText = async (fd, size, sink) => {
  const other = await readerOfContent(fd, 'spreadsheet');
  if (other !== null) return await other(fd, size, sink);
  const workbook = new Workbook(sink);
  for (const record of workbookRecords(fd, size)) workbook.read(record);
};

class Workbook {
  readonly #sink: TextSink;
  readonly #state = new WorkbookState('words');

  constructor(sink: TextSink) {
    this.#sink = sink;
  }

  /** @throws JobError, Enough */
  read(record: BiffRecord): void {
    const { type, data } = record;
    const state = this.#state;
    if (state.learn(record)) return;
    if (type === SHEET) this.#add(state.text(record, 6, 1));
    else if (type === SHARED) for (const text of sharedTexts(record)) this.#add(text);
    else if (type === LABEL || type === RICH_LABEL) this.#add(state.text(record, 6, 2));
    else if (type === RESULT) this.#add(state.text(record, 0, 2));
    else if (type === NUMBER && data.length >= 14) this.#addNumber(data.readUInt16LE(4), data.readDoubleLE(6));
    else if (type === SHORT_NUMBER && data.length >= 10) this.#addShort(data, 4);
    else if (type === SHORT_NUMBERS) for (let at = 4; at + 8 <= data.length; at += 6) this.#addShort(data, at);
    // A result that is no number has these marks, and its text in a record of its own.
    else if (type === FORMULA && data.length >= 14 && data.readUInt16LE(12) !== 0xff_ff) {
      this.#addNumber(data.readUInt16LE(4), data.readDoubleLE(6));
    } else if (type === DRAWN_TEXT && data.length >= 12) this.#addDrawn(record);
    else if (type === CHART_TEXT) this.#add(state.text(record, 2, 1));
    else if (type === NOTE_95 && !state.isWide) this.#add(state.text(record, 4, 2));
  }

  #add(text: string): void {
    if (text !== '') this.#sink.add(`${text}\n`);
  }

  /** The letters of a comment or text box follow in a record of their own ([MS-XLS] 2.4.329). */
  #addDrawn({ data, more }: BiffRecord): void {
    const count = data.readUInt16LE(10);
    if (count > 0 && more.length > 0) this.#add(new StringReader([...more]).text(count));
  }

  /** After its style. */
  #addShort(data: Buffer, at: number): void {
    this.#addNumber(data.readUInt16LE(at), shortNumber(data, at + 2));
  }

  #addNumber(style: number, value: number): void {
    if (Number.isFinite(value)) this.#add(this.#state.dateOf(style, value) || String(value));
  }
}
