import { mkdtempSync, readdirSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { haveSameBytes } from '../../dist/server/storage/content/same-bytes.js';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'larder-bytes-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

function openFiles(): string[] {
  return readdirSync('/proc/self/fd').flatMap((fd) => {
    try {
      return [readlinkSync(`/proc/self/fd/${fd}`)];
    } catch {
      return [];
    }
  });
}

it('compares ranges of two files', async () => {
  const [one, other] = [join(folder, 'one'), join(folder, 'other')];
  writeFileSync(one, 'abcdef');
  writeFileSync(other, 'cdef');
  expect(await haveSameBytes({ path: one, from: 2 }, { path: other, from: 0 }, 4)).toBe(true);
  expect(await haveSameBytes({ path: one, from: 1 }, { path: other, from: 0 }, 4)).toBe(false);
  expect(await haveSameBytes({ path: one, from: 2 }, { path: other, from: 0 }, 5)).toBe(false);
});

it.skipIf(process.platform !== 'linux')('keeps no file open if the other one is missing', async () => {
  const [there, missing] = [join(folder, 'there'), join(folder, 'missing')];
  writeFileSync(there, 'content');
  for (const [one, other] of [
    [there, missing],
    [missing, there],
  ] as const) {
    const compared = haveSameBytes({ path: one, from: 0 }, { path: other, from: 0 }, 4);
    await expect(compared).rejects.toMatchObject({ code: 'ENOENT' });
    expect(openFiles()).not.toContain(there);
  }
});
