import { mkdir, mkdtemp, readdir, readFile, realpath, rename, rm, unlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readZip } from '../../support/content/read-zip.ts';
import { openHomeFolders, signInAs } from '../../support/households/home-folders.ts';
import { type Household, openHousehold } from '../../support/households/household.ts';
import type { ApiClient } from '../../support/requests/api-client.ts';
import { sendChunk } from '../../support/requests/chunks.ts';
import { t } from '../../support/server-texts.ts';

let household: Household;
let disk: string;
let root: string;
let api: ApiClient;

/** Mia's home is a folder of photos elsewhere on this machine, assigned by the owner. */
beforeAll(async () => {
  household = await openHousehold();
  disk = await mkdtemp(join(await realpath(tmpdir()), 'larder-test-'));
  root = join(disk, 'Photos');
  await mkdir(join(root, 'old'), { recursive: true });
  await writeFile(join(root, 'old', 'one.jpg'), 'one');
  await writeFile(join(root, 'two.jpg'), 'two');
  await household.whileStopped(async () => {
    const open = await openHomeFolders(household.folder);
    await open.give('mia', await open.homeFolders.create(root, { adopt: true }));
    await open.close();
  });
  api = await signInAs(household, 'mia');
});
afterAll(async () => {
  await household.close();
  await rm(disk, { recursive: true, force: true });
});

const names = async (query: Record<string, string | number>) =>
  ((await api.get('files/browse', query)).body.data.files as { path: string }[]).map(({ path }) => path);
const area = (part: string) => readdir(join(root, '.larder-area', part));
const doctor = async () => {
  const { ok, problems, notes } = await household.control('doctor');
  return { ok, problems, notes: (notes as string[]).filter((note) => note.includes(disk)) };
};

describe('a home outside of the data folder', () => {
  it('is listed with its existing files, without Larder’s own', async () => {
    expect(await names({ path: '/ROOT/HOME' })).toEqual(['/ROOT/HOME/old', '/ROOT/HOME/two.jpg']);
    expect(await names({ path: '/ROOT/HOME', recursive: 1 })).toEqual([
      '/ROOT/HOME/old',
      '/ROOT/HOME/old/one.jpg',
      '/ROOT/HOME/two.jpg',
    ]);
    const zip = await api.get('files/download', { path: '/ROOT/HOME' });
    expect(Object.keys(await readZip(zip.bytes)).sort()).toEqual([
      'My Files/',
      'My Files/old/',
      'My Files/old/one.jpg',
      'My Files/two.jpg',
    ]);
  });

  const RESERVED = [
    '.larder-area',
    '.larder-home',
    '.Larder-Area',
    '.LARDER-HOME',
    '.larder-area/trash',
    '.larder-area/x',
  ];
  it.each(RESERVED)('has no item with the reserved path %s', async (name) => {
    const path = `/ROOT/HOME/${name}`;
    const before = (await readdir(root, { recursive: true })).sort();
    for (const reply of [
      await api.get('files/browse', { path }),
      await api.get('files/download', { path }),
      await api.post('files/delete', { path, permanent: 1 }),
      await api.post('files/rename', { path, newName: 'mine' }),
      await api.post('files/move', { path, moveTo: '/ROOT/HOME/old' }),
      await api.post('files/copy', { path, copyTo: '/ROOT/HOME/old' }),
      await api.get('files/versions/list', { path }),
    ]) {
      expect(reply.status, JSON.stringify(reply.body)).toBe(404);
    }
    const [folder, last] = name.includes('/')
      ? [`/ROOT/HOME/${name.split('/')[0]}`, name.split('/')[1]]
      : ['/ROOT/HOME', name];
    for (const reply of [
      await api.put({ path }, 'content'),
      await api.post('files/createfolder', { path: folder, name: String(last) }),
      await api.post('files/rename', { path: '/ROOT/HOME/two.jpg', newName: name }),
      await api.post('files/move', { path: '/ROOT/HOME/two.jpg', moveTo: '/ROOT/HOME/.larder-area' }),
      await api.post('files/copy', { path: '/ROOT/HOME/two.jpg', copyTo: '/ROOT/HOME/.larder-area/trash' }),
    ]) {
      expect([400, 404, 409], JSON.stringify(reply.body)).toContain(reply.status);
    }
    expect((await readdir(root, { recursive: true })).sort()).toEqual(before);
  });

  it('allows these names in subfolders', async () => {
    await mkdir(join(root, 'old', '.larder-area'));
    expect(await names({ path: '/ROOT/HOME/old' })).toContain('/ROOT/HOME/old/.larder-area');
    await rm(join(root, 'old', '.larder-area'), { recursive: true });
  });

  it('stores uploads, versions and trash on its own disk', async () => {
    expect((await api.put({ path: '/ROOT/HOME/a.txt' }, 'first')).status).toBe(201);
    expect((await api.put({ path: '/ROOT/HOME/a.txt' }, 'second')).body.data.version).toBe(2);
    expect(await area('versions')).toHaveLength(1);
    const old = await api.get('files/download', { path: '/ROOT/HOME/a.txt', version: 1 });
    expect(old.bytes.toString()).toBe('first');
    expect((await api.post('files/versions/restore', { path: '/ROOT/HOME/a.txt', version: 1 })).status).toBe(200);
    expect(await readFile(join(root, 'a.txt'), 'utf8')).toBe('first');
    const deleted = await api.post('files/delete', { path: '/ROOT/HOME/a.txt' });
    expect(await area('trash')).toHaveLength(1);
    expect(await names({ path: '/TRASH' })).toEqual([deleted.body.data.trash_path]);
    const restored = await api.post('files/trash/restore', { path: deleted.body.data.trash_path });
    expect(restored.body.data.path).toBe('/ROOT/HOME/a.txt');
    await api.post('files/delete', { path: '/ROOT/HOME/old' });
    await api.post('files/trash/empty', {});
    expect([await area('trash'), await area('incoming')]).toEqual([[], []]);
    for (const part of ['incoming', 'trash', 'versions']) {
      expect(await readdir(join(household.folder, '.larder', part))).toEqual([]);
    }
    expect(await doctor()).toEqual({ ok: true, problems: [], notes: [] });
  });

  it('continues a chunked upload after a restart', async () => {
    const path = '/ROOT/HOME/pieces.bin';
    const content = Buffer.from('abcdef');
    await sendChunk(api, path, content, 0, 3);
    const token = api.token_ ?? '';
    await household.restart();
    // The same token: a new session is another client, which has to give the upload's id.
    api = household.api.with(token);
    expect(await area('incoming')).toHaveLength(1);
    expect((await sendChunk(api, path, content, 3)).status).toBe(201);
    expect(await readFile(join(root, 'pieces.bin'), 'utf8')).toBe('abcdef');
  });

  it('is offline while its disk is unavailable, and keeps its records', async () => {
    const file = { path: '/ROOT/HOME/a.txt' };
    const pieces = Buffer.from('abcdef');
    await sendChunk(api, '/ROOT/HOME/more.bin', pieces, 0, 3);
    await api.post('files/delete', { path: '/ROOT/HOME/two.jpg' });
    const [trashed] = await names({ path: '/TRASH' });
    const before = await names({ path: '/ROOT/HOME', recursive: 1 });
    await rename(root, `${root}.away`);
    const replies = {
      browse: await api.get('files/browse', { path: '/ROOT/HOME' }),
      upload: await api.put({ path: '/ROOT/HOME/new.txt' }, 'x'),
      firstPiece: await sendChunk(api, '/ROOT/HOME/other.bin', pieces, 0, 3),
      nextPiece: await sendChunk(api, '/ROOT/HOME/more.bin', pieces, 3),
      download: await api.get('files/download', file),
      version: await api.get('files/download', { ...file, version: 1 }),
      zip: await api.get('files/download', { path: '/ROOT/HOME' }),
      delete: await api.post('files/delete', file),
      erase: await api.post('files/delete', { ...file, permanent: 1 }),
      move: await api.post('files/rename', { ...file, newName: 'b.txt' }),
      copy: await api.post('files/copy', { ...file, copyTo: '/ROOT/HOME' }),
      folder: await api.post('files/createfolder', { path: '/ROOT/HOME', name: 'x' }),
      versions: await api.get('files/versions/list', file),
      restoreVersion: await api.post('files/versions/restore', { ...file, version: 1 }),
      restore: await api.post('files/trash/restore', { path: String(trashed) }),
      deleteTrashed: await api.post('files/trash/delete', { path: String(trashed) }),
      empty: await api.post('files/trash/empty', {}),
    };
    for (const [name, { status, body }] of Object.entries(replies)) {
      expect([name, status, body.code]).toEqual([name, 503, 'storage_offline']);
    }
    // An immediate refusal must not leave a rejection that nothing handles: that would end the server.
    expect((await api.post('files/search', { path: '/ROOT/HOME', metatype: 4_711 })).status).toBe(400);
    await household.larder.maintenance();
    expect(await names({ path: '/TRASH' })).toEqual([trashed]);
    expect((await household.control('homes.list')).homes).toMatchObject([
      { online: true },
      { online: false, path: root },
    ]);
    expect((await doctor()).problems).toEqual([expect.stringContaining(t('api.doctor.homeMissing', { home: root }))]);
    // The empty mount point of a disk is not an empty home.
    await mkdir(root);
    expect((await api.get('files/browse', { path: '/ROOT/HOME' })).status).toBe(503);
    await rm(root, { recursive: true });
    await rename(`${root}.away`, root);
    expect(await names({ path: '/ROOT/HOME', recursive: 1 })).toEqual(before);
    expect((await sendChunk(api, '/ROOT/HOME/more.bin', pieces, 3)).status).toBe(201);
    expect((await api.post('files/trash/restore', { path: String(trashed) })).body.data.path).toBe(
      '/ROOT/HOME/two.jpg',
    );
    expect((await api.get('files/download', { ...file, version: 1 })).bytes.toString()).toBe('first');
    await rename(join(root, '.larder-home'), join(disk, 'marker'));
    expect((await api.get('files/browse', { path: '/ROOT/HOME' })).status).toBe(503);
    await rename(join(disk, 'marker'), join(root, '.larder-home'));
    expect((await doctor()).ok).toBe(true);
  });

  it('is shown to the owner with its size', async () => {
    const { homes } = (await household.control('homes.list')) as { homes: Record<string, unknown>[] };
    expect(homes).toEqual([
      expect.objectContaining({ path: household.home, username: 'ann', accountId: 1, orphaned: false, usedBytes: 0 }),
      expect.objectContaining({ path: root, username: 'mia', orphaned: false, online: true }),
    ]);
    expect(Number(homes[1]?.usedBytes)).toBeGreaterThan(10);
    await unlink(join(root, 'pieces.bin'));
  });
});
