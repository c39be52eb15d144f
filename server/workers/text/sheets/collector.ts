/** Rows, columns and sheets that people are shown; the rest is left out. */
export const MAX_SHEETS = 20;
export const MAX_ROWS = 1_000;
export const MAX_COLUMNS = 50;
/** Cells of all sheets together, with the empty ones between them. */
export const MAX_CELLS = 100_000;
/** UTF-16 units of the texts in all cells. */
export const MAX_CELL_TEXT = 1_000_000;

/** The cells of one sheet. */
export interface Sheet {
  readonly name: string;
  /** From the first row on, with as many cells as are needed: the last one is not empty. */
  readonly rows: string[][];
}

export interface Sheets {
  readonly sheets: Sheet[];
  /** Whether there are more sheets, rows, columns or letters. */
  readonly isCut: boolean;
}

/** Collects the cells of sheets up to the limits. */
export class SheetCollector {
  readonly #sheets: Sheet[] = [];
  #rows: string[][] = [];
  #width = 0;
  /** Cells of the sheets before. */
  #cells = 0;
  #text = 0;
  #isCut = false;
  #isSheetFull = false;

  /** Whether nothing that follows in this sheet would be taken. */
  get isSheetFull(): boolean {
    return this.#isSheetFull;
  }

  /** @returns false if there are enough sheets, or cells in them */
  begin(name: string): boolean {
    this.#cells += this.#width * this.#rows.length;
    if (this.#sheets.length >= MAX_SHEETS || this.#isFull()) {
      this.#isCut = true;
      this.#isSheetFull = true;
      return false;
    }
    this.#rows = [];
    this.#width = 0;
    this.#isSheetFull = false;
    this.#sheets.push({ name: name.slice(0, 255), rows: this.#rows });
    return true;
  }

  /** @param row and @param column from 0 */
  add(row: number, column: number, text: string): void {
    if (text === '' || this.#sheets.length === 0) return;
    if (this.#isSheetFull || row >= MAX_ROWS) {
      this.#isCut = true;
      this.#isSheetFull = true;
      return;
    }
    if (column >= MAX_COLUMNS) {
      this.#isCut = true;
      return;
    }
    if (!(row >= 0 && column >= 0)) return;
    const rows = Math.max(this.#rows.length, row + 1);
    const width = Math.max(this.#width, column + 1);
    if (this.#cells + rows * width > MAX_CELLS || this.#isFull()) {
      this.#isCut = true;
      this.#isSheetFull = true;
      return;
    }
    while (this.#rows.length < rows) this.#rows.push([]);
    this.#width = width;
    const cells = this.#rows[row] ?? [];
    while (cells.length < column) cells.push('');
    const shown = text.slice(0, MAX_CELL_TEXT - this.#text);
    if (shown.length < text.length) this.#isCut = true;
    this.#text += shown.length;
    cells[column] = shown;
  }

  /** Something is left out. */
  cut(): void {
    this.#isCut = true;
  }

  /** Sheets in the order in which they began. */
  get result(): Sheets {
    return { sheets: this.#sheets, isCut: this.#isCut };
  }

  #isFull(): boolean {
    return this.#text >= MAX_CELL_TEXT || this.#cells >= MAX_CELLS;
  }
}

/** A number with the fifteen digits that spreadsheets show: what is calculated is often no exact number. */
export function numberText(value: number): string {
  return String(Number(value.toPrecision(15)));
}

/** Adds the cells of an open file of `size` bytes. @throws JobError */
export type ReadSheets = (fd: number, size: number, collector: SheetCollector) => Promise<void>;
