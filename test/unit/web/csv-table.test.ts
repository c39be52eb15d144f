import { describe, expect, it } from 'vitest';
import { csvTable, isNumber } from '../../../dist/server/web/viewer/csv-table.js';

const table = (text: string, name = 'jars.csv', isCut = false) => csvTable(name, text, isCut);

describe('the table in a CSV file', () => {
  it.each([
    ['commas', 'Year,Jars\n2024,14\n2025,9\n'],
    ['semicolons, as spreadsheets save it in many countries', 'Year;Jars\r\n2024;14\r\n2025;9\r\n'],
    ['tabs', 'Year\tJars\n2024\t14\n2025\t9'],
    ['a byte order mark', '\ufeffYear,Jars\n2024,14\n2025,9'],
    ['empty lines', '\nYear,Jars\n\n2024,14\n2025,9\n\n'],
  ])('has its cells, with %s', (_, text) => {
    const rows = [
      ['2024', '14'],
      ['2025', '9'],
    ];
    expect(table(text)).toEqual({ header: ['Year', 'Jars'], rows, isCut: false });
  });

  it('keeps separators, quotes and line breaks within cells', () => {
    const text = 'Name;Note\n"Ann; Ben";"said ""twice""\nand left"\n';
    expect(table(text)?.rows).toEqual([['Ann; Ben', 'said "twice"\nand left']]);
  });

  it('keeps quotes within an unquoted cell', () => {
    expect(table('Size,Note\n3.5",a "good" one\n')?.rows).toEqual([['3.5"', 'a "good" one']]);
  });

  it('completes short rows', () => {
    expect(table('a,b,c\n1\n1,2,3,4\n')).toEqual({
      header: null,
      rows: [
        ['a', 'b', 'c', ''],
        ['1', '', '', ''],
        ['1', '2', '3', '4'],
      ],
      isCut: false,
    });
  });

  it.each([
    ['all rows are numbers', '1,2\n3,4\n'],
    ['a name is missing', 'Year,\n2024,14\n'],
    ['there is one row only', 'Year,Jars\n'],
  ])('has no header when %s', (_, text) => {
    expect(table(text)?.header).toBeNull();
  });

  it('omits the incomplete last row of a truncated text', () => {
    expect(table('Year,Jars\n2024,14\n2025,', 'jars.csv', true)).toEqual({
      header: ['Year', 'Jars'],
      rows: [['2024', '14']],
      isCut: true,
    });
  });

  it('is read although the text was truncated within quotes', () => {
    const text = 'Name,Note\nAnn,early\nBen,"late, and';
    expect(table(text, 'notes.csv', true)?.rows).toEqual([['Ann', 'early']]);
    expect(table(text, 'notes.csv')).toBeNull();
  });

  it('has at most 1,000 rows and 50 columns, and says so', () => {
    const long = table(`Year,Jars\n${'2024,14\n'.repeat(1_000)}`);
    expect([long?.rows.length, long?.isCut]).toEqual([999, true]);
    expect(table(`Year,Jars\n${'2024,14\n'.repeat(999)}`)?.isCut).toBe(false);
    const wide = table(`${'a,'.repeat(60)}a\n${'1,'.repeat(60)}1\n`);
    expect([wide?.header?.length, wide?.rows[0]?.length, wide?.isCut]).toEqual([50, 50, true]);
  });

  it.each([
    ['quotes that do not match', 'a,b\n"open,1\n', 'jars.csv'],
    ['one column', 'Shopping\nflour\nsugar\n', 'list.csv'],
    ['another kind of file', 'a,b\n1,2\n', 'jars.txt'],
  ])('is null for %s', (_, text, name) => {
    expect(table(text, name)).toBeNull();
  });
});

it.each(['14', '-3.5', '1 234,50', '€ 12', '12.00 EUR', '30 %', '(7)', '2024-05-06', '14:30'])(
  '%s is a number',
  (cell) => {
    expect(isNumber(cell)).toBe(true);
  },
);

it.each(['', 'Ann', '3 jars', 'B12', '-', `-${' '.repeat(100_000)}x`])('%j is not a number', (cell) => {
  expect(isNumber(cell)).toBe(false);
});
