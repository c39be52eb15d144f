import { describe, expect, it } from 'vitest';
import { dateAt, embeddedDateOf, pdfDateOf } from '../../../dist/server/workers/embedded/dates.js';

const local = (...numbers: [number, number, number, number?, number?, number?, number?]) =>
  new Date(numbers[0], numbers[1] - 1, ...(numbers.slice(2) as [number])).getTime();

describe('a time in a file', () => {
  it.each([
    ['2024:05:06 07:08:09', undefined, '2024-05-06T07:08:09', local(2024, 5, 6, 7, 8, 9)],
    ['2024:05:06 07:08:09', '+02:00', '2024-05-06T07:08:09+02:00', Date.UTC(2024, 4, 6, 5, 8, 9)],
    ['2024:05:06 07:08:09', '-03:30', '2024-05-06T07:08:09-03:30', Date.UTC(2024, 4, 6, 10, 38, 9)],
    ['2024:05:06 07:08:09', 'Z', '2024-05-06T07:08:09Z', Date.UTC(2024, 4, 6, 7, 8, 9)],
    ['2024:05:06 07:08:09', '   :  ', '2024-05-06T07:08:09', local(2024, 5, 6, 7, 8, 9)],
    ['2024-05-06T07:08:09.5Z', undefined, '2024-05-06T07:08:09Z', Date.UTC(2024, 4, 6, 7, 8, 9, 500)],
    ['2024-05-06T07:08', undefined, '2024-05-06T07:08:00', local(2024, 5, 6, 7, 8)],
    ['2024-05-06T07:08:09+0900', undefined, '2024-05-06T07:08:09+09:00', Date.UTC(2024, 4, 5, 22, 8, 9)],
    ['2024-05-06', undefined, '2024-05-06T00:00:00', local(2024, 5, 6)],
    ['2024:05:06 24:05:00', undefined, '2024-05-06T00:05:00', local(2024, 5, 6, 0, 5)],
    ['2024:05:06 10:60:00', undefined, '2024-05-06T00:00:00', local(2024, 5, 6)],
    ['2024:05:06 07:08:09', '-5:00', '2024-05-06T07:08:09-05:00', Date.UTC(2024, 4, 6, 12, 8, 9)],
    ['2013:06:21:12:33:44', undefined, '2013-06-21T12:33:44', local(2013, 6, 21, 12, 33, 44)],
    ['2024: 5: 6  7: 8: 9', undefined, '2024-05-06T07:08:09', local(2024, 5, 6, 7, 8, 9)],
    ['1899:12:31 23:59:59', undefined, '1899-12-31T23:59:59', local(1899, 12, 31, 23, 59, 59)],
  ])('%s %s is read', (value, offset, text, at) => {
    expect(embeddedDateOf(value, offset)).toEqual({ text, at });
  });

  it.each([
    ...['', '0000:00:00 00:00:00', '    :  :     :  :  ', '2024:02:30 00:00:00', '2024:13:01 00:00:00', 'yesterday'],
    ...['1066:10:14 09:00:00', '2024', 20240506, null, undefined, {}],
  ])('%j is refused', (value) => {
    expect(embeddedDateOf(value)).toBeNull();
  });

  it('takes its fraction from another EXIF tag', () => {
    expect(embeddedDateOf('2024:05:06 07:08:09', 'Z', '25')?.at).toBe(Date.UTC(2024, 4, 6, 7, 8, 9, 250));
    expect(embeddedDateOf('2024:05:06 07:08:09', 'Z', 'x')?.at).toBe(Date.UTC(2024, 4, 6, 7, 8, 9));
  });

  it('may be in the format of PDF, and incomplete', () => {
    expect(pdfDateOf("D:20240506070809+02'00'")).toEqual({
      text: '2024-05-06T07:08:09+02:00',
      at: Date.UTC(2024, 4, 6, 5, 8, 9),
    });
    expect(pdfDateOf('D:20240506070809Z')?.text).toBe('2024-05-06T07:08:09Z');
    expect(pdfDateOf("D:20240506070809-08'30")?.at).toBe(Date.UTC(2024, 4, 6, 15, 38, 9));
    expect(pdfDateOf('D:2024')?.text).toBe('2024-01-01T00:00:00');
    expect(pdfDateOf('20240506')?.text).toBe('2024-05-06T00:00:00');
    for (const value of ['D:', 'D:20241399', 'now', 7, undefined]) expect(pdfDateOf(value)).toBeNull();
  });

  it('may be a number of seconds', () => {
    expect(dateAt(3_786_880_000, Date.UTC(1904, 0, 1))?.text).toBe('2023-12-31T15:06:40Z');
    for (const seconds of [0, -1, Number.MAX_SAFE_INTEGER, Number.NaN]) expect(dateAt(seconds, 0)).toBeNull();
  });
});
