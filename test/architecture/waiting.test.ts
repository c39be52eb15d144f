import { describe, expect, it } from 'vitest';
import { parsed, sourcesIn } from './syntax.ts';
import { type Use, usesOfTime } from './waiting.ts';

// Tests wait for events. What waits for time, or measures it, fails on a machine of another speed.

/** Durations and memory are what these measure; `npm test` runs neither. */
const MEASURING = /^test\/(?:bench|trust|mutation)\/|^test\/proof\.mjs$|\.long\.ts$/;

/** Places that need time, at most ten. */
const EXCEPTIONS: readonly { readonly path: string; readonly uses: readonly Use[]; readonly why: string }[] = [
  {
    path: 'test/support/system/eventually.ts',
    uses: ['difference of Date.now', 'setTimeout'],
    why: 'the polling helper, which fails at its deadline',
  },
  {
    path: 'test/support/requests/slow-relay.ts',
    uses: ['setTimeout'],
    why: 'a slow connection is what it provides; no test depends on how slow',
  },
  {
    path: 'test/support/system/still-performance.ts',
    uses: ['performance.now'],
    why: 'where the clock that it makes stand still begins',
  },
  {
    path: 'test/catalogue/hashing.test.ts',
    uses: ['timers/promises'],
    why: 'replaces the timer of the product by one that only advances the clock',
  },
  {
    path: 'test/control/transports/stale-control-file.test.ts',
    uses: ['timers/promises'],
    why: 'replaces the pause between two tries by one that only advances the clock',
  },
  {
    path: 'test/model/round.ts',
    uses: ['performance.now', 'performance.now'],
    why: 'the model allows a conflict after a wait for a lock only to requests that took as long',
  },
  {
    path: 'test/support/households/move-between.mjs',
    uses: ['setInterval', 'setTimeout'],
    why: 'a program of its own polls the journal until nothing is pending, and keeps running as a server does',
  },
  {
    path: 'test/screenshots.mjs',
    uses: ['waitForTimeout'],
    why: 'makes pictures and tests nothing; a curve of the throughput needs time to pass',
  },
];

const uses = new Map(
  sourcesIn('test', /\.(?:[cm]?ts|mjs)$/)
    .filter(({ path }) => !MEASURING.test(path))
    .map(({ path, program }) => [path, usesOfTime(program)] as const)
    .filter(([, found]) => found.length > 0),
);

describe('no test waits for time', () => {
  it('except for a few places, with reasons', () => {
    expect(EXCEPTIONS.length).toBeLessThanOrEqual(10);
    for (const { path, uses: allowed } of EXCEPTIONS) expect(uses.get(path)?.toSorted(), path).toEqual([...allowed]);
  });

  it('outside of these places', () => {
    const excepted = new Set(EXCEPTIONS.map(({ path }) => path));
    expect([...uses.keys()].filter((path) => !excepted.has(path))).toEqual([]);
  });

  it.each<readonly [code: string, use: Use]>([
    ['setTimeout(run, 5);', 'setTimeout'],
    ['await new Promise((resolve) => globalThis.setTimeout(resolve, 5));', 'setTimeout'],
    ['setInterval(run, 5);', 'setInterval'],
    ["import { setTimeout as sleep } from 'node:timers/promises';", 'timers/promises'],
    ['await page.waitForTimeout(100);', 'waitForTimeout'],
    ['fetch(url, { signal: AbortSignal.timeout(100) });', 'AbortSignal.timeout'],
    ['Atomics.wait(cell, 0, 0, 5);', 'Atomics.wait'],
    ['process.hrtime.bigint();', 'hrtime'],
    ['performance.now();', 'performance.now'],
    ['expect(Date.now() - began).toBeLessThan(5);', 'difference of Date.now'],
    ['while (Date.now() < end) look();', 'difference of Date.now'],
    ["it('does', async () => {}, 60_000);", 'deadline of its own'],
    ["it('does', { timeout: 5 }, async () => {});", 'deadline of its own'],
    ["it.each(rows)('does %s', async () => {}, 60_000);", 'deadline of its own'],
    ['beforeAll(async () => {}, 60_000);', 'deadline of its own'],
    ['await expect.poll(look, { timeout: 5 }).toBe(1);', 'deadline of its own'],
  ])('%s is refused', (code, use) => {
    expect(usesOfTime(parsed('example.ts', code))).toEqual([use]);
  });

  it.each([
    'await expect.poll(look).toBe(1);',
    'Atomics.wait(cell, 0, 0);',
    'household.clock.advance(5);',
    'const at = Date.now();',
    'await utimes(path, Date.now() / 1_000, 5);',
    "it('does', async () => {});",
    'await utimes(path, new Date(Date.now() - 3_600_000), new Date());',
    "import { setImmediate as turn } from 'node:timers/promises';",
  ])('%s is allowed', (code) => {
    expect(usesOfTime(parsed('example.ts', code))).toEqual([]);
  });
});
