import type { BiffRecord } from '../binary-office/records.ts';
import { BEGIN, sharedTexts, shortNumber, WorkbookState, workbookRecords } from '../binary-office/workbook.ts';
import { MAX_CELL_TEXT, numberText, type ReadSheets, type SheetCollector } from './collector.ts';

/** Records with cells ([MS-XLS] 2.3.2). */
const END = 0x0a;
const SHEET = 0x85;
const SHARED = 0xfc;
const LABEL = 0x2_04;
const RICH_LABEL = 0xd6;
const SHARED_LABEL = 0xfd;
const RESULT = 0x2_07;
const NUMBER = 0x2_03;
const SHORT_NUMBER = 0x2_7e;
const SHORT_NUMBERS = 0xbd;
const FORMULA = 0x06;
const TRUTH_OR_ERROR = 0x2_05;

/** Parts of a workbook ([MS-XLS] 2.4.21). */
const WORKSHEET = 0x10;

/** [MS-XLS] 2.5.10. */
const ERRORS: ReadonlyMap<number, string> = new Map([
  [0x00, '#NULL!'],
  [0x07, '#DIV/0!'],
  [0x0f, '#VALUE!'],
  [0x17, '#REF!'],
  [0x1d, '#NAME?'],
  [0x24, '#NUM!'],
  [0x2a, '#N/A'],
]);

/** UTF-16 units of all shared texts that are kept: far more than are shown. */
const MAX_SHARED_TEXT = 8 * MAX_CELL_TEXT;
/** Sheets whose names are kept. */
const MAX_NAMES = 1_000;

/** The cells of workbooks of Excel 5 to 2003. */
export const readExcelSheets: ReadSheets = async (fd, size, collector) => {
  const workbook = new Workbook(collector);
  for (const record of workbookRecords(fd, size)) {
    workbook.read(record);
    if (workbook.isDone) return;
  }
};

class Workbook {
  readonly #collector: SheetCollector;
  readonly #state = new WorkbookState('shown');
  readonly #shared: string[] = [];
  #sharedText = 0;
  /** Of sheets, by where they begin. */
  readonly #names = new Map<number, string>();
  /** How many parts are open: charts are parts within a sheet. */
  #depth = 0;
  #isInSheet = false;
  /** The cell of a formula whose text follows. */
  #awaiting: { readonly row: number; readonly column: number } | null = null;
  isDone = false;

  constructor(collector: SheetCollector) {
    this.#collector = collector;
  }

  /** @throws JobError */
  read(record: BiffRecord): void {
    const { type, data } = record;
    if (type === BEGIN) this.#begin(record);
    if (this.#state.learn(record)) return;
    if (type === END) this.#depth -= 1;
    else if (type === SHEET && data.length >= 6 && this.#names.size < MAX_NAMES) {
      this.#names.set(data.readUInt32LE(0), this.#state.text(record, 6, 1));
    } else if (type === SHARED) this.#share(record);
    else if (this.#isInSheet && this.#depth === 1 && !this.#collector.isSheetFull) this.#readCell(record);
  }

  #begin({ at, data }: BiffRecord): void {
    this.#depth += 1;
    if (this.#depth !== 1) return;
    this.#isInSheet = data.length >= 4 && data.readUInt16LE(2) === WORKSHEET;
    this.#awaiting = null;
    if (this.#isInSheet) this.isDone = !this.#collector.begin(this.#names.get(at) ?? '');
  }

  #share(record: BiffRecord): void {
    for (const text of sharedTexts(record)) {
      this.#shared.push(text);
      this.#sharedText += text.length;
      if (this.#sharedText <= MAX_SHARED_TEXT) continue;
      this.#collector.cut();
      return;
    }
  }

  #readCell(record: BiffRecord): void {
    const { type, data } = record;
    if (type === RESULT) {
      const { row = -1, column = -1 } = this.#awaiting ?? {};
      this.#awaiting = null;
      this.#collector.add(row, column, this.#state.text(record, 0, 2));
      return;
    }
    if (data.length < 6) return;
    const [row, column] = [data.readUInt16LE(0), data.readUInt16LE(2)];
    const add = (text: string) => this.#collector.add(row, column, text);
    if (type === LABEL || type === RICH_LABEL) add(this.#state.text(record, 6, 2));
    else if (type === SHARED_LABEL && data.length >= 10) add(this.#shared[data.readUInt32LE(6)] ?? '');
    else if (type === NUMBER && data.length >= 14) add(this.#numberOf(data.readUInt16LE(4), data.readDoubleLE(6)));
    else if (type === SHORT_NUMBER && data.length >= 10)
      add(this.#numberOf(data.readUInt16LE(4), shortNumber(data, 6)));
    else if (type === TRUTH_OR_ERROR && data.length >= 8) add(special(data[7] === 0, data[6] ?? 0));
    else if (type === FORMULA && data.length >= 14) this.#addResult(row, column, data);
    else if (type === SHORT_NUMBERS) {
      for (let at = 4; at + 8 <= data.length; at += 6) {
        const text = this.#numberOf(data.readUInt16LE(at), shortNumber(data, at + 2));
        this.#collector.add(row, column + (at - 4) / 6, text);
      }
    }
  }

  /** The result of a formula ([MS-XLS] 2.5.133): a number, or a mark and what kind of value it is. */
  #addResult(row: number, column: number, data: Buffer): void {
    const kind = data.readUInt16LE(12) === 0xff_ff ? data[6] : null;
    if (kind === 0) this.#awaiting = { row, column };
    else if (kind === 1 || kind === 2) this.#collector.add(row, column, special(kind === 1, data[8] ?? 0));
    else if (kind === null) {
      this.#collector.add(row, column, this.#numberOf(data.readUInt16LE(4), data.readDoubleLE(6)));
    }
  }

  #numberOf(style: number, value: number): string {
    if (!Number.isFinite(value)) return '';
    return this.#state.dateOf(style, value) || numberText(value);
  }
}

function special(isTruth: boolean, value: number): string {
  if (isTruth) return value === 0 ? 'FALSE' : 'TRUE';
  return ERRORS.get(value) ?? '';
}
