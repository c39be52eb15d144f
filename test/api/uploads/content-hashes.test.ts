import { createHash } from 'node:crypto';
import { readFile, rename, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Connection } from '../../../dist/server/database/connection.js';
import { type Household, openHousehold } from '../../support/households/household.ts';
import type { ApiClient } from '../../support/requests/api-client.ts';

let household: Household;
let api: ApiClient;
let rows: Connection;

beforeAll(async () => {
  household = await openHousehold();
  api = await household.signIn();
  rows = await Connection.open(join(household.folder, '.larder', 'larder.sqlite'));
});
afterAll(async () => {
  await rows.close();
  await household.close();
});

const path = (name: string) => `/ROOT/HOME/${name}`;
const put = (name: string, content: string | Buffer) => api.put({ path: path(name) }, content);
const sha256 = (content: string | Buffer) => createHash('sha256').update(content).digest('hex');
const list = () => api.get('files/browse', { path: '/ROOT/HOME' });

/** In hex; null where none is recorded. */
async function recorded(name: string): Promise<string | null> {
  const [row] = await rows.all<{ hash: string | null }>(
    'SELECT lower(hex(sha256)) AS hash FROM items WHERE name = ? AND missing_since IS NULL ORDER BY id DESC',
    [name],
  );
  if (row === undefined) throw new Error(`there is no row for ${name}`);
  return row.hash === '' ? null : row.hash;
}

async function recordedVersions(name: string): Promise<string[]> {
  const found = await rows.all<{ hash: string }>(
    `SELECT lower(hex(versions.sha256)) AS hash FROM versions JOIN items ON items.id = item_id
     WHERE name = ? ORDER BY versions.version`,
    [name],
  );
  return found.map(({ hash }) => hash);
}

describe("the SHA-256 of a file's content", () => {
  it.each([0, 1, 10_240, 65_536, 3_000_001])('of %i bytes is recorded by the upload', async (size) => {
    const content = Buffer.alloc(size, 'larder');
    await put(`size-${size}`, content);
    expect(await recorded(`size-${size}`)).toBe(sha256(content));
  });

  it('is recorded for each of many files uploaded concurrently, which share one SQL statement', async () => {
    const names = Array.from({ length: 24 }, (_, number) => `many-${number}`);
    await Promise.all(names.map((name) => put(name, `content of ${name}`)));
    for (const name of names) expect(await recorded(name)).toBe(sha256(`content of ${name}`));
  });

  it('is recorded for the version of a replaced content, and restored with it', async () => {
    for (const content of ['one', 'two', 'three']) await put('versions', content);
    expect(await recorded('versions')).toBe(sha256('three'));
    expect(await recordedVersions('versions')).toEqual([sha256('one'), sha256('two')]);
    await api.post('files/versions/restore', { path: path('versions'), version: 1 });
    expect(await recorded('versions')).toBe(sha256('one'));
    expect(await recordedVersions('versions')).toEqual(['one', 'two', 'three'].map(sha256));
  });

  it('is not restored with a version that another program has changed', async () => {
    for (const content of ['first', 'second']) await put('written-into', content);
    const [version] = await rows.all<{ id: string }>(
      "SELECT versions.id FROM versions JOIN items ON items.id = item_id WHERE name = 'written-into'",
    );
    await writeFile(join(household.folder, '.larder', 'versions', version?.id ?? ''), 'other');
    await api.post('files/versions/restore', { path: path('written-into'), version: 1 });
    expect(await recorded('written-into')).toBeNull();
  });

  it('is kept if the same content is uploaded again', async () => {
    for (const content of ['same', 'same']) await put('repeated', content);
    expect(await recorded('repeated')).toBe(sha256('same'));
    expect(await recordedVersions('repeated')).toEqual([]);
    // With a time of its own as well.
    await api.put({ path: path('repeated'), lastModified: 1_000_000_000 }, 'same');
    expect(await recorded('repeated')).toBe(sha256('same'));
    expect(await recordedVersions('repeated')).toEqual([]);
  });

  it('is recorded for a replaced content in the trash if no versions are retained', async () => {
    await household.control('settings.update', { versionsKept: 0 });
    await put('unversioned', 'before');
    await put('unversioned', 'after');
    await household.control('settings.update', { versionsKept: 10 });
    const hashes = await rows.all<{ hash: string }>(
      'SELECT lower(hex(sha256)) AS hash FROM items JOIN trash ON trash.item_id = items.id',
    );
    expect(hashes.map(({ hash }) => hash)).toContain(sha256('before'));
    expect(await recorded('unversioned')).toBe(sha256('after'));
  });

  it('is kept for a file that is moved, deleted and restored', async () => {
    await put('moved', 'content');
    await api.post('files/rename', { path: path('moved'), newName: 'renamed' });
    expect(await recorded('renamed')).toBe(sha256('content'));
    const { body } = await api.post('files/delete', { path: path('renamed') });
    await api.post('files/trash/restore', { path: body.data.trash_path });
    expect(await recorded('renamed')).toBe(sha256('content'));
    await rename(join(household.home, 'renamed'), join(household.home, 'elsewhere'));
    await list();
    expect(await recorded('elsewhere')).toBe(sha256('content'));
  });

  it.each([
    ['written by another program', (file: string) => writeFile(file, 'changed')],
    [
      'replaced by another program',
      async (file: string) => {
        await writeFile(`${file}-new`, 'other');
        await rename(`${file}-new`, file);
      },
    ],
  ])('is removed if the file is %s, and is not recorded for the version made of that', async (name, change) => {
    await put(name, 'content');
    await change(join(household.home, name));
    await list();
    expect(await recorded(name)).toBeNull();
    await put(name, 'content');
    expect(await recorded(name)).toBe(sha256('content'));
    expect(await recordedVersions(name)).toEqual(['']);
  });

  it('is that of the new file if another program removed a file of the same name before', async () => {
    await put('again', 'first');
    await unlink(join(household.home, 'again'));
    await list();
    await put('again', 'second');
    expect(await recorded('again')).toBe(sha256('second'));
  });

  it('is recorded for an archive created by the server, but not for a content in several chunks', async () => {
    await put('for-archive', 'content');
    await api.post('files/zip', { 'paths[]': [path('for-archive')], target: '/ROOT/HOME', archiveName: 'archive' });
    const archive = await readFile(join(household.home, 'archive.zip'));
    expect(await recorded('archive.zip')).toBe(sha256(archive));
    for (const [startByte, part] of [
      [0, 'first '],
      [6, 'second'],
    ] as const) {
      await api.put(
        { path: path('chunks'), totalSize: '12', startByte: String(startByte), uploadId: 'a'.repeat(16) },
        part,
      );
    }
    expect(await recorded('chunks')).toBeNull();
  });

  it('is recorded for a content in several chunks that was verified by its digest', async () => {
    const query = { path: path('verified'), totalSize: 12, uploadId: 'b'.repeat(16), sha256: sha256('first second') };
    await api.put({ ...query, startByte: 0 }, 'first ');
    await api.put({ ...query, startByte: 6 }, 'second');
    expect(await recorded('verified')).toBe(sha256('first second'));
    // The same content in chunks changes nothing.
    await api.put({ ...query, startByte: 0, uploadId: 'c'.repeat(16) }, 'first ');
    const { body } = await api.put({ ...query, startByte: 6, uploadId: 'c'.repeat(16) }, 'second');
    expect(body.data).toMatchObject({ version: 1, unchanged: true });
  });
});
