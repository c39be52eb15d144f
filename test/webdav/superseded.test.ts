import { appendFile, readdir, readFile, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { AccountCaller } from '../../dist/server/access/caller.js';
import { programOf } from '../../dist/server/webdav/program.js';
import type { ApiClient } from '../support/requests/api-client.ts';
import { openSharingHousehold, type SharingHousehold } from '../support/requests/sharing.ts';
import { type DavClient, davClient } from '../support/webdav/dav-client.ts';

// What a program replaces that it has just written itself is a step of saving, and no version.

let household: SharingHousehold;
let olga: ApiClient;
let dav: DavClient;
let other: DavClient;
let ben: DavClient;
let name = '';
let file = '';
let shared = '';

const SECOND = 1_000;

beforeAll(async () => {
  household = await openSharingHousehold();
  olga = household.as('olga');
  dav = await davClient(olga);
  other = await davClient(olga);
  ben = await davClient(household.as('ben'));
});
afterAll(() => household?.close());
beforeEach(async () => {
  name = await household.newBox();
  file = `/My%20files/${name}/doc.txt`;
  await household.share(`/ROOT/HOME/${name}`, { uid: household.ids.ben, upload: 1, alter: 1, download: 1 });
  shared = `/Shared%20with%20me/Mia/${name}/doc.txt`;
});

const onDisk = (item = 'doc.txt') => household.at(`${name}/${item}`);

/** The contents of a file, the present one first. */
async function contents(item = 'doc.txt'): Promise<string[]> {
  const path = `/ROOT/HOME/${name}/${item}`;
  const { versions } = (await olga.get('files/versions/list', { path })).body.data;
  const texts: string[] = [];
  for (const { version } of versions) texts.push((await olga.get('files/download', { path, version })).text);
  return texts;
}

async function save(client: DavClient, content: string, path = file, headers: Record<string, string> = {}) {
  const { status, text } = await client.put(path, content, headers);
  expect(status, text).toBeLessThan(300);
}

it('of several contents that one program writes within a minute, only the last is kept, besides what was before', async () => {
  await save(other, 'before');
  for (const content of ['', 'one', 'two', 'three']) {
    await save(dav, content);
    household.clock.advance(10 * SECOND);
  }
  expect(await contents()).toEqual(['three', 'before']);
});

it('the content is kept if the program empties the file before it sends the next one', async () => {
  for (const content of ['one', '', 'two']) await save(dav, content);
  expect(await contents()).toEqual(['two', 'one']);
});

it('content is kept that another person has stored as well', async () => {
  await save(dav, 'the same');
  await olga.put({ path: `/ROOT/HOME/${name}/doc.txt` }, 'the same');
  await save(dav, 'another');
  expect(await contents()).toEqual(['another', 'the same']);
});

it('two devices with one app password count as two programs', () => {
  const account = { id: 1 } as AccountCaller['account'];
  const credential = { id: 'c' } as unknown as NonNullable<AccountCaller['credential']>;
  const at = (address: string) => programOf({ account, credential, address } as AccountCaller);
  expect(at('192.168.1.2')).toBe(at('192.168.1.2'));
  expect(at('192.168.1.2')).not.toBe(at('192.168.1.3'));
});

it('a content is kept a minute after the first one, even if the program keeps writing', async () => {
  for (const content of ['0 s', '25 s', '50 s', '75 s', '100 s']) {
    await save(dav, content);
    household.clock.advance(25 * SECOND);
  }
  expect(await contents()).toEqual(['100 s', '50 s']);
});

it.each([
  [59, ['two']],
  [61, ['two', 'one']],
])('two contents %i seconds apart are %o', async (seconds, expected) => {
  await save(dav, 'one');
  household.clock.advance(seconds * SECOND);
  await save(dav, 'two');
  expect(await contents()).toEqual(expected);
});

it('contents of two people, and of two programs of one person, are all kept', async () => {
  await save(dav, 'by Olga');
  await save(ben, 'by Ben', shared);
  await save(other, 'by another program of Olga');
  await save(dav, 'by Olga again');
  expect(await contents()).toEqual(['by Olga again', 'by another program of Olga', 'by Ben', 'by Olga']);
});

it('contents stored by the API are all kept', async () => {
  await save(dav, 'by WebDAV');
  await olga.put({ path: `/ROOT/HOME/${name}/doc.txt` }, 'by the API');
  await olga.put({ path: `/ROOT/HOME/${name}/doc.txt` }, 'by the API again');
  await save(dav, 'by WebDAV again');
  expect(await contents()).toEqual(['by WebDAV again', 'by the API again', 'by the API', 'by WebDAV']);
});

it('content that another program changes on the disk is kept', async () => {
  await save(dav, 'one');
  await appendFile(onDisk(), ' and more');
  await save(dav, 'two');
  expect(await contents()).toEqual(['two', 'one and more']);
});

it('content that another program changes is kept even with the same size and time', async () => {
  await save(dav, 'one');
  const { atime, mtime } = await stat(onDisk());
  const { open } = await import('node:fs/promises');
  const handle = await open(onDisk(), 'r+');
  await handle.write('ONE', 0);
  await handle.close();
  await utimes(onDisk(), atime, mtime);
  await save(dav, 'two');
  expect(await contents()).toEqual(['two', 'ONE']);
});

it('a locked empty file is replaced without a version, also by content that arrives slowly', async () => {
  const { token } = await dav.lock(file);
  const own = { if: `(<${token}>)` };
  household.clock.advance(300 * SECOND);
  await save(dav, 'large', file, own);
  // This one is not empty.
  household.clock.advance(61 * SECOND);
  await save(dav, 'edited', file, own);
  expect(await contents()).toEqual(['edited', 'large']);
});

it('an empty file without a lock becomes a version after a minute', async () => {
  await save(dav, '');
  household.clock.advance(61 * SECOND);
  await save(dav, 'content');
  expect(await contents()).toEqual(['content', '']);
});

it('a temporary file that becomes the document is superseded like the document', async () => {
  const temporary = `/My%20files/${name}/tmp`;
  await save(other, 'before');
  await save(dav, 'one', temporary);
  expect((await dav.transfer('MOVE', temporary, file)).status).toBe(204);
  await save(dav, 'two');
  expect(await contents()).toEqual(['two', 'before']);
});

it('the space of a superseded content is free again', async () => {
  const versions = () => readdir(join(household.folder, '.larder', 'versions'));
  await save(other, 'before');
  await save(dav, 'one');
  const { length } = await versions();
  await save(dav, 'two');
  await expect.poll(async () => (await versions()).length).toBe(length);
  expect(await readFile(onDisk(), 'utf8')).toBe('two');
});

it('without versions, the same contents are moved to the trash', async () => {
  const trashed = async () => (await olga.get('files/browse', { path: '/TRASH' })).body.data.files.length;
  const before = await trashed();
  await household.control('settings.update', { versionsKept: 0 });
  await save(other, 'before');
  await save(dav, '');
  await save(dav, 'one');
  await save(dav, 'two');
  expect(await trashed()).toBe(before + 1);
  await household.control('settings.update', { versionsKept: 20 });
});

// The last one, because the clients of the others know the port.
it('a restart loses no content', async () => {
  await save(dav, 'one');
  await household.restart();
  await save(dav.over(household.api), 'two');
  olga = household.api.with(olga.token_ ?? '');
  expect(await contents()).toEqual(['two', 'one']);
});
