import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ApiClient } from '../../support/requests/api-client.ts';
import { PackedFolder } from './packed-folder.ts';

// A folder that the version before the migration 0020 has filled.

const PLAN = '/ROOT/HOME/Documents/plan.txt';

let packed: PackedFolder;
let linkId: string;
let ann: ApiClient;
let mia: ApiClient;

beforeAll(async () => {
  packed = await PackedFolder.open('before-0020.tar.gz');
  linkId = await packed.text('link-id');
  ann = await packed.signIn('ann');
  mia = await packed.signIn('mia');
});
afterAll(() => packed?.close());

it('an upgrade keeps all files, with their versions and metadata', async () => {
  const { body } = await ann.get('files/browse', { path: '/ROOT/HOME', recursive: 1 });
  expect(body.data.files.map(({ path }: { path: string }) => path).sort()).toEqual([
    '/ROOT/HOME/Documents',
    PLAN,
    '/ROOT/HOME/Straße',
    '/ROOT/HOME/Straße/Pläne.txt',
  ]);
  expect((await ann.get('files/download', { path: PLAN })).text).toBe('second plan');
  expect((await ann.get('files/download', { path: PLAN, version: 1 })).text).toBe('first plan');
  expect((await ann.post('files/comments/list', { path: PLAN })).text).toContain('Looks good.');
  const { data: known } = (await ann.post('files/metadata', { path: PLAN })).body;
  expect([known.tags[0].text, known.rating]).toEqual(['garden', 4]);
  expect((await ann.get('files/browse', { path: '/STARRED' })).text).toContain('plan.txt');
});

it('items deleted before an upgrade can be restored', async () => {
  const { body } = await ann.get('files/browse', { path: '/TRASH' });
  const [{ path }] = body.data.files;
  const restored = await ann.post('files/trash/restore', { path });
  expect(restored.body.data.path).toBe('/ROOT/HOME/Documents/old.txt');
  expect((await ann.get('files/download', { path: '/ROOT/HOME/Documents/old.txt' })).text).toBe('thrown away');
});

it('shares and links from before an upgrade can be opened', async () => {
  const fromMia = await ann.get('files/browse', { path: '/ROOT/2' });
  const [{ path: shared }] = fromMia.body.data.files;
  expect((await ann.get('files/browse', { path: shared })).text).toContain('lake.txt');
  expect((await ann.put({ path: `${shared}/from ann.txt` }, 'by the share')).status).toBe(201);
  expect((await mia.get('files/download', { path: '/ROOT/HOME/Holidays/lake.txt' })).text).toBe('the lake in summer');
  const link = await ann.with('').send('GET', `/wl/?id=${linkId}`);
  expect([link.status, link.text.includes('type="password"')]).toEqual([200, true]);
});

it('new files are accepted, and a copy of the earlier database is kept', async () => {
  expect((await ann.put({ path: PLAN }, 'third plan')).body.data.version).toBe(3);
  const backups = await readdir(join(packed.folder, '.larder', 'backups'));
  expect(backups.filter((name) => name.startsWith('before-upgrade-from-0019'))).toHaveLength(1);
});
