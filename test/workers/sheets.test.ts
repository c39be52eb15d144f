import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MAX_CELLS, MAX_COLUMNS, MAX_ROWS, MAX_SHEETS } from '../../dist/server/workers/text/sheets/collector.js';
import { compoundFile, numbers, record, short } from '../support/content/binary-office.ts';
import { docx, opendocument, xlsx, zip } from '../support/content/documents.ts';
import { openBinaryOffice } from './binary-office-support.ts';
import { outcomeOf } from './support.ts';
import { openTextReader, type TextReading } from './text-support.ts';
import { fixture } from './thumbnail-support.ts';

// The cells of spreadsheets, for their previews.

let reading: TextReading;
beforeAll(async () => {
  reading = await openTextReader();
});
afterAll(() => reading.close());

const JANUARY = { sheets: [{ name: 'January', rows: [['Bread', '12']] }], isCut: false };
const cellsOf = async (extension: string, content: Uint8Array) =>
  (await reading.sheets(extension, content)).sheets.map(({ rows }) => rows);

describe('spreadsheets that LibreOffice has saved', () => {
  it.each(['xlsx', 'ods'])('are read in rows: %s', async (extension) => {
    expect(await reading.sheets(extension, await readFile(fixture(`documents/table.${extension}`)))).toEqual(JANUARY);
  });

  it('are read in rows: xls', async () => {
    expect(await reading.sheets('xls', openBinaryOffice().get('table.xls') ?? Buffer.alloc(0))).toEqual(JANUARY);
  });
});

describe('workbooks of Excel from 2007 on', () => {
  it('yield texts, truth values, errors, numbers and dates at their places', async () => {
    const styles =
      '<styleSheet><numFmts><numFmt numFmtId="200" formatCode="d mmmm yyyy"/></numFmts>' +
      '<cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="200"/></cellXfs></styleSheet>';
    const sheet = `<row r="2"><c r="B2" t="s"><v>1</v></c><c t="s"><v>0</v></c></row>
      <row><c t="inlineStr"><is><t>in</t><t>line</t></is></c><c t="b"><v>1</v></c><c t="b"><v>0</v></c><c t="e"><v>#N/A</v></c></row>
      <row><c><v>0.30000000000000004</v></c><c s="1"><v>45418</v></c><c s="2"><v>45418</v></c><c t="d"><v>2024-05-06T07:08</v></c></row>
      <row r="6"><c r="A6" t="str"><f>SECRET()</f><v>result</v></c><c r="C6"><v>-7</v></c></row>`;
    const book = zip({
      'xl/workbook.xml': '<workbook><sheets><sheet name="Year &amp; more" sheetId="1"/></sheets></workbook>',
      'xl/styles.xml': styles,
      'xl/sharedStrings.xml':
        '<sst><si><t>plum</t><rPh><t>secret</t></rPh></si><si><r><t>ja</t></r><r><t>m</t></r></si></sst>',
      'xl/worksheets/sheet1.xml': `<worksheet><sheetData>${sheet}</sheetData></worksheet>`,
    });
    expect(await reading.sheets('xlsx', book)).toEqual({
      sheets: [
        {
          name: 'Year & more',
          rows: [
            [],
            ['', 'jam', 'plum'],
            ['inline', 'TRUE', 'FALSE', '#N/A'],
            ['0.3', '2024-05-06', '6 May 2024', '2024-05-06 07:08'],
            [],
            ['result', '', '-7'],
          ],
        },
      ],
      isCut: false,
    });
  });

  it('yield the sheets in the order of the workbook', async () => {
    const relationship = (id: string, target: string) =>
      `<Relationship Id="${id}" Type="x/worksheet" Target="${target}"/>`;
    const sheet = (text: string) =>
      `<worksheet><sheetData><row><c t="str"><v>${text}</v></c></row></sheetData></worksheet>`;
    const book = zip({
      'xl/workbook.xml':
        '<workbook><sheets><sheet name="Later" r:id="b"/><sheet name="Chart" r:id="c"/><sheet name="Sooner" r:id="a"/></sheets></workbook>',
      'xl/_rels/workbook.xml.rels': `<Relationships>${relationship('a', 'worksheets/sheet1.xml')}${relationship('b', 'worksheets/sheet2.xml')}</Relationships>`,
      'xl/worksheets/sheet1.xml': sheet('one'),
      'xl/worksheets/sheet2.xml': sheet('two'),
    });
    expect((await reading.sheets('xlsx', book)).sheets).toEqual([
      { name: 'Later', rows: [['two']] },
      { name: 'Sooner', rows: [['one']] },
    ]);
  });

  it('are cut where they have more rows or columns than are shown, and where cells are far away', async () => {
    const rows = (count: number) => '<row><c><v>1</v></c></row>'.repeat(count);
    expect((await reading.sheets('xlsx', xlsx([], rows(MAX_ROWS)))).isCut).toBe(false);
    const long = await reading.sheets('xlsx', xlsx([], rows(MAX_ROWS + 1)));
    expect([long.sheets[0]?.rows.length, long.isCut]).toEqual([MAX_ROWS, true]);
    const wide = await reading.sheets('xlsx', xlsx([], `<row>${'<c><v>1</v></c>'.repeat(MAX_COLUMNS + 1)}</row>`));
    expect([wide.sheets[0]?.rows[0]?.length, wide.isCut]).toEqual([MAX_COLUMNS, true]);
    const far = '<row r="1"><c r="A1"><v>1</v></c><c r="XFD1"><v>2</v></c></row><row r="1048576"><c><v>3</v></c></row>';
    expect(await reading.sheets('xlsx', xlsx([], far))).toMatchObject({ sheets: [{ rows: [['1']] }], isCut: true });
    const nowhere = '<row r="-1"><c><v>1</v></c></row><row r="x"><c><v>2</v></c></row>';
    expect(await cellsOf('xlsx', xlsx([], nowhere))).toEqual([[]]);
  });

  it('are cut where all sheets together have more cells than are shown, and after the last sheet', async () => {
    const row = `<row>${'<c><v>1</v></c>'.repeat(MAX_COLUMNS)}</row>`;
    const book = (count: number, sheet: string) =>
      zip({
        'xl/workbook.xml': `<workbook><sheets>${'<sheet name="x"/>'.repeat(count)}</sheets></workbook>`,
        ...Object.fromEntries(
          Array.from({ length: count }, (_, index) => [
            `xl/worksheets/sheet${index + 1}.xml`,
            `<worksheet><sheetData>${sheet}</sheetData></worksheet>`,
          ]),
        ),
      });
    const full = await reading.sheets('xlsx', book(3, row.repeat(MAX_ROWS)));
    expect(full.isCut).toBe(true);
    expect(full.sheets.flatMap(({ rows }) => rows.flat()).length).toBeLessThanOrEqual(MAX_CELLS);
    const many = await reading.sheets('xlsx', book(MAX_SHEETS + 1, row));
    expect([many.sheets.length, many.isCut]).toEqual([MAX_SHEETS, true]);
  });

  it('are refused if they are damaged, something else, or larger than what is unpacked', async () => {
    expect(await outcomeOf(reading.sheets('xlsx', Buffer.alloc(2_000)))).toBe('unsupported');
    expect(await outcomeOf(reading.sheets('xlsx', docx('')))).toBe('unsupported');
    expect(await outcomeOf(reading.sheets('xlsx', xlsx([' '.repeat(129 * 1024 * 1024)], '')))).toBe('too_large');
  });
});

describe('spreadsheets of OpenDocument', () => {
  const sheet = (content: string, name = 'One') => `<table:table table:name="${name}">${content}</table:table>`;
  const cell = (text: string, more = '') => `<table:table-cell${more}><text:p>${text}</text:p></table:table-cell>`;
  const row = (content: string, more = '') => `<table:table-row${more}>${content}</table:table-row>`;
  const ods = (body: string) => opendocument('spreadsheet', body);

  it('yield what the cells show, repeated as often as they say, without comments and drawings', async () => {
    const note = '<office:annotation><text:p>secret</text:p></office:annotation>';
    const lines = `<table:table-cell>${note}<text:p>one<text:s text:c="2"/><text:span>two</text:span></text:p><text:p>three</text:p></table:table-cell>`;
    const body = `${sheet(
      `<table:shapes><text:p>secret</text:p></table:shapes>${row(`${cell('a', ' table:number-columns-repeated="2"')}<table:table-cell table:number-columns-repeated="2"/>${cell('b')}`)}${row('<table:table-cell/>', ' table:number-rows-repeated="2"')}${row(lines)}${row(cell('c'), ' table:number-rows-repeated="2"')}`,
    )}${sheet(row(cell('d')), 'Two')}`;
    expect(await reading.sheets('ods', ods(body))).toEqual({
      sheets: [
        { name: 'One', rows: [['a', 'a', '', '', 'b'], [], [], ['one  two\nthree'], ['c'], ['c']] },
        { name: 'Two', rows: [['d']] },
      ],
      isCut: false,
    });
  });

  it('are cut only where something is left out', async () => {
    const empty = `${row(`${cell('a')}<table:table-cell table:number-columns-repeated="16383"/>`)}${row('<table:table-cell/>', ' table:number-rows-repeated="1048575"')}`;
    expect(await reading.sheets('ods', ods(sheet(empty)))).toMatchObject({ sheets: [{ rows: [['a']] }], isCut: false });
    const hostile = row(
      cell('a', ' table:number-columns-repeated="999999999"'),
      ' table:number-rows-repeated="999999999"',
    );
    const { sheets, isCut } = await reading.sheets('ods', ods(sheet(hostile)));
    expect([sheets[0]?.rows.length, sheets[0]?.rows[0]?.length, isCut]).toEqual([MAX_ROWS, MAX_COLUMNS, true]);
  });
});

describe('workbooks of Excel before 2007', () => {
  const begin = (part: number) => record(0x8_09, short(0x6_00, part));
  const END = record(0x0a);
  const narrow = (text: string) => Buffer.concat([short(text.length), Buffer.from([0]), Buffer.from(text, 'latin1')]);
  const double = (value: number) => Buffer.from(Float64Array.of(value).buffer);
  const style = (format: number) => record(0xe0, short(0, format, 0));

  /** A workbook of one sheet. */
  function workbook(cells: readonly Buffer[], ...globals: readonly Buffer[]): Buffer {
    const named = (at: number) => record(0x85, numbers(at), short(0), Buffer.from([4, 0]), Buffer.from('Year'));
    const start = Buffer.concat([begin(0x5), ...globals]);
    const at = start.length + named(0).length + END.length;
    return compoundFile({ Workbook: Buffer.concat([start, named(at), END, begin(0x10), ...cells, END]) });
  }

  it('yield texts, numbers, dates, truth values, errors and results at their places', async () => {
    const shared = record(0xfc, numbers(2, 2), narrow('plum'), narrow('jam'));
    const special = (kind: number, value: number) => Buffer.from([kind, 0, value, 0, 0, 0, 0xff, 0xff]);
    const cells = [
      record(0xfd, short(1, 1, 0), numbers(1)),
      record(0xfd, short(1, 2, 0), numbers(0)),
      record(0x2_03, short(2, 0, 0), double(12.5)),
      record(0x2_03, short(2, 1, 1), double(45_418)),
      record(0x2_05, short(2, 2, 0), Buffer.from([1, 0])),
      record(0x2_05, short(2, 3, 0), Buffer.from([0x2a, 1])),
      record(0xbd, short(3, 1), short(0), numbers((7 << 2) | 2), short(0), numbers((8 << 2) | 2), short(2)),
      record(0x06, short(4, 0, 0), special(0, 0), Buffer.alloc(8)),
      record(0x2_07, narrow('result')),
      record(0x06, short(4, 1, 0), special(1, 0), Buffer.alloc(8)),
      record(0x06, short(4, 2, 0), double(99), Buffer.alloc(8)),
      // A chart within the sheet has cells of its own.
      begin(0x20),
      record(0x2_04, short(0, 0, 0), narrow('secret')),
      END,
      record(0x2_04, short(5, 0, 0), narrow('label')),
    ];
    expect(await reading.sheets('xls', workbook(cells, style(0), style(14), shared))).toEqual({
      sheets: [
        {
          name: 'Year',
          rows: [
            [],
            ['', 'jam', 'plum'],
            ['12.5', '2024-05-06', 'TRUE', '#N/A'],
            ['', '7', '8'],
            ['result', 'FALSE', '99'],
            ['label'],
          ],
        },
      ],
      isCut: false,
    });
  });

  it('are cut where they have more rows than are shown, and refused if they are encrypted', async () => {
    const label = (row: number) => record(0x2_04, short(row, 0, 0), narrow('x'));
    expect(await reading.sheets('xls', workbook([label(0), label(60_000)]))).toEqual({
      sheets: [{ name: 'Year', rows: [['x']] }],
      isCut: true,
    });
    expect(await outcomeOf(reading.sheets('xls', workbook([], record(0x2f, short(1, 1, 1)))))).toBe('unsupported');
  });

  it('may be newer workbooks by their content', async () => {
    expect(await cellsOf('xls', xlsx(['<t>plum</t>'], '<row><c t="s"><v>0</v></c></row>'))).toEqual([[['plum']]]);
  });
});
