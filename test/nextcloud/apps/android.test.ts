import { randomBytes } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MINUTE } from '../../../dist/server/lib/clock.js';
import { homeOf } from '../../support/households/member.ts';
import { openSharingHousehold, type SharingHousehold } from '../../support/requests/sharing.ts';
import { beginLogin, poll } from '../support.ts';
import { Phone, propfindOf } from './phone.ts';

/**
 * What the Android app asks, in the order in which it asks it. Each request is marked: certain, with the file of the published source of
 * its library (`nextcloud/android-library`, below `com/owncloud/android/lib`) or of the app (`nextcloud/android`) that shows it; or likely, where none was read.
 */

let household: SharingHousehold;
let phone: Phone;

const AGENT = 'Mozilla/5.0 (Android) Nextcloud-android/3.31.0';
// Certain: common/network/WebdavUtils.java, getAllPropSet.
const ALL = propfindOf(
  'd:displayname d:getcontenttype d:resourcetype d:getcontentlength d:getlastmodified d:creationdate d:getetag oc:permissions oc:id oc:fileid oc:size oc:favorite nc:is-encrypted nc:mount-type oc:owner-id oc:owner-display-name oc:comments-unread nc:has-preview nc:note nc:sharees nc:rich-workspace nc:creation_time nc:upload_time',
);

beforeAll(async () => {
  household = await openSharingHousehold();
  phone = await Phone.connect(household, 'olga', AGENT);
});
afterAll(() => household?.close());

const at = (...names: string[]) => join(homeOf(household, 'olga'), ...names);

it('sets up an account', async () => {
  // Certain: resources/status/GetStatusRemoteOperation.java. It reads `installed` and `version`, and whether it was redirected.
  const status = await Phone.before(household, 'GET', '/status.php', { 'user-agent': AGENT });
  expect([status.status, status.body.installed]).toEqual([200, true]);
  expect(status.body.version).toMatch(/^\d+\.\d+\.\d+\.\d+$/);
  // Likely: authentication/AuthenticatorActivity.java of the app. Without an answer yet, the status is 404.
  const { login, token, endpoint } = await beginLogin(household, AGENT);
  expect([new URL(login).origin, new URL(endpoint).origin]).toEqual([household.api.base, household.api.base]);
  expect((await poll(household, token)).status).toBe(404);
  // Certain: resources/users/GetUserInfoRemoteOperation.java reads `id`, `display-name` and `quota`.
  const user = await phone.ocs('GET', '/cloud/user?format=json');
  expect(user.body.ocs.data).toMatchObject({ id: 'olga', 'display-name': expect.any(String) });
  expect(Object.keys(user.body.ocs.data.quota).sort()).toEqual(['free', 'quota', 'relative', 'total', 'used']);
  // Certain: resources/files/ExistenceCheckRemoteOperation.java asks HEAD of the top of the files.
  expect((await phone.send('HEAD', phone.file('/'))).status).toBe(200);
  // Certain: resources/status/GetCapabilitiesRemoteOperation.java, with `If-None-Match` if an earlier reply had an `ETag`.
  const { body, headers } = await phone.ocs('GET', '/cloud/capabilities?format=json');
  expect(body.ocs.meta.status).toBe('ok');
  expect(body.ocs.data.version).toMatchObject({ major: expect.any(Number), edition: '', string: expect.any(String) });
  expect(body.ocs.data.capabilities.files).toMatchObject({ bigfilechunking: true, undelete: true, versioning: true });
  const again = { 'if-none-match': String(headers.etag ?? '"none"') };
  expect([200, 304]).toContain((await phone.ocs('GET', '/cloud/capabilities?format=json', undefined, again)).status);
  // Likely: utils/DisplayUtils.java of the app. Without a picture it draws one.
  expect((await phone.send('GET', '/index.php/avatar/olga/128')).status).toBe(404);
});

it('lists folders and downloads files', async () => {
  await household.put('Trip/a.txt', 'Trip/sub/b.txt');
  const picture = await sharp({ create: { width: 300, height: 200, channels: 3, background: 'red' } })
    .png()
    .toBuffer();
  expect((await phone.send('PUT', phone.file('/Trip/red.png'), {}, picture)).status).toBe(201);
  // Certain: resources/files/ReadFileRemoteOperation.java, with some of these properties. Likely: that it does so before it lists.
  const [folder] = await phone.listed(phone.file('/Trip/'), ALL, '0');
  expect(folder?.found.get('getetag')).toMatch(/^&quot;.+&quot;$/);
  // Certain: resources/files/ReadFolderRemoteOperation.java, depth 1 with the same properties.
  const items = await phone.listed(phone.file('/Trip/'), ALL);
  expect(items.map(({ href }) => href.slice(phone.file('/Trip/').length)).sort()).toEqual(['a.txt', 'red.png', 'sub/']);
  for (const { found } of items) {
    for (const name of ['getetag', 'permissions', 'id', 'fileid', 'size', 'favorite'])
      expect([name, found.get(name)]).toEqual([name, expect.any(String)]);
  }
  const of = (name: string) => items.find(({ href }) => href.endsWith(name))?.found;
  expect([of('red.png')?.get('has-preview'), of('a.txt')?.get('has-preview')]).toEqual(['true', 'false']);
  // Certain: datamodel/ThumbnailsCacheManager.java of the app.
  const small = await phone.send('GET', '/index.php/apps/files/api/v1/thumbnail/256/256/Trip/red.png');
  expect([small.status, small.headers['content-type']]).toEqual([200, 'image/jpeg']);
  const fileid = of('red.png')?.get('fileid');
  const large = `/index.php/core/preview?fileId=${fileid}&x=1080&y=2400&a=1&mode=cover&forceIcon=0`;
  expect((await phone.send('GET', large)).status).toBe(200);
  // Likely: resources/files/DownloadFileRemoteOperation.java compares the length, and keeps the tag.
  const { headers, text } = await phone.send('GET', phone.file('/Trip/a.txt'));
  expect([text, headers['content-length']]).toEqual(['content of Trip/a.txt', '21']);
  expect(`&quot;${String(headers.etag).slice(1, -1)}&quot;`).toBe(of('a.txt')?.get('getetag'));
});

describe('uploads photos automatically', () => {
  it('a small one, with its times', async () => {
    // Certain: resources/files/CreateFolderRemoteOperation.java: after 409 the folder above comes first; 405 means that it is there.
    const folders = ['/InstantUpload/2026', '/InstantUpload', '/InstantUpload/2026', '/InstantUpload/2026'];
    const statuses: number[] = [];
    for (const folder of folders) statuses.push((await phone.send('MKCOL', phone.file(folder))).status);
    expect(statuses).toEqual([409, 201, 201, 405]);
    const address = phone.file('/InstantUpload/2026/IMG%20%C3%A9.jpg');
    // Certain: resources/files/ExistenceCheckRemoteOperation.java.
    expect((await phone.send('HEAD', address)).status).toBe(404);
    // Certain: resources/files/UploadFileRemoteOperation.java.
    const times = { 'x-oc-mtime': '1700000000', 'x-oc-ctime': '1699999000', 'oc-total-length': '5' };
    const put = await phone.send('PUT', address, { ...times, 'content-type': 'image/jpeg' }, 'photo');
    expect([put.status, put.headers['oc-fileid']]).toEqual([201, expect.any(String)]);
    expect((await stat(at('InstantUpload', '2026', 'IMG é.jpg'))).mtimeMs).toBe(1_700_000_000_000);
    // Likely: it reads the properties of the file afterwards, and takes its id from there.
    const [file] = await phone.listed(address, ALL, '0');
    expect([file?.found.get('id'), file?.found.get('size')]).toEqual([put.headers['oc-fileid'], '5']);
    expect([file?.found.get('creationdate'), file?.found.get('creation_time')]).toEqual([
      ...['2023-11-14T21:56:40Z', '1699999000'],
    ]);
    expect(`&quot;${String(put.headers.etag).slice(1, -1)}&quot;`).toBe(file?.found.get('getetag'));
    // Certain, in the same file: a content that it knows by its tag replaces no other one.
    const stale = { ...times, 'if-match': '"another"' };
    expect((await phone.send('PUT', address, stale, 'other')).status).toBe(412);
  });

  it('a large one in parts, and continues after an interruption', async () => {
    const content = randomBytes(250_000);
    const transfer = phone.tree('uploads', '/0cc175b9c0f1b6a831c399e269772661');
    const destination = phone.whole(phone.file('/InstantUpload/film.mp4'));
    // Certain, all of this: resources/files/ChunkedFileUploadRemoteOperation.java; the name is the MD5 of the file. It only asks for two
    // properties of the parts there, and in later versions for the length too.
    const asked = propfindOf('d:getcontenttype d:resourcetype d:getcontentlength');
    const part = (id: number, from: number, to: number) =>
      phone.send('PUT', `${transfer}/${String(id).padStart(6, '0')}`, { destination }, content.subarray(from, to));
    expect((await phone.send('MKCOL', transfer, { destination })).status).toBe(201);
    expect(await phone.listed(transfer, asked)).toEqual([]);
    expect((await part(1, 0, 100_000)).status).toBe(201);
    // The app was stopped, and begins again: that the folder is there is no failure.
    expect((await phone.send('MKCOL', transfer, { destination })).status).toBe(405);
    const parts = await phone.listed(transfer, asked);
    expect(parts.map(({ href, found }) => [href.split('/').at(-1), found.get('getcontentlength')])).toEqual([
      ['000001', '100000'],
    ]);
    for (const [id, from] of [
      [2, 100_000],
      [3, 200_000],
    ] as const)
      expect((await part(id, from, from + 100_000)).status).toBe(201);
    const headers = { destination, overwrite: 'T', 'x-oc-mtime': '1700000000', 'x-oc-ctime': '1699999000' };
    const moved = await phone.send('MOVE', `${transfer}/.file`, headers);
    expect([moved.status, moved.headers['oc-fileid']]).toEqual([201, expect.any(String)]);
    expect((await readFile(at('InstantUpload', 'film.mp4'))).equals(content)).toBe(true);
    expect((await stat(at('InstantUpload', 'film.mp4'))).mtimeMs).toBe(1_700_000_000_000);
  });
});

it('shares', async () => {
  const box = await household.newBox();
  const shares = '/apps/files_sharing/api/v1/shares';
  const idIn = (text: string) => /<id>(\d+)<\/id>/.exec(text)?.[1] ?? '';
  // Certain: resources/shares/GetSharesForFileRemoteOperation.java, in XML.
  const ofBox = `${shares}?path=/${encodeURIComponent(box)}&reshares=true&subfiles=false`;
  expect(idIn((await phone.ocs('GET', ofBox)).text)).toBe('');
  // Certain: resources/shares/GetShareesRemoteOperation.java. It reads these lists, also those beside `exact`.
  const search = 'format=json&itemType=file&search=be&page=1&perPage=50&lookup=false';
  const found = (await phone.ocs('GET', `/apps/files_sharing/api/v1/sharees?${search}`)).body.ocs.data;
  for (const lists of [found, found.exact])
    for (const list of ['users', 'groups', 'remotes']) expect(lists[list]).toBeInstanceOf(Array);
  expect(found.exact.emails).toEqual([]);
  expect(found.users[0].value).toEqual(expect.objectContaining({ shareType: 0, shareWith: 'ben' }));
  // Certain: resources/shares/CreateShareRemoteOperation.java, which asks for its details afterwards. Likely: at which address.
  const form = { path: `/${box}`, shareType: '0', shareWith: 'ben', permissions: '17' };
  const made = await phone.ocs('POST', shares, form);
  const id = idIn(made.text);
  expect([made.status, id]).toEqual([200, expect.stringMatching(/^\d+$/)]);
  expect((await phone.ocs('GET', `${shares}/${id}`)).text).toContain('<share_with>ben</share_with>');
  // Certain: resources/shares/UpdateShareRemoteOperation.java: one request for each parameter.
  expect((await phone.ocs('PUT', `${shares}/${id}`, { permissions: '15' })).text).toMatch(/<permissions>15</);
  const link = idIn((await phone.ocs('POST', shares, { path: `/${box}`, shareType: '3', shareWith: '' })).text);
  for (const change of [{ password: 'sesame open' }, { expireDate: '2040-05-06' }, { hideDownload: 'false' }]) {
    expect([change, (await phone.ocs('PUT', `${shares}/${link}`, change)).status]).toEqual([change, 200]);
  }
  expect((await phone.ocs('GET', ofBox)).text.match(/<id>/g)).toHaveLength(2);
  // Likely: the list of what is shared with others, for the mark at the items (GetSharesRemoteOperation.java).
  expect((await phone.ocs('GET', `${shares}?include_tags=true`)).text).toContain(`<id>${link}</id>`);
  // Certain: resources/shares/RemoveShareRemoteOperation.java.
  for (const one of [id, link]) expect((await phone.ocs('DELETE', `${shares}/${one}`)).status).toBe(200);
  expect(idIn((await phone.ocs('GET', ofBox)).text)).toBe('');
});

it('lists the trash', async () => {
  // Certain: common/network/WebdavUtils.java, getTrashbinPropSet.
  const asked = propfindOf(
    'd:resourcetype d:getcontenttype d:getcontentlength oc:size oc:id nc:trashbin-filename nc:trashbin-original-location nc:trashbin-deletion-time',
  );
  const picture = await sharp({ create: { width: 300, height: 200, channels: 3, background: 'red' } })
    .png()
    .toBuffer();
  await phone.send('PUT', phone.file('/gone.png'), {}, picture);
  // Likely: resources/files/RemoveFileRemoteOperation.java.
  expect((await phone.send('DELETE', phone.file('/gone.png'))).status).toBe(204);
  // Certain: resources/trashbin/ReadTrashbinFolderRemoteOperation.java.
  const [item] = await phone.listed(phone.tree('trashbin', '/trash/'), asked);
  expect(item?.found.get('trashbin-filename')).toBe('gone.png');
  expect(item?.found.get('trashbin-deletion-time')).toMatch(/^\d+$/);
  // Certain: datamodel/ThumbnailsCacheManager.java of the app: the number is that of `oc:id`.
  const preview = `/index.php/apps/files_trashbin/preview?fileId=${item?.found.get('id')}&x=256&y=256`;
  expect((await phone.send('GET', preview)).status).toBe(200);
  // Certain: resources/trashbin/RestoreTrashbinFileRemoteOperation.java.
  const back = { destination: phone.whole(phone.tree('trashbin', '/restore/gone.png')), overwrite: 'T' };
  expect((await phone.send('MOVE', item?.href ?? '', back)).status).toBe(201);
  expect((await readFile(at('gone.png'))).equals(picture)).toBe(true);
  // Certain: resources/trashbin/EmptyTrashbinRemoteOperation.java. Likely: the same method for one item.
  for (const name of ['/one.txt', '/two.txt']) {
    await phone.send('PUT', phone.file(name), {}, 'x');
    await phone.send('DELETE', phone.file(name));
  }
  const [one] = await phone.listed(phone.tree('trashbin', '/trash/'), asked);
  expect((await phone.send('DELETE', one?.href ?? '')).status).toBe(204);
  expect((await phone.send('DELETE', phone.tree('trashbin', '/trash'))).status).toBe(204);
  expect(await phone.listed(phone.tree('trashbin', '/trash/'), asked)).toEqual([]);
});

it('lists versions', async () => {
  const address = phone.file('/letter.txt');
  for (const [content, time] of [
    ['first', '1600000000'],
    ['second', '1600000100'],
  ] as const) {
    household.clock.advance(MINUTE);
    await phone.send('PUT', address, { 'x-oc-mtime': time }, content);
  }
  const [file] = await phone.listed(address, ALL, '0');
  const number = file?.found.get('fileid') ?? '';
  // Certain: resources/files/ReadFileVersionsRemoteOperation.java with getFileVersionPropSet.
  const asked = propfindOf(
    'd:getcontenttype d:resourcetype d:getcontentlength d:getlastmodified d:creationdate oc:id oc:size',
  );
  const versions = await phone.listed(phone.tree('versions', `/versions/${number}`), asked);
  expect(versions.map(({ href, found }) => [href.split('/').at(-1), found.get('getcontentlength')])).toEqual([
    ['1600000000', '5'],
  ]);
  // Certain: resources/files/RestoreFileVersionRemoteOperation.java: its name is its time in seconds.
  const destination = phone.whole(phone.tree('versions', `/restore/${number}`));
  const moved = await phone.send('MOVE', versions[0]?.href ?? '', { destination, overwrite: 'T' });
  expect([moved.status, await readFile(at('letter.txt'), 'utf8')]).toEqual([201, 'first']);
});
