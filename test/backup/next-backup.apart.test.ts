import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { nextDue } from '../../dist/server/backup/schedule.js';

describe('the next backup', () => {
  const zone = process.env.TZ;
  beforeAll(() => {
    process.env.TZ = 'Europe/Berlin';
  });
  afterAll(() => {
    if (zone === undefined) delete process.env.TZ;
    else process.env.TZ = zone;
  });
  const due = (backupEvery: 'never' | 'day' | 'week', last: string, backupHour = 3) => {
    const at = nextDue({ backupEvery, backupHour }, Date.parse(last));
    return at === null ? null : new Date(at).toISOString();
  };

  it.each([
    // One hour ahead of UTC.
    ['day', '2026-11-22T02:00:30Z', 3, '2026-11-23T02:00:00.000Z'],
    ['day', '2026-11-22T01:59:00Z', 3, '2026-11-22T02:00:00.000Z'],
    ['day', '2026-11-22T15:00:00Z', 3, '2026-11-23T02:00:00.000Z'],
    ['day', '2026-11-22T15:00:00Z', 23, '2026-11-22T22:00:00.000Z'],
    ['week', '2026-11-22T02:00:30Z', 3, '2026-11-29T02:00:00.000Z'],
    ['week', '2026-11-25T15:00:00Z', 3, '2026-12-02T02:00:00.000Z'],
    // The clocks are set back in the night before 25 October, and ahead in the one before 29 March.
    ['day', '2026-10-24T01:00:10Z', 3, '2026-10-25T02:00:00.000Z'],
    ['day', '2026-03-28T02:00:10Z', 3, '2026-03-29T01:00:00.000Z'],
  ] as const)('every %s after %s, at %i, is at %s', (every, last, hour, expected) => {
    expect(due(every, last, hour)).toBe(expected);
  });

  it('is null if backups are off', () => {
    expect(due('never', '2026-11-22T02:00:30Z')).toBeNull();
  });
});
