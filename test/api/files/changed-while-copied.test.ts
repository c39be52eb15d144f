import { mkdir, readdir, utimes, writeFile } from 'node:fs/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { copyItem } from '../../../dist/server/files/move/copy.js';
import { noFailPoints } from '../../../dist/server/lib/process/fail-points.js';
import { type Disk, openDisk } from '../../../dist/server/storage/disk/disk.js';
import { PeopleOnDisk } from '../../support/households/people-on-disk.ts';
import { uploadContext } from '../../support/households/upload-context.ts';

let people: PeopleOnDisk;
let disk: Disk;
const at = (name: string) => people.disk.at(name);
const SEEN = 1_600_000_000;

beforeEach(async () => {
  people = await PeopleOnDisk.open();
  disk = openDisk(noFailPoints);
  await mkdir(at('from'));
  await mkdir(at('to'));
  await writeFile(at('from/a.txt'), 'a');
  await utimes(at('from'), SEEN, SEEN);
});
afterEach(async () => {
  await disk.close();
  await people.close();
});

/** @param meanwhile runs once the folder has been read, before the copy gets its name */
async function copyAsSeen(meanwhile: () => Promise<void>): Promise<string> {
  const conditions = { ifMatch: null, ifNoneMatch: null, ifUnmodifiedSince: SEEN * 1_000 };
  const options = { overwrite: false, conditions, check: meanwhile };
  const ann = await people.caller(people.ann);
  return copyItem(uploadContext(people, disk), ann, ['ROOT', 'HOME', 'from'], ['ROOT', 'HOME', 'to'], options);
}

it('a folder that is changed while it is copied no longer meets its conditions', async () => {
  const copying = copyAsSeen(() => writeFile(at('from/b.txt'), 'b'));
  await expect(copying).rejects.toMatchObject({ code: 'precondition_failed' });
  expect(await readdir(at('to'))).toEqual([]);
  expect(await readdir(people.disk.home.area.incoming)).toEqual([]);
});

it('one that is not is copied', async () => {
  await copyAsSeen(async () => undefined);
  expect(await readdir(at('to'))).toEqual(['from']);
});
