import { randomUUID } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { DETAIL_KEYS } from '../../../dist/server/listing/details.js';
import { setPermissions } from '../../support/households/member.ts';
import type { ApiClient, Reply } from '../../support/requests/api-client.ts';
import { openSharingHousehold, outcome, type SharingHousehold } from '../../support/requests/sharing.ts';

let household: SharingHousehold;
let box = '';
let path = '';
let olga: ApiClient;

beforeAll(async () => {
  household = await openSharingHousehold();
  olga = household.as('olga');
});
afterAll(() => household.close());
beforeEach(async () => {
  box = await household.newBox();
  path = `/ROOT/HOME/${box}/a.txt`;
});

const details = [...DETAIL_KEYS];
const info = async (api: ApiClient, named: Record<string, string>) => api.get('files/info', { ...named, details });
const uuidOf = async (of: string): Promise<string> => (await info(olga, { path: of })).body.data.uuid;
/** As in the listing of the folder. */
async function listed(api: ApiClient, folder: string, name: string) {
  const { body } = await api.get('files/browse', { path: folder, details });
  return body.data.files.find(({ filename }: { filename: string }) => filename === name);
}
const pathFor = async (api: ApiClient, name: string): Promise<string> => {
  const { body } = await api.get('files/browse', { path: `/ROOT/${household.ids.olga}` });
  return body.data.files.find(({ filename }: { filename: string }) => filename === name)?.path;
};

describe('files/info', () => {
  it('returns the same as the listing of the folder for the item', async () => {
    await olga.post('files/star', { path });
    await olga.post('files/label', { path, label: 'urgent' });
    await olga.post('files/lock', { path });
    await olga.post('files/comments/add', { path, comment: 'Nice' });
    for (const name of ['a.txt', 'sub']) {
      const { body } = await info(olga, { path: `/ROOT/HOME/${box}/${name}` });
      const { parentPath, perms, ...item } = body.data;
      expect(item).toEqual(await listed(olga, `/ROOT/HOME/${box}`, name));
      expect([parentPath, perms]).toEqual([`/ROOT/HOME/${box}`, { upload: true, download: true, alter: true }]);
    }
    expect((await info(olga, { path })).body.data).toMatchObject({ label: 'urgent', isLocked: true, commentsCount: 1 });
  });

  it('returns the home itself', async () => {
    const { body } = await info(olga, { path: '/ROOT/HOME' });
    expect(body.data).toMatchObject({ filename: 'My Files', is_dir: true, path: '/ROOT/HOME', parentPath: '/ROOT' });
  });

  it('finds an item by its uuid, wherever it moves', async () => {
    const uuid = await uuidOf(path);
    expect((await info(olga, { uuid })).body).toEqual((await info(olga, { path })).body);
    expect((await info(olga, { uuid: uuid.toUpperCase(), path })).body.data.path).toBe(path);
    await olga.post('files/move', { path, moveTo: `/ROOT/HOME/${box}/sub` });
    await olga.post('files/rename', { path: `/ROOT/HOME/${box}`, newName: `${box} renamed` });
    expect((await info(olga, { uuid })).body.data.path).toBe(`/ROOT/HOME/${box} renamed/sub/a.txt`);
  });

  it('refuses names that are missing, malformed or contradict each other', async () => {
    const uuid = await uuidOf(path);
    const refused = async (named: Record<string, string>) => {
      const reply = await info(olga, named);
      return [...outcome(reply), reply.body.details?.parameter];
    };
    expect(await refused({})).toEqual([400, 'missing_parameter', 'path']);
    expect(await refused({ uuid: 'x' })).toEqual([400, 'invalid_parameter', 'uuid']);
    expect(await refused({ uuid, path: `/ROOT/HOME/${box}/sub` })).toEqual([400, 'invalid_parameter', 'uuid']);
    expect(await refused({ uuid, path: `/ROOT/HOME/${box}/none` })).toEqual([404, 'not_found', undefined]);
    expect(await refused({ path: '/STARRED' })).toEqual([400, 'invalid_path', undefined]);
  });

  it('returns the same error for uuids that do not exist, are deleted, or belong to others', async () => {
    const uuid = await uuidOf(path);
    const sam = household.as('sam');
    const text = async (reply: Promise<Reply>) => {
      const { status, body } = await reply;
      return [status, body];
    };
    const unknown = await text(info(sam, { uuid: randomUUID() }));
    expect(unknown[0]).toBe(404);
    expect(await text(info(sam, { uuid }))).toEqual(unknown);
    expect(await text(info(sam, { uuid, path: '/ROOT/HOME' }))).toEqual(unknown);
    expect(await text(info(sam, { path: '/ROOT/HOME/none' }))).toEqual(unknown);
    await olga.post('files/delete', { path });
    expect(await text(info(olga, { uuid }))).toEqual(unknown);
  });

  it('does not return an item by which another program has replaced it', async () => {
    const uuid = await uuidOf(path);
    await rm(household.at(`${box}/a.txt`));
    await mkdir(household.at(`${box}/a.txt`));
    expect(outcome(await info(olga, { uuid }))).toEqual([404, 'not_found']);
    expect((await info(olga, { path })).body.data).toMatchObject({
      is_dir: true,
      uuid: expect.not.stringMatching(uuid),
    });
  });
});

describe('in a share', () => {
  it('an item has the path and rights of the oldest share that contains it', async () => {
    const uuid = await uuidOf(`/ROOT/HOME/${box}/sub/b.txt`);
    const gil = household.as('gil');
    // The inner folder is shared first.
    await household.share(`/ROOT/HOME/${box}/sub`, { uid: household.ids.gil, download: 1 });
    await household.share(`/ROOT/HOME/${box}`, { uid: household.ids.gil, upload: 1, alter: 1 });
    const inner = await pathFor(gil, 'sub');
    const { body } = await info(gil, { uuid });
    expect([body.data.path, body.data.perms]).toEqual([
      `${inner}/b.txt`,
      { upload: false, download: true, alter: false },
    ]);
    await olga.post('files/unshare', { path: `/ROOT/HOME/${box}/sub`, uid: household.ids.gil });
    expect((await info(gil, { uuid })).body.data.path).toBe(`${await pathFor(gil, box)}/sub/b.txt`);
    await olga.post('files/unshare', { path: `/ROOT/HOME/${box}`, uid: household.ids.gil });
    expect(outcome(await info(gil, { uuid }))).toEqual([404, 'not_found']);
  });
});

describe('the detail etag', () => {
  it('is the ETag of the download, in every listing', async () => {
    const { etag } = (await olga.get('files/download', { path })).headers;
    expect((await info(olga, { path })).body.data.etag).toBe(etag);
    expect((await listed(olga, `/ROOT/HOME/${box}`, 'a.txt')).etag).toBe(etag);
    const search = await olga.post('files/search', { path: `/ROOT/HOME/${box}`, filename: 'a.txt', details: ['etag'] });
    expect(search.body.data.files[0].etag).toBe(etag);
    const tree = await olga.get('files/browse', { path: `/ROOT/HOME/${box}`, recursive: 1, details: ['etag'] });
    const tags = tree.body.data.files.map((one: { filename: string; etag?: string }) => [one.filename, one.etag]);
    expect(tags.slice(0, 3)).toContainEqual(['a.txt', etag]);
    await olga.post('files/star', { path });
    const starred = await olga.get('files/browse', { path: '/STARRED', details: ['etag'] });
    expect(starred.body.data.files).toContainEqual(expect.objectContaining({ path, etag }));
    // It is the newest in the trash.
    household.clock.advance(1);
    await olga.post('files/delete', { path });
    const trash = await olga.get('files/browse', { path: '/TRASH', details: ['etag'] });
    expect(trash.body.data.files[0].etag).toBe(etag);
  });

  it('is omitted for callers who may not download', async () => {
    await household.share(`/ROOT/HOME/${box}`, { uid: household.ids.ben, upload: 1, alter: 1, download: 0 });
    const ben = household.as('ben');
    const shared = await pathFor(ben, box);
    expect(await listed(ben, shared, 'a.txt')).not.toHaveProperty('etag');
    expect((await info(ben, { path: `${shared}/a.txt` })).body.data).not.toHaveProperty('etag');
    await household.as('sam').put({ path: '/ROOT/HOME/own.txt' }, 'own');
    await setPermissions(household, { sam: { download: false } });
    expect(await listed(household.as('sam'), '/ROOT/HOME', 'own.txt')).not.toHaveProperty('etag');
  });
});
