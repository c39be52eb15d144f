import { type Html, html } from '../../lib/text/html.ts';
import { t } from '../../messages/messages.ts';
import type { Sheets } from '../../workers/text/sheets/collector.ts';
import { csvTableHtml, tableOf } from './csv-table.ts';

/** Whether any sheet has something to show. */
export function haveCells({ sheets }: Sheets): boolean {
  return sheets.some(({ rows }) => rows.length > 0);
}

/** What is shown of a spreadsheet, and its sheets one after another, each a table like that of a CSV file. */
export function sheetsHtml({ sheets, isCut }: Sheets): { note: Html; tables: Html[] } {
  const rest = isCut ? html` ${t('viewer.document.cut')}` : html``;
  return {
    note: html`<p class="help">${t('viewer.sheets.cellsOnly')}${rest}</p>`,
    tables: sheets.map(({ name, rows }) => {
      const heading = html`<h2>${name}</h2>`;
      if (rows.length === 0) return html`<section class="sheet">${heading}<p>${t('viewer.sheets.empty')}</p></section>`;
      const width = rows.reduce((widest, row) => Math.max(widest, row.length), 0);
      const { cells } = csvTableHtml({ ...tableOf(rows, width), isCut: false });
      return html`<section class="sheet">${heading}${cells}</section>`;
    }),
  };
}
