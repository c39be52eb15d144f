import { mkdir, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Household, openHousehold } from '../support/households/household.ts';
import { addMembersWithHomes, setPermissions, signInAs } from '../support/households/member.ts';
import type { ApiClient } from '../support/requests/api-client.ts';
import { type DavClient, davClient, parsed } from '../support/webdav/dav-client.ts';
import { connectedApp, send } from './support.ts';

// Certain, from the published sources: NextcloudKit (`NextcloudKit+Download.swift`, `downloadTrashPreview`) asks for `fileId`, `x`, `y`, `a`,
// `mode` and `forceIcon`; the Android app (`ThumbnailsCacheManager.java`) for `fileId`, `x` and `y`; the web client
// (`apps/files_trashbin/src/services/trashbin.ts`) for the same without `index.php` where addresses are rewritten.

let household: Household;
let api: ApiClient;
let app: DavClient;
let green: Buffer;
let red: Buffer;

const picture = (background: string, width = 900) =>
  sharp({ create: { width, height: 600, channels: 3, background } })
    .png()
    .toBuffer();

beforeAll(async () => {
  household = await openHousehold();
  api = await household.signIn();
  app = await connectedApp(household);
  [green, red] = [await picture('green'), await picture('red')];
});
afterAll(() => household?.close());
beforeEach(async () => {
  await trashOf(app).send('DELETE', '/trash');
});

const trashOf = (client: DavClient) => client.at(`/remote.php/dav/trashbin/${client.username}`);
const ASKED = `<d:propfind xmlns:d="DAV:" xmlns:oc="http://owncloud.org/ns" xmlns:nc="http://nextcloud.org/ns"><d:prop>
  <oc:fileid/><nc:has-preview/></d:prop></d:propfind>`;

/** What an app learns of what is in the trash, or in a deleted folder. @param path below its address */
async function listed(path = '/trash/') {
  const trash = trashOf(app);
  const { status, text } = await trash.propfind(path, '1', ASKED);
  if (status !== 207) throw new Error(`${status} ${text}`);
  const [, ...items] = [...parsed(text)];
  return items.map(([href, { found }]) => ({
    path: href.slice(trash.prefix.length),
    number: found.get('fileid') ?? '',
    hasPreview: found.get('has-preview') === 'true',
  }));
}

async function deleted(path: string, content: string | Buffer): Promise<string> {
  expect((await app.put(path, content)).status).toBeLessThan(300);
  expect((await app.send('DELETE', path)).status).toBe(204);
  return (await listed())[0]?.number ?? '';
}

const addressOf = (number: string, sides = '&x=300&y=300&forceIcon=0') =>
  `/index.php/apps/files_trashbin/preview?fileId=${number}${sides}`;
const get = (address: string, { as = app.authorization, method = 'GET', headers = {} } = {}) =>
  send(household, method, address, { headers: { authorization: as, ...headers } });
const statusOf = async (...call: Parameters<typeof get>) => (await get(...call)).status;
const sizeOf = async (bytes: Buffer) => {
  const { width, height, format } = await sharp(bytes).metadata();
  return [width, height, format];
};
/** Whether the first pixel is more of this colour than of the other. */
const isRed = async (bytes: Buffer) => {
  const [r = 0, g = 0] = await sharp(bytes).raw().toBuffer();
  return r > g;
};

describe('previews of deleted files', () => {
  it('are sent uncropped in one of the sizes of the pages, like those of files', async () => {
    const number = await deleted('/a%20picture.png', green);
    expect(await listed()).toMatchObject([{ hasPreview: true }]);
    for (const [address, size] of [
      [addressOf(number), [400, 267, 'jpeg']],
      [addressOf(number, '&x=512&y=512&a=1&mode=cover&forceIcon=0&mimeFallback=0'), [800, 533, 'jpeg']],
      [`/apps/files_trashbin/preview?fileId=${number}&x=32&y=32`, [200, 133, 'jpeg']],
      [addressOf(number, ''), [200, 133, 'jpeg']],
    ] as const) {
      const { status, bytes, headers } = await get(address);
      expect([address, status, ...(await sizeOf(bytes))]).toEqual([address, 200, ...size]);
      expect(headers).toMatchObject({
        'content-security-policy': "sandbox; default-src 'none'",
        'x-content-type-options': 'nosniff',
      });
      expect(headers['set-cookie']).toBeUndefined();
    }
    const { headers } = await get(addressOf(number));
    expect(await statusOf(addressOf(number), { headers: { 'if-none-match': String(headers.etag) } })).toBe(304);
    expect(await statusOf(addressOf(number), { method: 'HEAD' })).toBe(200);
  });

  it('are the same as before the deletion and after the restore', async () => {
    await app.put('/kept.png', green);
    const { text } = await app.propfind('/kept.png', '0', ASKED);
    const number = /fileid>(\d+)</.exec(text)?.[1] ?? '';
    const before = await get(`/index.php/core/preview?fileId=${number}&x=300&y=300`);
    expect(await statusOf(addressOf(number))).toBe(404);
    await app.send('DELETE', '/kept.png');
    const after = await get(addressOf(number));
    expect([after.status, after.headers.etag]).toEqual([200, before.headers.etag]);
    expect(await statusOf(`/index.php/core/preview?fileId=${number}`)).toBe(404);
    const [item] = await listed();
    expect((await trashOf(app).transfer('MOVE', item?.path ?? '', '/restore/kept.png')).status).toBe(201);
    expect(await statusOf(addressOf(number))).toBe(404);
    expect(await statusOf(`/index.php/core/preview?fileId=${number}`)).toBe(200);
  });

  it('show the content of each of two files of one name', async () => {
    const first = await deleted('/same.png', green);
    household.clock.advance(2_000);
    const second = await deleted('/same.png', red);
    expect(await isRed((await get(addressOf(first))).bytes)).toBe(false);
    expect(await isRed((await get(addressOf(second))).bytes)).toBe(true);
  });

  it('show content that another program wrote before the deletion', async () => {
    await app.put('/edited.png', green);
    const { text } = await app.propfind('/edited.png', '0', ASKED);
    const number = /fileid>(\d+)</.exec(text)?.[1] ?? '';
    const { bytes } = await get(`/index.php/core/preview?fileId=${number}&x=300&y=300`);
    expect(await isRed(bytes)).toBe(false);
    await writeFile(join(household.home, 'edited.png'), red);
    await app.send('DELETE', '/edited.png');
    expect(await isRed((await get(addressOf(number))).bytes)).toBe(true);
  });

  it('exist in deleted folders', async () => {
    await mkdir(join(household.home, 'Album', 'inner'), { recursive: true });
    await writeFile(join(household.home, 'Album', 'inner', 'deep.png'), green);
    await writeFile(join(household.home, 'Album', 'note.txt'), 'text');
    await api.get('files/browse', { path: '/ROOT/HOME/Album', recursive: 1 });
    await app.send('DELETE', '/Album');
    const [album] = await listed();
    const [inner, note] = await listed(album?.path);
    const [deep] = await listed(inner?.path);
    expect([album, inner, note, deep].map((one) => one?.hasPreview)).toEqual([false, false, false, true]);
    expect(await sizeOf((await get(addressOf(deep?.number ?? ''))).bytes)).toEqual([400, 267, 'jpeg']);
    for (const one of [album, inner, note]) expect(await statusOf(addressOf(one?.number ?? ''))).toBe(404);
  });

  it('show content that another program wrote in a folder before its deletion, with unchanged size and time', async () => {
    const flat = (background: string) =>
      sharp({ create: { width: 64, height: 64, channels: 3, background } })
        .png({ compressionLevel: 0 })
        .toBuffer();
    const [before, after] = [await flat('green'), await flat('red')];
    expect(after.length).toBe(before.length);
    await app.send('MKCOL', '/Changed');
    await app.put('/Changed/a.png', before, { 'x-oc-mtime': '1500000000' });
    const { text } = await app.propfind('/Changed/a.png', '0', ASKED);
    const number = /fileid>(\d+)</.exec(text)?.[1] ?? '';
    expect(await isRed((await get(`/index.php/core/preview?fileId=${number}&x=300&y=300`)).bytes)).toBe(false);
    const file = join(household.home, 'Changed', 'a.png');
    await writeFile(file, after);
    await utimes(file, 1_500_000_000, 1_500_000_000);
    await app.send('DELETE', '/Changed');
    expect(await isRed((await get(addressOf(number))).bytes)).toBe(true);
  });

  it('of items without one and of missing items are not found', async () => {
    const number = await deleted('/note.txt', 'text');
    const broken = await deleted('/broken.png', 'not a picture');
    const numbers = [number, broken, '1', '-1', 'x', '', '99999999999999999999', `${number}&fileId=1`];
    for (const one of numbers) expect([one, await statusOf(addressOf(one))]).toEqual([one, 404]);
    expect(await statusOf('/index.php/apps/files_trashbin/preview')).toBe(404);
    expect(await statusOf('/index.php/apps/files_trashbin/preview/')).toBe(404);
    await trashOf(app).send('DELETE', '/trash');
    expect(await statusOf(addressOf(number))).toBe(404);
    const there = await deleted('/there.png', green);
    expect(await statusOf(addressOf(there, '&x=large'))).toBe(400);
    expect(await statusOf(addressOf(there), { method: 'POST' })).toBe(405);
    expect(await statusOf(addressOf(there), { as: 'None' })).toBe(401);
  });
});

describe('rights', () => {
  it('previews of another account are not found by any number', async () => {
    const number = await deleted('/secret.png', green);
    await addMembersWithHomes(household, { ben: {} });
    const { authorization: as } = await davClient(await signInAs(household, 'ben'));
    expect([await statusOf(addressOf(number), { as }), await statusOf(addressOf('1'), { as })]).toEqual([404, 404]);
    await setPermissions(household, { ben: { download: false } });
    expect([await statusOf(addressOf(number), { as }), await statusOf(addressOf('1'), { as })]).toEqual([403, 403]);
  });

  it('a read-only app sees them; an app that may only list, or has one folder, does not', async () => {
    await mkdir(join(household.home, 'only here'), { recursive: true });
    const number = await deleted('/only%20here/a.png', green);
    const status = async (options: Parameters<typeof davClient>[1]) =>
      statusOf(addressOf(number), { as: (await davClient(api, options)).authorization });
    expect(await status({ read_only: 1 })).toBe(200);
    expect(await status({ 'scopes[]': 'list' })).toBe(403);
    expect(await status({ folder: '/ROOT/HOME/only here' })).toBe(404);
  });

  it('previews are not found while these apps are switched off', async () => {
    const number = await deleted('/a.png', green);
    await household.control('settings.update', { nextcloudApps: false });
    expect(await statusOf(addressOf(number))).toBe(404);
    await household.control('settings.update', { nextcloudApps: true });
    expect(await statusOf(addressOf(number))).toBe(200);
  });
});
