import { workbook } from './build.ts';

/** Formats of days, and of days with times, that programs of different countries write; the words around them have no digits. */
const DAYS = [
  ...[14, 15],
  ...[
    'yyyy-mm-dd',
    'dd/mm/yyyy',
    'd. mmmm yyyy',
    'm/d/yy;@',
    '[$-409]mmmm d, yyyy;@',
    'dddd, mmmm dd, yyyy',
    'yyyy"年"m"月"d"日"',
  ],
  ...['"Week of "d/m/yyyy', 'dd\\.mm\\.yyyy', '[Red]mmm\\-yy', '[$-407]d. mmm yy;@', 'yyyy/mm/dd;@'],
];
const TIMES = [22, 'yyyy-mm-dd hh:mm', 'dd/mm/yyyy\\ hh:mm:ss', '[$-409]m/d/yy h:mm AM/PM;@', 'd. mmm yyyy "um" hh:mm'];
/** What is no date, although a letter of its format is one of dates. */
const OTHERS = [0, 1, 2, 9, 10, 11, 37, 49, '0.00" days"', '#,##0 "m²"', '[Red]0;[Blue]-0', '"dd"0', '@', 'General'];

const NUMBERS = [61, 367, 10_000, 25_569, 36_526, 45_351, 45_418, 73_050];

/** Small workbooks with numbers that are dates, or are not. */
export function workbookDates(): ReadonlyMap<string, Buffer> {
  const files = new Map<string, Buffer>();
  const add = (what: string, content: Buffer) =>
    files.set(`${String(files.size).padStart(3, '0')}-${what}.xlsx`, content);
  for (const is1904 of [false, true]) {
    for (const format of DAYS)
      add(
        is1904 ? 'days-1904' : 'days',
        workbook(
          NUMBERS.map((value) => ({ format, value })),
          { is1904 },
        ),
      );
    for (const format of TIMES)
      add(
        is1904 ? 'times-1904' : 'times',
        workbook(
          NUMBERS.flatMap((value) => [0.25, 0.5, 0.75, 1_439 / 1_440].map((part) => ({ format, value: value + part }))),
          { is1904 },
        ),
      );
  }
  for (const format of OTHERS) add('others', workbook(NUMBERS.map((value) => ({ format, value: value / 7 }))));
  return files;
}
