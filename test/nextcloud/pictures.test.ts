import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Household, openHousehold } from '../support/households/household.ts';
import { addMembersWithHomes, setPermissions, signInAs } from '../support/households/member.ts';
import { type DavClient, davClient } from '../support/webdav/dav-client.ts';
import { connectedApp, send } from './support.ts';

let household: Household;
let app: DavClient;

/** @param address below the root */
const get = (address: string, { as = app.authorization, method = 'GET' } = {}) =>
  send(household, method, address, { headers: { authorization: as } });
const sizeOf = async (bytes: Buffer) => {
  const { width, height, format } = await sharp(bytes).metadata();
  return [width, height, format];
};

const PROPERTIES = `<d:propfind xmlns:d="DAV:" xmlns:oc="http://owncloud.org/ns" xmlns:nc="http://nextcloud.org/ns"><d:prop>
  <oc:fileid/><nc:has-preview/><nc:is-encrypted/></d:prop></d:propfind>`;

/** What an app learns of an item. @param path below its top level */
async function known(path: string): Promise<Record<'fileid' | 'has-preview' | 'is-encrypted', string | undefined>> {
  const { text } = await app.send('PROPFIND', path, { headers: { depth: '0' }, body: PROPERTIES });
  const of = (name: string) => new RegExp(`<(?:oc|nc):${name}>([^<]*)<`).exec(text)?.[1];
  return { fileid: of('fileid'), 'has-preview': of('has-preview'), 'is-encrypted': of('is-encrypted') };
}

beforeAll(async () => {
  household = await openHousehold();
  app = await connectedApp(household);
  const picture = await sharp({ create: { width: 900, height: 600, channels: 3, background: 'green' } })
    .png()
    .toBuffer();
  for (const path of ['/wide picture.png', '/note.txt']) {
    expect((await app.put(path, path.endsWith('png') ? picture : 'text')).status).toBe(201);
  }
  await app.send('MKCOL', '/folder');
});
afterAll(() => household?.close());

describe('previews', () => {
  it('are announced for files that can have one', async () => {
    expect(await known('/wide%20picture.png')).toMatchObject({ 'has-preview': 'true', 'is-encrypted': '0' });
    expect(await known('/note.txt')).toMatchObject({ 'has-preview': 'false' });
    expect(await known('/folder')).toMatchObject({ 'has-preview': 'false' });
  });

  it('are found by number and by path, uncropped, in one of the sizes of the pages', async () => {
    const { fileid } = await known('/wide%20picture.png');
    const addresses = [
      `/index.php/core/preview?fileId=${fileid}&x=300&y=300&a=1&mode=cover&forceIcon=0`,
      '/index.php/core/preview.png?file=/wide%20picture.png&x=300&y=250',
      '/index.php/apps/files/api/v1/thumbnail/256/300/wide%20picture.png',
    ];
    for (const address of addresses) {
      const { status, bytes, headers } = await get(address);
      expect(status, address).toBe(200);
      expect(await sizeOf(bytes), address).toEqual([400, 267, 'jpeg']);
      expect(headers).toMatchObject({
        'content-security-policy': "sandbox; default-src 'none'",
        'x-content-type-options': 'nosniff',
      });
      expect(headers['set-cookie']).toBeUndefined();
    }
    const large = await get(`/index.php/core/preview?fileId=${fileid}&x=5000&y=-1`);
    expect(await sizeOf(large.bytes)).toEqual([900, 600, 'jpeg']);
    const again = await send(household, 'GET', addresses[0] ?? '', {
      headers: {
        authorization: app.authorization,
        'if-none-match': String((await get(addresses[0] ?? '')).headers.etag),
      },
    });
    expect(again.status).toBe(304);
  });

  it('of files without one or out of reach are not found', async () => {
    const { fileid } = await known('/note.txt');
    for (const address of [
      `/index.php/core/preview?fileId=${fileid}&x=64&y=64`,
      '/index.php/core/preview?fileId=1',
      '/index.php/core/preview?fileId=99999999999999999999',
      '/index.php/core/preview?fileId=x',
      '/index.php/core/preview',
      '/index.php/core/preview?file=/folder',
      '/index.php/core/preview?file=/../../wide%20picture.png',
      '/index.php/apps/files/api/v1/thumbnail/64/64/%ff',
      '/index.php/apps/files/api/v1/thumbnail/64/64/missing.png',
    ]) {
      expect([address, (await get(address)).status]).toEqual([address, 404]);
    }
    expect((await get('/index.php/core/preview?file=/wide%20picture.png&x=large')).status).toBe(400);
    expect((await get('/index.php/core/preview', { method: 'POST' })).status).toBe(405);
    expect((await get('/index.php/core/preview?file=/wide%20picture.png', { as: 'None' })).status).toBe(401);
  });

  it('of files of other people are not found by any number', async () => {
    const { fileid } = await known('/wide%20picture.png');
    await addMembersWithHomes(household, { ben: {} });
    const { authorization: as } = await davClient(await signInAs(household, 'ben'));
    const status = async (number?: string) => (await get(`/index.php/core/preview?fileId=${number}`, { as })).status;
    expect([await status(fileid), await status('1')]).toEqual([404, 404]);
    await setPermissions(household, { ben: { download: false } });
    expect([await status(fileid), await status('1')]).toEqual([403, 403]);
  });
});

describe('pictures of people', () => {
  it('are the ones that they have set, or not found so that apps draw initials', async () => {
    expect((await get('/index.php/avatar/ann/64')).status).toBe(404);
    const api = await household.signIn();
    const picture = await sharp({ create: { width: 80, height: 80, channels: 3, background: 'red' } })
      .png()
      .toBuffer();
    const { status } = await api.send('PUT', '/api.php/account/avatar', { body: picture });
    expect(status).toBe(200);
    for (const address of ['/index.php/avatar/ann/64', '/avatar/ann/512/dark']) {
      const reply = await get(address);
      expect([reply.status, ...(await sizeOf(reply.bytes))]).toEqual([200, 256, 256, 'jpeg']);
    }
    expect((await get('/index.php/avatar/nobody/64')).status).toBe(404);
    expect((await get('/index.php/avatar/ann/64', { as: 'None' })).status).toBe(401);
    const { authorization: as } = await davClient(await signInAs(household, 'ben'));
    expect((await get('/index.php/avatar/ann/64', { as })).status).toBe(200);
    // Hidden from Ben, she is nobody to him.
    await setPermissions(household, { ben: { users_may_see: '' } });
    const [hidden, unknown] = [
      await get('/index.php/avatar/ann/64', { as }),
      await get('/index.php/avatar/nobody/64', { as }),
    ];
    expect([hidden.status, String(hidden.bytes)]).toEqual([404, String(unknown.bytes)]);
    await setPermissions(household, { ben: {} });
  });
});

it('pictures are not found while these apps are switched off', async () => {
  await household.control('settings.update', { nextcloudApps: false });
  for (const address of ['/index.php/core/preview?file=/wide%20picture.png', '/index.php/avatar/ann/64']) {
    expect([address, (await get(address)).status]).toEqual([address, 404]);
  }
  await household.control('settings.update', { nextcloudApps: true });
});
