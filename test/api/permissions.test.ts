import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ApiClient, Reply } from '../support/api-client.ts';
import { buildZip, DEFLATED } from '../support/build-zip.ts';
import { type Household, openHousehold } from '../support/household.ts';
import { addMembersWithHomes, type Granted, homeOf, setPermissions, signInAs } from '../support/member.ts';

const MEGABYTE = 1_048_576;

/** A member for each, whose home holds a little more than one megabyte. */
const MEMBERS = {
  free: {},
  readonly: { readonly: true },
  noupload: { upload: false },
  nodownload: { download: false },
  nofolders: { download_folders: false },
  nohistory: { file_history: false },
  small: { upload_max_size: 1 },
  pictures: { upload_limit_types: 'jpg, .png' },
  full: { space_quota_max: 1 },
  noshare: { share: false },
} satisfies Record<string, Granted>;

type Member = keyof typeof MEMBERS;

interface Row {
  readonly of: string;
  readonly what: string;
  readonly call: (api: ApiClient, trashed: Trashed) => Promise<Reply>;
  /** Who is refused, and with what; everyone else is answered. */
  readonly refused: Partial<Record<Member, string>>;
}

interface Trashed {
  readonly restore: string;
  readonly remove: string;
}

const path = (name: string) => `/ROOT/HOME/${name}`;
const post = (operation: string, form: Record<string, string | number>) => (api: ApiClient) =>
  api.post(operation, form);

/** Typed by hand. */
const ROWS: readonly Row[] = [
  { of: 'files/browse', what: 'a folder', call: post('files/browse', { path: path('folder') }), refused: {} },
  { of: 'files/browse', what: 'the starred ones', call: post('files/browse', { path: '/STARRED' }), refused: {} },
  { of: 'files/browse', what: 'the trash', call: post('files/browse', { path: '/TRASH' }), refused: {} },
  {
    of: 'files/browse',
    what: 'everything',
    call: post('files/browse', { path: '/ROOT/HOME', recursive: 1 }),
    refused: {},
  },
  {
    of: 'files/search',
    what: 'a name',
    call: post('files/search', { path: '/ROOT/HOME', filename: 'a' }),
    refused: {},
  },
  { of: 'files/star', what: 'a folder', call: post('files/star', { path: path('folder') }), refused: {} },
  { of: 'files/unstar', what: 'a folder', call: post('files/unstar', { path: path('folder') }), refused: {} },
  ...['files/share', 'files/unshare'].map((of) => ({
    ...{ of, what: 'a file', call: post(of, { path: path('a.txt'), uid: 1 }) },
    refused: { noshare: '403 share' },
  })),
  {
    of: 'files/createfolder',
    what: 'a folder',
    call: post('files/createfolder', { path: '/ROOT/HOME', name: 'made' }),
    refused: { readonly: '403 readonly', noupload: '403 upload' },
  },
  {
    of: 'files/upload',
    what: 'a new file of 1 MB and a byte',
    call: (api) => api.put({ path: path('new.txt') }, Buffer.alloc(MEGABYTE + 1)),
    refused: {
      readonly: '403 readonly',
      noupload: '403 upload',
      small: '413 upload_too_large',
      pictures: '415 type_not_allowed',
      full: '507 quota_exceeded',
    },
  },
  {
    of: 'files/upload',
    what: 'over a file',
    call: (api) => api.put({ path: path('over.txt') }, 'new'),
    refused: {
      readonly: '403 readonly',
      noupload: '403 upload',
      pictures: '415 type_not_allowed',
      full: '507 quota_exceeded',
    },
  },
  {
    of: 'files/upload',
    what: 'a picture',
    call: (api) => api.put({ path: path('new.PNG') }, 'picture'),
    refused: { readonly: '403 readonly', noupload: '403 upload', full: '507 quota_exceeded' },
  },
  {
    of: 'files/upload',
    what: 'a form that names its file behind the content',
    call: async (api) => {
      const form = new FormData();
      form.append('file', new Blob(['content']));
      form.append('path', path('form.txt'));
      const packed = new Response(form);
      const headers = { 'content-type': packed.headers.get('content-type') ?? '' };
      return api.send('POST', '/api.php/files/upload', { headers, body: Buffer.from(await packed.arrayBuffer()) });
    },
    refused: {
      readonly: '403 readonly',
      noupload: '403 upload',
      pictures: '415 type_not_allowed',
      full: '507 quota_exceeded',
    },
  },
  {
    of: 'files/upload',
    what: 'the first piece of 1 MB and a byte',
    call: (api) => api.put({ path: path('pieces.txt'), totalSize: MEGABYTE + 1, startByte: 0 }, 'piece'),
    refused: {
      readonly: '403 readonly',
      noupload: '403 upload',
      small: '413 upload_too_large',
      pictures: '415 type_not_allowed',
      full: '507 quota_exceeded',
    },
  },
  {
    of: 'files/upload',
    what: 'how far it has come',
    call: (api) => api.send('PUT', `/api.php/files/upload?path=${path('some.txt')}&getOffset=1`),
    refused: { readonly: '403 readonly', noupload: '403 upload', pictures: '415 type_not_allowed' },
  },
  {
    of: 'files/download',
    what: 'a file',
    call: post('files/download', { path: path('a.txt') }),
    refused: { nodownload: '403 download' },
  },
  {
    of: 'files/download',
    what: 'a folder',
    call: post('files/download', { path: path('folder') }),
    refused: { nodownload: '403 download', nofolders: '403 download_folders' },
  },
  {
    of: 'files/download',
    what: 'an old content',
    call: post('files/download', { path: path('old.txt'), version: 1 }),
    refused: { nodownload: '403 download', nohistory: '403 file_history' },
  },
  {
    of: 'files/rename',
    what: 'a file, which keeps its type',
    call: post('files/rename', { path: path('rename.txt'), newName: 'renamed.txt' }),
    refused: { readonly: '403 readonly' },
  },
  {
    of: 'files/rename',
    what: 'a file to another type',
    call: post('files/rename', { path: path('retype.txt'), newName: 'retype.sh' }),
    refused: { readonly: '403 readonly', pictures: '415 type_not_allowed' },
  },
  {
    of: 'files/rename',
    what: 'a folder',
    call: post('files/rename', { path: path('refolder'), newName: 'folder.exe' }),
    refused: { readonly: '403 readonly' },
  },
  {
    of: 'files/move',
    what: 'a file',
    call: post('files/move', { path: path('move.txt'), moveTo: path('other') }),
    refused: { readonly: '403 readonly' },
  },
  {
    of: 'files/move',
    what: 'a folder',
    call: post('files/move', { path: path('moved'), moveTo: path('other') }),
    refused: { readonly: '403 readonly' },
  },
  {
    of: 'files/copy',
    what: 'a file of 1 MB and a byte',
    call: post('files/copy', { path: path('large.txt'), copyTo: path('other') }),
    refused: {
      readonly: '403 readonly',
      noupload: '403 upload',
      pictures: '415 type_not_allowed',
      full: '507 quota_exceeded',
    },
  },
  {
    of: 'files/copy',
    what: 'a folder',
    call: post('files/copy', { path: path('folder'), copyTo: path('other') }),
    refused: {
      readonly: '403 readonly',
      noupload: '403 upload',
      pictures: '415 type_not_allowed',
      full: '507 quota_exceeded',
    },
  },
  {
    of: 'files/extract',
    what: 'an archive of a text of 1 MB and a byte',
    call: post('files/extract', { path: path('packed.zip'), extractTo: path('other') }),
    refused: {
      readonly: '403 readonly',
      noupload: '403 upload',
      pictures: '415 type_not_allowed',
      full: '507 quota_exceeded',
    },
  },
  {
    of: 'files/zip',
    what: 'a file',
    call: post('files/zip', { 'paths[]': path('a.txt'), target: path('other'), archiveName: 'file' }),
    refused: {
      readonly: '403 readonly',
      noupload: '403 upload',
      nodownload: '403 download',
      pictures: '415 type_not_allowed',
      full: '507 quota_exceeded',
    },
  },
  {
    of: 'files/zip',
    what: 'a folder',
    call: post('files/zip', { 'paths[]': path('folder'), target: path('other'), archiveName: 'folder' }),
    refused: {
      readonly: '403 readonly',
      noupload: '403 upload',
      nodownload: '403 download',
      nofolders: '403 download_folders',
      pictures: '415 type_not_allowed',
      full: '507 quota_exceeded',
    },
  },
  ...['files/lock', 'files/unlock'].map((of) => ({
    ...{ of, what: 'a file', call: post(of, { path: path('a.txt') }) },
    refused: { readonly: '403 readonly' },
  })),
  {
    of: 'files/delete',
    what: 'a file',
    call: post('files/delete', { path: path('delete.txt') }),
    refused: { readonly: '403 readonly' },
  },
  {
    of: 'files/delete',
    what: 'a file for good',
    call: post('files/delete', { path: path('erase.txt'), permanent: 1 }),
    refused: { readonly: '403 readonly' },
  },
  {
    of: 'files/trash/restore',
    what: 'a file',
    call: (api, { restore }) => api.post('files/trash/restore', { path: restore }),
    refused: { readonly: '403 readonly', pictures: '415 type_not_allowed' },
  },
  {
    of: 'files/trash/delete',
    what: 'a file',
    call: (api, { remove }) => api.post('files/trash/delete', { path: remove }),
    refused: { readonly: '403 readonly' },
  },
  { of: 'files/trash/empty', what: 'all', call: post('files/trash/empty', {}), refused: { readonly: '403 readonly' } },
  {
    of: 'files/versions/list',
    what: 'of a file',
    call: post('files/versions/list', { path: path('old.txt') }),
    refused: { nohistory: '403 file_history' },
  },
  {
    of: 'files/versions/restore',
    what: 'of a file',
    call: post('files/versions/restore', { path: path('back.txt'), version: 1 }),
    refused: {
      readonly: '403 readonly',
      nohistory: '403 file_history',
      pictures: '415 type_not_allowed',
      full: '507 quota_exceeded',
    },
  },
  {
    of: 'files/versions/delete',
    what: 'of a file',
    call: post('files/versions/delete', { path: path('forget.txt'), version: 1 }),
    refused: { readonly: '403 readonly', nohistory: '403 file_history' },
  },
];

let household: Household;
const apis = new Map<string, ApiClient>();
const trashed = new Map<string, Trashed>();

const client = (member: string) => {
  const api = apis.get(member);
  if (api === undefined) throw new Error(`${member} is not signed in`);
  return api;
};

beforeAll(async () => {
  household = await openHousehold();
  await addMembersWithHomes(household, Object.fromEntries(Object.keys(MEMBERS).map((name) => [name, {}])));
  for (const member of Object.keys(MEMBERS)) {
    const home = homeOf(household, member);
    for (const folder of ['folder', 'other', 'refolder', 'moved']) await mkdir(join(home, folder));
    for (const name of ['a', 'over', 'rename', 'retype', 'move', 'delete', 'erase', 'folder/in', 'moved/in'])
      await writeFile(join(home, `${name}.txt`), name);
    await writeFile(join(home, 'large.txt'), Buffer.alloc(MEGABYTE + 1));
    const content = Buffer.alloc(MEGABYTE + 1);
    await writeFile(join(home, 'packed.zip'), buildZip([{ name: 'text.txt', content, method: DEFLATED }]));
    const api = await signInAs(household, member);
    for (const name of ['old', 'back', 'forget'])
      for (const content of ['first', 'second']) await api.put({ path: path(`${name}.txt`) }, content);
    const trash = async (name: string) => {
      await api.put({ path: path(name) }, name);
      return (await api.post('files/delete', { path: path(name) })).body.data.trash_path as string;
    };
    trashed.set(member, { restore: await trash('restore.txt'), remove: await trash('remove.txt') });
    await api.get('files/browse', { path: '/ROOT/HOME' });
  }
  await setPermissions(household, MEMBERS);
  for (const member of Object.keys(MEMBERS)) apis.set(member, await signInAs(household, member));
});
afterAll(() => household.close());

it('has a row for every declared operation on files, and no other', async () => {
  const { body } = await household.api.send('GET', '/api.php/openapi.json');
  const declared = Object.keys(body.paths).filter((name) => name.startsWith('/files/'));
  expect([...new Set(ROWS.map(({ of }) => `/${of}`))].sort()).toEqual(declared.sort());
});

const CASES = ROWS.flatMap((row) =>
  (Object.keys(MEMBERS) as Member[]).map((member) => [row.of, row.what, member, row.refused[member], row] as const),
);

describe('what a member may do', () => {
  it.each(CASES)('%s, %s: %s gets %s', async (_of, _what, member, refusal, row) => {
    const { status, body, text } = await row.call(client(member), trashed.get(member) as Trashed);
    if (refusal === undefined) return expect(status, text.slice(0, 500)).toBeLessThan(300);
    const [expected, name] = refusal.split(' ');
    expect(`${status}`, text).toBe(expected);
    if (status !== 403) return expect(body.code).toBe(name);
    expect([body.code, body.details]).toEqual(['permission_denied', { permission: name }]);
    expect(body.error).toContain(`"${name}"`);
  });

  it.each([
    ['free', { upload: true, download: true, alter: true }],
    ['readonly', { upload: false, download: true, alter: false }],
    ['noupload', { upload: false, download: true, alter: true }],
    ['nodownload', { upload: true, download: false, alter: true }],
  ])('a listing tells %s: %j', async (member, perms) => {
    const of = async (query: Record<string, string>) =>
      (await client(member).get('files/browse', query)).body.data.meta.perms;
    expect(await of({ path: '/ROOT/HOME' })).toEqual(perms);
    expect(await of({ path: path('folder'), recursive: '1' })).toEqual(perms);
    expect(await of({ path: '/TRASH' })).toEqual({ upload: false, download: false, alter: perms.alter });
  });

  it.each([
    ['readonly', 'files/delete', 'readonly'],
    ['noupload', 'files/copy', 'upload'],
    ['nodownload', 'files/download', 'download'],
    ['nohistory', 'files/versions/list', 'file_history'],
  ])('%s learns from %s nothing of what is there', async (member, operation, permission) => {
    for (const name of ['a.txt', 'nothing.txt', 'folder']) {
      const reply = await client(member).post(operation, { path: path(name), copyTo: path('nowhere') });
      expect([reply.status, reply.body.details]).toEqual([403, { permission }]);
    }
  });

  it('HEAD says it too', async () => {
    const head = (member: string, query: string) =>
      client(member)
        .send('HEAD', `/api.php/files/download?${query}`)
        .then(({ status }) => status);
    expect(await head('nodownload', `path=${path('a.txt')}`)).toBe(403);
    expect(await head('nofolders', `path=${path('folder')}`)).toBe(403);
    expect(await head('nofolders', `path=${path('a.txt')}`)).toBe(200);
  });

  it('holds for the owner in nothing', async () => {
    const owner = await household.signIn();
    expect((await owner.put({ path: path('README') }, Buffer.alloc(2 * MEGABYTE))).status).toBe(201);
    expect((await owner.get('files/download', { path: '/ROOT/HOME' })).status).toBe(200);
  });
});
