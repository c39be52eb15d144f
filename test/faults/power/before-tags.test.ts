import { copyFile, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Connection } from '../../../dist/server/database/connection.js';
import { itInFull } from '../../support/forms.ts';
import type { ApiClient } from '../../support/requests/api-client.ts';
import { DavClient } from '../../support/webdav/dav-client.ts';
import { PackedFolder } from './packed-folder.ts';

// A folder that the version before the migration 0033 has filled: with WebDAV, and with tags that were computed from the disk. As it is
// unpacked, every file has another inode and ctime than that version saw, as after a move to another machine.

const DOCUMENTS = '/ROOT/HOME/Documents';

let packed: PackedFolder;
let ann: ApiClient;
let sync: DavClient;
/** What the earlier version said of each file. */
let before: Record<string, { etag: string; sha256: string }>;

async function connect(): Promise<void> {
  ann = await packed.signIn('ann');
  sync = new DavClient(packed.api, 'ann', await packed.text('app-password'));
}

beforeAll(async () => {
  packed = await PackedFolder.open('before-0033.tar.gz');
  await connect();
  const infos = (await packed.text('infos')).split('\n').map((line) => JSON.parse(line).data);
  before = Object.fromEntries(infos.map(({ filename, etag, sha256 }) => [filename, { etag, sha256 }]));
});
afterAll(() => packed?.close());

async function infoOf(name: string): Promise<{ etag: string; sha256: string }> {
  const { body } = await ann.get('files/info', { path: `${DOCUMENTS}/${name}`, 'details[]': ['etag', 'sha256'] });
  const { etag, sha256 } = body.data;
  return { etag, sha256 };
}

it('an upgrade keeps the tag and the hash of every content', async () => {
  expect(Object.keys(before)).toHaveLength(3);
  for (const [name, { etag }] of Object.entries(before)) {
    // Its bytes are read again, because nothing on the disk says that they are the same.
    const known = await sync.send('GET', `/My%20files/Documents/${name}`, { headers: { 'if-match': etag } });
    expect([name, known.status]).toEqual([name, 200]);
    expect(await infoOf(name)).toEqual(before[name]);
    const again = await sync.send('GET', `/My%20files/Documents/${name}`, { headers: { 'if-none-match': etag } });
    expect([name, again.status]).toEqual([name, 304]);
  }
});

it('an earlier app password remains valid, and stored properties are returned', async () => {
  const { text } = await sync.propfind(
    '/My%20files/Documents/letter.txt',
    '0',
    '<propfind xmlns="DAV:"><prop><color xmlns="urn:colors"/><getlastmodified/></prop></propfind>',
  );
  expect(text).toContain('>green</');
  expect(text).toContain('Sun, 13 Sep 2020 12:26:40 GMT');
  const companion = await sync.send('GET', '/My%20files/Documents/._letter.txt');
  expect(companion.text).toBe('resource fork');
  expect((await ann.get('files/browse', { path: DOCUMENTS, hidden: 0 })).text).not.toContain('._letter');
});

itInFull('an upgrade detects changes that were made on the disk meanwhile', async () => {
  await packed.stop();
  await writeFile(join(packed.folder, 'homes/ann/Documents/disk.txt'), 'elsewhere');
  await packed.start();
  await connect();
  const { etag, sha256 } = await infoOf('disk.txt');
  expect([etag === before['disk.txt']?.etag, sha256]).toEqual([false, null]);
});

it('the earlier version opens the database as it was before the upgrade', async () => {
  await packed.stop();
  const system = join(packed.folder, '.larder');
  const [copy, ...others] = (await readdir(join(system, 'backups'))).filter((name) =>
    name.startsWith('before-upgrade-from-'),
  );
  expect([copy?.replace(/-\d+\.sqlite$/, ''), others]).toEqual(['before-upgrade-from-0032-upload-parts', []]);
  for (const suffix of ['', '-wal', '-shm']) await rm(join(system, `larder.sqlite${suffix}`), { force: true });
  await copyFile(join(system, 'backups', String(copy)), join(system, 'larder.sqlite'));
  const database = await Connection.open(join(system, 'larder.sqlite'));
  const [last] = await database.all<{ name: string }>('SELECT max(name) AS name FROM migrations');
  const columns = await database.all<{ name: string }>("SELECT name FROM pragma_table_info('items')");
  await database.close();
  expect([last?.name, columns.some(({ name }) => name === 'tag')]).toEqual(['0032-upload-parts', false]);
  // The next upgrade starts from there.
  await packed.start();
  await connect();
  const known = await sync.send('GET', '/My%20files/Documents/plan.txt', {
    headers: { 'if-match': String(before['plan.txt']?.etag) },
  });
  expect(known.text).toBe('second plan');
  expect((await ann.get('files/download', { path: `${DOCUMENTS}/plan.txt`, version: 1 })).text).toBe('first plan');
});
