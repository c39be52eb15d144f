import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MAX_UNFINISHED } from '../../../dist/server/tus/records.js';
import { appOf, pairOf } from '../../oauth/support.ts';
import { WebVisitor } from '../../support/browser/web-visitor.ts';
import { homeOf, MEMBER, setPermissions } from '../../support/households/member.ts';
import type { ApiClient, Reply } from '../../support/requests/api-client.ts';
import { encodeQuery } from '../../support/requests/api-client.ts';
import { openSharingHousehold, type SharingHousehold } from '../../support/requests/sharing.ts';
import { beginPatch, createUpload, head, newUpload, offsetOf, patch, terminate } from '../../support/requests/tus.ts';

const MEGABYTE = 1_048_576;

let household: SharingHousehold;
let sam: ApiClient;
let count = 0;

beforeAll(async () => {
  household = await openSharingHousehold();
  sam = household.as('sam');
});
afterAll(() => household.close());

const said = ({ status, body }: Reply) => [status, body.code];
const incoming = () => readdir(join(household.folder, '.larder', 'incoming'));
const filename = () => `upload ${++count}.bin`;
const samHas = async (name: string) => (await readdir(homeOf(household, 'sam'))).includes(name);

/** An upload of ten bytes, of which five have arrived. */
async function halfDone(api: ApiClient, more: Record<string, string> = {}): Promise<{ name: string; address: string }> {
  const name = filename();
  const address = await newUpload(api, 10, { filename: name, ...more });
  expect((await patch(api, address, 0, Buffer.from('12345'))).status).toBe(204);
  return { name, address };
}

const finish = (api: ApiClient, address: string) => patch(api, address, 5, Buffer.from('67890'));

describe('an upload belongs to one account and authorization', () => {
  it('and does not exist for other callers', async () => {
    const { name, address } = await halfDone(sam);
    const { data } = (await sam.get('account/info')).body;
    expect(data.username).toBe('sam');
    const again = pairOf(await appOf(household).password({ username: 'sam', scope: 'upload' }));
    for (const other of [household.as('ben'), household.api.with(again.access), await household.signIn()]) {
      expect((await head(other, address)).status).toBe(404);
      expect(said(await finish(other, address))).toEqual([404, 'not_found']);
      expect(said(await terminate(other, address))).toEqual([404, 'not_found']);
    }
    // Its chunks cannot be reached through the API either.
    const key = `tus:${address.split('/').at(-1)}`;
    const query = { path: `/ROOT/HOME/${name}`, totalSize: 10, startByte: 0, uploadId: key };
    expect(said(await sam.put(query, Buffer.from('xxxxx')))).toEqual([400, 'invalid_parameter']);
    expect(said(await sam.send('PUT', `/api.php/files/upload?${encodeQuery({ ...query, getOffset: 1 })}`))).toEqual([
      400,
      'invalid_parameter',
    ]);
    expect((await finish(sam, address)).status).toBe(204);
    expect((await head(household.as('ben'), address)).status).toBe(404);
  });

  it('and is continued with a refreshed token of the same authorization', async () => {
    const app = appOf(household);
    const pair = pairOf(await app.password({ username: 'sam', scope: 'upload' }));
    const { name, address } = await halfDone(household.api.with(pair.access));
    const next = household.api.with(pairOf(await app.refresh(pair.refresh)).access);
    expect(await offsetOf(next, address)).toBe(5);
    expect((await finish(next, address)).status).toBe(204);
    expect(await samHas(name)).toBe(true);
  });

  it('and requires a token with the scope upload for every request', async () => {
    const { address } = await halfDone(sam);
    const app = appOf(household);
    const lister = household.api.with(pairOf(await app.password({ username: 'sam', scope: 'list delete' })).access);
    for (const [api, status] of [
      [household.api, 401],
      [lister, 403],
      [household.api.with('nonsense'), 401],
    ] as const) {
      const replies = [
        await createUpload(api, 10, { filename: 'a' }),
        await head(api, address),
        await finish(api, address),
        await terminate(api, address),
      ];
      expect(replies.map((reply) => reply.status)).toEqual([status, status, status, status]);
      expect(replies[0]?.headers).toHaveProperty('www-authenticate');
    }
    expect((await terminate(sam, address)).status).toBe(204);
  });
});

describe('an upload whose rights change between two requests', () => {
  it('is refused after its authorization is revoked', async () => {
    const app = appOf(household);
    const { access } = pairOf(await app.password({ username: 'sam', scope: 'upload' }));
    const api = household.api.with(access);
    const { name, address } = await halfDone(api);
    const form = { token: access, ...app.credentials };
    await household.api.send('POST', '/oauth2/revoke/', {
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: encodeQuery(form),
    });
    expect(said(await finish(api, address))).toEqual([401, 'invalid_token']);
    expect((await head(api, address)).status).toBe(401);
    expect(await samHas(name)).toBe(false);
  });

  it.each<[string, Record<string, boolean | number | string>, number, string]>([
    ['the permission to upload', { upload: false }, 403, 'permission_denied'],
    ['the permission to change anything', { readonly: true }, 403, 'permission_denied'],
    ['the type', { upload_limit_types: 'jpg' }, 415, 'type_not_allowed'],
  ])('is refused after the loss of %s', async (_what, permissions, status, code) => {
    const { name, address } = await halfDone(sam);
    await setPermissions(household, { sam: permissions });
    expect((await head(sam, address)).status).toBe(status);
    expect(said(await finish(sam, address))).toEqual([status, code]);
    expect(said(await createUpload(sam, 10, { filename: 'a.bin' }))).toEqual([status, code]);
    expect(await samHas(name)).toBe(false);
    await setPermissions(household, { sam: {} });
    expect((await finish(sam, address)).status).toBe(204);
  });

  it('is refused after the end of its share, but can be removed', async () => {
    const { box, folder, end } = await shared();
    const ben = household.as('ben');
    const { name, address } = await halfDone(ben, { path: folder });
    await end();
    expect((await head(ben, address)).status).toBe(404);
    expect(said(await finish(ben, address))).toEqual([404, 'not_found']);
    expect(await readdir(household.at(box))).not.toContain(name);
    const before = (await incoming()).length;
    expect((await terminate(ben, address)).status).toBe(204);
    expect(await incoming()).toHaveLength(before - 1);
  });

  it('continues if the owner renames the shared folder', async () => {
    const { box, folder } = await shared();
    const ben = household.as('ben');
    const { name, address } = await halfDone(ben, { path: folder });
    await household.as('olga').post('files/rename', { path: `/ROOT/HOME/${box}`, newName: `${box} renamed` });
    expect(await offsetOf(ben, address)).toBe(5);
    expect((await finish(ben, address)).status).toBe(204);
    expect(String(await readFile(household.at(`${box} renamed/${name}`)))).toBe('1234567890');
  });

  it('is refused if its name is used meanwhile by a file of the share that may not be replaced', async () => {
    const { box, folder } = await shared();
    const ben = household.as('ben');
    expect(said(await createUpload(ben, 10, { filename: 'a.txt', path: folder }))).toEqual([403, 'permission_denied']);
    const { name, address } = await halfDone(ben, { path: folder });
    await household.put(`${box}/${name}`);
    expect(said(await finish(ben, address))).toEqual([403, 'permission_denied']);
    expect(String(await readFile(household.at(`${box}/${name}`)))).toBe(`content of ${box}/${name}`);
    expect(await offsetOf(ben, address)).toBe(5);
  });
});

describe('an upload whose rights change while its content arrives', () => {
  /** Sends the last five bytes slowly. @returns the reply, or nothing if the connection was closed */
  async function during(api: ApiClient, address: string, meanwhile: () => Promise<unknown>): Promise<string> {
    const { port, ca } = household;
    const socket = beginPatch({ port, ca, token: api.token_ }, address, {
      ...{ offset: 5, announced: 5, more: 'Connection: close\r\nExpect: 100-continue\r\n' },
    });
    let reply = '';
    socket.on('data', (chunk) => (reply += chunk));
    const closed = new Promise((resolve) => socket.once('close', resolve));
    // The server asks for the content once it may be sent.
    const asking = 'HTTP/1.1 100 Continue\r\n\r\n';
    await expect.poll(() => reply).toBe(asking);
    socket.write('678');
    await meanwhile();
    socket.write('90');
    await closed;
    return reply.slice(asking.length).split('\r\n', 1)[0] ?? '';
  }

  it('is refused after its authorization is revoked', async () => {
    const app = appOf(household);
    const { access } = pairOf(await app.password({ username: 'sam', scope: 'upload' }));
    const api = household.api.with(access);
    const { name, address } = await halfDone(api);
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const body = encodeQuery({ token: access, ...app.credentials });
    const reply = await during(api, address, () => household.api.send('POST', '/oauth2/revoke/', { headers, body }));
    expect(reply).not.toContain(' 204 ');
    expect(await samHas(name)).toBe(false);
  });

  it('is refused after the loss of a permission, and completes once it is restored', async () => {
    const { name, address } = await halfDone(sam);
    expect(await during(sam, address, () => setPermissions(household, { sam: { upload: false } }))).toContain(' 403 ');
    expect(await samHas(name)).toBe(false);
    await setPermissions(household, { sam: {} });
    // All bytes are there; that of the last one is asked for again, so that its reply can say what became of the file.
    expect(await offsetOf(sam, address)).toBe(9);
    expect((await patch(sam, address, 9, Buffer.from('0'))).status).toBe(204);
    expect(String(await readFile(join(homeOf(household, 'sam'), name)))).toBe('1234567890');
  });

  it('is refused after the end of its share', async () => {
    const { box, folder, end } = await shared();
    const ben = household.as('ben');
    const { name, address } = await halfDone(ben, { path: folder });
    expect(await during(ben, address, end)).toContain(' 404 ');
    expect(await readdir(household.at(box))).not.toContain(name);
    expect(await offsetOf(ben, address)).toBe('status 404');
  });
});

describe('limits', () => {
  it('the maximum size is reported to callers with a token, and enforced', async () => {
    await setPermissions(household, { sam: { upload_max_size: 1 } });
    const options = async (api: ApiClient) => (await api.send('OPTIONS', '/tus/')).headers['tus-max-size'];
    expect(await options(sam)).toBe(String(MEGABYTE));
    expect(await options(household.api)).toBeUndefined();
    expect(await options(household.api.with('nonsense'))).toBeUndefined();
    const { status, body } = await createUpload(sam, MEGABYTE + 1, { filename: filename() });
    expect([status, body.code, body.details.limit]).toEqual([413, 'upload_too_large', MEGABYTE]);
    await setPermissions(household, { sam: {} });
    expect(await options(sam)).toBeUndefined();
  });

  it('the quota includes the bytes received, and is enforced at creation and afterwards', async () => {
    await setPermissions(household, { gil: { space_quota_max: 1 } });
    const gil = household.as('gil');
    expect(said(await createUpload(gil, MEGABYTE + 1, { filename: 'a.bin' }))).toEqual([507, 'quota_exceeded']);
    const half = Buffer.alloc(MEGABYTE / 2);
    const [first, second] = [
      await newUpload(gil, MEGABYTE, { filename: 'first.bin' }),
      await newUpload(gil, MEGABYTE, { filename: 'second.bin' }),
    ];
    expect((await patch(gil, first, 0, half)).status).toBe(204);
    expect(said(await patch(gil, second, 0, half))).toEqual([507, 'quota_exceeded']);
    expect(said(await createUpload(gil, half.length + 1, { filename: 'b.bin' }))).toEqual([507, 'quota_exceeded']);
    expect((await patch(gil, first, half.length, half)).status).toBe(204);
    expect(said(await createUpload(gil, 1, { filename: 'c.bin' }))).toEqual([507, 'quota_exceeded']);
    expect((await terminate(gil, second)).status).toBe(204);
  });

  it('a lock of another account is respected', async () => {
    const { box, folder } = await shared({ alter: 1 });
    const ben = household.as('ben');
    const olga = household.as('olga');
    const address = await newUpload(ben, 10, { filename: 'a.txt', path: folder });
    const path = `/ROOT/HOME/${box}/a.txt`;
    expect((await olga.post('files/lock', { path })).status).toBe(200);
    expect(said(await createUpload(ben, 10, { filename: 'a.txt', path: folder }))).toEqual([423, 'locked']);
    expect(said(await patch(ben, address, 0, Buffer.from('1234567890')))).toEqual([423, 'locked']);
    await olga.post('files/unlock', { path });
    expect((await patch(ben, address, 0, Buffer.from('1234567890'))).status).toBe(204);
    expect(String(await readFile(household.at(`${box}/a.txt`)))).toBe('1234567890');
  });

  it('the activity log contains the file', async () => {
    const name = filename();
    await createUpload(sam, 3, { filename: name }, Buffer.from('abc'));
    const entries = JSON.stringify(await household.control('activity.list', { limit: 5 }));
    expect(entries).toContain(name);
    expect(entries).toContain('file.created');
  });
});

it('a session of the pages does not authorize uploads', async () => {
  const visitor = new WebVisitor(household);
  const page = await visitor.get('/files/');
  const fields = { form_token: page.field('form_token'), next: page.field('next') };
  const entered = await visitor.post('/account/sign-in', { ...fields, username: 'sam', password: MEMBER.password });
  expect(entered.status).toBe(303);
  expect((await visitor.get('/account/')).status).toBe(200);
  const cookie = [...visitor.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  expect(said(await createUpload(household.api, 1, { filename: 'a' }, null, { cookie }))).toEqual([
    401,
    'invalid_token',
  ]);
});

/** A folder of Olga's that Ben may upload to. */
async function shared(more: Record<string, string | number> = {}) {
  const box = await household.newBox();
  const path = `/ROOT/HOME/${box}`;
  const form = { uid: household.ids.ben, upload: 1, download: 1, ...more };
  const share = await household.share(path, form);
  const end = () => household.as('olga').post('files/unshare', { path, uid: household.ids.ben });
  return { box, folder: `/ROOT/${household.ids.olga}/${share}`, end };
}

it('an account has a limited number of unfinished uploads, with limited metadata', async () => {
  const owner = await household.signIn();
  const create = () => createUpload(owner, 10, { filename: filename() });
  const first = await newUpload(owner, 10, { filename: filename() });
  for (let begun = 1; begun < MAX_UNFINISHED; begun += 100) {
    const replies = await Promise.all(Array.from({ length: Math.min(100, MAX_UNFINISHED - begun) }, create));
    expect(replies.every(({ status }) => status === 201)).toBe(true);
  }
  expect(said(await create())).toEqual([429, 'too_many_requests']);
  // An upload that has ended makes room for another one.
  expect((await terminate(owner, first)).status).toBe(204);
  expect((await create()).status).toBe(201);
  expect((await createUpload(sam, 10, { filename: filename() })).status).toBe(201);
  const long = await createUpload(sam, 10, { filename: filename(), note: 'x'.repeat(10_000) });
  expect(said(long)).toEqual([400, 'invalid_parameter']);
});
