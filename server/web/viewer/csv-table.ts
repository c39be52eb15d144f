import { parse } from 'csv-parse/sync';
import { extensionOf } from '../../lib/names/file-types.ts';
import { csvSeparator } from '../../lib/text/csv-separator.ts';
import { type Html, html } from '../../lib/text/html.ts';
import { t } from '../../messages/messages.ts';

/** The cells of a CSV file (RFC 4180), as many as a preview shows. */
interface CsvTable {
  /** Null when the first row looks like all others. */
  readonly header: readonly string[] | null;
  /** All rows have the same number of cells. */
  readonly rows: readonly (readonly string[])[];
  /** Whether there are more rows or columns. */
  readonly isCut: boolean;
}

/** More make the page slow, and nobody reads them in a preview. */
const MAX_ROWS = 1_000;
const MAX_COLUMNS = 50;
/** Characters of a number. */
const MAX_NUMBER = 40;

const CSV: ReadonlySet<string> = new Set(['csv', 'tsv']);
/** A number in any language, with a currency, a sign or a percentage, also a date. */
const NUMBER = /^[-+−(]?\s*(?:\p{Sc}|[A-Z]{3})?\s*[-+−]?\d[\d.,'’\s:/-]*(?:%|\p{Sc}|[A-Z]{3})?\)?$/u;

/**
 * The table in a CSV file, or null when it is not one: the text is shown as it is then.
 * @param name of the file
 * @param isTextCut whether the text ends within the file: the last row may be incomplete
 */
export function csvTable(name: string, text: string, isTextCut: boolean): CsvTable | null {
  if (!CSV.has(extensionOf(name))) return null;
  const all = cellsOf(text, isTextCut);
  if (all === null) return null;
  const width = all.reduce((widest, row) => Math.max(widest, row.length), 0);
  if (width < 2 || all.length === 0) return null;
  return {
    ...tableOf(all.slice(0, MAX_ROWS), Math.min(width, MAX_COLUMNS)),
    isCut: isTextCut || all.length > MAX_ROWS || width > MAX_COLUMNS,
  };
}

/** Rows as a table of so many columns, with a header if the first one looks like it. */
export function tableOf(cells: readonly (readonly string[])[], columns: number): Omit<CsvTable, 'isCut'> {
  const rows = cells.map((row) => Array.from({ length: columns }, (_, index) => row[index] ?? ''));
  const header = isHeader(rows) ? (rows.shift() ?? null) : null;
  return { header, rows };
}

/** Whether a cell is a number, which is aligned to the right. */
export function isNumber(cell: string): boolean {
  return cell.length <= MAX_NUMBER && NUMBER.test(cell.trim());
}

/** The cells as a table, and a note if there are more. */
export function csvTableHtml({ header, rows, isCut }: CsvTable): { cells: Html; note: Html } {
  const cell = (text: string) => html`<td${isNumber(text) ? html` class="number"` : html``}>${text}</td>`;
  const isOfNumbers = (index: number) => rows.every((row) => row[index] === '' || isNumber(row[index] ?? ''));
  const names = (header ?? []).map(
    (text, index) => html`<th scope="col"${isOfNumbers(index) ? html` class="number"` : html``}>${text}</th>`,
  );
  return {
    cells: html`<table>
${header === null ? html`` : html`<thead><tr>${names}</tr></thead>`}
<tbody>${rows.map((row) => html`<tr>${row.map(cell)}</tr>`)}</tbody>
</table>`,
    note: isCut ? html`<p class="help">${t('viewer.document.cut')}</p>` : html``,
  };
}

/**
 * The complete rows: the last one of a text that was cut may not be.
 * @returns null for a text in which quotes do not match, unless it was cut within them
 */
function cellsOf(text: string, isTextCut: boolean): string[][] | null {
  let isLeftOut = false;
  try {
    const rows: string[][] = parse(text, {
      bom: true,
      delimiter: csvSeparator(text),
      relax_column_count: true,
      relax_quotes: true,
      skip_empty_lines: true,
      skip_records_with_error: isTextCut,
      on_skip: () => {
        isLeftOut = true;
      },
      // One more, to know whether there are more, and one that may be incomplete.
      to: MAX_ROWS + 2,
    });
    return isTextCut && !isLeftOut ? rows.slice(0, -1) : rows;
  } catch {
    return null;
  }
}

/** A first row of names only, over something else. */
function isHeader([first, ...others]: readonly (readonly string[])[]): boolean {
  return others.length > 0 && first !== undefined && first.every((cell) => cell.trim() !== '' && !isNumber(cell));
}
