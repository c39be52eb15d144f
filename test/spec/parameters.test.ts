import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ApiClient, Reply } from '../support/requests/api-client.ts';
import { openSharingHousehold, type SharingHousehold } from '../support/requests/sharing.ts';

type Form = Record<string, string | number>;

const HOME = '/ROOT/HOME';
let household: SharingHousehold;
let box: string;

beforeAll(async () => {
  household = await openSharingHousehold();
  box = `${HOME}/${await household.newBox()}`;
});
afterAll(() => household.close());

const olga = () => household.as('olga');
const call = (operation: string, form: Form, api: ApiClient = olga()): Promise<Reply> =>
  operation === 'files/upload' ? api.put(form, 'content') : api.post(operation, form);

/** Of every operation on files what it needs, typed by hand from §4.2: without any one of them it is refused. */
const REQUIRED: readonly (readonly [operation: string, form: () => Form])[] = [
  ['files/browse', () => ({ path: box })],
  ['files/metadata', () => ({ path: `${box}/a.txt` })],
  ['files/search', () => ({ path: box })],
  ['files/createfolder', () => ({ path: box, name: 'new' })],
  ['files/upload', () => ({ path: `${box}/new.txt` })],
  ['files/download', () => ({ path: `${box}/a.txt` })],
  ['files/thumbnail', () => ({ path: `${box}/a.jpg` })],
  ['files/rename', () => ({ path: `${box}/a.txt`, newName: 'b.txt' })],
  ['files/move', () => ({ path: `${box}/a.txt`, moveTo: `${box}/sub` })],
  ['files/extract', () => ({ path: `${box}/a.zip`, extractTo: box })],
  ['files/delete', () => ({ path: `${box}/a.txt` })],
  ['files/star', () => ({ path: `${box}/a.txt` })],
  ['files/unstar', () => ({ path: `${box}/a.txt` })],
  ['files/weblink', () => ({ path: `${box}/a.txt` })],
  ['files/unweblink', () => ({ path: `${box}/a.txt` })],
  ['files/share', () => ({ path: `${box}/a.txt`, uid: household.ids.ben })],
  ['files/unshare', () => ({ path: `${box}/a.txt`, uid: household.ids.ben })],
];

/** Every parameter of §4.2 that is no text, typed by hand, and something that it cannot be. */
const TYPED: readonly (readonly [operation: string, parameter: string, wrong: string])[] = [
  ['files/browse', 'recursive', 'perhaps'],
  ['files/browse', 'itemType', 'links'],
  ['files/browse', 'details[]', 'colour'],
  ['files/search', 'metatype', 'image'],
  ['files/search', 'details[]', 'colour'],
  ['files/delete', 'permanent', 'perhaps'],
  ['files/weblink', 'singleDownload', 'perhaps'],
  ['files/weblink', 'temporary', 'perhaps'],
  ['files/weblink', 'expiry', 'tomorrow'],
  ['files/weblink', 'download_limit', 'many'],
  ['files/weblink', 'allow_uploads', 'perhaps'],
  ['files/weblink', 'allow_downloads', 'perhaps'],
  ['files/weblink', 'force_save', 'perhaps'],
  ['files/weblink', 'show_comments', 'perhaps'],
  ['files/weblink', 'show_comments_names', 'perhaps'],
  ['files/weblink', 'show_metadata', 'perhaps'],
  ['files/weblink', 'notify', 'perhaps'],
  ['files/weblink', 'require_login', 'perhaps'],
  ['files/share', 'uid', 'ben'],
  ['files/share', 'gid', 'family'],
  ['files/share', 'anonymous', 'perhaps'],
  ['files/share', 'upload', 'perhaps'],
  ['files/share', 'download', 'perhaps'],
  ['files/share', 'comment', 'perhaps'],
  ['files/share', 'read_comments', 'perhaps'],
  ['files/share', 'alter', 'perhaps'],
  ['files/share', 'share', 'perhaps'],
  ['files/unshare', 'uid', 'ben'],
  ['files/unshare', 'gid', 'family'],
];

/** What an operation needs so that nothing but the parameter is wrong. */
function complete(operation: string, parameter: string): Form {
  const path = { path: box };
  if (operation === 'files/search') return { ...path, filename: 'a' };
  const isTarget = parameter === 'uid' || parameter === 'gid';
  return operation === 'files/share' && !isTarget ? { ...path, uid: household.ids.ben } : path;
}

describe('a parameter of §4.2', () => {
  it.each(REQUIRED)('%s: is refused without each that it needs', async (operation, form) => {
    for (const name of Object.keys(form())) {
      const rest = Object.fromEntries(Object.entries(form()).filter(([key]) => key !== name));
      const { status, body } = await call(operation, rest);
      expect([name, status, body.success, body.code], body.error).toEqual([name, 400, false, 'missing_parameter']);
    }
  });

  it.each(TYPED)('%s: %s is nothing like "%s"', async (operation, parameter, wrong) => {
    const { status, body } = await call(operation, { ...complete(operation, parameter), [parameter]: wrong });
    expect([status, body.success, body.code]).toEqual([400, false, 'invalid_parameter']);
    expect(body.details.parameter).toBe(parameter.replace('[]', ''));
  });

  it('files/move and files/extract take a folder, not the path of what will be there', async () => {
    const moved = await call('files/move', { path: `${box}/a.txt`, moveTo: `${box}/sub/a.txt` });
    expect([moved.status, moved.body.code]).toEqual([404, 'not_found']);
    expect((await call('files/move', { path: `${box}/a.txt`, moveTo: `${box}/sub` })).body.data).toEqual({
      path: `${box}/sub/a.txt`,
    });
    expect((await call('files/move', { path: `${box}/sub/a.txt`, moveTo: box })).status).toBe(200);
  });

  it('files/weblink: expiry is YYYY-MM-DD HH:MM:SS, in and out', async () => {
    const path = `${box}/a.txt`;
    expect((await call('files/weblink', { path, expiry: '2099-06-30 12:34:56' })).status).toBe(200);
    const query = { path: box, itemType: 'any', 'details[]': 'weblink-full' };
    const { files } = (await olga().get('files/browse', query)).body.data;
    const linked = files.find(({ filename }: { filename: string }) => filename === 'a.txt');
    expect(linked['weblink-full'].expiry).toBe('2099-06-30 12:34:56');
    await call('files/unweblink', { path });
  });

  it('files/browse: details[] takes any number of keys, and recursive is off unless it is asked for', async () => {
    const { files } = (await olga().get('files/browse', { path: box, 'details[]': ['ext', 'type'] })).body.data;
    expect(files.map(({ filename }: { filename: string }) => filename)).toEqual(['sub', 'a.txt']);
    expect(files[1]).toEqual({ filename: 'a.txt', is_dir: false, path: `${box}/a.txt`, ext: 'txt', type: 'text' });
    const all = (await olga().get('files/browse', { path: box, recursive: 1 })).body.data.files;
    expect(all.map(({ filename }: { filename: string }) => filename)).toEqual(['sub', 'b.txt', 'a.txt']);
  });

  it('files/share: every flag by itself, on and off, and nothing else of the rest', async () => {
    const flags = ['anonymous', 'upload', 'download', 'comment', 'read_comments', 'alter', 'share'];
    const target = { path: box, uid: household.ids.sam };
    const none = Object.fromEntries(flags.map((flag) => [flag, 0]));
    const rights = async () => {
      const { body } = await household.as('sam').get('files/browse', { path: '/ROOT/SHARED' });
      const [entry] = body.data.files;
      const isAnonymous = entry.path.startsWith('/ROOT/0/');
      const inside = isAnonymous
        ? entry.path
        : (await household.as('sam').get('files/browse', { path: entry.path })).body.data.files[0].path;
      return {
        isAnonymous,
        perms: (await household.as('sam').get('files/browse', { path: inside })).body.data.meta.perms,
      };
    };
    const closed = { upload: false, download: false, alter: false };
    await call('files/share', { ...target, ...none });
    expect(await rights()).toEqual({ isAnonymous: false, perms: closed });
    for (const flag of ['upload', 'download', 'alter']) {
      await call('files/share', { ...target, ...none, [flag]: 1 });
      expect(await rights(), flag).toEqual({ isAnonymous: false, perms: { ...closed, [flag]: true } });
    }
    await call('files/share', { ...target, ...none, anonymous: 1 });
    expect(await rights()).toEqual({ isAnonymous: true, perms: closed });
    await call('files/unshare', target);
  });
});
