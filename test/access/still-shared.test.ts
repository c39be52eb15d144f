import { existsSync } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { AccountCaller } from '../../dist/server/access/caller.js';
import { lockKey } from '../../dist/server/catalogue/catalogue.js';
import type { Home } from '../../dist/server/catalogue/homes.js';
import type { ContentContext } from '../../dist/server/files/content-context.js';
import { createFolder } from '../../dist/server/files/create-folder.js';
import { readText } from '../../dist/server/files/download/read-text.js';
import { lockFile } from '../../dist/server/files/locks/locks.js';
import { copyItem } from '../../dist/server/files/move/copy.js';
import { moveItem } from '../../dist/server/files/move/move.js';
import { publishContent } from '../../dist/server/files/publish/publish-content.js';
import { publishTree } from '../../dist/server/files/publish/publish-tree.js';
import { deleteItem } from '../../dist/server/files/trash/delete.js';
import type { ArchiveContext } from '../../dist/server/files/zip/context.js';
import { extractArchive } from '../../dist/server/files/zip/extract.js';
import { readPassage } from '../../dist/server/listing/passage.js';
import type { Disk } from '../../dist/server/storage/disk/disk.js';
import { buildZip } from '../support/content/build-zip.ts';
import { PeopleOnDisk } from '../support/households/people-on-disk.ts';
import { uploadContext } from '../support/households/upload-context.ts';

// Ann ends a share while Ben works in it: after his path was resolved, and before the item is changed.

let people: PeopleOnDisk;
let context: ContentContext & ArchiveContext;
let ben: AccountCaller;
let bensHome: Home;
let share = 0;
/** Called after an operation of the disk, before its result is returned. */
let afterDisk: (operation: string) => Promise<unknown>;
/** Jobs sent to the archive workers. */
let archivesRead: string[];
let textsRead: string[];

beforeEach(async () => {
  people = await PeopleOnDisk.open();
  const { disk, home, homes, layout } = people.disk;
  bensHome = await people.disk.newHome('ben');
  const id = await people.add('ben', { homeId: bensHome.id });
  const box = await people.disk.folder('box');
  await people.disk.file('box/a.txt');
  await people.disk.folder('box/inner');
  await people.disk.file('box/inner/b.txt');
  await writeFile(people.disk.at('box', 'c.zip'), buildZip([{ name: 'packed.txt', content: 'packed' }]));
  await people.disk.remember('box/c.zip');
  share = await people.share({ itemId: box.id, by: people.ann, to: id });
  ben = await people.caller(id);
  afterDisk = async () => undefined;
  archivesRead = [];
  textsRead = [];
  const watched: Disk = Object.assign(Object.create(disk) as Disk, {
    async run(operation: never, input: never): Promise<unknown> {
      const output: unknown = await disk.run(operation, input);
      await afterDisk(operation);
      return output;
    },
  });
  context = {
    ...uploadContext(people, watched),
    archives: {
      async run(job: string) {
        archivesRead.push(job);
        throw new Error('an archive was read');
      },
    } as unknown as ArchiveContext['archives'],
    texts: {
      async run(job: string) {
        textsRead.push(job);
        throw new Error('a text was read');
      },
    } as unknown as ContentContext['texts'],
  };
  expect([await homes.byId(home.id), existsSync(layout.folder)]).toEqual([home, true]);
});
afterEach(() => people.close());

const NOT_FOUND = { code: 'not_found' };
const shared = (...below: string[]) => ['ROOT', String(people.ann), String(share), ...below];
const mine = (...below: string[]) => ['ROOT', 'HOME', ...below];
const inBox = () => readdir(people.disk.at('box'));
const inBensHome = () => readdir(bensHome.homeRoot.root);

/** Ends the share as soon as the disk has completed this operation. */
function endsAfter(operation: string): void {
  afterDisk = async (answered) => {
    if (answered !== operation) return;
    afterDisk = async () => undefined;
    await people.unshare(share);
  };
}

/** Lets the work reach the lock of a path, ends the share, and lets it continue. */
async function endsAtLock(below: readonly string[], work: () => Promise<unknown>): Promise<void> {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const key = lockKey(people.disk.home, ['box', ...below]);
  const held = context.pathLocks.run([key], () => released);
  let waits = false;
  const take = context.pathLocks.run.bind(context.pathLocks);
  context.pathLocks.run = (paths, locked) => {
    waits ||= paths.includes(key);
    return take(paths, locked);
  };
  const refused = expect(work()).rejects.toMatchObject(NOT_FOUND);
  await expect.poll(() => waits).toBe(true);
  await people.unshare(share);
  release();
  await held;
  await refused;
}

it('an ended share: nothing is extracted from an archive', async () => {
  endsAfter('open');
  await expect(extractArchive(context, ben, shared('c.zip'), mine())).rejects.toMatchObject(NOT_FOUND);
  expect([archivesRead, await inBensHome()]).toEqual([[], ['.larder-home']]);
});

it('an archive is read while it is shared', async () => {
  await expect(extractArchive(context, ben, shared('c.zip'), mine())).rejects.toThrow(/an archive was read/);
});

it.each(['a.txt', 'inner'])('an ended share: nothing is copied: %s', async (name) => {
  endsAfter('open');
  await expect(copyItem(context, ben, shared(name), mine(), { overwrite: false })).rejects.toMatchObject(NOT_FOUND);
  expect(await inBensHome()).toEqual(['.larder-home']);
  expect(await readdir(bensHome.area.incoming)).toEqual([]);
});

it('an ended share: no part of a text is quoted or shown', async () => {
  endsAfter('open');
  await expect(readPassage(context, ben, shared('a.txt'), ['content'])).rejects.toMatchObject(NOT_FOUND);
  await expect(readText(context, ben, shared('a.txt'), { name: 'a.txt' })).rejects.toMatchObject(NOT_FOUND);
  expect(textsRead).toEqual([]);
});

it('an ended share: nothing is copied into it', async () => {
  await writeFile(join(bensHome.homeRoot.root, 'mine.txt'), 'mine');
  await endsAtLock(['mine.txt'], () => copyItem(context, ben, mine('mine.txt'), shared(), { overwrite: false }));
  expect(await inBox()).not.toContain('mine.txt');
});

it('an ended share: nothing is deleted', async () => {
  await endsAtLock(['a.txt'], () => deleteItem(context, ben, shared('a.txt')));
  expect(await inBox()).toContain('a.txt');
});

it('an ended share: nothing is renamed or moved', async () => {
  await endsAtLock(['a.txt'], () => moveItem(context, ben, shared('a.txt'), shared('inner'), { overwrite: false }));
  expect([await inBox(), await readdir(people.disk.at('box', 'inner'))]).toEqual([
    expect.arrayContaining(['a.txt']),
    ['b.txt'],
  ]);
});

it('an ended share: no folder is created', async () => {
  await endsAtLock(['new'], () => createFolder(context, ben, shared(), 'new'));
  expect(await inBox()).not.toContain('new');
});

it('an ended share: nothing is locked', async () => {
  const target = await context.access.resolveItem(ben, shared('a.txt'), 'files/lock');
  expect(target.share?.id).toBe(share);
  await endsAtLock(['a.txt'], () => lockFile(context, ben, shared('a.txt')));
  expect(await people.disk.database.all('SELECT * FROM locks')).toEqual([]);
});

it('an ended share: no content is replaced', async () => {
  const target = await context.access.resolveItem(ben, shared('a.txt'), 'files/upload');
  const incoming = join(people.disk.home.area.incoming, 'incoming');
  await writeFile(incoming, 'from Ben');
  await endsAtLock(['a.txt'], () => publishContent(context, ben, target, incoming));
  expect(await readFile(people.disk.at('box', 'a.txt'), 'utf8')).toBe('content of box/a.txt');
});

it('an ended share: no prepared content is published', async () => {
  const target = await context.access.resolveItem(ben, shared('made.txt'), 'files/upload');
  const made = join(people.disk.home.area.incoming, 'made');
  await writeFile(made, 'from Ben');
  await endsAtLock(['made.txt'], () => publishTree(context, ben, target, made, { onPublished: () => undefined }));
  expect(await inBox()).not.toContain('made.txt');
});
