import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { homeOf } from '../../support/households/member.ts';
import { openSharingHousehold, type SharingHousehold } from '../../support/requests/sharing.ts';
import { parsed } from '../../support/webdav/dav-client.ts';
import { beginLogin, poll } from '../support.ts';
import { Phone, propfindOf } from './phone.ts';

/**
 * What the iOS app asks, in the order in which it asks it. Each request is marked: certain, with the file of the published source of its
 * library (`nextcloud/NextcloudKit`, below `Sources/NextcloudKit`) that shows it; or likely, where none was read. The app shows no versions.
 */

let household: SharingHousehold;
let phone: Phone;

const AGENT = 'Mozilla/5.0 (iOS) Nextcloud-iOS/6.6.0';
// Certain: Models/NKProperties.swift: it asks for all of these, and leaves out what a reply does not have.
const ALL = propfindOf(
  'd:displayname nc:share-download-limits d:getlastmodified d:getetag d:getcontenttype d:resourcetype d:quota-available-bytes d:quota-used-bytes d:getcontentlength oc:permissions oc:id oc:fileid oc:size oc:favorite oc:share-types oc:owner-id oc:owner-display-name oc:comments-unread oc:checksums oc:downloadURL oc:data-fingerprint nc:creation_time nc:upload_time nc:is-encrypted nc:has-preview nc:mount-type nc:rich-workspace nc:note nc:lock nc:lock-owner nc:lock-time nc:system-tags nc:file-metadata-size nc:metadata-photos-exif nc:metadata-files-live-photo nc:hidden',
);
const CONTENT = { 'content-type': 'application/octet-stream' };

beforeAll(async () => {
  household = await openSharingHousehold();
  phone = await Phone.connect(household, 'olga', AGENT);
});
afterAll(() => household?.close());

const at = (...names: string[]) => join(homeOf(household, 'olga'), ...names);
const image = (background: string) =>
  sharp({ create: { width: 300, height: 200, channels: 3, background } })
    .png()
    .toBuffer();

it('sets up an account', async () => {
  // Likely: NextcloudKit+API.swift, getServerStatus, which reads all of these.
  const { body } = await Phone.before(household, 'GET', '/status.php', { 'user-agent': AGENT });
  expect(body).toMatchObject({ installed: true, maintenance: false, needsDbUpgrade: false, productname: 'Larder' });
  // Certain: NextcloudKit+Login.swift, getLoginFlowV2 and its poll.
  const { token } = await beginLogin(household, AGENT);
  expect((await poll(household, token)).status).toBe(404);
  // Certain: NextcloudKit+API.swift, getUserProfile, getUserMetadata, which names the account, and getCapabilities.
  for (const path of ['/cloud/user', '/cloud/users/olga']) {
    const { body: user } = await phone.ocs('GET', `${path}?format=json`);
    expect([user.ocs.meta.statuscode, user.ocs.data.id]).toEqual([200, 'olga']);
  }
  const { body: known } = await phone.ocs('GET', '/cloud/capabilities?format=json');
  expect(known.ocs.meta.statuscode).toBe(200);
  expect(known.ocs.data.version.major).toBeGreaterThanOrEqual(20);
  // Likely: NextcloudKit+API.swift, downloadAvatar.
  expect((await phone.send('GET', '/index.php/avatar/olga/128')).status).toBe(404);
});

it('lists folders and downloads files', async () => {
  await household.put('Trip/a.txt', 'Trip/sub/b.txt');
  await phone.send('PUT', phone.file('/Trip/red.png'), CONTENT, await image('red'));
  // Certain: NextcloudKit+Upload.swift calls readFileOrFolder with depth 0. Likely: 0 for the tag and 1 for the list.
  const [folder] = await phone.listed(phone.file('/Trip'), ALL, '0');
  expect(folder?.found.get('getetag')).toMatch(/^&quot;.+&quot;$/);
  expect(folder?.found.get('creation_time')).toMatch(/^\d{9,}$/);
  const items = await phone.listed(phone.file('/Trip'), ALL);
  expect(items.map(({ href }) => href.slice(phone.file('/Trip/').length)).sort()).toEqual(['a.txt', 'red.png', 'sub/']);
  for (const { found, missing } of items) {
    for (const name of ['getetag', 'permissions', 'id', 'fileid', 'size', 'has-preview'])
      expect([name, found.get(name)]).toEqual([name, expect.any(String)]);
    // What does not exist here is said to be missing, and is no failure of the rest.
    expect(missing).toContain('404 rich-workspace');
  }
  // Likely: NextcloudKit+Download.swift, downloadPreview.
  const fileid = items.find(({ href }) => href.endsWith('.png'))?.found.get('fileid');
  const query = `fileId=${fileid}&x=1024&y=1024&a=1&mode=cover&forceIcon=0&mimeFallback=0`;
  const preview = await phone.send('GET', `/index.php/core/preview?${query}`);
  expect([preview.status, preview.headers['content-type']]).toEqual([200, 'image/jpeg']);
  // Likely: NextcloudKit+Download.swift, download.
  expect((await phone.send('GET', phone.file('/Trip/a.txt'))).text).toBe('content of Trip/a.txt');
  // Likely: NextcloudKit+WebDAV.swift, setFavorite, and listingFavorites.
  const favourite = `<d:propertyupdate xmlns:d="DAV:" xmlns:oc="http://owncloud.org/ns"><d:set><d:prop><oc:favorite>1</oc:favorite></d:prop></d:set></d:propertyupdate>`;
  expect((await phone.send('PROPPATCH', phone.file('/Trip/a.txt'), {}, favourite)).status).toBe(207);
  const report = `<oc:filter-files xmlns:d="DAV:" xmlns:oc="http://owncloud.org/ns"><d:prop><d:displayname/></d:prop><oc:filter-rules><oc:favorite>1</oc:favorite></oc:filter-rules></oc:filter-files>`;
  const { text } = await phone.send('REPORT', phone.file(''), {}, report);
  expect([...parsed(text).keys()]).toEqual([phone.file('/Trip/a.txt')]);
});

describe('uploads photos automatically', () => {
  it('a small one, with its times', async () => {
    // Likely: NextcloudKit+WebDAV.swift, createFolder, and that it takes 405 as there already.
    for (const folder of ['/Photos', '/Photos/2026', '/Photos'])
      expect([201, 405]).toContain((await phone.send('MKCOL', phone.file(folder))).status);
    const address = phone.file('/Photos/2026/IMG%201.heic');
    // Likely: NextcloudKit+WebDAV.swift: the file is looked for first.
    expect((await phone.send('PROPFIND', address, { depth: '0' }, ALL)).status).toBe(404);
    // Certain: NextcloudKit+Upload.swift, upload: times with fractions, and this spelling of `Overwrite`.
    const headers = { ...CONTENT, 'x-oc-ctime': '1699999000.5', 'x-oc-mtime': '1700000000.25', overwrite: 'true' };
    const put = await phone.send('PUT', address, headers, 'photo');
    expect([put.status, put.headers['oc-fileid'], put.headers['oc-etag']]).toEqual([
      ...[201, expect.any(String), expect.any(String)],
    ]);
    expect(put.headers.date).toBeDefined();
    expect(Math.floor((await stat(at('Photos', '2026', 'IMG 1.heic'))).mtimeMs)).toBe(1_700_000_000_000);
    expect(put.headers['x-oc-ctime']).toBe('accepted');
    const [file] = await phone.listed(address, ALL, '0');
    expect(file?.found.get('creation_time')).toBe('1699999000');
    expect((await phone.send('PUT', address, headers, 'again')).status).toBe(204);
  });

  it('a small one into a folder that is created with it', async () => {
    // Certain: the app itself, BackgroundUploadExtension, buildDestination: it sends no MKCOL before.
    const headers = { ...CONTENT, 'x-nc-webdav-auto-mkcol': '1', 'x-oc-mtime': '1700000000.25' };
    const put = await phone.send('PUT', phone.file('/Photos/2025/12/IMG%203.heic'), headers, 'photo');
    expect(put.status).toBe(201);
    expect(await readFile(at('Photos', '2025', '12', 'IMG 3.heic'), 'utf8')).toBe('photo');
  });

  it('a large one in parts', async () => {
    const transfer = phone.tree('uploads', '/6F9619FF-8B86-D011-B42D-00CF4FC964FF');
    const destination = phone.whole(phone.file('/Photos/IMG%202.mov'));
    // Certain, all of this: NextcloudKit+Upload.swift, uploadChunkAsync. Every request has both headers.
    const headers = { destination, 'oc-total-length': '10' };
    const ask = (method: string, path: string, more = {}, body?: string) =>
      phone.send(method, `${transfer}${path}`, { ...headers, ...more }, body);
    expect((await ask('PROPFIND', '', { depth: '0' }, ALL)).status).toBe(404);
    expect((await ask('MKCOL', '')).status).toBe(201);
    expect((await ask('PUT', '/1', CONTENT, 'first')).status).toBe(201);
    // The app was stopped: the folder is there now, and the part that was arriving is sent again.
    expect((await ask('PROPFIND', '', { depth: '0' }, ALL)).status).toBe(207);
    expect((await ask('PUT', '/1', CONTENT, 'first')).status).toBe(201);
    expect((await ask('PUT', '/2', CONTENT, 'other')).status).toBe(201);
    const times = { 'x-oc-ctime': '1699999000.5', 'x-oc-mtime': '1700000000.5' };
    const moved = await ask('MOVE', '/.file', { ...times, overwrite: 'T' });
    expect([moved.status, moved.headers['oc-fileid'], moved.headers['oc-etag']]).toEqual([
      ...[201, expect.any(String), expect.any(String)],
    ]);
    expect(await readFile(at('Photos', 'IMG 2.mov'), 'utf8')).toBe('firstother');
    const [file] = await phone.listed(phone.file('/Photos/IMG%202.mov'), ALL, '0');
    expect([file?.found.get('id'), file?.found.get('size')]).toEqual([moved.headers['oc-fileid'], '10']);
    expect(file?.found.get('creation_time')).toBe('1699999000');
  });
});

it('shares', async () => {
  const box = await household.newBox();
  const shares = '/apps/files_sharing/api/v1/shares';
  const json = { accept: 'application/json' };
  const ask = async (method: string, path: string, form?: Record<string, string>) =>
    (await phone.ocs(method, `${path}${path.includes('?') ? '&' : '?'}format=json`, form, json)).body.ocs;
  // Certain: NextcloudKit+Share.swift: the lists, the search and new shares, whose replies have to have the status 200. Likely: changes and the end.
  const query = `reshares=true&subfiles=false&shared_with_me=false&path=${encodeURIComponent(`/${box}`)}`;
  expect(await ask('GET', `${shares}?${query}`)).toMatchObject({ meta: { statuscode: 200 }, data: [] });
  const search = 'search=be&page=1&perPage=20&itemType=folder&lookup=false';
  const found = await ask('GET', `/apps/files_sharing/api/v1/sharees?${search}`);
  expect(found.data.users[0]).toMatchObject({ label: expect.any(String), value: { shareType: 0, shareWith: 'ben' } });
  const form = { path: `/${box}`, shareType: '0', permissions: '17', shareWith: 'ben' };
  const more = { publicUpload: 'false', hideDownload: 'false' };
  const made = await ask('POST', shares, { ...form, ...more });
  expect([made.meta.statuscode, made.data.share_with, made.data.permissions]).toEqual([200, 'ben', 17]);
  const link = await ask('POST', shares, { path: `/${box}`, shareType: '3', permissions: '1', ...more });
  expect(link.data.url).toMatch(/^https:/);
  const changes = { password: 'sesame open', expireDate: '2040-05-06', permissions: '1', note: '', label: '', ...more };
  expect((await ask('PUT', `${shares}/${link.data.id}`, changes)).meta.statuscode).toBe(200);
  const all = await ask('GET', `${shares}?${query}`);
  expect(all.data.map(({ id }: { id: string }) => id).sort()).toEqual([made.data.id, link.data.id].sort());
  for (const { id } of all.data) expect((await ask('DELETE', `${shares}/${id}`)).meta.statuscode).toBe(200);
});

it('lists the trash', async () => {
  // Certain: Models/NKProperties.swift, trashProperties.
  const asked = propfindOf(
    'd:displayname d:getcontenttype d:resourcetype oc:id oc:fileid oc:size nc:has-preview nc:trashbin-filename nc:trashbin-original-location nc:trashbin-deletion-time',
  );
  const picture = await image('green');
  await phone.send('PUT', phone.file('/gone.png'), CONTENT, picture);
  await phone.send('DELETE', phone.file('/gone.png'));
  // Certain: NextcloudKit+WebDAV.swift, listingTrash.
  const [item] = await phone.listed(phone.tree('trashbin', '/trash/'), asked);
  expect(item?.found.get('has-preview')).toBe('true');
  // Certain: NextcloudKit+Download.swift, downloadTrashPreview.
  const query = `fileId=${item?.found.get('fileid')}&x=512&y=512&a=1&mode=cover&forceIcon=0&mimeFallback=0`;
  expect((await phone.send('GET', `/index.php/apps/files_trashbin/preview?${query}`)).status).toBe(200);
  // Certain: NextcloudKit+WebDAV.swift, moveFileOrFolder. Likely: the name below `restore`.
  const back = { destination: phone.whole(phone.tree('trashbin', '/restore/gone.png')), overwrite: 'T' };
  expect((await phone.send('MOVE', item?.href ?? '', back)).status).toBe(201);
  expect((await readFile(at('gone.png'))).equals(picture)).toBe(true);
  // Likely: NextcloudKit+WebDAV.swift, deleteFileOrFolder, of one item and of the whole trash.
  await phone.send('DELETE', phone.file('/gone.png'));
  const [again] = await phone.listed(phone.tree('trashbin', '/trash/'), asked);
  expect((await phone.send('DELETE', again?.href ?? '')).status).toBe(204);
  expect((await phone.send('DELETE', phone.tree('trashbin', '/trash'))).status).toBe(204);
});
