import { expect, it } from 'vitest';
import { HOUR } from '../../dist/server/lib/clock.js';
import { createHourlyLimit } from '../../dist/server/lib/concurrency/hourly-limit.js';

it('allows 200 per key and hour', () => {
  let now = 5 * HOUR;
  const limit = createHourlyLimit({ now: () => now }, 200);
  const taken = (sharerId: number, tries: number) =>
    Array.from({ length: tries }, () => limit.take(sharerId)).filter(Boolean).length;
  expect(taken(1, 250)).toBe(200);
  expect(taken(2, 1)).toBe(1);
  now += HOUR - 1;
  expect(taken(1, 1)).toBe(0);
  now += 1;
  expect(taken(1, 250)).toBe(200);
});
