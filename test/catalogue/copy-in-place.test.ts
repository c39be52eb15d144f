import { execFileSync } from 'node:child_process';
import { copyFile, rename, writeFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { AccountCaller } from '../../dist/server/access/caller.js';
import type { UploadContext } from '../../dist/server/files/upload/context.js';
import { prepareUpload } from '../../dist/server/files/upload/plan.js';
import { publishUpload } from '../../dist/server/files/upload/publish.js';
import { noFailPoints } from '../../dist/server/lib/process/fail-points.js';
import { type Disk, openDisk } from '../../dist/server/storage/disk/disk.js';
import { PeopleOnDisk } from '../support/households/people-on-disk.ts';
import { uploadContext } from '../support/households/upload-context.ts';

// Another program puts a file in the place of one, and nothing has compared its folder since.

let people: PeopleOnDisk;
let disk: Disk;
let context: UploadContext;
let ann: AccountCaller;
const at = (name: string) => people.disk.at(name);

beforeEach(async () => {
  people = await PeopleOnDisk.open();
  disk = openDisk(noFailPoints);
  context = uploadContext(people, disk) as UploadContext;
  ann = await people.caller(people.ann);
});
afterEach(async () => {
  await disk.close();
  await people.close();
});

async function store(content: string, ifMatch: readonly string[] | null = null) {
  const conditions = { ifMatch, ifNoneMatch: null, ifUnmodifiedSince: null };
  const location = { filePath: ['ROOT', 'HOME', 'a.txt'] };
  const plan = await prepareUpload(context, ann, { location, bytes: content.length, chunk: null, conditions });
  await plan.receive(Readable.from([Buffer.from(content)]));
  const published = await publishUpload(context, ann, plan);
  if (!('file' in published)) throw new Error('not published');
  return published;
}

/** @param content of the copy; that of the file without it */
async function replaceByCopy(content?: string): Promise<void> {
  if (content === undefined) await copyFile(at('a.txt'), at('a.txt.tmp'));
  else await writeFile(at('a.txt.tmp'), content);
  // To the nanosecond, which the functions of Node round.
  execFileSync('touch', ['-r', at('a.txt'), at('a.txt.tmp')]);
  await rename(at('a.txt.tmp'), at('a.txt'));
}

it('a copy with the size and time of a file meets If-Match if it has its content', async () => {
  const { etag } = await store('first');
  await replaceByCopy();
  expect(await store('next', [etag])).toMatchObject({ file: { created: false } });
});

it('a file with the same size and time, and another content, does not meet it', async () => {
  const { etag } = await store('first');
  await replaceByCopy('other');
  await expect(store('next', [etag])).rejects.toMatchObject({ code: 'precondition_failed' });
});
