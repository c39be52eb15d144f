import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { opendocument, workbook } from './reference/office/build.ts';
import { openTextReader, type TextReading } from './text-support.ts';

let reading: TextReading;
beforeAll(async () => {
  reading = await openTextReader();
});
afterAll(() => reading.close());

/** What a cell with a number format is found by, besides the name of its sheet. */
async function shown(format: string | number, value: number, is1904 = false): Promise<string> {
  const file = workbook([{ format, value }], { is1904 });
  return (await reading.words('xlsx', file)).replace(/^sheet ?/, '');
}

describe('dates in workbooks, as displayed and in ISO 8601', () => {
  // 45418 is 6 May 2024, as Excel and LibreOffice count the days.
  it.each([
    [14, 45_418, '2024 05 06 05 06 24'],
    [15, 45_418, '2024 05 06 6 may 24'],
    [16, 45_418, '2024 05 06 6 may'],
    [17, 45_418, '2024 05 06 may 24'],
    [18, 0.75, '6 00 pm'],
    [20, 45_418.25, '6 00'],
    [22, 45_418.5, '2024 05 06 12 00 5 6 24 12 00'],
    [46, 1.5, '36 00 00'],
    [47, 0.5 + 61 / 86_400, '01 01'],
    ['yyyy-mm-dd', 45_418, '2024 05 06'],
    ['d. mmmm yyyy', 45_418, '2024 05 06 6 may 2024'],
    ['[$-407]dddd, d. mmm yy;@', 45_418, '2024 05 06 monday 6 may 24'],
    ['"Week of "d/m/yyyy', 45_418, '2024 05 06 week of 6 5 2024'],
    ['yyyy\\-mm\\-dd\\ hh:mm:ss', 45_418 + 7 / 24 + 8 / 1_440 + 9 / 86_400, '2024 05 06 07 08 2024 05 06 07 08 09'],
    ['h:mm AM/PM', 0.5, '12 00 pm'],
    ['mm:ss.0', 61 / 86_400, '01 01'],
    ['[mm]:ss', 0.125, '180 00'],
    ['mmm d', 45_418, '2024 05 06 may 6'],
    // The days before March 1900, and the last one that there is.
    ['yyyy-mm-dd', 1, '1900 01 01'],
    ['yyyy-mm-dd', 59, '1900 02 28'],
    ['yyyy-mm-dd', 61, '1900 03 01'],
    ['yyyy-mm-dd', 2_958_465, '9999 12 31'],
  ])('are found in format %s of %d', async (format, value, expected) => {
    expect(await shown(format, value)).toBe(expected);
  });

  it('of the 1904 date system begin four years later', async () => {
    expect(await shown('yyyy-mm-dd', 0, true)).toBe('1904 01 01');
    expect(await shown('yyyy-mm-dd', 43_956, true)).toBe('2024 05 06');
  });

  it.each([
    [0, 45_418, '45418'],
    [2, 45_418, '45418'],
    ['0.00" days"', 45_418, '45418'],
    ['#,##0 "m²"', 12, '12'],
    ['General', 7, '7'],
    ['@', 7, '7'],
    ['[Red]0', 7, '7'],
    // What no calendar has stays a number.
    ['yyyy-mm-dd', -1, '1'],
    ['yyyy-mm-dd', 1e12, '1000000000000'],
    [`yyyy${'"'.repeat(300)}`, 45_418, '45418'],
  ])('other numbers remain unchanged: %s of %d', async (format, value, expected) => {
    expect(await shown(format, value)).toBe(expected);
  });

  it('with a missing style or unreadable styles remain numbers', async () => {
    const file = (styles: string) => workbook([{ format: 'yyyy-mm-dd', value: 45_418 }], { styles });
    expect(await reading.words('xlsx', file('<styleSheet/>'))).toBe('sheet 45418');
    expect(await reading.words('xlsx', file('no xml <<<'))).toBe('sheet 45418');
  });

  it('of OpenDocument are also found by their values', async () => {
    const cell = (attributes: string, text: string) =>
      `<table:table-cell ${attributes}><text:p>${text}</text:p></table:table-cell>`;
    const row = [
      cell('office:value-type="date" office:date-value="2024-05-06"', '06.05.24'),
      cell('office:value-type="date" office:date-value="2024-05-06T07:08:09"', 'Monday'),
      cell('office:value-type="time" office:time-value="PT07H08M09S"', '07:08'),
    ].join('');
    const table = `<table:table table:name="Sheet"><table:table-row>${row}</table:table-row></table:table>`;
    expect(await reading.words('ods', opendocument('spreadsheet', table))).toBe(
      'sheet 2024 05 06 06 05 24 2024 05 06 07 08 09 monday 07 08',
    );
  });
});
