import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { httpDate, isoSeconds } from '../../../dist/server/lib/datetime.js';
import { humanDate } from '../../../dist/server/listing/human.js';

describe('dates', () => {
  const zone = process.env.TZ;
  beforeAll(() => {
    process.env.TZ = 'Europe/Berlin';
  });
  afterAll(() => {
    if (zone === undefined) delete process.env.TZ;
    else process.env.TZ = zone;
  });

  const at = (text: string) => new Date(text).getTime();
  const NOW = '2024-06-15T15:00:00Z';

  it.each([
    [NOW, NOW, 'just now'],
    ['2024-06-15T14:59:01Z', NOW, 'just now'],
    ['2024-06-15T14:59:00Z', NOW, '1 minute ago'],
    ['2024-06-15T14:55:00Z', NOW, '5 minutes ago'],
    ['2024-06-15T14:00:01Z', NOW, '59 minutes ago'],
    ['2024-06-15T14:00:00Z', NOW, '1 hour ago'],
    ['2024-06-15T12:30:00Z', NOW, '2 hours ago'],
    ['2024-06-14T22:00:00Z', NOW, '17 hours ago'],
    ['2024-06-14T21:59:59Z', NOW, 'yesterday at 23:59'],
    ['2024-06-14T15:05:00Z', NOW, 'yesterday at 17:05'],
    ['2024-06-13T21:59:00Z', NOW, '13 June 2024'],
    ['2024-03-12T10:00:00Z', NOW, '12 March 2024'],
    ['1970-01-01T12:00:00Z', NOW, '1 January 1970'],
    // The clock of the other machine is ahead.
    ['2024-06-15T15:05:00Z', NOW, 'today at 17:05'],
    ['2025-01-02T12:00:00Z', NOW, '2 January 2025'],
    // A few minutes over midnight.
    ['2024-06-14T21:58:00Z', '2024-06-14T22:03:00Z', '5 minutes ago'],
    ['2024-06-14T20:58:00Z', '2024-06-14T22:03:00Z', 'yesterday at 22:58'],
    // The night in which the clocks go forward, and the one in which they go back.
    ['2024-03-30T22:30:00Z', '2024-03-31T12:00:00Z', 'yesterday at 23:30'],
    ['2024-03-29T22:30:00Z', '2024-03-31T12:00:00Z', '29 March 2024'],
    ['2024-10-26T12:00:00Z', '2024-10-27T22:30:00Z', 'yesterday at 14:00'],
  ])('%s, seen at %s, is "%s"', (time, now, text) => expect(humanDate(at(time), at(now))).toBe(text));

  it('are sent in UTC and whole seconds', () => {
    expect(isoSeconds(at('2026-03-01T18:05:09.999+01:00'))).toBe('2026-03-01T17:05:09Z');
    expect(isoSeconds(0)).toBe('1970-01-01T00:00:00Z');
  });

  it('equal those of a Date, whatever time was formatted before', () => {
    const day = 86_400_000;
    const around = [-36_525 * day, -day, 0, 10_957 * day, 20_783 * day, 100_000 * day];
    const times = around.flatMap((start) =>
      [-1, 0, 1, 999, 1_000, 59_999, 3_599_999, 43_200_000].map((ms) => start + ms),
    );
    for (const time of [...times, ...times.toReversed()]) {
      expect(isoSeconds(time)).toBe(new Date(time).toISOString().replace(/\.\d+/, ''));
      expect(httpDate(time)).toBe(new Date(time).toUTCString());
    }
    expect(() => isoSeconds(Number.NaN)).toThrow(RangeError);
  });
});
