import { randomBytes } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { areaOf } from '../faults/support.ts';
import type { Household } from '../support/households/household.ts';
import { addMembersWithHomes, homeOf, signInAs } from '../support/households/member.ts';
import type { ApiClient } from '../support/requests/api-client.ts';
import { davClient } from '../support/webdav/dav-client.ts';
import { send } from './support.ts';
import { codeOf, newBox, openTransfers, statusOf, TransferClient } from './transfers.ts';

let household: Household;
let api: ApiClient;
let app: TransferClient;
let id = '';
let box = '';
let next = 0;

beforeAll(async () => {
  ({ household, api, app } = await openTransfers());
});
afterAll(() => household?.close());
afterEach(async () => {
  // What a test leaves would count in the next one.
  for (const left of [id, `${id}-2`]) await app.abort(left);
});
beforeEach(async () => {
  ({ next, id, box } = await newBox(household, next + 1));
});

const at = (name: string) => join(household.home, `box ${next}`, name);
const read = (name: string) => readFile(at(name), 'utf8');

describe('addresses', () => {
  it.each([
    ['a%20b', 400],
    ['a%2Fb', 400],
    ['%00', 400],
    ['%FF', 400],
    ['x'.repeat(256), 400],
    ['x'.repeat(255), 201],
    ['A.b-c_d~e@f+g=h', 201],
  ])('of a transfer named "%s" are accepted only if valid', async (name, expected) => {
    expect(await statusOf(app.send('MKCOL', `/${name}`))).toBe(expected);
    if (expected === 201) expect(await statusOf(app.abort(name))).toBe(204);
  });

  it('allow the methods that they announce', async () => {
    await app.begin(id);
    for (const [path, method, allow] of [
      [`/${id}`, 'PUT', 'OPTIONS, MKCOL, PROPFIND, DELETE'],
      [`/${id}`, 'GET', 'OPTIONS, MKCOL, PROPFIND, DELETE'],
      [`/${id}/1`, 'GET', 'OPTIONS, PUT, DELETE'],
      [`/${id}/1`, 'MOVE', 'OPTIONS, PUT, DELETE'],
      [`/${id}/.file`, 'PUT', 'OPTIONS, MOVE'],
      [`/${id}/.file`, 'LOCK', 'OPTIONS, MOVE'],
    ] as const) {
      const reply = await app.send(method, path);
      expect([path, method, reply.status, reply.headers.allow]).toEqual([path, method, 405, allow]);
    }
    const options = await app.send('OPTIONS', `/${id}`);
    expect([options.status, options.headers.dav]).toEqual([200, '1, 2, 3']);
    for (const path of ['', '/', `/${id}/1/2`])
      expect([path, await statusOf(app.send('PROPFIND', path))]).toEqual([path, 404]);
  });

  it('are not found if `If` names the files of another account, whether or not it has them', async () => {
    await app.begin(id);
    await app.part(id, '1', 'x');
    const headers = (name: string) => ({ if: `</remote.php/dav/files/mia/${name}> (<urn:x>)` });
    const answers = async (name: string) => [
      await statusOf(app.begin(`${id}-2`, headers(name))),
      await statusOf(app.send('PUT', `/${id}/2`, { headers: headers(name), body: 'y' })),
      await statusOf(app.finish(id, 'My%20files/taken.txt', headers(name))),
    ];
    for (const name of ['My%20files/hers.txt', 'nothing.txt']) expect(await answers(name)).toEqual([404, 404, 404]);
    expect(await app.listed(id)).toEqual({ '1': 1 });
  });

  it('cannot be used by pages, and ignore cookies', async () => {
    const bare = await send(household, 'PROPFIND', `/remote.php/dav/uploads/ann/${id}`, { headers: { depth: '1' } });
    expect([bare.status, bare.headers['www-authenticate']]).toEqual([401, expect.stringContaining('Basic')]);
    expect(bare.headers['content-security-policy']).toBe("sandbox; default-src 'none'");
    const fromPage = { 'sec-fetch-mode': 'cors', 'sec-fetch-site': 'cross-site' };
    expect(await statusOf(app.begin(id, fromPage))).toBe(403);
    expect(await statusOf(app.begin(id))).toBe(201);
  });

  it('are not found while the apps are switched off', async () => {
    await app.parts(id, ['x']);
    const path = `/remote.php/dav/uploads/ann/${id}`;
    await household.control('settings.update', { nextcloudApps: false });
    // Below /remote.php, WebDAV answers for what is not there.
    expect(codeOf(await send(household, 'PROPFIND', path))).toEqual([404, 'not_found']);
    expect([await app.listed(id), await statusOf(app.abort(id))]).toEqual([404, 404]);
    await household.control('settings.update', { nextcloudApps: true });
    expect(await app.listed(id)).toEqual({ '1': 1 });
    expect(await statusOf(app.abort(id))).toBe(204);
  });

  it('are announced', async () => {
    const { body } = await send(household, 'GET', '/ocs/v2.php/cloud/capabilities?format=json', {
      headers: { authorization: app.app.authorization, 'ocs-apirequest': 'true' },
    });
    const { dav, files } = body.ocs.data.capabilities;
    expect([dav, files.bigfilechunking]).toEqual([{ chunking: '1.0' }, true]);
  });
});

describe('rights', () => {
  it('a transfer belongs to the app that started it', async () => {
    await addMembersWithHomes(household, { ben: {} });
    const ben = new TransferClient(await davClient(await signInAs(household, 'ben')));
    const phone = new TransferClient(await davClient(api));
    await app.parts(id, ['mine']);
    const addresses = ben.app.at('/remote.php/dav/uploads/ann');
    for (const other of [addresses, phone.app.at('/remote.php/dav/uploads/ann')]) {
      expect(await statusOf(other.propfind(`/${id}`, '1'))).toBe(404);
      expect(await statusOf(other.put(`/${id}/2`, 'x'))).toBe(404);
      expect(await statusOf(other.send('DELETE', `/${id}`))).toBe(404);
      const { destination = '' } = app.destination(`${box}/a.txt`);
      expect(await statusOf(other.send('MOVE', `/${id}/.file`, { headers: { destination } }))).toBe(404);
    }
    // Nobody learns which ids others use.
    expect([await statusOf(ben.begin(id)), await statusOf(phone.begin(id))]).toEqual([201, 201]);
    expect(await app.listed(id)).toEqual({ '1': 4 });
    for (const one of [app, ben, phone]) expect(await statusOf(one.abort(id))).toBe(204);
  });

  it('a read-only app cannot upload', async () => {
    const reading = new TransferClient(await davClient(api, { read_only: 1 }));
    expect(await statusOf(reading.begin(id))).toBe(403);
    expect(await statusOf(reading.begin(id, reading.destination(`${box}/a.txt`)))).toBe(403);
  });

  it('an app that is limited to a folder stores files there only', async () => {
    const limited = new TransferClient(await davClient(api, { folder: `/ROOT/HOME/box ${next}` }));
    await limited.parts(id, ['in the box']);
    const outside = await limited.finish(id, '/../other.txt', { destination: '/dav/My%20files/other.txt' });
    expect(codeOf(outside)).toEqual([409, 'conflict']);
    expect(await statusOf(limited.finish(id, '/a.txt'))).toBe(201);
    expect(await read('a.txt')).toBe('in the box');
    expect(await statusOf(limited.begin(id, limited.destination('/b.txt')))).toBe(201);
    expect(await statusOf(limited.begin(`${id}-2`, limited.destination('/none/b.txt')))).toBe(409);
    expect(await statusOf(limited.abort(id))).toBe(204);
  });

  it('of a share apply, and its owner gets the file', async () => {
    await addMembersWithHomes(household, { mia: { space_quota_max: 1 } });
    const mia = await signInAs(household, 'mia');
    const uid = Number((await api.get('account/info')).body.id);
    for (const [name, granted] of [
      ['ours', { upload: 1, alter: 1 }],
      ['hers', { upload: 0, alter: 0 }],
    ] as const) {
      await mia.post('files/createfolder', { path: '/ROOT/HOME', name });
      const shared = await mia.post('files/share', { path: `/ROOT/HOME/${name}`, uid, download: 1, ...granted });
      expect([name, shared.status]).toEqual([name, 200]);
    }
    const there = (path: string) => `/Shared%20with%20me/Mia/${path}`;
    expect(await statusOf(app.begin(id, app.destination(there('hers/a.txt'))))).toBe(403);
    await app.parts(id, ['for ', 'both']);
    expect(await statusOf(app.part(id, 2, 'none', app.destination(there('hers/a.txt'))))).toBe(403);
    expect(await statusOf(app.finish(id, there('hers/a.txt')))).toBe(403);
    expect(await app.listed(id)).toEqual({ '1': 4, '2': 4 });
    // The parts wait in the home of their sender, and the file arrives in another one.
    expect(await statusOf(app.finish(id, there('ours/a.txt')))).toBe(201);
    expect(await readFile(join(homeOf(household, 'mia'), 'ours', 'a.txt'), 'utf8')).toBe('for both');
    // With a destination, they count where they go.
    const large = randomBytes(700_000);
    await app.begin(id, app.destination(there('ours/b.bin')));
    expect(await statusOf(app.part(id, 1, large))).toBe(201);
    expect(await statusOf(app.part(id, 2, large))).toBe(507);
    expect(await statusOf(app.finish(id, `${box}/b.bin`))).toBe(201);
    expect((await readFile(at('b.bin'))).equals(large)).toBe(true);
    expect(await areaOf(household, 'incoming')).toEqual([]);
  });

  it('a quota includes waiting parts, and a file may not exceed it', async () => {
    await addMembersWithHomes(household, { lea: { space_quota_max: 1, upload_max_size: 0 } });
    const lea = new TransferClient(await davClient(await signInAs(household, 'lea')));
    const large = { 'oc-total-length': '1100000', ...lea.destination('/My%20files/a.bin') };
    expect(codeOf(await lea.begin(id, large))).toEqual([507, 'quota_exceeded']);
    await lea.parts(id, [randomBytes(400_000), randomBytes(400_000)]);
    expect(codeOf(await lea.part(id, 3, randomBytes(400_000)))).toEqual([507, 'quota_exceeded']);
    expect(codeOf(await lea.part(id, 3, Readable.from([randomBytes(400_000)])))).toEqual([507, 'quota_exceeded']);
    // The parts are the content: they count once.
    expect(await statusOf(lea.finish(id, '/My%20files/a.bin'))).toBe(201);
    expect((await stat(join(homeOf(household, 'lea'), 'a.bin'))).size).toBe(800_000);
    await lea.parts(id, [randomBytes(200_000)]);
    expect(await statusOf(lea.app.put('/My%20files/b.bin', randomBytes(100_000)))).toBe(507);
    expect(await statusOf(lea.abort(id))).toBe(204);
    expect(await statusOf(lea.app.put('/My%20files/b.bin', randomBytes(100_000)))).toBe(201);
  });

  it('the maximum file size of an account limits all parts together', async () => {
    await addMembersWithHomes(household, { tim: { upload_max_size: 1 } });
    const tim = new TransferClient(await davClient(await signInAs(household, 'tim')));
    const megabyte = 1024 * 1024;
    expect(await statusOf(tim.begin(id, { 'oc-total-length': String(megabyte + 1) }))).toBe(413);
    await tim.parts(id, [randomBytes(megabyte)]);
    expect(await statusOf(tim.part(id, 2, 'x', { 'oc-total-length': String(megabyte + 1) }))).toBe(413);
    expect(await statusOf(tim.part(id, 2, 'x'))).toBe(413);
    expect(await statusOf(tim.part(id, 1, randomBytes(megabyte)))).toBe(201);
    expect(await statusOf(tim.finish(id, '/My%20files/a.bin'))).toBe(201);
  });
});
