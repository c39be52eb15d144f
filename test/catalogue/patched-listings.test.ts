import { appendFileSync, mkdirSync, readdirSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { FolderContent } from '../../dist/server/catalogue/catalogue.js';
import { Random } from '../model/random.ts';
import { itInFull } from '../support/forms.ts';
import { stillPerformance } from '../support/system/still-performance.ts';
import { listed, onDisk } from './snapshot-changes.ts';
import { caughtUp, type KeptFolder, openKeptFolder } from './support.ts';

// Of a large folder, only the entries that have changed are read again. The listing is the same as if all had been read.

const FILES = 700;

let kept: KeptFolder;
let reads: ReturnType<typeof vi.spyOn>;
const wide = (...names: string[]) => join(kept.root, 'wide', ...names);

beforeEach(async () => {
  kept = await openKeptFolder();
  mkdirSync(wide());
  for (let file = 0; file < FILES; file += 1) writeFileSync(wide(`IMG_${file}.jpg`), 'x'.repeat(file % 5));
  for (const name of ['b', 'A', 'ä', 'C 10', 'C 9']) mkdirSync(wide(name));
  await caughtUp(kept);
  reads = vi.spyOn(kept.part().disk, 'run');
  await expect
    .poll(async () => {
      await list();
      count('list');
      await list();
      return count('list');
    })
    .toBe(0);
});
afterEach(() => kept.close());

async function list(): Promise<FolderContent> {
  await turn();
  return kept.part().catalogue.list(kept.home, ['wide'], { allowStaleRows: true });
}

function count(operation: string): number {
  const number = reads.mock.calls.filter(([name]: unknown[]) => name === operation).length;
  reads.mockClear();
  return number;
}

/** Compares with the disk, the rows, and the order of a complete reading. */
async function isComplete(what: string): Promise<void> {
  const content = await list();
  expect(listed(content), what).toEqual(onDisk(kept.root, ['wide']));
  const whole = await kept.part().catalogue.list(kept.home, ['wide'], { remember: false });
  expect(content.listing.names, what).toEqual(whole.listing.names);
  expect(content.listing.folderCount, what).toBe(whole.listing.folderCount);
  for (const column of ['sizes', 'mtimes', 'created', 'inodes', 'births', 'changes', 'touches'] as const)
    expect(content.listing[column], `${what}: ${column}`).toEqual(whole.listing[column]);
  const rows = await kept.database.all<{ id: number; name: string; uuid: string; version: number }>(
    `SELECT id, name, uuid, version FROM items
     WHERE parent_id = (SELECT id FROM items WHERE name = 'wide') AND missing_since IS NULL`,
  );
  const items = content.listing.names.map((name, at) => {
    const { id, uuid, version } = content.items.at(at) ?? {};
    return { id, name, uuid, version };
  });
  const byName = (a: { name: string }, b: { name: string }) => (a.name < b.name ? -1 : 1);
  expect(items.sort(byName), what).toEqual(rows.sort(byName));
  expect(content.items.count).toBe(rows.length);
}

itInFull('is complete after each of many random changes, most of which are read separately', async () => {
  const random = new Random(20_261_124);
  let [next, parts] = [0, 0];
  // After its lifetime, the whole folder is read.
  const time = stillPerformance();
  for (let change = 0; change < 120; change += 1) {
    time.advance(10);
    const files = readdirSync(wide()).filter((name) => name.includes('.'));
    const file = random.pick(files);
    const kind = random.weighted({
      create: 3,
      remove: 2,
      edit: 3,
      rename: 3,
      date: 1,
      replace: 1,
      several: 1,
      rows: 1,
    });
    const name = `${random.pick(['IMG_', 'new ', 'Ä', 'zz', '0'])}${next++}.jpg`;
    if (kind === 'create') writeFileSync(wide(name), 'new');
    else if (kind === 'remove') rmSync(wide(file));
    else if (kind === 'edit') appendFileSync(wide(file), 'more');
    else if (kind === 'rename') renameSync(wide(file), wide(name));
    else if (kind === 'date') utimesSync(wide(file), change, change);
    else if (kind === 'replace') {
      writeFileSync(join(kept.root, name), 'another');
      renameSync(join(kept.root, name), wide(file));
    } else if (kind === 'several') {
      for (const one of new Set([file, random.pick(files), random.pick(files)]))
        renameSync(wide(one), wide(`${next++}.txt`));
    } else
      await kept.database.files.write((tx) => tx.run('UPDATE items SET version = version + 1 WHERE name = ?', [file]));
    count('listNames');
    await list();
    parts += Math.min(1, count('listNames'));
    await isComplete(`change ${change}: ${kind} ${file}`);
  }
  expect(parts).toBeGreaterThan(60);
});

it('keeps the identity of a renamed file', async () => {
  stillPerformance();
  const uuidOf = async (name: string) => {
    const { listing, items } = await list();
    return items.at(listing.names.indexOf(name))?.uuid;
  };
  const before = await uuidOf('IMG_5.jpg');
  count('listNames');
  renameSync(wide('IMG_5.jpg'), wide('renamed.jpg'));
  expect(await uuidOf('renamed.jpg')).toBe(before);
  expect(count('listNames')).toBeGreaterThan(0);
  await isComplete('renamed');
});

it('updates files that become folders, and folders that become files', async () => {
  rmSync(wide('IMG_7.jpg'));
  mkdirSync(wide('IMG_7.jpg'));
  rmSync(wide('b'), { recursive: true });
  writeFileSync(wide('b'), 'a file now');
  await isComplete('exchanged');
});

itInFull('reads everything after more changes than it can remember', async () => {
  for (let file = 0; file < 400; file += 1) appendFileSync(wide(`IMG_${file}.jpg`), 'more');
  await isComplete('many');
});
