import { Parser } from 'htmlparser2';
import { JobError } from '../../job-error.ts';
import type { Attributes } from '../markup.ts';
import { ZipParts } from '../zip-parts.ts';
import { MAX_COLUMNS, MAX_ROWS, type ReadSheets, type SheetCollector } from './collector.ts';

/** UTF-16 units of the text of one cell. */
const MAX_VALUE = 32_767;
/** What is in a sheet, or in a cell, and is no text of it. */
const SKIPPED = new Set(['annotation', 'shapes', 'tracked-changes', 'dde-links', 'frame', 'ruby-text']);

/** Spreadsheets of OpenDocument (ISO/IEC 26300-1, 9), as their cells show them. */
export const readOpenDocumentSheets: ReadSheets = async (fd, size, collector) => {
  const parts = await ZipParts.open(fd, size);
  if (!parts.has('content.xml')) throw new JobError('unsupported', 'no document of this kind');
  const reader = new ContentReader(collector);
  for await (const chunk of parts.read('content.xml')) {
    reader.write(chunk);
    if (reader.isDone) return;
  }
};

class ContentReader {
  readonly #parser: Parser;
  readonly #collector: SheetCollector;
  #depth = 0;
  /** The depth of the skipped element; infinite if there is none. */
  #skippedFrom = Number.POSITIVE_INFINITY;
  #tables = 0;
  #row = 0;
  #column = 0;
  /** How often the present row occurs, and its cells. */
  #repeated = 1;
  #cells: { readonly column: number; readonly text: string }[] = [];
  #cell: { readonly repeated: number; text: string } | null = null;
  #paragraphs = 0;
  isDone = false;

  constructor(collector: SheetCollector) {
    this.#collector = collector;
    this.#parser = new Parser(
      {
        onopentag: (full, attributes) => {
          this.#depth += 1;
          if (this.isDone || this.#depth > this.#skippedFrom) return;
          const name = localName(full);
          if (SKIPPED.has(name)) this.#skippedFrom = this.#depth;
          else this.#open(name, attributes);
        },
        ontext: (text) => {
          if (this.#paragraphs > 0 && this.#depth < this.#skippedFrom) this.#say(text.replace(/\s+/g, ' '));
        },
        onclosetag: (full) => {
          const isSkipped = this.#depth >= this.#skippedFrom;
          if (this.#depth === this.#skippedFrom) this.#skippedFrom = Number.POSITIVE_INFINITY;
          this.#depth -= 1;
          if (!isSkipped && !this.isDone) this.#close(localName(full));
        },
      },
      { xmlMode: true },
    );
  }

  write(text: string): void {
    this.#parser.write(text);
  }

  #open(name: string, attributes: Attributes): void {
    if (name === 'table') {
      this.#tables += 1;
      // A table within a cell is none of the sheets.
      if (this.#tables > 1) return;
      this.#row = 0;
      this.isDone = !this.#collector.begin(attributes['table:name'] ?? '');
    } else if (this.#tables !== 1) return;
    else if (name === 'table-row') {
      this.#column = 0;
      this.#cells = [];
      this.#repeated = count(attributes['table:number-rows-repeated']);
    } else if (name === 'table-cell' || name === 'covered-table-cell') {
      this.#cell = { repeated: count(attributes['table:number-columns-repeated']), text: '' };
    } else if (name === 'p') {
      if (this.#cell !== null && this.#cell.text !== '') this.#say('\n');
      this.#paragraphs += 1;
    } else if (this.#paragraphs === 0) return;
    else if (name === 's') this.#say(' '.repeat(Math.min(count(attributes['text:c']), 100)));
    else if (name === 'tab') this.#say('\t');
    else if (name === 'line-break') this.#say('\n');
  }

  #close(name: string): void {
    if (name === 'table') this.#tables -= 1;
    else if (this.#tables !== 1) return;
    else if (name === 'p') this.#paragraphs -= 1;
    else if (name === 'table-cell' || name === 'covered-table-cell') this.#closeCell();
    else if (name === 'table-row') this.#closeRow();
  }

  #say(text: string): void {
    if (this.#cell !== null && this.#cell.text.length < MAX_VALUE) this.#cell.text += text.slice(0, MAX_VALUE);
  }

  #closeCell(): void {
    const { repeated = 1, text = '' } = this.#cell ?? {};
    this.#cell = null;
    // One more than is shown, to know whether there are more.
    const last = Math.min(this.#column + repeated, MAX_COLUMNS + 1);
    if (text !== '' && this.#cells.length <= MAX_COLUMNS) {
      const first = Math.min(this.#column, MAX_COLUMNS);
      for (let column = first; column < last; column += 1) this.#cells.push({ column, text });
    }
    this.#column += repeated;
  }

  #closeRow(): void {
    const last = Math.min(this.#row + this.#repeated, MAX_ROWS + 1);
    if (this.#cells.length > 0) {
      for (let row = this.#row; row < last || row === this.#row; row += 1) {
        for (const { column, text } of this.#cells) this.#collector.add(row, column, text);
      }
    }
    this.#row += this.#repeated;
  }
}

function count(repeated: string | undefined): number {
  const number = Number(repeated ?? 1);
  return Number.isSafeInteger(number) && number > 0 ? number : 1;
}

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}
