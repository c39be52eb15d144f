import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { buildZip } from '../support/content/build-zip.ts';
import { type Household, OWNER, openHousehold } from '../support/households/household.ts';
import { rowsOf } from '../support/requests/activity.ts';
import type { ApiClient, Reply } from '../support/requests/api-client.ts';
import { sendChunk } from '../support/requests/chunks.ts';
import { COMMENTS, LOOKING, METADATA, PRIVATE, SHARING } from './activity-elsewhere.ts';

let household: Household;
let api: ApiClient;

beforeAll(async () => {
  household = await openHousehold();
  api = await household.signIn();
});
afterAll(() => household.close());
beforeEach(async () => {
  // A name that the catalogue has never seen.
  place = `work${Number(place.slice(4)) + 1}`;
  await mkdir(at('box', 'in'), { recursive: true });
  await mkdir(at('other'));
  await writeFile(at('a.txt'), 'one');
  await writeFile(at('box', 'b.txt'), 'two');
  await writeFile(at('box', 'in', 'c.txt'), 'three');
});

let place = 'work0';
const at = (...names: string[]) => join(household.home, place, ...names);
const path = (name: string) => `/ROOT/HOME/${place}/${name}`;
const done = async (reply: Promise<Reply>) => {
  const { status, text, body } = await reply;
  expect(status, text).toBeLessThan(300);
  return body.data;
};
const trashed = async (name: string) =>
  (await done(api.post('files/delete', { path: path(name) }))).trash_path as string;
const overwritten = async (name: string) => {
  await done(api.put({ path: path(name) }, 'new'));
  await done(api.put({ path: path(name) }, 'newer'));
};
/** What every row of a file operation through the app of these tests has. */
const byAnn = () => ({
  id: expect.any(Number),
  at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
  group: 'files',
  accountId: 1,
  username: 'ann',
  clientId: household.clientId,
  client: 'Tests',
  channel: 'app',
  address: '127.0.0.1',
});
const ID = expect.stringMatching(/^[A-Za-z0-9]{16}$/);

interface Case {
  readonly of: string;
  readonly what: string;
  /** What has to be there first. */
  readonly before?: () => Promise<unknown>;
  readonly work: (before: unknown) => Promise<unknown>;
  readonly rows: () => [kind: string, subject: string, details: Record<string, unknown>][];
  /** `files` unless given. */
  readonly group?: string;
}

/** An operation that changes or sends something, with the rows that it leaves: these, and no others. */
const CASES: readonly Case[] = [
  {
    of: 'account/avatar',
    what: 'no picture any more',
    work: () => done(api.post('account/avatar', { remove: '1' })),
    rows: () => [['picture.changed', '', {}]],
    group: 'security',
  },
  {
    of: 'account/app-passwords/add',
    what: 'an app password by its name',
    work: () => done(api.post('account/app-passwords/add', { label: place })),
    rows: () => [['app-password.created', place, {}]],
    group: 'security',
  },
  {
    of: 'account/app-passwords/delete',
    what: 'an app password by its name',
    before: async () => (await done(api.post('account/app-passwords/add', { label: place }))).id,
    work: (id) => done(api.post('account/app-passwords/delete', { id: Number(id) })),
    rows: () => [['app-password.removed', place, {}]],
    group: 'security',
  },
  {
    of: 'account/password',
    what: 'another one, and the old one again',
    work: async () => {
      const [old, other] = [OWNER.password, 'a rather good one'];
      await done(api.post('account/password', { current_password: old, new_password: other }));
      await done(api.post('account/password', { current_password: other, new_password: old }));
    },
    rows: () => [
      ['password.changed', 'ann', {}],
      ['password.changed', 'ann', {}],
    ],
    group: 'security',
  },
  {
    of: 'admin-users/add',
    what: 'an account',
    work: () => done(api.post('admin-users/add', { 'data[username]': `new.${place}`, 'data[name]': 'New' })),
    rows: () => [['account.created', `new.${place}`, {}]],
    group: 'security',
  },
  {
    of: 'admin-users/edit',
    what: 'what was changed, and who was shut out',
    before: async () => (await done(api.post('admin-users/add', { 'data[username]': place, 'data[name]': 'New' }))).uid,
    work: (uid) =>
      done(
        api.post('admin-users/edit', {
          UID: String(uid),
          'data[last_name]': 'Other',
          'perms[weblink]': '0',
          'perms[share]': '1',
          'data[activated]': '0',
        }),
      ),
    rows: () => [
      ['account.deactivated', place, { reason: 'administrator' }],
      ['account.changed', place, { fields: ['lastName', 'perms[weblink]'] }],
    ],
    group: 'security',
  },
  {
    of: 'admin-users/delete',
    what: 'an account',
    before: async () => (await done(api.post('admin-users/add', { 'data[username]': place, 'data[name]': 'New' }))).uid,
    work: (uid) => done(api.post('admin-users/delete', { 'UIDS[]': String(uid) })),
    rows: () => [['account.deleted', place, {}]],
    group: 'security',
  },
  {
    of: 'files/createfolder',
    what: 'a folder',
    work: () => done(api.post('files/createfolder', { path: path('box'), name: 'new' })),
    rows: () => [['folder.created', path('box/new'), {}]],
  },
  {
    of: 'files/upload',
    what: 'a new file',
    work: () => done(api.put({ path: path('new.txt') }, 'four')),
    rows: () => [['file.created', path('new.txt'), { size: 4 }]],
  },
  {
    of: 'files/upload',
    what: 'a file over another one',
    work: () => done(api.put({ path: path('a.txt') }, 'newer')),
    rows: () => [['file.overwritten', path('a.txt'), { size: 5, version: 2 }]],
  },
  {
    of: 'files/upload',
    what: 'a file and the folders on its way',
    work: () => done(api.put({ filePath: path('x/y/z.txt') }, '')),
    rows: () => [
      ['folder.created', path('x'), {}],
      ['folder.created', path('x/y'), {}],
      ['file.created', path('x/y/z.txt'), { size: 0 }],
    ],
  },
  {
    of: 'files/upload',
    what: 'a file in pieces',
    work: async () => {
      const content = Buffer.from('in two pieces');
      await done(sendChunk(api, path('pieces.txt'), content, 0, 6));
      await done(sendChunk(api, path('pieces.txt'), content, 6));
    },
    rows: () => [['file.created', path('pieces.txt'), { size: 13 }]],
  },
  {
    of: 'files/rename',
    what: 'a file',
    work: () => done(api.post('files/rename', { path: path('a.txt'), newName: 'b.txt' })),
    rows: () => [['item.renamed', path('b.txt'), { from: path('a.txt') }]],
  },
  {
    of: 'files/rename',
    what: 'a folder',
    work: () => done(api.post('files/rename', { path: path('box'), newName: 'case' })),
    rows: () => [['item.renamed', path('case'), { from: path('box'), folder: true }]],
  },
  {
    of: 'files/move',
    what: 'a file over another one',
    before: () => writeFile(at('other', 'a.txt'), 'there'),
    work: () => done(api.post('files/move', { path: path('a.txt'), moveTo: path('other'), overwrite: '1' })),
    rows: () => [['item.moved', path('other/a.txt'), { from: path('a.txt'), overwritten: true }]],
  },
  {
    of: 'files/move',
    what: 'a folder',
    work: () => done(api.post('files/move', { path: path('box'), moveTo: path('other') })),
    rows: () => [['item.moved', path('other/box'), { from: path('box'), folder: true }]],
  },
  {
    of: 'files/copy',
    what: 'a file',
    work: () => done(api.post('files/copy', { path: path('a.txt'), copyTo: path('other') })),
    rows: () => [['file.copied', path('other/a.txt'), { from: path('a.txt'), size: 3 }]],
  },
  {
    of: 'files/copy',
    what: 'a file over another one',
    before: () => writeFile(at('other', 'a.txt'), 'there'),
    work: () => done(api.post('files/copy', { path: path('a.txt'), copyTo: path('other'), overwrite: '1' })),
    rows: () => [['file.copied', path('other/a.txt'), { from: path('a.txt'), size: 3, overwritten: true }]],
  },
  {
    of: 'files/copy',
    what: 'a folder with all that is in it',
    work: () => done(api.post('files/copy', { path: path('box'), copyTo: path('other') })),
    rows: () => [['folder.copied', path('other/box'), { from: path('box'), folder: true }]],
  },
  {
    of: 'files/extract',
    what: 'what came out of an archive',
    before: () => writeFile(at('a.zip'), buildZip([{ name: 'x/y', content: 'x' }, { name: 'z' }])),
    work: () => done(api.post('files/extract', { path: path('a.zip'), extractTo: path('other') })),
    rows: () => [['archive.extracted', path('other/a'), { from: path('a.zip'), items: 3, folder: true }]],
  },
  {
    of: 'files/zip',
    what: 'a new archive',
    work: () => done(api.post('files/zip', { 'paths[]': [path('box')], target: path('other'), archiveName: 'box' })),
    rows: () => [['file.created', path('other/box.zip'), { size: expect.any(Number) }]],
  },
  {
    of: 'files/lock',
    what: 'a file',
    work: () => done(api.post('files/lock', { path: path('a.txt') })),
    rows: () => [['file.locked', path('a.txt'), {}]],
  },
  {
    of: 'files/unlock',
    what: 'a file',
    before: () => done(api.post('files/lock', { path: path('a.txt') })),
    work: () => done(api.post('files/unlock', { path: path('a.txt') })),
    rows: () => [['file.unlocked', path('a.txt'), {}]],
  },
  {
    of: 'files/download',
    what: 'a file',
    work: () => api.get('files/download', { path: path('a.txt') }),
    rows: () => [['file.downloaded', path('a.txt'), {}]],
  },
  {
    of: 'files/download',
    what: 'an old content',
    before: () => overwritten('v.txt'),
    work: () => api.get('files/download', { path: path('v.txt'), version: 1 }),
    rows: () => [['file.downloaded', path('v.txt'), { version: 1 }]],
  },
  {
    of: 'files/download',
    what: 'a folder',
    work: () => api.get('files/download', { path: path('box') }),
    rows: () => [['folder.downloaded', path('box'), {}]],
  },
  {
    of: 'files/delete',
    what: 'a file',
    work: () => trashed('a.txt'),
    rows: () => [['item.trashed', path('a.txt'), { trashId: ID }]],
  },
  {
    of: 'files/delete',
    what: 'a folder',
    work: () => trashed('box'),
    rows: () => [['item.trashed', path('box'), { folder: true, trashId: ID }]],
  },
  {
    of: 'files/delete',
    what: 'a folder for good',
    work: () => done(api.post('files/delete', { path: path('box'), permanent: '1' })),
    rows: () => [['item.removed', path('box'), { folder: true }]],
  },
  {
    of: 'files/trash/restore',
    what: 'a file',
    before: () => trashed('a.txt'),
    work: (trash) => done(api.post('files/trash/restore', { path: String(trash) })),
    rows: () => [['item.restored', path('a.txt'), {}]],
  },
  {
    of: 'files/trash/restore',
    what: 'a file whose name is taken',
    before: async () => {
      const trash = await trashed('a.txt');
      await writeFile(at('a.txt'), 'another');
      return trash;
    },
    work: (trash) => done(api.post('files/trash/restore', { path: String(trash) })),
    rows: () => [['item.restored', path('a (restored).txt'), { from: path('a.txt') }]],
  },
  {
    of: 'files/trash/delete',
    what: 'a folder',
    before: () => trashed('box'),
    work: (trash) => done(api.post('files/trash/delete', { path: String(trash) })),
    rows: () => [['item.removed', path('box'), { folder: true, trash: true }]],
  },
  {
    of: 'files/trash/empty',
    what: 'two items',
    before: async () => {
      await done(api.post('files/trash/empty'));
      await trashed('a.txt');
      await trashed('box');
    },
    work: () => done(api.post('files/trash/empty')),
    rows: () => [['trash.emptied', '/TRASH', { items: 2, of: 'ann' }]],
  },
  {
    of: 'files/versions/restore',
    what: 'an old content',
    before: () => overwritten('v.txt'),
    work: () => done(api.post('files/versions/restore', { path: path('v.txt'), version: 1 })),
    rows: () => [['version.restored', path('v.txt'), { version: 3, from: 1 }]],
  },
  {
    of: 'files/versions/delete',
    what: 'an old content',
    before: () => overwritten('v.txt'),
    work: () => done(api.post('files/versions/delete', { path: path('v.txt'), version: 1 })),
    rows: () => [['version.removed', path('v.txt'), { version: 1 }]],
  },
];

const ELSEWHERE = [...LOOKING, ...PRIVATE, ...SHARING, ...COMMENTS, ...METADATA];

it('the table contains an expectation for every operation', async () => {
  const { body } = await household.api.send('GET', '/api.php/openapi.json');
  const declared = Object.keys(body.paths).map((name) => name.slice(1));
  expect([...new Set([...ELSEWHERE, ...CASES.map(({ of }) => of)])].sort()).toEqual(declared.sort());
});

describe('the activity log', () => {
  it.each(CASES)(
    'contains for $of, $what, exactly one entry per action',
    async ({ before, work, rows, group = 'files' }) => {
      const prepared = await before?.();
      const expected = rows().map(([kind, subject, details]) => ({ ...byAnn(), group, kind, subject, details }));
      expect(await rowsOf(household, () => work(prepared))).toEqual(expected);
    },
  );

  it('contains no read-only operations and no failures', async () => {
    const looking = await rowsOf(household, async () => {
      await done(api.get('account/info'));
      await done(api.get('files/browse', { path: path('box'), recursive: '1' }));
      await done(api.get('files/versions/list', { path: path('a.txt') }));
    });
    expect(looking).toEqual([]);
    const failing = await rowsOf(household, async () => {
      const replies = [
        api.post('files/createfolder', { path: path(''), name: 'box' }),
        api.post('files/createfolder', { path: path(''), name: 'a:b' }),
        api.put({ path: path('no/where.txt') }, 'x'),
        api.put({ path: path('box') }, 'x'),
        api.post('files/rename', { path: path('a.txt'), newName: 'box' }),
        api.post('files/move', { path: path('box'), moveTo: path('box/in') }),
        api.post('files/copy', { path: path('box'), copyTo: path('box/in') }),
        api.post('files/extract', { path: path('a.txt'), extractTo: path('box') }),
        api.post('files/lock', { path: path('box') }),
        api.post('files/unlock', { path: path('a.txt') }),
        api.get('files/download', { path: path('gone.txt') }),
        api.get('files/download', { path: path('a.txt'), version: 9 }),
        api.post('files/delete', { path: path('gone.txt') }),
        api.post('files/trash/restore', { path: '/TRASH/AAAAAAAAAAAAAAAA' }),
        api.post('files/trash/delete', { path: '/TRASH/AAAAAAAAAAAAAAAA' }),
        api.post('files/versions/restore', { path: path('a.txt'), version: 9 }),
        api.post('files/versions/delete', { path: path('a.txt'), version: 9 }),
        api.post('files/comments/add', { path: path('a.txt'), comment: ' ' }),
        api.post('files/comments/delete', { path: path('a.txt'), id: 999 }),
        api.post('files/label', { path: path('a.txt'), label: 'a|b' }),
      ];
      for (const reply of replies) expect((await reply).status).toBeGreaterThan(399);
    });
    expect(failing).toEqual([]);
  });

  it('has no entry for emptying an empty trash', async () => {
    await done(api.post('files/trash/empty'));
    expect(await rowsOf(household, () => done(api.post('files/trash/empty')))).toEqual([]);
  });

  it('distinguishes the apps of an account', async () => {
    const added = await household.control('clients.add', { name: 'Camera Roll', redirectUris: [] });
    const { clientId, clientSecret } = added as { clientId: string; clientSecret: string };
    const form = { grant_type: 'password', username: 'ann', password: 'correct horse battery', scope: 'upload' };
    const reply = await household.api.token({ ...form, client_id: clientId, client_secret: clientSecret });
    const headers = { authorization: `Bearer ${reply.body.access_token}` };
    const rows = await rowsOf(household, async () => {
      await household.api.send('PUT', `/api.php/files/upload?path=${path('cam.jpg')}`, { headers, body: 'x' });
      await household.control('clients.remove', { clientId });
    });
    // The client is gone, and its name is still there.
    expect(rows).toMatchObject([
      { kind: 'file.created', clientId, client: 'Camera Roll', username: 'ann' },
      { kind: 'client.removed', channel: 'control', subject: 'Camera Roll', details: { clientId } },
    ]);
  });
});
