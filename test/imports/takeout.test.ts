import { randomBytes } from 'node:crypto';
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { forkWorker } from '../../dist/server/workers/pool/fork-worker.js';
import { type Household, openHousehold } from '../support/households/household.ts';
import { type Granted, setPermissions, signInAs } from '../support/households/member.ts';
import type { ApiClient } from '../support/requests/api-client.ts';
import { outcome } from '../support/requests/sharing.ts';
import { fixture } from '../workers/embedded-support.ts';
import {
  albumJson,
  albumsOf,
  ended,
  HOME,
  type Import,
  imported,
  JUNE,
  LAKE,
  memberWithHome,
  photo,
  photoJson,
  putArchives,
  reportOf,
  start,
  storedIn,
  YEAR,
} from './support.ts';

let household: Household;
let api: ApiClient;
let home = '';
let name = '';
/** Each test has an account of its own. */
let next = 0;

/** Whether new workers for archives do nothing. */
let areHeld = false;

beforeAll(async () => {
  household = await openHousehold({
    spawnWorker(entry, options) {
      const worker = forkWorker(entry, options);
      if (areHeld && entry === 'archive-worker') process.kill(worker.pid ?? 0, 'SIGSTOP');
      return worker;
    },
  });
});
afterAll(() => household.close());

async function newMember(granted: Granted = {}): Promise<void> {
  next += 1;
  name = `member${next}`;
  ({ api, home } = await memberWithHome(household, name, granted));
}
const incomingOf = () => readdir(join(household.folder, '.larder', 'incoming'));
afterEach(async () => expect(await incomingOf()).toEqual([]));

const filesIn = (folder: string) => storedIn(home, folder);
const content = (path: string) => readFile(join(home, path), 'utf8');
const reasons = (notes: readonly { entry: string; reason: string }[]) =>
  notes.map(({ entry, reason }) => [entry.split('/').at(-1), reason]);

describe('an import of a Google Takeout', () => {
  it('stores photos and videos unchanged in their folders, with the time they were taken', async () => {
    await newMember();
    const bytes = Buffer.from(Array.from({ length: 70_000 }, (_, index) => (index * 31) % 251));
    const paths = await putArchives(
      home,
      [...photo(`${YEAR}/IMG_1.jpg`, bytes), { name: `${YEAR}/IMG_1.MP4`, content: 'the film' }],
      [
        { name: `${YEAR}/IMG_1-edited.jpg`, content: 'edited' },
        ...photo(`${YEAR}/IMG_2.HEIC`, 'heic', { photoTakenTime: { timestamp: '-86400' } }),
      ],
    );
    const { import: done, notes, archives } = await imported(api, paths);
    expect(done).toMatchObject({ target: `${HOME}/Photos`, total: 4, handled: 4, stored: 4, known: 0, undated: 0 });
    expect(archives).toEqual(['takeout-001.zip', 'takeout-002.zip']);
    const folder = 'Photos/Photos from 2019';
    expect(await filesIn('Photos')).toEqual(
      ['IMG_1-edited.jpg', 'IMG_1.MP4', 'IMG_1.jpg', 'IMG_2.HEIC'].map((name) => `${folder}/${name}`),
    );
    expect((await readFile(join(home, folder, 'IMG_1.jpg'))).equals(bytes)).toBe(true);
    const taken = async (name: string) => (await stat(join(home, folder, name))).mtimeMs / 1_000;
    expect(await taken('IMG_1.jpg')).toBe(JUNE);
    expect(await taken('IMG_1.MP4')).toBe(JUNE);
    expect(await taken('IMG_2.HEIC')).toBe(-86_400);
    // Its original is in the other part, and so is the JSON: it is found all the same.
    expect(await taken('IMG_1-edited.jpg')).toBe(JUNE);
    expect(notes).toEqual([]);
  });

  it('lists photos in albums, with one copy of those that are also in the folder of a year', async () => {
    await newMember();
    const paths = await putArchives(home, [
      // Without a JSON: its date is that of the year's copy.
      ...photo(`${LAKE}/IMG_1.jpg`, 'one').slice(0, 1),
      ...photo(`${LAKE}/IMG_9.jpg`, 'only here'),
      { name: `${LAKE}/metadata.json`, content: albumJson('At the lake, 2019') },
      ...photo(`${YEAR}/IMG_1.jpg`, 'one'),
    ]);
    const { import: done } = await imported(api, paths);
    expect(done).toMatchObject({ total: 3, stored: 2, known: 1, inAlbums: 2, undated: 0 });
    expect(await filesIn('Photos')).toEqual(['Photos/At the lake/IMG_9.jpg', 'Photos/Photos from 2019/IMG_1.jpg']);
    expect(await albumsOf(api)).toEqual({ Favourites: [], 'At the lake, 2019': ['IMG_1.jpg', 'IMG_9.jpg'] });
  });

  it('keeps places, descriptions and favourites', async () => {
    await newMember();
    const paths = await putArchives(home, [
      ...photo(`${YEAR}/IMG_1.jpg`, 'one', {
        description: 'Gran at the lake',
        favorited: true,
        geoData: { latitude: 46.95, longitude: 7.44 },
      }),
      ...photo(`${YEAR}/IMG_1.MP4`, 'film', { geoDataExif: { latitude: -33.9, longitude: 18.4 } }),
    ]);
    await imported(api, paths);
    const metadata = async (name: string) =>
      (await api.get('files/metadata', { path: `${HOME}/Photos/Photos from 2019/${name}` })).body.data;
    const read = await metadata('IMG_1.jpg');
    expect(read.gps).toEqual({ x: 46.95, y: 7.44 });
    expect(JSON.stringify(read)).toContain('Gran at the lake');
    expect((await metadata('IMG_1.MP4')).gps).toEqual({ x: -33.9, y: 18.4 });
    expect((await albumsOf(api)).Favourites).toEqual(['IMG_1.jpg']);
  });

  it('prefers metadata of the export to embedded metadata while the content is unchanged', async () => {
    await newMember();
    const bytes = await fixture('pictures/camera.jpg');
    const path = `${HOME}/Photos/Photos from 2019/IMG_1.jpg`;
    const places = async () => (await api.get('files/metadata', { path })).body.data;
    const paths = await putArchives(home, [
      ...photo(`${YEAR}/IMG_1.jpg`, bytes, { description: 'Paris', geoData: { latitude: 48.1234567, longitude: 2 } }),
      ...photo(`${YEAR}/IMG_2.jpg`, Buffer.concat([bytes, Buffer.from('x')])),
    ]);
    await imported(api, paths);
    const read = await places();
    expect(read.gps).toEqual({ x: 48.1234567, y: 2 });
    for (const text of ['Paris', '48.12346, 2', 'Canon EOS R6']) expect(JSON.stringify(read)).toContain(text);
    const other = (await api.get('files/metadata', { path: path.replace('_1', '_2') })).body.data;
    expect(other.gps).toEqual({ x: 48.85837, y: 2.29448 });
    // Another content is of another place.
    expect((await api.put({ path }, Buffer.concat([bytes, Buffer.from('y')]))).status).toBe(200);
    await expect.poll(async () => (await places()).gps).toEqual({ x: 48.85837, y: 2.29448 });
    expect(JSON.stringify(await places())).not.toContain('Paris');
  });

  it('skips contents that are already in the home, and never replaces files', async () => {
    await newMember();
    await mkdir(join(home, 'Phone'));
    await mkdir(join(home, 'Photos', 'Photos from 2019'), { recursive: true });
    await writeFile(join(home, 'Photos', 'Photos from 2019', 'IMG_2.jpg'), 'another one');
    expect((await api.put({ path: `${HOME}/Phone/a.jpg` }, 'one')).status).toBe(201);
    const paths = await putArchives(home, [
      ...photo(`${LAKE}/IMG_1.jpg`, 'one'),
      { name: `${LAKE}/metadata.json`, content: albumJson('Lake') },
      ...photo(`${YEAR}/IMG_2.jpg`, 'two'),
    ]);
    expect((await imported(api, paths)).import).toMatchObject({ stored: 1, known: 1, inAlbums: 1 });
    expect(await filesIn('Photos')).toEqual(
      ['IMG_2 (2).jpg', 'IMG_2.jpg'].map((name) => `Photos/Photos from 2019/${name}`),
    );
    expect(await content('Photos/Photos from 2019/IMG_2.jpg')).toBe('another one');
    expect(await albumsOf(api)).toMatchObject({ Lake: ['a.jpg'] });
    // Another import of the same archives changes nothing.
    expect((await imported(api, paths)).import).toMatchObject({ stored: 0, known: 2, inAlbums: 1 });
    expect(await albumsOf(api)).toEqual({ Favourites: [], Lake: ['a.jpg'] });
  });

  it('compares contents only with the home of the account', async () => {
    await newMember();
    expect((await api.put({ path: `${HOME}/secret.jpg` }, 'the same')).status).toBe(201);
    await newMember();
    const paths = await putArchives(home, photo(`${YEAR}/IMG_1.jpg`, 'the same'));
    expect((await imported(api, paths)).import).toMatchObject({ stored: 1, known: 0 });
  });

  it('creates two albums for two folders with the same title', async () => {
    await newMember();
    const paths = await putArchives(home, [
      ...photo(`${LAKE}/a.jpg`, 'a'),
      { name: `${LAKE}/metadata.json`, content: albumJson('Party') },
      ...photo(`${LAKE}(1)/b.jpg`, 'b'),
      { name: `${LAKE}(1)/metadata.json`, content: albumJson('Party') },
    ]);
    await imported(api, paths);
    const { albums } = (await api.get('albums/list')).body.data;
    expect(albums.map(({ title, photos }: { title: string; photos: number }) => [title, photos])).toEqual([
      ['Favourites', 0],
      ['Party', 1],
      ['Party', 1],
    ]);
  });

  it('reports what it does not understand', async () => {
    await newMember();
    const paths = await putArchives(home, [
      { name: 'Takeout/archive_browser.html', content: '<html>' },
      { name: 'Takeout/Mail/all.mbox', content: 'mail' },
      { name: `${YEAR}/notes.txt`, content: 'text' },
      { name: `${YEAR}/IMG_1.jpg`, content: 'one' },
      { name: `${YEAR}/IMG_2.jpg.json`, content: photoJson({ title: 'IMG_2.jpg' }) },
      { name: `${YEAR}/IMG_3.jpg`, content: 'damaged', crc: 7 },
    ]);
    const { import: done, notes, notesTotal } = await imported(api, paths);
    expect(done).toMatchObject({ total: 2, handled: 2, stored: 1, undated: 1 });
    expect(reasons(notes).sort()).toEqual([
      ['IMG_1.jpg', 'no_description'],
      ['IMG_2.jpg.json', 'no_photo'],
      ['IMG_3.jpg', 'damaged'],
      ['IMG_3.jpg', 'no_description'],
      ['Mail', 'other_product'],
      ['notes.txt', 'not_photo'],
    ]);
    expect(notesTotal).toBe(6);
    expect(await filesIn('Photos')).toEqual(['Photos/Photos from 2019/IMG_1.jpg']);
  });

  it('skips entries outside of the target, and symbolic links, regardless of JSONs', async () => {
    await newMember();
    const paths = await putArchives(home, [
      ...photo(`${YEAR}/../../../../up.jpg`, 'up'),
      ...photo('/etc/absolute.jpg', 'absolute'),
      ...photo('C:/drive.jpg', 'drive'),
      { name: `${YEAR}/link.jpg`, content: '/etc/passwd', mode: 0o120777 },
      ...photo(`${YEAR}/IMG_1.jpg`, 'one', { title: '../../../../title.jpg' }),
      { name: `${YEAR}/deep.jpg.json`, content: `${'['.repeat(50_000)}${']'.repeat(50_000)}` },
      { name: `${YEAR}/large.jpg.json`, content: JSON.stringify({ title: 'x'.repeat(300_000) }) },
    ]);
    const { notes } = await imported(api, paths, { target: `${HOME}/In/here` });
    expect(await filesIn('.')).toEqual(['.larder-home', 'In/here/Photos from 2019/IMG_1.jpg', 'takeout-001.zip']);
    const found = reasons(notes).map((note) => note.join(' '));
    for (const name of ['up.jpg', 'absolute.jpg', 'drive.jpg', 'link.jpg'])
      expect(found).toContain(`${name} unsafe_entry`);
    expect(found).toContain('deep.jpg.json unreadable_description');
    expect(found).toContain('large.jpg.json large_description');
  });
});

describe('an import that cannot continue', () => {
  it.each([
    ['no archive', () => Buffer.from('no archive'), 'unsupported_media'],
    ['one that was cut off', (zip: Buffer) => zip.subarray(0, zip.length - 30), 'corrupt_file'],
  ])('fails with the reason, and can be resumed after the repair: %s', async (_, broken, failure) => {
    await newMember();
    const [path = ''] = await putArchives(home, photo(`${YEAR}/IMG_1.jpg`, 'one'));
    const whole = await readFile(join(home, 'takeout-001.zip'));
    await writeFile(join(home, 'takeout-001.zip'), broken(whole));
    const { import: failed } = await ended(api, (await start(api, [path])).import);
    expect(failed).toMatchObject({ state: 'failed', failure, total: null });
    await writeFile(join(home, 'takeout-001.zip'), whole);
    expect((await api.post('imports/resume', { import: failed.import })).status).toBe(200);
    expect((await ended(api, failed.import)).import).toMatchObject({ state: 'done', failure: null, stored: 1 });
  });

  it('refuses an archive with an implausible compression ratio', async () => {
    await newMember();
    const zeros = Buffer.alloc(12 * 1024 * 1024);
    const paths = await putArchives(home, [{ name: `${YEAR}/IMG_1.jpg`, content: zeros }]);
    const { import: failed } = await ended(api, (await start(api, paths)).import);
    expect(failed).toMatchObject({ state: 'failed', failure: 'unsafe_archive', stored: 0 });
  });

  it('stops at the quota, keeps what was stored until then, and continues when there is space', async () => {
    await newMember({ space_quota_max: 1 });
    const [small, large] = [photo(`${YEAR}/a.jpg`, randomBytes(50_000)), photo(`${YEAR}/b.jpg`, randomBytes(500_000))];
    const paths = await putArchives(home, small, large);
    await api.get('files/browse', { path: HOME });
    const { import: failed } = await ended(api, (await start(api, paths)).import);
    expect(failed).toMatchObject({ state: 'failed', failure: 'quota_exceeded', total: 2, handled: 1, stored: 1 });
    await setPermissions(household, { [name]: { space_quota_max: 2 } });
    expect((await api.post('imports/resume', { import: failed.import })).status).toBe(200);
    expect((await ended(api, failed.import)).import).toMatchObject({ state: 'done', stored: 2, known: 0 });
  });

  it('does not create an album again that was deleted in the meantime', async () => {
    await newMember({ space_quota_max: 1 });
    const album = { name: `${LAKE}/metadata.json`, content: albumJson('Lake') };
    const paths = await putArchives(
      home,
      [...photo(`${LAKE}/a.jpg`, randomBytes(50_000)), album],
      photo(`${LAKE}/b.jpg`, randomBytes(500_000)),
    );
    await api.get('files/browse', { path: HOME });
    const { import: failed } = await ended(api, (await start(api, paths)).import);
    expect(failed).toMatchObject({ failure: 'quota_exceeded', stored: 1, inAlbums: 1 });
    const [, { album: made }] = (await api.get('albums/list')).body.data.albums;
    expect((await api.post('albums/delete', { album: made })).status).toBe(200);
    await setPermissions(household, { [name]: { space_quota_max: 2 } });
    expect((await api.post('imports/resume', { import: failed.import })).status).toBe(200);
    const { import: done, notes } = await ended(api, failed.import);
    expect(done).toMatchObject({ state: 'done', stored: 2, inAlbums: 1 });
    expect(notes).toEqual([]);
    expect(await albumsOf(api)).toEqual({ Favourites: [] });
  });

  it('skips photos whose place is taken by an item with a conflicting name', async () => {
    await newMember();
    await mkdir(join(home, 'Photos', 'photos FROM 2019'), { recursive: true });
    await writeFile(join(home, 'Photos', 'At the lake'), 'a file');
    const paths = await putArchives(home, [
      ...photo(`${YEAR}/a.jpg`, 'a'),
      ...photo(`${LAKE}/b.jpg`, 'b'),
      ...photo('Takeout/Google Photos/2020-01-01/c.jpg', 'c'),
    ]);
    const { import: done, notes } = await imported(api, paths);
    expect(done).toMatchObject({ total: 3, handled: 3, stored: 1 });
    expect(reasons(notes)).toContainEqual(['a.jpg', 'name_taken']);
    expect(reasons(notes)).toContainEqual(['b.jpg', 'name_taken']);
    expect(await filesIn('Photos')).toEqual(['Photos/2020-01-01/c.jpg', 'Photos/At the lake']);
  });

  it('skips types that the account may not store', async () => {
    await newMember({ upload_limit_types: 'jpg, zip' });
    const paths = await putArchives(home, [...photo(`${YEAR}/a.jpg`, 'a'), ...photo(`${YEAR}/b.png`, 'b')]);
    const { import: done, notes } = await imported(api, paths);
    expect(done).toMatchObject({ total: 2, handled: 2, stored: 1 });
    expect(reasons(notes)).toEqual([['b.png', 'type_not_allowed']]);
  });

  it('fails if an archive is deleted or replaced before it is resumed', async () => {
    await newMember({ space_quota_max: 1 });
    const paths = await putArchives(home, photo(`${YEAR}/a.jpg`, 'a'), photo(`${YEAR}/b.jpg`, randomBytes(600_000)));
    await api.get('files/browse', { path: HOME });
    const { import: failed } = await ended(api, (await start(api, paths)).import);
    expect(failed).toMatchObject({ failure: 'quota_exceeded', stored: 1 });
    const resumed = async () => {
      expect((await api.post('imports/resume', { import: failed.import })).status).toBe(200);
      return (await ended(api, failed.import)).import;
    };
    await putArchives(home, photo(`${YEAR}/a.jpg`, 'a'), photo(`${YEAR}/c.jpg`, 'c'));
    expect(await resumed()).toMatchObject({ state: 'failed', failure: 'conflict', stored: 1 });
    expect((await api.post('files/delete', { path: paths[1] ?? '' })).status).toBe(200);
    expect(await resumed()).toMatchObject({ state: 'failed', failure: 'not_found', stored: 1 });
  });
});

describe.skipIf(process.platform === 'win32')('an import whose worker does not respond', () => {
  beforeAll(() => {
    areHeld = true;
    return household.restart();
  });

  it('can be cancelled, ends with the server, and continues after the next start', async () => {
    await newMember();
    const paths = await putArchives(home, photo(`${YEAR}/a.jpg`, 'a'));
    const { import: first } = await start(api, paths);
    await expect.poll(async () => (await reportOf(api, first)).import.state).toBe('running');
    expect((await api.post('imports/cancel', { import: first })).status).toBe(200);
    // The next one begins at once.
    const { import: second } = await start(api, paths);
    await expect.poll(async () => (await reportOf(api, second)).import.state).toBe('running');
    areHeld = false;
    await household.restart();
    api = await signInAs(household, name);
    expect((await ended(api, second)).import).toMatchObject({ state: 'done', stored: 1 });
    expect((await reportOf(api, first)).import).toMatchObject({ state: 'cancelled', handled: 0 });
  });
});

describe('imports', () => {
  it('are listed only for their account, newest first', async () => {
    await newMember();
    const paths = await putArchives(home, photo(`${YEAR}/a.jpg`, 'a'));
    const first = (await imported(api, paths)).import;
    const second = (await imported(api, paths)).import;
    const list = (await api.get('imports/list')).body.data.imports as Import[];
    expect(list).toEqual([second, first]);
    const other = api;
    await newMember();
    expect((await api.get('imports/list')).body.data).toEqual({ imports: [] });
    for (const operation of ['item', 'cancel', 'resume']) {
      const reply = await api.post(`imports/${operation}`, { import: first.import });
      expect(outcome(reply), operation).toEqual([404, 'not_found']);
    }
    expect((await reportOf(other, first.import)).import.state).toBe('done');
  });

  it('that are finished cannot be cancelled or resumed', async () => {
    await newMember();
    const { import: done } = await imported(api, await putArchives(home, photo(`${YEAR}/a.jpg`, 'a')));
    for (const operation of ['cancel', 'resume']) {
      const reply = await api.post(`imports/${operation}`, { import: done.import });
      expect(outcome(reply), operation).toEqual([409, 'conflict']);
    }
  });

  it('require existing archives and an existing target', async () => {
    await newMember();
    const paths = await putArchives(home, photo(`${YEAR}/a.jpg`, 'a'));
    await mkdir(join(home, 'folder'));
    const refused = async (form: object) => outcome(await api.post('imports/add', form as never));
    expect(await refused({ 'paths[]': [`${HOME}/none.zip`] })).toEqual([404, 'not_found']);
    expect(await refused({ 'paths[]': [`${HOME}/folder`] })).toEqual([400, 'invalid_path']);
    expect(await refused({ 'paths[]': paths, target: `${HOME}/takeout-001.zip` })).toEqual([409, 'already_exists']);
    expect(await refused({ 'paths[]': paths, target: `${HOME}/a:b` })).toEqual([400, 'invalid_name']);
    expect(await refused({ 'paths[]': paths, target: '/STARRED' })).toEqual([400, 'invalid_path']);
    expect(await refused({})).toEqual([400, 'missing_parameter']);
    expect((await api.get('imports/list')).body.data).toEqual({ imports: [] });
  });

  it('are refused for accounts that may not upload', async () => {
    await newMember({ upload: false });
    const paths = await putArchives(home, photo(`${YEAR}/a.jpg`, 'a'));
    expect(outcome(await api.post('imports/add', { 'paths[]': paths }))).toEqual([403, 'permission_denied']);
  });

  it('keep the last twenty reports', async () => {
    await newMember();
    // Without a photo there is nothing to wait for.
    const paths = await putArchives(home, [{ name: `${YEAR}/notes.txt`, content: 'text' }]);
    const first = (await imported(api, paths)).import;
    for (let more = 0; more < 20; more += 1) await imported(api, paths);
    const list = (await api.get('imports/list')).body.data.imports as Import[];
    expect(list).toHaveLength(20);
    expect(list.map((one) => one.import)).not.toContain(first.import);
  });
});
