import { mkdir, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Household, openHousehold } from '../support/households/household.ts';
import { addMembersWithHomes, signInAs } from '../support/households/member.ts';
import type { ApiClient } from '../support/requests/api-client.ts';
import { type DavClient, davClient, parsed } from '../support/webdav/dav-client.ts';
import { connectedApp, send } from './support.ts';
import { codeOf, statusOf } from './transfers.ts';

// Certain, from the published sources of the Android library and NextcloudKit: the address, that Android asks OPTIONS first, the scope
// `/files/<user>`, and the conditions by name, favourite, number, media type and time in the forms below. From the developer manual:
// `firstresult`, and the search for a media type alone. Assumed: the other operators, and whole addresses as scope.

let household: Household;
let api: ApiClient;
let app: DavClient;

/** Seconds since the epoch. */
const DAY = 86_400;
const at = (day: number) => 1_600_000_000 + day * DAY;
const FILES = {
  'Summer/plum & jam.JPG': at(1),
  'Summer/film.mp4': at(2),
  'Summer/deep/Plüm.png': at(3),
  'Summer/._plum.jpg': at(3),
  'notes plum.txt': at(4),
  'photo.weird': at(5),
  '100%.txt': at(6),
};

beforeAll(async () => {
  household = await openHousehold();
  api = await household.signIn();
  app = (await connectedApp(household)).at('/remote.php/dav');
  await mkdir(join(household.home, 'Summer', 'deep'), { recursive: true });
  await mkdir(join(household.home, 'plum folder'));
  for (const [path, time] of Object.entries(FILES)) {
    await writeFile(join(household.home, path), path);
    await utimes(join(household.home, path), time, time);
  }
  await api.get('files/browse', { path: '/ROOT/HOME', recursive: 1 });
  await api.post('files/star', { path: '/ROOT/HOME/Summer/film.mp4' });
});
afterAll(() => household?.close());

const SELECT = `<d:displayname/><d:getcontenttype/><d:resourcetype/><d:getcontentlength/><d:getlastmodified/><d:getetag/>
  <d:quota-used-bytes/><oc:permissions/><oc:id/><oc:fileid/><oc:size/><oc:favorite/><nc:has-preview/><nc:note/>`;
const prop = (name: string) => `<d:prop><${name}/></d:prop>`;
const condition = (operator: string, name: string, value: string) =>
  `<d:${operator}>${prop(name)}<d:literal>${value}</d:literal></d:${operator}>`;
const NEWEST = `<d:orderby><d:order>${prop('d:getlastmodified')}<d:descending/></d:order></d:orderby>`;
const OLDEST = `<d:orderby><d:order>${prop('d:getlastmodified')}<d:ascending/></d:order></d:orderby>`;
const limit = (count: number, start?: number) =>
  `<d:limit><d:nresults>${count}</d:nresults>${start === undefined ? '' : `<nc:firstresult>${start}</nc:firstresult>`}</d:limit>`;
/** @param rest what follows the condition */
const body = (where: string, rest = '', { href = '/files/ann', depth = 'infinity' } = {}) => `<?xml version="1.0"?>
  <d:searchrequest xmlns:d="DAV:" xmlns:oc="http://owncloud.org/ns" xmlns:nc="http://nextcloud.org/ns"><d:basicsearch>
  <d:select><d:prop>${SELECT}</d:prop></d:select>
  <d:from><d:scope><d:href>${href}</d:href><d:depth>${depth}</d:depth></d:scope></d:from>
  <d:where>${where}</d:where>${rest}</d:basicsearch></d:searchrequest>`;

const search = (xml: string, client = app) =>
  client.send('SEARCH', '/', { headers: { 'content-type': 'text/xml' }, body: xml });
/** The paths that are found, in order; the status of a refusal. */
async function found(xml: string, client = app, user = 'ann'): Promise<string[] | number> {
  const { status, text } = await search(xml, client);
  if (status !== 207) return status;
  const before = `/remote.php/dav/files/${user}/`;
  return [...parsed(text).keys()].map((href) => {
    expect(href.startsWith(before)).toBe(true);
    return decodeURIComponent(href.slice(before.length));
  });
}
const LIKE = (text: string) => condition('like', 'd:displayname', text);
const IMAGES = condition('like', 'd:getcontenttype', 'image/%');
const VIDEOS = condition('like', 'd:getcontenttype', 'video/%');

describe('the forms of the Android app', () => {
  it('are announced by OPTIONS', async () => {
    const options = await send(household, 'OPTIONS', '/remote.php/dav');
    expect([options.status, options.headers.dasl]).toEqual([200, '<DAV:basicsearch>']);
    expect(options.headers.allow).toMatch(/PROPFIND.*SEARCH$/);
  });

  it('find by name, regardless of case and accents', async () => {
    expect(await found(body(LIKE('%PLUM%')))).toEqual([
      'notes plum.txt',
      'Summer/plum & jam.JPG',
      'plum folder/',
      'Summer/deep/Plüm.png',
    ]);
    const folders = `<d:and><d:is-collection/>${LIKE('%plum%')}</d:and>`;
    expect(await found(body(folders))).toEqual(['plum folder/']);
  });

  it('find favourites and items by number', async () => {
    const favourites = body(condition('eq', 'oc:favorite', 'yes'), '<d:orderby/>');
    expect(await found(favourites)).toEqual(['Summer/film.mp4']);
    const { text } = await search(favourites);
    const [one] = [...parsed(text).values()];
    expect(Object.fromEntries(one?.found ?? [])).toMatchObject({
      ...{ displayname: 'film.mp4', getcontenttype: 'video/mp4', getcontentlength: '15', favorite: '1' },
      ...{ getlastmodified: new Date(at(2) * 1000).toUTCString(), permissions: 'RGDNVW', resourcetype: '' },
      ...{ id: `${one?.found.get('fileid')}larder`, getetag: expect.stringContaining('&quot;') },
    });
    expect(one?.missing).toEqual(['404 quota-used-bytes', '404 note']);
    expect(await found(body(condition('eq', 'oc:fileid', one?.found.get('fileid') ?? '')))).toEqual([
      'Summer/film.mp4',
    ]);
    for (const number of ['1', 'x', '-1', '99999999999999999999'])
      expect(await found(body(condition('eq', 'oc:fileid', number)))).toEqual([]);
  });

  it('find recently changed files, newest first', async () => {
    const lately = condition('gt', 'd:getlastmodified', new Date(at(4) * 1000).toISOString().replace('.000', ''));
    expect(await found(body(`<d:and><d:not><d:is-collection/></d:not>${lately}</d:and>`, NEWEST))).toEqual([
      '100%.txt',
      'photo.weird',
    ]);
  });

  it('find images and videos between two times, page by page', async () => {
    const media = `<d:or>${IMAGES}${VIDEOS}</d:or>`;
    expect(await found(body(media, NEWEST + limit(2)))).toEqual(['Summer/deep/Plüm.png', 'Summer/film.mp4']);
    const before = `<d:and>${condition('lt', 'd:getlastmodified', String(at(2)))}${media}</d:and>`;
    expect(await found(body(before, NEWEST + limit(2)))).toEqual(['Summer/plum & jam.JPG']);
    const between = `<d:and>${condition('lt', 'd:getlastmodified', String(at(3)))}${condition('gt', 'd:getlastmodified', String(at(1)))}${media}</d:and>`;
    expect(await found(body(between, NEWEST))).toEqual(['Summer/film.mp4']);
  });
});

describe('the forms of the iPhone app', () => {
  const media = (from: string, until: string, property = 'd:getlastmodified') =>
    `<d:and><d:or>${IMAGES}${VIDEOS}</d:or><d:or><d:and>${condition('lt', property, until)}${condition('gt', property, from)}</d:and></d:or></d:and>`;
  const order = (property: string) =>
    `<d:orderby><d:order>${prop(property)}<d:descending/></d:order><d:order>${prop('d:displayname')}<d:descending/></d:order></d:orderby>`;

  it.each(['d:getlastmodified', 'nc:metadata-photos-original_date_time'])('find media by %s', async (property) => {
    const long = media('0001-01-01T00:00:00+00:53:28', '4001-01-01T00:00:00Z', property);
    expect(await found(body(long, order(property) + limit(100)))).toEqual([
      'Summer/deep/Plüm.png',
      'Summer/film.mp4',
      'Summer/plum & jam.JPG',
    ]);
    const one = media(String(at(2) - 1), String(at(2) + 1), property);
    expect(await found(body(one, order(property), { href: '/files/ann/Summer' }))).toEqual(['Summer/film.mp4']);
  });

  it('require the scope for metadata to search by it', async () => {
    const taken = 'nc:metadata-photos-original_date_time';
    const client = (await davClient(api, { 'scopes[]': 'list' })).at('/remote.php/dav');
    expect(await found(body(media('0', '1'), order('d:getlastmodified')), client)).toEqual([]);
    expect(await found(body(media('0', '1', taken)), client)).toBe(403);
    expect(await found(body(IMAGES, order(taken)), client)).toBe(403);
  });

  it('search in a folder, whether its name is encoded or not', async () => {
    for (const href of ['/files/ann/plum%20folder', '/files/ann/plum folder', '/files/ann/Summer/deep/'])
      expect(await found(body(LIKE('%plum%'), '', { href }))).toEqual(
        href.includes('deep') ? ['Summer/deep/Plüm.png'] : [],
      );
  });
});

describe('a search', () => {
  it('supports wildcards and other operators', async () => {
    expect(await found(body(LIKE('100\\%.txt')))).toEqual(['100%.txt']);
    expect(await found(body(LIKE('film.mp_')))).toEqual(['Summer/film.mp4']);
    expect(await found(body(condition('eq', 'd:displayname', 'FILM.mp4')))).toEqual(['Summer/film.mp4']);
    expect(await found(body(LIKE('film')))).toEqual([]);
    expect(await found(body(condition('eq', 'd:getcontenttype', 'text/plain'), OLDEST))).toEqual([
      'notes plum.txt',
      '100%.txt',
    ]);
    const others = `<d:and><d:not>${IMAGES}</d:not><d:not><d:is-collection/></d:not><d:not>${condition('eq', 'oc:favorite', '1')}</d:not></d:and>`;
    expect(await found(body(others, OLDEST))).toEqual(['notes plum.txt', 'photo.weird', '100%.txt']);
    const times = `<d:and>${condition('gte', 'd:getlastmodified', String(at(4)))}${condition('lte', 'd:getlastmodified', String(at(5)))}</d:and>`;
    expect(await found(body(times, OLDEST))).toEqual(['notes plum.txt', 'photo.weird']);
    expect(await found(body(condition('eq', 'd:getlastmodified', new Date(at(5) * 1000).toUTCString())))).toEqual([
      'photo.weird',
    ]);
  });

  it('continues where the last one ended', async () => {
    const page = (start: number) => found(body(LIKE('%'), OLDEST + limit(2, start)));
    const all = (await found(body(LIKE('%'), OLDEST))) as string[];
    expect(all).toHaveLength(9);
    expect(await page(0)).toEqual(all.slice(0, 2));
    expect(await page(7)).toEqual(all.slice(7));
    expect(await page(9)).toEqual([]);
  });

  it('accepts a full URL as its scope', async () => {
    for (const href of [`${app.base}/remote.php/dav/files/ann/Summer`, '/remote.php/dav/files/ann/Summer/'])
      expect(await found(body(LIKE('%film%'), '', { href }))).toEqual(['Summer/film.mp4']);
  });

  it.each([
    ['an operator', '<d:contains>plum</d:contains>'],
    ['a property', condition('eq', 'oc:owner-id', 'ann')],
    ['a property for this operator', condition('gt', 'd:displayname', 'a')],
    ['a pattern of a number', condition('like', 'oc:fileid', '1%')],
    ['a date', condition('gt', 'd:getlastmodified', 'yesterday')],
    ['a star', condition('eq', 'oc:favorite', 'perhaps')],
    ['a scope', LIKE('%'), { href: '/calendars/ann' }],
    ['another server', LIKE('%'), { href: 'https://other.example/remote.php/dav/files/ann' }],
    ['a depth', LIKE('%'), { depth: '1' }],
  ])('refuses %s that it does not support', async (_what, where, scope: { href?: string; depth?: string } = {}) => {
    expect(codeOf(await search(body(where, '', scope)))).toEqual([400, 'invalid_parameter']);
  });

  it('refuses unknown sort orders and invalid limits', async () => {
    const order = `<d:orderby><d:order>${prop('d:getcontenttype')}</d:order></d:orderby>`;
    for (const rest of [order, '<d:limit><d:nresults>many</d:nresults></d:limit>', limit(1, 999_999)])
      expect(codeOf(await search(body(LIKE('%'), rest)))).toEqual([400, 'invalid_parameter']);
  });

  it('refuses malformed and too complex queries', async () => {
    const deep = `${'<d:not>'.repeat(60)}<d:is-collection/>${'</d:not>'.repeat(60)}`;
    expect(await statusOf(search(body(deep)))).toBe(207);
    for (const xml of [
      ...['', '<d:searchrequest', '<!DOCTYPE a><a/>', '<d:searchrequest xmlns:d="DAV:"/>', '<a/>'],
      ...[body(''), body('<d:and/>'), body(`<d:not>${LIKE('a')}${LIKE('b')}</d:not>`), body('<d:like/>')],
      body(`${'<d:not>'.repeat(100)}<d:is-collection/>${'</d:not>'.repeat(100)}`),
      body(`<d:or>${'<d:is-collection/>'.repeat(101)}</d:or>`),
      body(LIKE('x'.repeat(1_001))),
      body(LIKE('%')).replace('<d:scope>', '<d:other>').replace('</d:scope>', '</d:other>'),
    ]) {
      expect([xml.slice(0, 400), codeOf(await search(xml))]).toEqual([xml.slice(0, 400), [400, 'malformed_body']]);
    }
    expect(await found(body(LIKE(`${'%a'.repeat(400)}%b`)))).toEqual([]);
  });

  it('is limited to the account and the folder of the app', async () => {
    expect(await found(body(LIKE('%'), '', { href: '/files/ben' }))).toBe(404);
    expect(await found(body(LIKE('%'), '', { href: '/files/ann/none' }))).toBe(404);
    expect(await found(body(LIKE('%'), '', { href: '/files/ann/100%25.txt' }))).toBe(404);
    expect(await found(body(LIKE('%'), '', { href: '/files/ann/..%2f' }))).toBe(403);
    const limited = (await davClient(api, { folder: '/ROOT/HOME/Summer/deep', read_only: 1 })).at('/remote.php/dav');
    expect(await found(body(LIKE('%')), limited)).toEqual(['Plüm.png']);
    expect(await found(body(condition('eq', 'oc:favorite', '1')), limited)).toEqual([]);
    const sending = (await davClient(api, { 'scopes[]': 'upload' })).at('/remote.php/dav');
    expect(await found(body(LIKE('%')), sending)).toBe(403);
  });

  it('finds shared items of others with the rights of the share, and no other items of theirs', async () => {
    await addMembersWithHomes(household, { mia: {} });
    const mia = await signInAs(household, 'mia');
    const uid = (await mia.get('account/info')).body.id;
    const client = (await davClient(mia)).at('/remote.php/dav');
    const all = (scope = '') => found(body(LIKE('%plum%'), '', { href: `/files/mia${scope}` }), client, 'mia');
    expect(await all()).toEqual([]);
    await mia.put({ path: '/ROOT/HOME/plum.txt' }, 'own');
    const given = { uid, download: 0, upload: 0, alter: 0 };
    await api.post('files/share', { path: '/ROOT/HOME/Summer', ...given });
    await api.post('files/share', { path: '/ROOT/HOME/notes plum.txt', ...given });
    const shared = [
      'Shared with me/ann/notes plum.txt',
      'Shared with me/ann/Summer/plum & jam.JPG',
      'Shared with me/ann/Summer/deep/Plüm.png',
    ];
    expect(new Set((await all()) as string[])).toEqual(new Set([...shared, 'My files/plum.txt']));
    expect(await all('/Shared with me')).toEqual(shared);
    expect(await all('/Shared%20with%20me/ann/Summer/deep')).toEqual([shared[2]]);
    const { text } = await search(body(LIKE('%jam%'), '', { href: '/files/mia' }), client);
    const [one] = [...parsed(text).values()];
    expect([one?.found.get('permissions'), one?.found.get('has-preview'), one?.missing]).toEqual([
      'S',
      'false',
      ['404 getetag', '404 quota-used-bytes', '404 note'],
    ]);
    // Favourites are everybody's own.
    expect(await found(body(condition('eq', 'oc:favorite', '1'), '', { href: '/files/mia' }), client, 'mia')).toEqual(
      [],
    );
    await api.post('files/unshare', { path: '/ROOT/HOME/Summer', uid });
    expect(await all('/Shared with me')).toEqual([shared[0]]);
    await household.control('accounts.update', { username: 'mia', activated: false });
    expect(await all()).toBe(401);
  });

  it('gives the checksums that a listing gives, and none of an unproven content', async () => {
    await api.put({ path: '/ROOT/HOME/summed.txt' }, 'x');
    const sha1 = 'SHA1:11f6ad8ec52a2984abaafd7c3b516503785c2072';
    const path = '/files/ann/stated.txt';
    expect((await app.put(path, 'x', { 'oc-checksum': sha1 })).status).toBe(201);
    const asked = `<d:prop xmlns:d="DAV:" xmlns:oc="http://owncloud.org/ns"><oc:checksums/></d:prop>`;
    const searched = body(LIKE('%.txt')).replace(/<d:select>.*<\/d:select>/s, `<d:select>${asked}</d:select>`);
    const sums = ({ text }: { text: string }) =>
      [...parsed(text)].flatMap(([href, { found }]) =>
        /stated|summed/.test(href) ? [`${href.split('/').at(-1)} ${found.get('checksums')}`] : [],
      );
    const listed = sums(
      await app.propfind('/files/ann', '1', `<d:propfind xmlns:d="DAV:">${asked}</d:propfind>`),
    ).sort();
    expect(listed).toEqual([expect.stringContaining(sha1), expect.stringMatching(/^summed\.txt .*SHA256:/)]);
    expect(sums(await search(searched)).sort()).toEqual(listed);
    const file = join(household.home, 'summed.txt');
    const { atime, mtime } = await stat(file);
    await writeFile(file, 'y');
    await utimes(file, atime, mtime);
    await api.get('files/browse', { path: '/ROOT/HOME' });
    expect(sums(await search(searched)).filter((one) => /^summed.*SHA256:2d711642/.test(one))).toEqual([]);
  });

  it('does not find items in the trash', async () => {
    await api.put({ path: '/ROOT/HOME/soon gone.txt' }, 'x');
    const gone = body(LIKE('%soon gone%'));
    expect(await found(gone)).toEqual(['soon gone.txt']);
    await api.post('files/delete', { path: '/ROOT/HOME/soon gone.txt' });
    expect(await found(gone)).toEqual([]);
  });
});

it('is refused without sign-in, to pages, and while the apps are switched off', async () => {
  const bare = await send(household, 'SEARCH', '/remote.php/dav/', { body: body(LIKE('%')) });
  expect([bare.status, bare.headers['content-security-policy']]).toEqual([401, "sandbox; default-src 'none'"]);
  const fromPage = { 'sec-fetch-mode': 'cors', 'sec-fetch-site': 'cross-site' };
  expect(await statusOf(app.send('SEARCH', '/', { headers: fromPage, body: body(LIKE('%')) }))).toBe(403);
  await household.control('settings.update', { nextcloudApps: false });
  expect(await statusOf(search(body(LIKE('%'))))).toBe(404);
  expect((await send(household, 'OPTIONS', '/remote.php/dav')).headers.allow).not.toContain('SEARCH');
  await household.control('settings.update', { nextcloudApps: true });
  expect(await statusOf(search(body(LIKE('%'))))).toBe(207);
});
