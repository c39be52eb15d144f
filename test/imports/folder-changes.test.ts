import { existsSync } from 'node:fs';
import { chmod, cp, mkdir, mkdtemp, readdir, realpath, rename, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { refusalOf } from '../control/support.ts';
import { WebVisitor } from '../support/browser/web-visitor.ts';
import { type Household, openHousehold } from '../support/households/household.ts';
import { addMembersWithHomes, homeOf, MEMBER, setPermissions, signInAs } from '../support/households/member.ts';
import { folderEnded, folderImported, folderReport, putUnpacked, putZips, startFolder } from './folder-support.ts';
import { albumJson, albumsOf, LAKE, photo, storedIn, YEAR } from './support.ts';

let household: Household;
let home = '';
/** A folder of the disk, outside of Larder's. */
let disk = '';
let folder = '';
let points = '';

beforeAll(async () => {
  household = await openHousehold();
  await addMembersWithHomes(household, { mia: {} });
  home = homeOf(household, 'mia');
});
afterAll(() => household.close());
beforeEach(async () => {
  disk = await mkdtemp(join(await realpath(tmpdir()), 'larder-test-'));
  folder = join(disk, 'exports');
  points = join(disk, 'points');
  await mkdir(points);
});
afterEach(async () => {
  await household.restart({ failPoints: '' });
  await rm(disk, { recursive: true, force: true });
  await rm(join(home, 'Photos'), { recursive: true, force: true });
  expect(await readdir(join(household.folder, '.larder', 'incoming'))).toEqual([]);
});

/** Imports are stopped after the first batch, until `goOn`. */
async function pausedAfterFirstBatch(): Promise<string> {
  await household.restart({ failPoints: `${points};imports.batch=pause` });
  const { import: id } = await startFolder(household, folder, 'mia');
  await expect.poll(() => existsSync(join(points, 'imports.batch.reached'))).toBe(true);
  return id;
}
const SECOND = 1_700_000_000;
const goOn = () => writeFile(join(points, 'imports.batch.go'), '');
const stored = () => storedIn(home, 'Photos');
/** Each is a batch of its own. */
const parts = (...letters: string[]) =>
  Object.fromEntries(letters.map((letter) => [`${letter}.zip`, photo(`${YEAR}/${letter}.jpg`, letter)]));
const unpacked = async (...letters: string[]) => {
  for (const letter of letters) await putUnpacked(join(folder, letter), photo(`${YEAR}/${letter}.jpg`, letter));
};
const pathsOf = (...letters: string[]) => letters.map((letter) => `Photos/Photos from 2019/${letter}.jpg`);

describe('a folder that changes during an import', () => {
  it.each(['ZIP files', 'unpacked'])(
    '%s: changed and removed files are reported, not stored, and brought by the next import',
    async (form) => {
      const isPacked = form === 'ZIP files';
      const put = async (...letters: string[]) =>
        isPacked ? putZips(folder, parts(...letters)) : unpacked(...letters);
      const at = (letter: string) =>
        isPacked ? join(folder, `${letter}.zip`) : join(folder, letter, YEAR, `${letter}.jpg`);
      await put('a', 'b', 'c', 'd');
      const id = await pausedAfterFirstBatch();
      await writeFile(at('b'), 'something else altogether');
      await rm(at('c'));
      await goOn();
      const done = await folderEnded(household, id);
      expect(done).toMatchObject({ state: 'done', total: 4, handled: 4, stored: 2 });
      const changed = ['b', 'c'].map((letter) => ({ entry: `${YEAR}/${letter}.jpg`, reason: 'changed' }));
      expect(done.notes).toEqual(changed);
      expect(await stored()).toEqual(pathsOf('a', 'd'));
      await rm(at('b'));
      await put('b', 'c');
      expect(await folderImported(household, folder, 'mia')).toMatchObject({ stored: 2, known: 2 });
      expect(await stored()).toEqual(pathsOf('a', 'b', 'c', 'd'));
    },
  );

  it('includes added files when it is continued, and keeps the numbers of the others', async () => {
    await unpacked('b', 'c');
    await putZips(folder, parts('z'));
    const id = await pausedAfterFirstBatch();
    await household.control('imports.cancel', { import: id });
    await goOn();
    expect(await folderEnded(household, id)).toMatchObject({ state: 'cancelled', total: 3, handled: 1 });
    // They come before the others.
    await unpacked('a');
    await putUnpacked(join(folder, 'b'), photo(`${YEAR}/0.jpg`, '0'));
    await putZips(folder, parts('y'));
    await rm(join(points, 'imports.batch.reached'), { force: true });
    await household.control('imports.resume', { import: id });
    const done = await folderEnded(household, id);
    expect(done).toMatchObject({ state: 'done', total: 6, handled: 6, stored: 6, known: 0, notes: [] });
    expect(await stored()).toEqual(pathsOf('0', 'a', 'b', 'c', 'y', 'z'));
  });

  it('reports an archive that was replaced before it continued, and imports its new content', async () => {
    await putZips(folder, parts('a', 'b'));
    const id = await pausedAfterFirstBatch();
    await household.control('imports.cancel', { import: id });
    await goOn();
    await folderEnded(household, id);
    await putZips(folder, { 'b.zip': photo(`${YEAR}/new.jpg`, 'new') });
    await household.control('imports.resume', { import: id });
    const done = await folderEnded(household, id);
    expect(done).toMatchObject({ state: 'done', total: 2, handled: 2, stored: 2 });
    expect(done.notes).toEqual([{ entry: 'b.zip', reason: 'changed' }]);
    expect(await stored()).toEqual(pathsOf('a', 'new'));
  });

  it('reads replaced files when it is continued, and reports missing ones', async () => {
    await unpacked('a', 'b', 'c');
    const id = await pausedAfterFirstBatch();
    await household.control('imports.cancel', { import: id });
    await goOn();
    expect(await folderEnded(household, id)).toMatchObject({ state: 'cancelled', handled: 1 });
    // Another card with photos of the same names.
    await putUnpacked(join(folder, 'a'), photo(`${YEAR}/a.jpg`, 'another photo'));
    await rm(join(folder, 'b'), { recursive: true });
    await rm(join(points, 'imports.batch.reached'), { force: true });
    await household.control('imports.resume', { import: id });
    const done = await folderEnded(household, id);
    expect(done).toMatchObject({ state: 'done', stored: 3 });
    expect(done.notes).toEqual([
      { entry: 'b/', reason: 'changed' },
      { entry: `b/${YEAR}/b.jpg`, reason: 'changed' },
    ]);
    expect(await stored()).toEqual(['Photos/Photos from 2019/a (2).jpg', ...pathsOf('a', 'c')]);
  });

  it.skipIf(process.platform === 'win32' || process.getuid?.() === 0)(
    'reports files that it may not read',
    async () => {
      await unpacked('a', 'b');
      await chmod(join(folder, 'b'), 0);
      const done = await folderImported(household, folder, 'mia');
      await chmod(join(folder, 'b'), 0o700);
      expect(done.notes).toEqual([{ entry: 'b', reason: 'unreadable_file' }]);
    },
  );
});

describe('an import of a folder', () => {
  it('stops when the disk is removed, and continues when it is back', async () => {
    await unpacked('a', 'b', 'c');
    const id = await pausedAfterFirstBatch();
    await rename(folder, `${folder} away`);
    // What is left of a disk that is not connected.
    await mkdir(folder);
    await goOn();
    const stopped = await folderEnded(household, id);
    expect(stopped).toMatchObject({ state: 'failed', failure: 'storage_offline', total: 3, handled: 1, notes: [] });
    await household.control('imports.resume', { import: id });
    expect(await folderEnded(household, id)).toMatchObject({ state: 'failed', failure: 'storage_offline', handled: 1 });
    // Another disk, also one that has files of the same names.
    await unpacked('a', 'x');
    await household.control('imports.resume', { import: id });
    expect(await folderEnded(household, id)).toMatchObject({ state: 'failed', failure: 'storage_offline', handled: 1 });
    await rm(folder, { recursive: true });
    await household.control('imports.resume', { import: id });
    expect(await folderEnded(household, id)).toMatchObject({ state: 'failed', failure: 'storage_offline', handled: 1 });
    await rename(`${folder} away`, folder);
    await household.control('imports.resume', { import: id });
    expect(await folderEnded(household, id)).toMatchObject({ state: 'done', handled: 3, stored: 3, notes: [] });
    expect(await stored()).toEqual(pathsOf('a', 'b', 'c'));
  });

  it('recognizes a disk with a changed identity by its files', async () => {
    await unpacked('a', 'b', 'c');
    // A copy keeps whole seconds.
    for (const path of await readdir(folder, { recursive: true })) await utimes(join(folder, path), SECOND, SECOND);
    const id = await pausedAfterFirstBatch();
    await household.control('imports.cancel', { import: id });
    await goOn();
    await folderEnded(household, id);
    await rename(folder, `${folder} away`);
    await cp(`${folder} away`, folder, { recursive: true, preserveTimestamps: true });
    await household.control('imports.resume', { import: id });
    expect(await folderEnded(household, id)).toMatchObject({ state: 'done', handled: 3, stored: 3, notes: [] });
  });

  it('stops when the disk can no longer be read, without skipping files', async () => {
    await unpacked('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h');
    const id = await pausedAfterFirstBatch();
    await household.control('imports.cancel', { import: id });
    await goOn();
    await folderEnded(household, id);
    await household.restart({ failPoints: `${points};storage.open=eio` });
    await household.control('imports.resume', { import: id });
    const stopped = await folderEnded(household, id);
    expect(stopped).toMatchObject({ state: 'failed', failure: 'storage_offline', stored: 1 });
    await household.restart({ failPoints: '' });
    await household.control('imports.resume', { import: id });
    expect((await folderEnded(household, id)).state).toBe('done');
  });

  it('stops if the folder has become the home of another account', async () => {
    await unpacked('a', 'b');
    const id = await pausedAfterFirstBatch();
    await household.control('imports.cancel', { import: id });
    await goOn();
    await folderEnded(household, id);
    await household.control('accounts.add', {
      ...{ username: 'bob', name: 'Bob', password: MEMBER.password, homeFolder: folder, adoptHomeFolder: true },
    });
    await household.control('imports.resume', { import: id });
    expect(await folderEnded(household, id)).toMatchObject({
      state: 'failed',
      failure: 'invalid_path',
      stored: 1,
    });
  });

  it('continues with an album whose deletion was undone in the meantime', async () => {
    const inAlbum = (name: string) => [
      { name: `${LAKE}/metadata.json`, content: albumJson('At the lake') },
      ...photo(`${LAKE}/${name}.jpg`, name),
    ];
    await putZips(folder, { 'a.zip': inAlbum('a'), 'b.zip': inAlbum('b') });
    const id = await pausedAfterFirstBatch();
    const mia = await signInAs(household, 'mia');
    expect(await albumsOf(mia)).toMatchObject({ 'At the lake': ['a.jpg'] });
    const { albums } = (await mia.get('albums/list')).body.data as { albums: { album: string; kind: string }[] };
    const { album } = albums.find(({ kind }) => kind === 'list') ?? { album: '' };
    expect((await mia.post('albums/delete', { album })).status).toBe(200);
    const pages = new WebVisitor(household);
    const token = async () => (await pages.get('/files/')).field('form_token');
    const account = { next: '/files/', username: 'mia', password: MEMBER.password };
    await pages.post('/account/sign-in', { form_token: await token(), ...account });
    const session = await pages.get('/files/session', { accept: 'application/json' });
    const undone = { form_token: JSON.parse(session.text).data.token as string, album };
    expect((await pages.post('/files/albums/undo', undone, { accept: 'application/json' })).status).toBe(200);
    await goOn();
    expect(await folderEnded(household, id)).toMatchObject({ state: 'done', inAlbums: 2 });
    expect(await albumsOf(mia)).toMatchObject({ 'At the lake': ['a.jpg', 'b.jpg'] });
  });

  it('never reads another folder if a symbolic link replaced the chosen one', async () => {
    await unpacked('a', 'b');
    const other = join(disk, 'other');
    await putUnpacked(join(other, 'b'), photo(`${YEAR}/b.jpg`, 'b'));
    const id = await pausedAfterFirstBatch();
    await rename(folder, `${folder} away`);
    const { symlink } = await import('node:fs/promises');
    await symlink(other, folder);
    await goOn();
    expect(await folderEnded(household, id)).toMatchObject({ state: 'failed', failure: 'storage_offline', stored: 1 });
    expect(await stored()).toEqual(pathsOf('a'));
  });

  it('continues after a restart', async () => {
    await putZips(folder, parts('a', 'b'));
    await unpacked('c', 'd');
    const id = await pausedAfterFirstBatch();
    const restarted = household.restart({ failPoints: '' });
    await goOn();
    await restarted;
    const done = await folderEnded(household, id);
    expect(done).toMatchObject({ state: 'done', total: 4, handled: 4, stored: 4, known: 0, notes: [] });
    expect(await stored()).toEqual(pathsOf('a', 'b', 'c', 'd'));
  });

  it('stops at the quota, keeps what was stored until then, and continues when there is space', async () => {
    await setPermissions(household, { mia: { space_quota_max: 1 } });
    await putUnpacked(join(folder, 'a'), photo(`${YEAR}/a.jpg`, Buffer.alloc(600_000, 1)));
    await putUnpacked(join(folder, 'b'), photo(`${YEAR}/b.jpg`, Buffer.alloc(600_000, 2)));
    const { import: id } = await startFolder(household, folder, 'mia');
    expect(await folderEnded(household, id)).toMatchObject({ state: 'failed', failure: 'quota_exceeded', stored: 1 });
    await setPermissions(household, { mia: {} });
    await household.control('imports.resume', { import: id });
    expect(await folderEnded(household, id)).toMatchObject({ state: 'done', total: 2, stored: 2 });
  });

  it('cannot be stopped or continued if it is finished or does not exist', async () => {
    await unpacked('a');
    const { import: id } = await folderImported(household, folder, 'mia');
    for (const method of ['imports.cancel', 'imports.resume']) {
      expect(await refusalOf(household.control(method, { import: id })), method).toMatchObject({ code: 'refused' });
      const other = { import: '00000000-0000-4000-8000-000000000000' };
      expect(await refusalOf(household.control(method, other)), method).toMatchObject({ code: 'refused' });
    }
    expect(await household.control('imports.cancelExamination')).toEqual({ cancelled: false });
    expect(await folderReport(household, id)).toMatchObject({ state: 'done' });
  });
});
