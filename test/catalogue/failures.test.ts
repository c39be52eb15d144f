import { chmod, cp, mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { caughtUp, type KeptFolder, openKeptFolder, rowsOf } from './support.ts';

let kept: KeptFolder;
const at = (path: string) => join(kept.root, path);
const progress = () => kept.part().reconciler.progress()[0];
const isKnown = async (path: string) => (await rowsOf(kept.database)).has(path);
const isReady = () => expect.poll(() => progress()?.state).toBe('ready');

beforeEach(async () => {
  kept = await openKeptFolder();
});
afterEach(() => kept.close());

it('counts a home that cannot be watched at all', async () => {
  await kept.close();
  kept = await openKeptFolder({ watched: 0 });
  await writeFile(at('file.txt'), '');
  await isReady();
  expect(progress()?.unwatched).toBe(1);
});

it('sees what changes beside a folder that it may not read', async () => {
  for (const name of ['closed', 'open']) await mkdir(at(name));
  await isReady();
  for (const name of ['closed', 'open']) await writeFile(at(`${name}/file.txt`), '');
  await chmod(at('closed'), 0o000);
  const isRoot = process.geteuid?.() === 0;
  // The test's folder is not accessible to others.
  if (isRoot) await chmod(join(kept.root, '..', '..'), 0o755);
  if (isRoot) process.seteuid?.(65_534);
  try {
    await expect.poll(() => isKnown('open/file.txt')).toBe(true);
  } finally {
    if (isRoot) process.seteuid?.(0);
    await chmod(at('closed'), 0o755);
  }
  expect(await isKnown('closed')).toBe(true);
});

it('watches the folder that took the place of the root', async () => {
  await mkdir(at('folder'));
  await isReady();
  await cp(kept.root, `${kept.root} copy`, { recursive: true });
  await rename(kept.root, `${kept.root} before`);
  await rename(`${kept.root} copy`, kept.root);
  await expect.poll(() => progress()?.state).not.toBe('ready');
  await isReady();
  await writeFile(at('new.txt'), '');
  await caughtUp(kept, 10_000);
});

it('makes good what the database refused for a while', async () => {
  await isReady();
  await kept.database.write((tx) =>
    tx.run(`CREATE TRIGGER refuse BEFORE INSERT ON items WHEN NEW.name = 'refused.txt'
      BEGIN SELECT RAISE(ABORT, 'refused'); END`),
  );
  await writeFile(at('refused.txt'), '');
  await new Promise((resolve) => setTimeout(resolve, 2_000));
  expect(await isKnown('refused.txt')).toBe(false);
  await kept.database.write((tx) => tx.run('DROP TRIGGER refuse'));
  await caughtUp(kept, 25_000);
});

it('finds what comes while every file is being checked, before that is over', async () => {
  for (let index = 0; index < 4_000; index += 1) await mkdir(at(`${index}`));
  await mkdir(join(kept.root, '..', 'outside', 'inner'), { recursive: true });
  await writeFile(join(kept.root, '..', 'outside', 'inner', 'file.txt'), '');
  await caughtUp(kept);
  await kept.whileStopped(async () => undefined);
  await expect.poll(() => progress()?.state).toBe('checking');
  await rename(join(kept.root, '..', 'outside'), at('came in'));
  await expect.poll(() => isKnown('came in/inner/file.txt')).toBe(true);
  expect(progress()?.state).toBe('checking');
  await rm(at('came in'), { recursive: true });
});
