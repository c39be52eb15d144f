import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { AccountCaller } from '../../../dist/server/access/caller.js';
import { afterChunks, withoutChunks } from '../../../dist/server/files/upload/chunk-lock.js';
import type { UploadContext } from '../../../dist/server/files/upload/context.js';
import { discardUpload } from '../../../dist/server/files/upload/discard-upload.js';
import { beginUploadInParts, uploadInParts } from '../../../dist/server/files/upload/parts/part-rows.js';
import { receivePart } from '../../../dist/server/files/upload/parts/receive-part.js';
import { prepareUpload } from '../../../dist/server/files/upload/plan.js';
import { publishUpload } from '../../../dist/server/files/upload/publish.js';
import { noFailPoints } from '../../../dist/server/lib/process/fail-points.js';
import { type Disk, openDisk } from '../../../dist/server/storage/disk/disk.js';
import { Stalls } from '../../../dist/server/storage/disk/stalls.js';
import { PeopleOnDisk } from '../../support/households/people-on-disk.ts';
import { uploadContext } from '../../support/households/upload-context.ts';

// A disk stops responding while an upload is written: the request is given up, but its calls may still happen.

let people: PeopleOnDisk;
let disk: Disk;
let stalls: Stalls;
let context: UploadContext;
let ann: AccountCaller;

beforeEach(async () => {
  people = await PeopleOnDisk.open();
  stalls = new Stalls();
  disk = openDisk(noFailPoints, { stalls });
  context = uploadContext(people, disk) as UploadContext;
  ann = await people.caller(people.ann);
});
afterEach(async () => {
  await disk.close();
  await people.close();
});

const OFFLINE = { code: 'storage_offline' };
const SIZE = 12;
const root = () => people.disk.home.homeRoot.root;
const incoming = () => people.disk.inArea('incoming');
const location = { filePath: ['ROOT', 'HOME', 'film.bin'] };

const planned = (startByte: number, bytes: number) =>
  prepareUpload(context, ann, {
    location,
    bytes,
    chunk: { uploadId: 'an-upload-of-twelve', totalSize: SIZE, startByte, lastModified: undefined, digest: undefined },
  });

async function sendChunk(startByte: number, content: string) {
  const plan = await planned(startByte, content.length);
  await plan.receive(Readable.from([Buffer.from(content)]));
  const published = await publishUpload(context, ann, plan);
  await plan.drop();
  return published;
}

/** A content of which `begin` has come; it ends late, however it ends. */
function lateContent(begin: string) {
  let end = () => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  const content = new PassThrough({ destroy: (error, done) => void ended.then(() => done(error)) });
  content.write(begin);
  return { content, end };
}

/** Begins to receive, and lets the disk stop responding meanwhile. @returns a function that lets it respond again */
async function stallDuring(receiving: Promise<unknown>, content: PassThrough): Promise<() => void> {
  const given = expect(receiving).rejects.toMatchObject(OFFLINE);
  await expect.poll(() => content.readableLength).toBe(0);
  const answers = stalls.add(root());
  await given;
  return answers;
}

it('a chunk that was given up is over before the next one begins, and changes neither it nor the file', async () => {
  expect(await sendChunk(0, 'aaaa')).toMatchObject({ offset: 4 });
  const [name = ''] = await incoming();
  const { content, end } = lateContent('bb');
  const plan = await planned(4, 8);
  const answers = await stallDuring(plan.receive(content), content);
  // While the disk does not respond, nobody waits for it.
  await expect(sendChunk(4, 'cccccccc')).rejects.toMatchObject(OFFLINE);
  answers();
  const order: string[] = [];
  const next = sendChunk(4, 'cccccccc').finally(() => order.push('next'));
  await expect.poll(() => content.destroyed).toBe(true);
  // Others do not wait for it.
  const other = await prepareUpload(context, ann, {
    location: { filePath: ['ROOT', 'HOME', 'b'] },
    bytes: 1,
    chunk: null,
  });
  await other.receive(Readable.from([Buffer.from('x')]));
  await publishUpload(context, ann, other);
  expect((await readFile(join(people.disk.home.area.incoming, name))).length).toBe(4);
  order.push('given up');
  end();
  expect(await next).toMatchObject({ file: { fileSize: SIZE } });
  expect(order).toEqual(['given up', 'next']);
  expect(await readFile(people.disk.at('film.bin'), 'utf8')).toBe('aaaacccccccc');
  expect(await context.uploadRows.all('SELECT id FROM uploads')).toEqual([]);
});

it('whoever gives up waiting for a chunk lets nobody begin before it', async () => {
  expect(await sendChunk(0, 'aaaa')).toMatchObject({ offset: 4 });
  const { content, end } = lateContent('bb');
  const plan = await planned(4, 8);
  const answers = await stallDuring(plan.receive(content), content);
  answers();
  const waiting = expect(sendChunk(4, 'cccccccc')).rejects.toMatchObject(OFFLINE);
  await expect.poll(() => content.destroyed).toBe(true);
  const answersAgain = stalls.add(root());
  await waiting;
  answersAgain();
  let isOver = false;
  const last = sendChunk(4, 'dddddddd').finally(() => expect(isOver).toBe(true));
  await expect.poll(() => context.chunksInProgress.size).toBeGreaterThan(0);
  await disk.run('homeState', { homeRoot: people.disk.home.homeRoot });
  isOver = true;
  end();
  expect(await last).toMatchObject({ file: { fileSize: SIZE } });
  expect(await readFile(people.disk.at('film.bin'), 'utf8')).toBe('aaaadddddddd');
});

it('whoever waits for what a chunk has given up is told that the disk does not respond, also without a home', async () => {
  expect(await sendChunk(0, 'aaaa')).toMatchObject({ offset: 4 });
  const { content, end } = lateContent('bb');
  const plan = await planned(4, 8);
  const answers = await stallDuring(plan.receive(content), content);
  answers();
  const impatient = { ...context, disk: { ...disk, limit: 1 } };
  const [{ id = '' } = {}] = await context.uploadRows.all<{ id: string }>('SELECT id FROM uploads');
  let ran = 0;
  const work = async () => {
    ran += 1;
  };
  for (const home of [people.disk.home, null])
    await expect(withoutChunks(impatient, home, id, work)).rejects.toMatchObject(OFFLINE);
  expect(ran).toBe(0);
  end();
  for (const home of [people.disk.home, null]) await withoutChunks(context, home, id, work);
  expect(ran).toBe(2);
});

it('an upload that could not be removed because of its disk is removed once what was given up is over', async () => {
  const { content, end } = lateContent('aa');
  const plan = await planned(0, 8);
  const answers = await stallDuring(plan.receive(content), content);
  const [{ id = '' } = {}] = await context.uploadRows.all<{ id: string }>('SELECT id FROM uploads');
  let isOver = false;
  const removed = afterChunks(context, id, () => {
    expect(isOver).toBe(true);
    return discardUpload(context, people.disk.home, id);
  });
  answers();
  expect(await incoming()).toEqual([id]);
  isOver = true;
  end();
  await removed;
  expect(await incoming()).toEqual([]);
  expect(await context.uploadRows.all('SELECT id FROM uploads')).toEqual([]);
});

it('a content that was given up is removed once it has arrived', async () => {
  const { content, end } = lateContent('aaaa');
  const plan = await prepareUpload(context, ann, { location, bytes: 8, chunk: null });
  const answers = await stallDuring(plan.receive(content), content);
  await expect(publishUpload(context, ann, plan)).rejects.toThrow(/after it was received/);
  expect(await incoming()).toHaveLength(1);
  answers();
  content.end('bbbb');
  end();
  await expect.poll(incoming).toEqual([]);
  expect(await readdir(root())).not.toContain('film.bin');
});

it('a part that was given up is removed once it has arrived', async () => {
  const of = { accountId: people.ann, key: 'the-parts', homeId: people.disk.home.id, totalSize: null };
  await beginUploadInParts(context.uploadRows, of, 1);
  const upload = await uploadInParts(context.uploadRows, people.ann, 'the-parts');
  if (upload === null) throw new Error('there is no upload');
  const place = { upload, home: people.disk.home };
  const { content, end } = lateContent('aaaa');
  const receiving = receivePart(context, ann, place, content, { announced: 8, most: 100 });
  const answers = await stallDuring(receiving, content);
  const parts = () => readdir(join(people.disk.home.area.incoming, upload.id));
  answers();
  expect(await parts()).toHaveLength(1);
  content.end('bbbb');
  end();
  await expect.poll(parts).toEqual([]);
});

it('what is done between chunks is given up with the disk, and is over before the next chunk begins', async () => {
  expect(await sendChunk(0, 'aaaa')).toMatchObject({ offset: 4 });
  const [{ id = '' } = {}] = await context.uploadRows.all<{ id: string }>('SELECT id FROM uploads');
  let begun = () => {};
  let end = () => {};
  const hasBegun = new Promise<void>((resolve) => {
    begun = resolve;
  });
  const work = () =>
    new Promise<void>((resolve) => {
      begun();
      end = resolve;
    });
  const given = expect(withoutChunks(context, people.disk.home, id, work)).rejects.toMatchObject(OFFLINE);
  await hasBegun;
  const answers = stalls.add(root());
  await given;
  answers();
  let isOver = false;
  const next = sendChunk(4, 'cccccccc').finally(() => expect(isOver).toBe(true));
  await disk.run('homeState', { homeRoot: people.disk.home.homeRoot });
  isOver = true;
  end();
  expect(await next).toMatchObject({ file: { fileSize: SIZE } });
});

it('a chunk that is being added when its disk stops responding is given up, and over before the next one', async () => {
  const unnamed = (startByte: number, content: string) => async (within: UploadContext) => {
    const chunk = { uploadId: undefined, totalSize: SIZE, startByte, lastModified: undefined, digest: undefined };
    const plan = await prepareUpload(within, ann, { location, bytes: content.length, chunk });
    await plan.receive(Readable.from([Buffer.from(content)]));
    return publishUpload(within, ann, plan);
  };
  expect(await unnamed(0, 'aaaa')(context)).toMatchObject({ offset: 4 });
  const [{ id = '' } = {}] = await context.uploadRows.all<{ id: string }>('SELECT id FROM uploads');
  const sizeOf = async (name: string) => (await stat(join(people.disk.home.area.incoming, name))).size;
  // It repeats what has arrived, so it is compared first. The first write waits once the bytes are there.
  let goOn = () => {};
  let isHeld = false;
  const { uploadRows } = context;
  const held: UploadContext = {
    ...context,
    uploadRows: Object.assign(Object.create(uploadRows), {
      write: async (...call: Parameters<typeof uploadRows.write>) => {
        if ((await sizeOf(id)) === 8) {
          isHeld = true;
          await new Promise<void>((resolve) => {
            goOn = resolve;
          });
        }
        return uploadRows.write(...call);
      },
    }),
  };
  const given = expect(unnamed(0, 'aaaabbbb')(held)).rejects.toMatchObject(OFFLINE);
  await expect.poll(() => isHeld).toBe(true);
  const answers = stalls.add(root());
  await given;
  answers();
  let isOver = false;
  const next = unnamed(8, 'cccc')(context).finally(() => expect(isOver).toBe(true));
  await disk.run('homeState', { homeRoot: people.disk.home.homeRoot });
  isOver = true;
  goOn();
  expect(await next).toMatchObject({ file: { fileSize: SIZE } });
  expect(await readFile(people.disk.at('film.bin'), 'utf8')).toBe('aaaabbbbcccc');
});
