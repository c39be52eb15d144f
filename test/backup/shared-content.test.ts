import { execFileSync } from 'node:child_process';
import { appendFile, link, lstat, mkdir, readFile, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Household, openHousehold } from '../support/households/household.ts';
import { linesOf, make } from './support.ts';

let household: Household;

beforeAll(async () => {
  household = await openHousehold();
});
afterAll(() => household.close());

const live = (...names: string[]) => join(household.home, ...names);
const inside = (backup: string, ...names: string[]) => join(backup, 'files', 'homes', 'ann', ...names);

it('links unchanged content to the previous backup, never to the home', async () => {
  await mkdir(live('photos'));
  for (const name of ['same.jpg', 'longer.jpg', 'touched.jpg', 'gone.jpg']) await writeFile(live('photos', name), name);
  const first = await make(household, { files: true });
  await appendFile(live('photos', 'longer.jpg'), '!');
  await utimes(live('photos', 'touched.jpg'), 1_000, 1_000);
  await rm(live('photos', 'gone.jpg'));
  await writeFile(live('photos', 'new.jpg'), 'new');
  const second = await make(household, { files: true });
  expect(second.files).toMatchObject({ count: 4, linked: 1 });

  const [before, after] = await Promise.all(
    [first, second].map(({ path }) => stat(inside(path, 'photos', 'same.jpg'))),
  );
  expect(after?.ino).toBe(before?.ino);
  expect(after?.nlink).toBe(2);
  expect((await stat(live('photos', 'same.jpg'))).nlink).toBe(1);
  for (const name of ['longer.jpg', 'touched.jpg', 'new.jpg']) {
    expect((await stat(inside(second.path, 'photos', name))).nlink, name).toBe(1);
    expect(await readFile(inside(second.path, 'photos', name)), name).toEqual(await readFile(live('photos', name)));
  }
  // What is written in its place changes no backup.
  await writeFile(live('photos', 'same.jpg'), 'overwritten where it lies');
  await appendFile(live('photos', 'longer.jpg'), 'more');
  for (const { path } of [first, second])
    expect(await readFile(inside(path, 'photos', 'same.jpg'), 'utf8')).toBe('same.jpg');
  expect(await readFile(inside(first.path, 'photos', 'gone.jpg'), 'utf8')).toBe('gone.jpg');
  // A backup that goes takes nothing of the other along.
  await household.control('backup.remove', { name: first.name });
  expect(await household.control('backup.verify', { name: second.name })).toMatchObject({ ok: true });
  expect((await stat(inside(second.path, 'photos', 'same.jpg'))).nlink).toBe(1);
});

it('keeps time and access rights of a file', async () => {
  await writeFile(live('run.sh'), 'true', { mode: 0o750 });
  await utimes(live('run.sh'), 1_700_000_000.25, 1_700_000_000.25);
  const { path } = await make(household, { files: true });
  const copy = await stat(inside(path, 'run.sh'));
  expect([copy.mode & 0o777, copy.mtimeMs]).toEqual([0o750, 1_700_000_000_250]);
});

it('copies older versions once', async () => {
  const api = await household.signIn();
  for (const content of ['one', 'two', 'three'])
    await api.put({ filePath: '/ROOT/HOME/text.txt', overwrite: 1 }, content);
  const first = await make(household, { files: true, history: true });
  // One without them in between changes nothing.
  await make(household, { files: true });
  const second = await make(household, { files: true, history: true });
  const versions = (await linesOf(second.path)).filter(({ path, sha256 }) => path.startsWith('versions/') && sha256);
  expect(versions.length).toBe(2);
  for (const { path, linked } of versions) {
    expect(linked).toBe(true);
    expect((await stat(join(second.path, 'files', path))).ino).toBe((await stat(join(first.path, 'files', path))).ino);
  }
});

it('neither follows nor copies symbolic links and special files, and counts them', async () => {
  await mkdir(live('links'));
  await writeFile(join(household.folder, 'secret.txt'), 'secret');
  await symlink(join(household.folder, 'secret.txt'), live('links', 'file'));
  await symlink(household.folder, live('links', 'folder'));
  await symlink('nowhere', live('links', 'dead'));
  await link(live('run.sh'), live('links', 'hard.sh'));
  execFileSync('mkfifo', [live('links', 'pipe')]);
  const made = await make(household, { files: true });
  expect(made.files?.notFollowed).toBe(4);
  const names = (await linesOf(made.path)).map(({ path }) => path).filter((path) => path.includes('/links/'));
  expect(names).toEqual(['homes/ann/links/hard.sh']);
  for (const name of ['file', 'folder', 'dead', 'pipe'])
    await expect(lstat(inside(made.path, 'links', name))).rejects.toThrow('ENOENT');
});

it('does not use a damaged backup for unchanged content', async () => {
  await writeFile(live('large.bin'), Buffer.alloc(1_000, 1));
  const first = await make(household, { files: true });
  await writeFile(inside(first.path, 'large.bin'), Buffer.alloc(999, 1));
  const second = await make(household, { files: true });
  expect(await readFile(inside(second.path, 'large.bin'))).toEqual(Buffer.alloc(1_000, 1));
  expect(await household.control('backup.verify', { name: first.name })).toMatchObject({ ok: false });
  expect(await household.control('backup.verify', { name: second.name })).toMatchObject({ ok: true });
});

it('does not use a backup whose list was changed', async () => {
  const first = await make(household, { files: true });
  await appendFile(join(first.path, 'files.jsonl'), 'no line of a list\n');
  const second = await make(household, { files: true });
  // The one before it is whole.
  expect(second.files?.linked).toBeGreaterThan(0);
  expect(await household.control('backup.verify', { name: second.name })).toMatchObject({ ok: true });
});

it('copies content that was changed without a new time', async () => {
  const path = live('container.bin');
  await writeFile(path, 'before');
  await utimes(path, 1_700_000_000.5, 1_700_000_000.5);
  await make(household, { files: true });
  await writeFile(path, 'after!');
  await utimes(path, 1_700_000_000.5, 1_700_000_000.5);
  const second = await make(household, { files: true });
  expect(await readFile(inside(second.path, 'container.bin'), 'utf8')).toBe('after!');
});

it('contains names with every character that the disk allows', async () => {
  for (const name of ['a\u2028b.txt', 'c\u2029d.txt', 'e\nf.txt', 'g\rh.txt', 'i"\\j.txt', 'k\u0085l.txt'])
    await writeFile(live(name), name);
  for (const linked of [false, true]) {
    const made = await make(household, { files: true });
    const lines = await linesOf(made.path);
    for (const name of ['a\u2028b.txt', 'c\u2029d.txt', 'e\nf.txt', 'g\rh.txt', 'i"\\j.txt', 'k\u0085l.txt']) {
      expect(await readFile(inside(made.path, name), 'utf8')).toBe(name);
      expect(lines.find(({ path }) => path === `homes/ann/${name}`)?.linked === true, name).toBe(linked);
    }
    expect(await household.control('backup.verify', { name: made.name })).toMatchObject({ ok: true });
  }
});

it('contains a file that only its group may read, and is readable itself', async () => {
  await writeFile(live('odd.txt'), 'odd', { mode: 0o040 });
  const made = await make(household, { files: true });
  expect((await stat(inside(made.path, 'odd.txt'))).mode & 0o777).toBe(0o440);
  expect((await linesOf(made.path)).find(({ path }) => path.endsWith('odd.txt'))).toMatchObject({ mode: 0o040 });
});
