import { chmod, mkdir, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type KeptFolder, openKeptFolder, rowsOf } from './support.ts';

let kept: KeptFolder;
const at = (path: string) => join(kept.root, path);
const isKnown = async (path: string) => (await rowsOf(kept.database)).has(path);
const isReady = () => expect.poll(() => kept.part().reconciler.progress()[0]?.state).toBe('ready');

/** Lets others, and the group, read a folder and those above it. @returns which were closed, and their modes */
async function openToOthers(folder: string): Promise<{ path: string; mode: number }[]> {
  const closed: { path: string; mode: number }[] = [];
  for (let path = folder; path !== dirname(path); path = dirname(path)) {
    const mode = (await stat(path)).mode & 0o7777;
    if ((mode & 0o55) === 0o55) continue;
    closed.push({ path, mode });
    await chmod(path, mode | 0o55);
  }
  return closed;
}

beforeEach(async () => {
  kept = await openKeptFolder();
});
afterEach(() => kept.close());

it('changes beside an unreadable folder are detected', async () => {
  for (const name of ['closed', 'open']) await mkdir(at(name));
  await isReady();
  for (const name of ['closed', 'open']) await writeFile(at(`${name}/file.txt`), '');
  await chmod(at('closed'), 0o000);
  const isRoot = process.geteuid?.() === 0;
  // The temporary folders are not accessible to others.
  const opened = isRoot ? await openToOthers(dirname(kept.root)) : [];
  try {
    if (isRoot) process.seteuid?.(65_534);
    await expect.poll(() => isKnown('open/file.txt')).toBe(true);
  } finally {
    if (isRoot) process.seteuid?.(0);
    await chmod(at('closed'), 0o755);
    for (const { path, mode } of opened) await chmod(path, mode);
  }
  expect(await isKnown('closed')).toBe(true);
});
