import { execFileSync } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { LogFileWriter } from '../../dist/server/storage/installation/log-file-writer.js';

let folder: string;
let path: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'larder-log-'));
  path = join(folder, 'a.log');
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const text = () => readFile(path, 'utf8');
const open = (at = path) => new LogFileWriter(at, (count) => `${count} lost\n`);
const lineOf = (n: number, length: number) => `${n} ${'x'.repeat(length)}\n`;

it('writes every line of a burst', async () => {
  const file = open();
  let all = 'first\n';
  file.write(all);
  for (let n = 0; n < 64; n += 1) {
    const line = lineOf(n, 16 * 1024);
    all += line;
    file.write(line);
    // So much fits into the queue at once.
    if (n % 8 === 7) await expect.poll(async () => (await text()) === all).toBe(true);
  }
});

it.skipIf(process.platform === 'win32')('refuses a pipe at once instead of waiting for its reader', () => {
  execFileSync('mkfifo', [path]);
  expect(() => open()).toThrow('is a pipe');
});

it('writes every line once and in order if it is flushed during a write', async () => {
  const file = open();
  let all = '';
  for (let n = 0; n < 200; n += 1) {
    // The long one is being written by the system, the short one is queued.
    for (const length of [8 * 1024, 10]) {
      const line = lineOf(n, length);
      all += line;
      file.write(line);
    }
    file.flush();
    if (n % 10 === 0) await turn();
  }
  expect((await text()) === all).toBe(true);
  // What was passed to the system is not written a second time later.
  file.write('last\n');
  await expect.poll(async () => (await text()) === `${all}last\n`).toBe(true);
});

it('does not throw on a full disk', () => {
  const file = open('/dev/full');
  for (let n = 0; n < 100; n += 1) file.write(lineOf(n, 8 * 1024));
  expect(() => file.flush()).not.toThrow();
});

it('keeps a limited number of files of limited size, with the newest lines in the first', async () => {
  const file = new LogFileWriter(path, (count) => `${count} lost\n`, { bytes: 20_000, files: 3 });
  for (let n = 0; n < 200; n += 1) {
    file.write(lineOf(n, 1_000));
    if (n % 10 === 0) file.flush();
  }
  file.flush();
  const names = (await readdir(folder)).sort();
  expect(names).toEqual(['a.log', 'a.log.1', 'a.log.2']);
  const texts = await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')));
  for (const one of texts) expect(one.length).toBeLessThanOrEqual(20_000 + 1_010);
  // There is no gap up to the last line.
  const numbers = texts
    .reverse()
    .flatMap((one) => one.trim().split('\n'))
    .map((line) => Number(line.split(' ')[0]));
  expect(numbers.at(-1)).toBe(199);
  expect(numbers).toEqual(Array.from({ length: numbers.length }, (_, n) => 200 - numbers.length + n));
});
