import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Random } from '../../model/random.ts';
import type { Edits } from './edits.ts';

const NAMES = ['a.txt', 'b ä.txt', 'c'];
const isCopy = (name: string) => name.includes('conflicted copy');

/** What has to be in the shared folder after everyone has synchronized it. */
export interface Expected {
  /** Contents, sorted. */
  readonly contents: readonly string[];
  readonly copies: number;
}

/** A folder that everyone changes at the same time. All are equal before. @param folders of everyone, which exist */
export async function editShared(folders: readonly string[], edits: Edits, random: Random): Promise<Expected> {
  const [first = ''] = folders;
  // One of them has looked at the copies of the last round.
  for (const name of await readdir(first)) if (isCopy(name)) await rm(join(first, name));
  let copies = 0;
  const contents: string[] = [];
  for (const name of NAMES) {
    const there = (await readdir(first)).includes(name);
    const versions: string[] = [];
    const before = there ? await readFile(join(first, name), 'utf8') : null;
    let isGone = !there;
    for (const folder of folders) {
      const kind = random.weighted({ change: 4, remove: there ? 1 : 0, nothing: 5 });
      if (kind === 'change') versions.push(await edits.write(join(folder, name)));
      if (kind !== 'remove') continue;
      await rm(join(folder, name));
      isGone = true;
    }
    if (versions.length === 0 && !isGone && before !== null) contents.push(before);
    contents.push(...versions);
    copies += Math.max(0, versions.length - 1);
  }
  return { contents: contents.sort(), copies };
}

/** What is in the shared folder. */
export async function foundIn(folder: string): Promise<Expected> {
  const names = await readdir(folder);
  const contents = await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')));
  return { contents: contents.sort(), copies: names.filter(isCopy).length };
}
