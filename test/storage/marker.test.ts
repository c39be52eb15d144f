import {
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { isSettled } from '../../dist/server/storage/disk/time-resolution.js';
import { MarkerCache, readMarker } from '../../dist/server/storage/homes/marker.js';

let folder: string;
let path: string;
const cache = () => new MarkerCache();

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'larder-marker-'));
  path = join(folder, 'marker');
  writeFileSync(path, 'home-1\n');
});
afterEach(() => {
  vi.useRealTimers();
  rmSync(folder, { recursive: true });
});

/** Changes of the last seconds may share one time on the disk. */
const later = () => vi.useFakeTimers({ now: Date.now() + 60_000, toFake: ['Date'] });

const changes: [string, () => void][] = [
  [
    'written in place, with its old times',
    () => {
      const times = new Date(1_000);
      utimesSync(path, times, times);
      writeFileSync(path, 'home-2\n');
      utimesSync(path, times, times);
    },
  ],
  [
    'replaced by another file',
    () => {
      writeFileSync(`${path}-new`, 'home-2\n');
      renameSync(`${path}-new`, path);
    },
  ],
  [
    'replaced by a link',
    () => {
      renameSync(path, `${path}-old`);
      symlinkSync(`${path}-old`, path);
    },
  ],
  ['removed', () => unlinkSync(path)],
];

it.each(changes)('a marker that is %s is read again', (_, change) => {
  later();
  const markers = cache();
  const read = () => {
    try {
      return markers.read('root', path);
    } catch (error) {
      return (error as Error).message.includes('ENOENT') ? 'none' : 'no file';
    }
  };
  expect([read(), read()]).toEqual(['home-1', 'home-1']);
  change();
  expect(read()).toBe({ removed: 'none', 'replaced by a link': 'no file' }[_] ?? 'home-2');
});

it.each([
  [64, 'read'],
  [65, 'refused'],
])('a text of %i bytes is %s', (bytes, outcome) => {
  writeFileSync(path, 'x'.repeat(bytes));
  const read = () => readMarker(path).length;
  if (outcome === 'read') expect(read()).toBe(bytes);
  else expect(read).toThrow('not-found');
});

it.skipIf(process.platform !== 'linux')('readers leave no file open', () => {
  const open = () => readdirSync('/proc/self/fd').length;
  const before = open();
  for (let count = 0; count < 20; count += 1) new MarkerCache().read('root', path);
  expect(open()).toBeLessThan(before + 10);
});

it.each([
  [2_999, false],
  [3_001, true],
  [-5_000, false],
])('a time %i ms ago identifies a state: %s', (age, isIdentifying) => {
  expect(isSettled(1_000_000 - age, 1_000_000)).toBe(isIdentifying);
});
