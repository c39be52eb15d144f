import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { parseOptions, UsageProblem } from './options.ts';
import { markdownTable, replaceBetweenMarkers } from './report.ts';
import { exitCodeOf, failedRow, type Heading, judgedRow } from './rows.ts';
import { summarise } from './statistics.ts';
import type { Bound } from './targets.ts';
import { alternate } from './work.ts';

const heading = (bound: Bound): Heading => ({ name: 'speed', title: 'Speed', unit: 'MiB/s', bound });
const against = (samples: number[]) => [{ name: 'yardstick', samples }];

describe('statistics', () => {
  it('are the median, minimum and maximum of samples in any order', () => {
    expect(summarise([9, 1, 5])).toMatchObject({ median: 5, min: 1, max: 9 });
    expect(summarise([10, 2, 4, 3])).toMatchObject({ median: 3.5, min: 2, max: 10 });
    expect(summarise([7])).toMatchObject({ median: 7, min: 7, max: 7 });
    expect(() => summarise([])).toThrow(RangeError);
  });
});

describe('a verdict', () => {
  const least: Bound = { kind: 'ratio', least: 0.95 };
  const most: Bound = { kind: 'ratio', most: 1.1 };
  const limit = (of: 'median' | 'max'): Bound => ({ kind: 'value', most: 100, of });

  it.each([
    ['as fast as asked', least, [94, 95, 300], [100, 100, 100], 'met'],
    ['too slow', least, [94, 94, 300], [100, 100, 100], 'missed'],
    ['as thrifty as asked', most, [1.1, 1.1, 1.1], [1, 1, 1], 'met'],
    ['too costly', most, [1.2, 1.2, 0.1], [1, 1, 1], 'missed'],
    ['a yardstick that did nothing', least, [1], [0], 'failed'],
  ] as const)('by a ratio: %s', (_, bound, larder, yardstick, verdict) => {
    expect(judgedRow(heading(bound), { larder, yardsticks: against([...yardstick]) }).verdict).toBe(verdict);
  });

  it('divides Larder’s median by that of the first yardstick, and shows the others', () => {
    const yardsticks = [...against([10, 20, 30]), { name: 'other', samples: [1] }];
    const row = judgedRow(heading(least), { larder: [40], yardsticks });
    expect(row.yardsticks.map(({ ratio }) => ratio)).toEqual([2, 40]);
    expect(judgedRow(heading(least), { larder: [40] }).verdict).toBe('failed');
  });

  it('by a limit: for the median, or for the worst run', () => {
    expect(judgedRow(heading(limit('median')), { larder: [1, 100, 900] }).verdict).toBe('met');
    expect(judgedRow(heading(limit('median')), { larder: [1, 101, 101] }).verdict).toBe('missed');
    expect(judgedRow(heading(limit('max')), { larder: [1, 1, 101] }).verdict).toBe('missed');
    expect(judgedRow(heading({ kind: 'none' }), { larder: [1] }).verdict).toBe('no target');
  });

  it('determines the exit code', () => {
    const met = judgedRow(heading(limit('max')), { larder: [1] });
    const missed = judgedRow(heading(limit('max')), { larder: [101] });
    const failed = failedRow(heading(limit('max')), 'it broke');
    expect(exitCodeOf([met, judgedRow(heading({ kind: 'none' }), { larder: [1] })], true)).toBe(0);
    expect(exitCodeOf([met, missed], true)).toBe(1);
    expect(exitCodeOf([met, missed], false)).toBe(0);
    expect(exitCodeOf([met, failed], false)).toBe(1);
    expect(exitCodeOf([], true)).toBe(1);
  });

  it('is in the table with its reason', () => {
    const missed = judgedRow(heading(least), { larder: [50], yardsticks: against([1000]) });
    const table = markdownTable([missed, failedRow(heading(limit('max')), 'a | b')]);
    expect(table.split('\n').slice(2)).toEqual([
      '| Speed | 50.0 (50.0–50.0) MiB/s | yardstick: 1,000 (1,000–1,000) | 0.05 | ratio ≥ 0.95 | **missed** |',
      '| Speed | – | – | – | ≤ 100 MiB/s, every run | **failed**: a / b |',
    ]);
  });
});

it('contestants take turns after a warm-up, and none is always first', async () => {
  const order: string[] = [];
  const contestant = (name: string) => async () => order.push(name);
  const samples = await alternate(2, { a: contestant('a'), b: contestant('b') });
  expect(order.join('')).toBe('abbaab');
  expect(samples).toEqual({ a: [4, 5], b: [3, 6] });
});

it('only the text between the markers is replaced', async () => {
  expect(replaceBetweenMarkers('a\n<!-- bench -->\nold\n<!-- /bench -->\nb', 'new')).toBe(
    'a\n<!-- bench -->\nnew\n<!-- /bench -->\nb',
  );
  expect(() => replaceBetweenMarkers('a', 'new')).toThrow('markers');
  const page = await readFile(new URL('../../docs/benchmarks.md', import.meta.url), 'utf8');
  expect(replaceBetweenMarkers(page, 'new')).toContain('<!-- bench -->\nnew\n<!-- /bench -->');
});

it('a command line with contradicting or insufficient options is refused', () => {
  expect(parseOptions(['--only', 'a,b', '--runs', '7'], ['a', 'b'])).toMatchObject({ only: ['a', 'b'], runs: 7 });
  for (const args of ['--only c', '--runs 4', '--quick --runs 0', '--quick --write-docs', '--only a --write-docs']) {
    expect(() => parseOptions(args.split(' '), ['a', 'b']), args).toThrow(UsageProblem);
  }
});

describe('the benchmark itself', () => {
  const program = fileURLToPath(new URL('../../dist/bench/bench.js', import.meta.url));
  let folder = '';
  let bench: ChildProcess;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'larder-test-'));
  });

  afterEach(async () => {
    if (bench.exitCode === null && bench.signalCode === null) {
      bench.kill('SIGTERM');
      await once(bench, 'exit');
    }
    await rm(folder, { recursive: true, force: true });
  });

  const begin = (...args: string[]) => {
    bench = spawn(process.execPath, [program, '--quick', '--only', 'listings', '--folder', folder, ...args], {
      stdio: 'ignore',
    });
    return once(bench, 'exit') as Promise<[number | null]>;
  };

  it('measures, reports its results, and leaves nothing behind', async () => {
    const json = join(folder, 'found.json');
    expect(await begin('--runs', '2', '--json', json)).toEqual([0, null]);
    const { rows, targetsCount } = JSON.parse(await readFile(json, 'utf8'));
    expect(targetsCount).toBe(false);
    expect(rows.map(({ name }: { name: string }) => name)).toEqual([
      ...['shortList', 'longList', 'longListFirst', 'longListChanged', 'wideList', 'widePage', 'wideListChanged'],
    ]);
    for (const row of rows) expect(row.verdict, JSON.stringify(row)).toMatch(/^(?:met|missed)$/);
    expect(rows[0].larder.samples).toHaveLength(2);
    expect(rows[0].yardsticks[0].ratio).toBeGreaterThan(0);
    expect(readdirSync(folder)).toEqual(['found.json']);
  });

  it('leaves nothing behind if it is interrupted', async () => {
    const ended = begin('--runs', '1000');
    const isAtWork = () =>
      readdirSync(folder).some((name) => existsSync(join(folder, name, 'larder-1/homes/ann/Short')));
    await expect.poll(isAtWork).toBe(true);
    bench.kill('SIGINT');
    expect(await ended).toEqual([130, null]);
    expect(readdirSync(folder)).toEqual([]);
    await expect.poll(() => commandLinesWith(folder)).toEqual([]);
  });
});

/** Programs that still run with this in their command line; where there is no /proc, none are seen. */
function commandLinesWith(text: string): string[] {
  if (!existsSync('/proc/self/cmdline')) return [];
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => {
      try {
        return readFileSync(`/proc/${name}/cmdline`, 'utf8');
      } catch {
        return '';
      }
    })
    .filter((line) => line.includes(text));
}
