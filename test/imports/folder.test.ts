import { mkdir, mkdtemp, readdir, readFile, realpath, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { refusalOf } from '../control/support.ts';
import { type Household, openHousehold } from '../support/households/household.ts';
import type { Granted } from '../support/households/member.ts';
import type { ApiClient } from '../support/requests/api-client.ts';
import { outcome } from '../support/requests/sharing.ts';
import { t } from '../support/server-texts.ts';
import { accountId, examine, folderImported, putUnpacked, putZips, startFolder } from './folder-support.ts';
import {
  albumJson,
  albumsOf,
  detailsOf,
  detailsRow,
  HOME,
  imported,
  JUNE,
  LAKE,
  memberWithHome,
  photo,
  putArchives,
  reportOf,
  storedIn,
  YEAR,
} from './support.ts';

let household: Household;
let api: ApiClient;
let home = '';
let name = '';
/** A folder of the disk, outside of Larder's. */
let disk = '';
/** Each test has an account of its own. */
let next = 0;

beforeAll(async () => {
  household = await openHousehold();
});
afterAll(() => household.close());
beforeEach(async () => {
  disk = await mkdtemp(join(await realpath(tmpdir()), 'larder-test-'));
});
afterEach(async () => {
  await rm(disk, { recursive: true, force: true });
  expect(await readdir(join(household.folder, '.larder', 'incoming'))).toEqual([]);
});

async function newMember(granted: Granted = {}): Promise<void> {
  next += 1;
  name = `member${next}`;
  ({ api, home } = await memberWithHome(household, name, granted));
}

const filesIn = (folder: string) => storedIn(home, folder);
const taken = async (path: string) => (await stat(join(home, path))).mtimeMs / 1_000;
/** All of a folder: nothing of it may change. */
async function snapshot(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const lines = entries.map(async (entry) => {
    const path = join(entry.parentPath, entry.name);
    const { mtimeMs, mode, size } = await stat(path);
    return `${path} ${entry.isDirectory() ? '' : size} ${mtimeMs} ${mode}`;
  });
  return (await Promise.all(lines)).sort();
}

const details = { description: 'Gran at the lake', favorited: true, geoData: { latitude: 46.95, longitude: 7.44 } };
const lake = [
  ...photo(`${LAKE}/IMG_1.jpg`, 'one').slice(0, 1),
  ...photo(`${LAKE}/IMG_9.jpg`, 'only here'),
  { name: `${LAKE}/metadata.json`, content: albumJson('At the lake, 2019') },
];

describe('an import of a folder of the disk', () => {
  it.each(['ZIP files', 'unpacked into a folder for each', 'unpacked into one folder', 'both'])(
    'imports dates, places, descriptions, favourites and albums of a Takeout: %s',
    async (form) => {
      await newMember();
      const parts = [photo(`${YEAR}/IMG_1.jpg`, 'one', details), lake] as const;
      const names = ['takeout-20240520T101010Z-001', 'takeout-20240520T101010Z-002'] as const;
      if (form === 'ZIP files')
        await putZips(disk, { [`${names[0]}.zip`]: parts[0], [`below/${names[1]}.zip`]: parts[1] });
      else if (form === 'both') {
        await putZips(disk, { [`${names[0]}.zip`]: parts[0] });
        await putUnpacked(join(disk, names[1]), parts[1]);
      } else {
        for (const [index, part] of parts.entries()) {
          await putUnpacked(form.endsWith('one folder') ? disk : join(disk, names[index] ?? ''), part);
        }
      }
      const before = await snapshot(disk);
      const plan = await examine(household, disk, name);
      expect(plan).toMatchObject({ services: ['google'], files: 3, bytes: 15, albums: 1, missing: [], notes: [] });
      const done = await folderImported(household, disk, name);
      expect(done).toMatchObject({
        target: 'Photos',
        total: 3,
        handled: 3,
        stored: 2,
        known: 1,
        inAlbums: 2,
        notes: [],
      });
      expect(await filesIn('Photos')).toEqual(['Photos/At the lake/IMG_9.jpg', 'Photos/Photos from 2019/IMG_1.jpg']);
      expect(await readFile(join(home, 'Photos/Photos from 2019/IMG_1.jpg'), 'utf8')).toBe('one');
      expect(await taken('Photos/Photos from 2019/IMG_1.jpg')).toBe(JUNE);
      expect(await albumsOf(api)).toEqual({
        Favourites: ['IMG_1.jpg'],
        'At the lake, 2019': ['IMG_1.jpg', 'IMG_9.jpg'],
      });
      const metadata = (await api.get('files/metadata', { path: `${HOME}/Photos/Photos from 2019/IMG_1.jpg` })).body
        .data;
      expect(JSON.stringify(metadata)).toContain('Gran at the lake');
      expect(JSON.stringify(metadata)).toContain('46.95');
      expect(await snapshot(disk)).toEqual(before);
    },
  );

  it.each(['ZIP files', 'unpacked'])('imports a copy of iCloud Photos: %s', async (form) => {
    await newMember();
    const photos = (part: number) => `iCloud Photos Part ${part} of 3/Photos`;
    const parts = [
      [
        { name: `${photos(1)}/IMG_1.HEIC`, content: 'one' },
        { name: `${photos(1)}/IMG_1.MOV`, content: 'its film' },
        {
          name: `${photos(1)}/Photo Details.csv`,
          content: detailsOf(detailsRow('IMG_1.HEIC', { year: 2019, isFavourite: true })),
        },
        { name: 'iCloud Photos Part 1 of 3/Albums/At the lake.csv', content: 'imgName\nIMG_1.HEIC\nIMG_2.JPG\n' },
      ],
      [
        { name: `${photos(2)}/IMG_2.JPG`, content: 'two' },
        { name: `${photos(2)}/Photo Details-1.csv`, content: detailsOf(detailsRow('IMG_2.JPG', { year: 2020 })) },
      ],
    ] as const;
    for (const [index, part] of parts.entries()) {
      if (form === 'unpacked') await putUnpacked(disk, part);
      else await putZips(disk, { [`iCloud Photos Part ${index + 1} of 3.zip`]: part });
    }
    const missing = 'iCloud Photos Part 3 of 3.zip';
    expect(await examine(household, disk, name)).toMatchObject({
      services: ['icloud'],
      files: 3,
      albums: 1,
      missing: [missing],
    });
    const done = await folderImported(household, disk, name, { target: 'From Apple/2024' });
    expect(done).toMatchObject({ target: 'From Apple/2024', total: 3, stored: 3, inAlbums: 2 });
    expect(done.notes).toEqual([{ entry: missing, reason: 'missing_part' }]);
    expect(await filesIn('From Apple')).toEqual(
      ['2019/IMG_1.HEIC', '2019/IMG_1.MOV', '2020/IMG_2.JPG'].map((path) => `From Apple/2024/${path}`),
    );
    expect(await taken('From Apple/2024/2019/IMG_1.MOV')).toBe(JUNE);
    expect(await albumsOf(api)).toEqual({ Favourites: ['IMG_1.HEIC'], 'At the lake': ['IMG_1.HEIC', 'IMG_2.JPG'] });
  });

  it('distinguishes a Takeout from a copy of iCloud Photos, and includes photos outside of exports', async () => {
    await newMember();
    await putUnpacked(disk, [
      ...photo(`google/${YEAR}/a.jpg`, 'a'),
      { name: 'iCloud Photos Part 1 of 1/Photos/b.jpg', content: 'b' },
      {
        name: 'iCloud Photos Part 1 of 1/Photos/Photo Details.csv',
        content: detailsOf(detailsRow('b.jpg', { year: 2020 })),
      },
    ]);
    expect(await examine(household, disk, name)).toMatchObject({
      services: ['google', 'icloud'],
      files: 2,
      unpacked: 2,
    });
    await folderImported(household, disk, name);
    expect(await filesIn('Photos')).toEqual(['Photos/2020/b.jpg', 'Photos/Photos from 2019/a.jpg']);
  });

  it('makes albums of folders that nothing describes if the owner wants that, and says so before', async () => {
    await newMember();
    await putUnpacked(disk, [
      { name: 'Moments/Rome/a.jpg', content: 'a' },
      { name: 'Moments/Rome/b.jpg', content: 'b' },
      { name: 'Moments/Sea/c.jpg', content: 'c' },
    ]);
    expect(await examine(household, disk, name)).toMatchObject({ files: 3, albums: 0 });
    const found = await examine(household, disk, name, { folderAlbums: true });
    expect(found).toMatchObject({ files: 3, albums: 2 });
    expect(found.notes).toEqual([{ reason: 'no_descriptions', count: 1, entries: ['Moments'] }]);
    const report = await folderImported(household, disk, name, { folderAlbums: true });
    expect(report).toMatchObject({ folderAlbums: true, stored: 3, inAlbums: 3 });
    expect(await albumsOf(api)).toEqual({ Favourites: [], Rome: ['a.jpg', 'b.jpg'], Sea: ['c.jpg'] });
  });

  it('recognizes a folder that is the Takeout itself', async () => {
    await newMember();
    await putUnpacked(disk, [...photo(`${YEAR}/a.jpg`, 'a'), { name: 'Takeout/Mail/picture.jpg', content: 'mail' }]);
    const done = await folderImported(household, join(disk, 'Takeout'), name);
    expect(done.notes).toEqual([{ entry: 'Mail', reason: 'other_product' }]);
    expect(await filesIn('Photos')).toEqual(['Photos/Photos from 2019/a.jpg']);
  });

  it('handles irregular names, JSONs and dates as in ZIP files', async () => {
    await newMember();
    const items = [
      { name: `${YEAR}/IMG_1.jpg`, content: 'one' },
      { name: `${YEAR}/IMG_1.jpg.supplemental-meta.json`, content: photo('', '')[1]?.content ?? '' },
      { name: `${YEAR}/broken.jpg`, content: 'x' },
      { name: `${YEAR}/broken.jpg.json`, content: '{"title":' },
      { name: `${YEAR}/CON.jpg`, content: 'a name of Windows' },
      { name: `${YEAR}/empty.jpg`, content: '' },
      { name: `${YEAR}/notes.txt`, content: 'text' },
      { name: 'Takeout/Drive/holiday.zip', content: buildless },
    ];
    await putUnpacked(disk, items);
    const done = await folderImported(household, disk, name);
    const own = await filesIn('Photos');
    const folderNotes = done.notes;
    await newMember();
    const paths = await putArchives(home, items);
    const ofZip = await imported(api, paths);
    expect(folderNotes).toEqual(ofZip.notes);
    expect(own).toEqual(await filesIn('Photos'));
    expect(done).toMatchObject({
      total: ofZip.import.total,
      stored: ofZip.import.stored,
      undated: ofZip.import.undated,
    });
  });

  it('stores nothing twice, and compares contents only with the home of the account', async () => {
    await newMember();
    await putUnpacked(disk, photo(`${YEAR}/a.jpg`, 'the same'));
    await folderImported(household, disk, name);
    expect(await folderImported(household, disk, name)).toMatchObject({ stored: 0, known: 1 });
    await newMember();
    expect(await folderImported(household, disk, name)).toMatchObject({ stored: 1, known: 0 });
  });

  it('never writes outside of the target, with any names and JSONs', async () => {
    await newMember();
    await putUnpacked(disk, [
      { name: `${YEAR}/a.jpg`, content: 'a' },
      {
        name: `${YEAR}/a.jpg.json`,
        content: JSON.stringify({ title: '../../../out.jpg', photoTakenTime: { timestamp: '1' } }),
      },
      ...photo(`${LAKE}/b.jpg`, 'b'),
      { name: `${LAKE}/metadata.json`, content: albumJson('../../outside') },
    ]);
    await folderImported(household, disk, name);
    expect(await filesIn('')).toEqual(['.larder-home', 'Photos/At the lake/b.jpg', 'Photos/Photos from 2019/a.jpg']);
    expect(Object.keys(await albumsOf(api))).toContain('../../outside');
  });

  it.skipIf(process.platform === 'win32')('follows no symbolic links and opens no special files', async () => {
    await newMember();
    const secret = join(disk, 'elsewhere');
    await putUnpacked(secret, photo('secret.jpg', 'secret'));
    const folder = join(disk, 'exports');
    await putUnpacked(folder, photo(`${YEAR}/a.jpg`, 'a'));
    await symlink(join(secret, 'secret.jpg'), join(folder, YEAR, 'link.jpg'));
    await symlink(secret, join(folder, 'Takeout/Google Photos/Photos from 2020'));
    await symlink(join(household.folder, 'homes'), join(folder, 'homes'));
    const { execFileSync } = await import('node:child_process');
    execFileSync('mkfifo', [join(folder, YEAR, 'pipe.jpg')]);
    const done = await folderImported(household, folder, name);
    expect(done).toMatchObject({ total: 1, stored: 1 });
    expect(done.notes.map(({ entry, reason }) => `${reason} ${entry}`)).toEqual([
      'unsafe_entry .',
      'unsafe_entry Takeout/Google Photos',
      `unsafe_entry ${YEAR}`,
    ]);
    expect(await filesIn('Photos')).toEqual(['Photos/Photos from 2019/a.jpg']);
  });

  it('skips system files, too deep folders, and damaged ZIP files', async () => {
    await newMember();
    await putUnpacked(disk, [
      ...photo(`${YEAR}/a.jpg`, 'a'),
      { name: `${YEAR}/._a.jpg`, content: 'attributes' },
      { name: `${YEAR}/Thumbs.db`, content: 'small' },
      { name: `${YEAR}/@eaDir/a.jpg/small.jpg`, content: 'small' },
      { name: `${'d/'.repeat(40)}deep.jpg`, content: 'deep' },
      { name: 'takeout-001.zip', content: 'no ZIP file' },
    ]);
    await writeFile(join(disk, 'truncated.zip'), (await readFile(await oneZip())).subarray(0, 60));
    const plan = await examine(household, disk, name);
    expect(plan.files).toBe(1);
    expect(plan.notes.find(({ reason }) => reason === 'unreadable_archive')).toMatchObject({
      count: 2,
      entries: ['takeout-001.zip', 'truncated.zip'],
    });
    const done = await folderImported(household, disk, name);
    expect(done).toMatchObject({ total: 1, stored: 1 });
    expect(done.notes.map(({ reason }) => reason).sort()).toEqual([
      'unreadable_archive',
      'unreadable_archive',
      'unsafe_entry',
    ]);
  });
});

/** A small ZIP file. */
async function oneZip(): Promise<string> {
  await putZips(join(disk, 'Takeout'), { 'one.zip': photo(`${YEAR}/z.jpg`, 'z') });
  return join(disk, 'Takeout', 'one.zip');
}
/** It is not unpacked, so it need not be one. */
const buildless = 'a ZIP file within a product';

describe('only the owner can import a folder', () => {
  it('no operation of the API or form of the pages can, with any path', async () => {
    await newMember();
    await putZips(disk, { 'takeout-001.zip': photo(`${YEAR}/a.jpg`, 'a') });
    const zip = join(disk, 'takeout-001.zip');
    const escaped = `${HOME}/../../../../..${zip}`;
    for (const path of [zip, disk, escaped, `file://${zip}`, `${HOME}/${zip}`]) {
      const { status } = await api.post('imports/add', { 'paths[]': [path] });
      expect([400, 404], path).toContain(status);
    }
    // What the operation does not know is not used.
    for (const key of ['folder', 'paths', 'accountId', 'source']) {
      expect((await api.post('imports/add', { [key]: disk })).status, key).toBeOneOf([400, 404]);
    }
    expect((await api.get('imports/list')).body.data).toEqual({ imports: [] });
    const { imports } = (await household.control('imports.list')) as { imports: { account: { username: string } }[] };
    expect(imports.filter(({ account }) => account.username === name)).toEqual([]);
  });

  it('the account sees the import as made by the owner, without the path, can cancel it, and cannot resume it', async () => {
    await newMember({ space_quota_max: 1 });
    await putUnpacked(disk, photo(`${YEAR}/a.jpg`, Buffer.alloc(2_000_000, 1)));
    const { import: id } = await startFolder(household, disk, name);
    await expect.poll(async () => (await reportOf(api, id)).import.state).toBe('failed');
    const report = await reportOf(api, id);
    expect(report.import).toMatchObject({ byOwner: true, failure: 'quota_exceeded', target: `${HOME}/Photos` });
    expect(JSON.stringify(report)).not.toContain(disk);
    expect(outcome(await api.post('imports/resume', { import: id }))).toEqual([409, 'conflict']);
    await household.control('imports.resume', { import: id });
    await expect.poll(async () => (await reportOf(api, id)).import.state).toBe('failed');
  });

  it('the import is recorded in the activity of the owner', async () => {
    await newMember();
    await putUnpacked(disk, photo(`${YEAR}/a.jpg`, 'a'));
    await folderImported(household, disk, name);
    const { entries } = (await household.control('activity.list', { kinds: ['import.started'], limit: 1 })) as {
      entries: unknown[];
    };
    expect(entries).toMatchObject([
      { channel: 'control', subject: disk, details: { of: name, path: `${HOME}/Photos` }, accountId: 1 },
    ]);
    expect((await api.get('imports/list')).body.data.imports).toMatchObject([{ state: 'done', byOwner: true }]);
  });
});

describe('a folder is refused', () => {
  const refused = async (folder: string, more: object = {}) => {
    const input = { folder, accountId: await accountId(household, name), ...more };
    const [examined, started] = [
      await refusalOf(household.control('imports.examine', input)),
      await refusalOf(household.control('imports.start', input)),
    ];
    expect(started).toEqual(examined);
    return examined;
  };
  const at = (message: string) => ({ code: 'invalid_input', field: 'folder', message });

  beforeAll(() => newMember());

  it('if it is in the folder of Larder, contains it, or leads there by a symbolic link', async () => {
    const { folder } = household;
    await symlink(folder, join(disk, 'link'));
    const larder = at(t('api.imports.folder.larder'));
    for (const path of [folder, join(folder, 'homes'), join(folder, '.larder'), home, join(disk, 'link')]) {
      expect(await refused(path), path).toEqual(larder);
    }
  });

  it('if it is a home outside of the folder of Larder, or contains one', async () => {
    const outside = join(disk, 'people', 'una');
    await mkdir(join(disk, 'people'));
    await household.control('accounts.add', {
      username: `una${next}`,
      password: 'correct horse battery',
      name: 'Una',
      homeFolder: outside,
    });
    await mkdir(join(outside, 'exports'));
    for (const path of [outside, join(outside, 'exports'), join(disk, 'people')]) {
      expect(await refused(path), path).toEqual(at(t('api.imports.folder.home')));
    }
    await household.control('accounts.remove', { ids: [await accountId(household, `una${next}`)] });
  });

  it('if it is missing, not a folder, or not an absolute path', async () => {
    await writeFile(join(disk, 'file'), '');
    expect(await refused('exports')).toEqual(at(t('api.imports.folder.relative')));
    expect(await refused(`${disk}/../x`)).toEqual(at(t('api.imports.folder.relative')));
    expect(await refused('')).toEqual(at(t('api.imports.folder.relative')));
    expect(await refused(join(disk, 'none'))).toEqual(at(t('api.imports.folder.problem', { problem: 'missing' })));
    expect(await refused(join(disk, 'file'))).toEqual(at(t('api.imports.folder.problem', { problem: 'file' })));
    if (process.platform !== 'win32') expect(await refused('/etc')).toEqual(at(t('api.imports.folder.system')));
  });

  it('if the account may not upload, or does not exist', async () => {
    await putUnpacked(disk, photo(`${YEAR}/a.jpg`, 'a'));
    const none = { code: 'invalid_input', field: 'accountId', message: t('api.imports.accountMissing') };
    expect(await refusalOf(household.control('imports.start', { folder: disk, accountId: 999 }))).toEqual(none);
    await newMember({ upload: false });
    expect(await refused(disk)).toMatchObject({ code: 'invalid_input', field: 'accountId' });
    await newMember();
    const start = (target: string) => refusalOf(startFolder(household, disk, name, { target }));
    for (const target of ['../other', 'a:b', '.larder-home/x']) {
      expect(await start(target), target).toMatchObject({ code: 'refused', field: 'target' });
    }
  });
});
