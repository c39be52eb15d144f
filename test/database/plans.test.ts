import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { Connection } from '../../dist/server/database/connection.js';
import { albumJson, imported, photo, putArchives } from '../imports/support.ts';
import { WebVisitor } from '../support/browser/web-visitor.ts';
import { type Household, OWNER, openHousehold } from '../support/households/household.ts';
import { addMember, MEMBER, signInAs } from '../support/households/member.ts';
import type { ApiClient } from '../support/requests/api-client.ts';
import { addField } from '../support/requests/fields.ts';
import { davClient } from '../support/webdav/dav-client.ts';
import { fixture } from '../workers/embedded-support.ts';

/** Tables with a row for every file. */
const LARGE =
  /^SCAN (items|child|i|versions|v|names_content|text_states|embedded_states|embedded_places|s|metadata_values|metadata_terms|t|photos|p|embedded_groups|photo_places|album_items|m)\b(?! VIRTUAL)/;
/** Read through on purpose: a query of one or two letters, and what is asked of all at once, as which old contents go. */
const ALLOWED =
  /names_content\.c0|FROM (?:text|embedded)_states$|SET state = 'waiting' WHERE state = 'away'|OVER \(PARTITION BY item_id/;

let household: Household;
let api: ApiClient;
const run = vi.spyOn(Connection.prototype, 'run');
const all = vi.spyOn(Connection.prototype, 'all');

const HOME = '/ROOT/HOME';

beforeAll(async () => {
  household = await openHousehold();
  api = await household.signIn();
});
afterAll(async () => {
  vi.restoreAllMocks();
  await household.close();
});

async function isFound(filename: string): Promise<boolean> {
  return (await api.post('files/search', { path: HOME, filename })).body.data.files.length > 0;
}

/** What is done every hour, and for whoever looks at pictures. */
async function pictures(): Promise<void> {
  await api.put({ filePath: `${HOME}/no picture.jpg` }, 'no picture');
  expect((await api.get('files/thumbnail', { path: `${HOME}/no picture.jpg` })).status).toBe(415);
  await api.get('files/browse', { path: HOME, 'details[]': 'hasThumb' });
  await household.larder.maintenance();
}

async function useAlbums(): Promise<void> {
  const { body } = await api.post('albums/add', { title: 'Summer' });
  const { album } = body.data;
  const picture = (await api.get('files/info', { path: `${HOME}/picture.jpg`, 'details[]': 'uuid' })).body.data.uuid;
  const items = JSON.stringify([{ uuid: picture }]);
  const { id: gid } = await household.control('groups.add', { name: 'Album' });
  const calls = [
    ['albums/items/add', { album, items }],
    ['albums/items/add', { album, items, before: picture }],
    ['albums/folder', { path: `${HOME}/letters` }],
    ['albums/edit', { album, title: 'Winter', cover: picture }],
    ['albums/items', { album }],
    ['albums/items', { album: 'favourites' }],
    ['albums/share', { album, gid: Number(gid) }],
    ['albums/shares', { album }],
    ['albums/items', { album }],
    ['albums/list', {}],
    ['albums/unshare', { album, gid: Number(gid) }],
    ['albums/list', {}],
    ['albums/link', { album }],
    ['albums/links', { album }],
    ['albums/unlink', { album }],
    ['albums/items/remove', { album, items }],
    ['albums/delete', { album }],
  ] as const;
  for (const [operation, form] of calls) expect((await api.post(operation, form)).status, operation).toBe(200);
}

/** Imports an export with a photo that is there already, and one that is not. */
async function useImports(): Promise<void> {
  const folder = 'Takeout/Google Photos/Album';
  const one = [...photo(`${folder}/a.jpg`, 'a'), ...photo(`${folder}/b.jpg`, 'a', { favorited: true })];
  const paths = await putArchives(household.home, [
    ...one,
    { name: `${folder}/metadata.json`, content: albumJson('Album') },
  ]);
  const { import: done } = await imported(api, paths);
  expect(done).toMatchObject({ stored: 1, known: 1, inAlbums: 2 });
  expect((await api.get('imports/list')).status).toBe(200);
  expect((await api.post('imports/resume', { import: done.import })).status).toBe(409);
}

async function useDaily(): Promise<void> {
  await api.put({ filePath: `${HOME}/letters/plan.txt` }, 'one');
  await api.put({ filePath: `${HOME}/letters/plan.txt`, overwrite: 1 }, 'two');
  await api.put({ filePath: `${HOME}/picture.jpg` }, await fixture('pictures/camera.jpg'));
  await expect.poll(async () => (await household.control('status')).embedded).toMatchObject({ indexed: 1 });
  const said = await api.post('files/comments/add', { path: `${HOME}/letters/plan.txt`, comment: 'Good' });
  await api.post('files/comments/list', { path: `${HOME}/letters/plan.txt` });
  await api.post('files/comments/delete', { path: `${HOME}/letters/plan.txt`, id: said.body.data.id });
  await api.get('files/browse', { path: `${HOME}/letters`, 'details[]': ['commentsCount', 'label'] });
  await describeIt(`${HOME}/letters/plan.txt`);
  const link = await api.post('files/weblink', { path: `${HOME}/letters` });
  const linked = new URL(link.body.data.url);
  for (const more of ['', '&path=/plan.txt', '&fmode=download']) {
    const reply = await household.api.send('GET', `${linked.pathname}${linked.search}${more}`);
    expect(reply.status).toBe(200);
  }
  for (const path of [`${HOME}/letters`, '/LINKS']) await api.get('files/browse', { path, 'details[]': ['weblink'] });
  for (const operation of ['files/lock', 'files/star']) await api.post(operation, { path: `${HOME}/letters/plan.txt` });
  await api.get('files/browse', { path: `${HOME}/letters`, 'details[]': ['locked', 'uuid'] });
  for (const path of ['/RECENT', '/STARRED', '/PHOTOS', '/MUSIC']) await api.get('files/browse', { path });
  await api.post('files/search', { path: HOME, contents: 'one two' });
  const known = JSON.stringify([{ name: 'plan.txt', size: 3, sha256: '0'.repeat(64) }]);
  for (const operation of ['files/known', 'files/receipt'])
    expect((await api.post(operation, { path: HOME, items: known })).status).toBe(200);
  await useAlbums();
  await useImports();
  await searchAsAppsDo();
  await api.post('files/createfolder', { path: HOME, name: 'copies' });
  await api.post('files/copy', { path: `${HOME}/letters`, copyTo: `${HOME}/copies` });
  await api.post('files/rename', { path: `${HOME}/letters`, newName: 'post' });
  await api.post('files/move', { path: `${HOME}/picture.jpg`, moveTo: `${HOME}/post` });
  await api.post('files/delete', { path: `${HOME}/post` });
  const { body } = await api.get('files/browse', { path: '/TRASH' });
  await api.post('files/trash/restore', { path: body.data.files[0].path });
  const visitor = new WebVisitor(household);
  const form = await visitor.get('/files/');
  await visitor.post('/account/sign-in', { form_token: form.field('form_token'), next: '/files/', ...OWNER });
  expect((await visitor.get(`/files/?path=${HOME}`)).status).toBe(200);
  // By other means, found by whoever keeps the catalogue.
  await mkdir(join(household.home, 'by hand'));
  await writeFile(join(household.home, 'by hand', 'unheard of.txt'), '');
  await expect.poll(() => isFound('unheard')).toBe(true);
  await rename(join(household.home, 'by hand'), join(household.home, 'elsewhere'));
  await expect.poll(() => isFound('elsewhere')).toBe(true);
}

/** By name, media type, time, number and star, sorted by time. */
async function searchAsAppsDo(): Promise<void> {
  const of = (operator: string, name: string, value: string) =>
    `<${operator}><prop><${name}/></prop><literal>${value}</literal></${operator}>`;
  const number = '<eq><prop><o:fileid/></prop><literal>1</literal></eq>';
  const conditions = [
    of('like', 'displayname', '%plan%'),
    `<and>${of('like', 'getcontenttype', 'image/%')}${of('lt', 'getlastmodified', '9999999999')}</and>`,
    `<or>${number}${of('eq', 'o:favorite', 'yes')}</or>`,
  ];
  const app = (await davClient(api)).at('/remote.php/dav');
  for (const where of conditions) {
    const body = `<searchrequest xmlns="DAV:" xmlns:o="http://owncloud.org/ns"><basicsearch>
      <select><prop><getetag/><o:size/><o:favorite/></prop></select>
      <from><scope><href>/files/${OWNER.username}</href><depth>infinity</depth></scope></from><where>${where}</where>
      <orderby><order><prop><getlastmodified/></prop><descending/></order></orderby></basicsearch></searchrequest>`;
    expect((await app.send('SEARCH', '/', { body })).status).toBe(207);
  }
}

/** What is put on a file, and found by it. */
async function describeIt(path: string): Promise<void> {
  const field = await addField(household);
  await api.post('files/tags/add', { path, 'tags[]': ['plan', 'garden'] });
  await api.post('files/tags/remove', { path, 'tags[]': 'garden' });
  await api.post('files/label', { path, label: 'Urgent' });
  await api.post('files/rating', { path, rating: 3 });
  await api.post('files/metadata/set', { path, [`fields[${field}]`]: 'Box 3' });
  await api.post('files/metadata', { path });
  const searches = [
    ...[{ 'meta[tag][]': 'pla' }, { 'meta[tag][]': 'pl' }, { 'meta[-][]': 'box 3' }, { 'meta[rating][]': '3' }],
    ...[{ 'meta[comment][]': 'good' }, { 'meta[tag][]': 'plan', filename: 'pla' }, { metatype: 1 }, { metatype: 5 }],
    { 'meta[tag][]': 'plan', 'meta[-][]': ['2026', 'plan'], metatype: 1 },
  ];
  for (const at of [HOME, `${HOME}/letters`]) {
    for (const form of searches) {
      const reply = await api.post('files/search', { path: at, ...form } as Record<string, string>);
      expect(reply.status, reply.text).toBe(200);
    }
  }
  await household.control('metadata.fields.update', { id: field, kind: 'longtext' });
  await household.control('metadata.fields.remove', { id: field });
}

/** What one person shares with another, and that one does with it. */
async function share(): Promise<void> {
  await api.post('files/createfolder', { path: HOME, name: 'ours' });
  await api.put({ path: `${HOME}/ours/picture.jpg` }, 'no picture');
  await addMember(household);
  const mia = await signInAs(household, MEMBER.username);
  const uid = Number((await mia.get('account/info')).body.id);
  const shared = await api.post('files/share', { path: `${HOME}/ours`, uid, upload: 1, alter: 1, share: 1 });
  const path = `/ROOT/1/${shared.body.data.shareid}`;
  await mia.put({ path: `${path}/hers.txt` }, 'one');
  await mia.post('files/star', { path: `${path}/hers.txt` });
  await mia.post('files/share', { path: `${path}/hers.txt`, name: 'Gran', email: 'gran@example.net' });
  for (const one of ['/ROOT/SHARED', '/ROOT/1', path, '/RECENT', '/STARRED', '/PHOTOS', '/SHARES']) {
    await mia.get('files/browse', { path: one, 'details[]': ['isShared', 'isLocked'] });
  }
  await mia.post('files/search', { path, filename: 'hers' });
  await mia.post('files/delete', { path: `${path}/hers.txt` });
  await api.get('files/browse', { path: HOME, 'details[]': ['isShared'] });
  await api.post('files/unshare', { path: `${HOME}/ours`, uid });
}

it('no frequent statement scans all files', async () => {
  for (const spy of [run, all]) spy.mockClear();
  await useDaily();
  await share();
  await pictures();
  // Not those on the temporary table of the writer's own connection.
  const calls = [...run.mock.calls, ...all.mock.calls].filter(([sql]) => !sql.includes('changed_rows'));
  const statements = new Map(calls.map(([sql, params]) => [sql, params ?? []]));
  expect(statements.size).toBeGreaterThan(60);
  const reader = all.mock.contexts[0] as Connection;
  const wide: string[] = [];
  for (const [sql, params] of statements) {
    if (!/^\s*(SELECT|WITH|INSERT|UPDATE|DELETE)/.test(sql) || ALLOWED.test(sql)) continue;
    const plan = await reader.all<{ detail: string }>(`EXPLAIN QUERY PLAN ${sql}`, params);
    if (plan.some(({ detail }) => LARGE.test(detail))) wide.push(sql);
  }
  expect(wide).toEqual([]);
});
