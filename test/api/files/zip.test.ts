import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rm, stat, symlink, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Failing, openFailing } from '../../faults/support.ts';
import { readZip } from '../../support/content/read-zip.ts';
import { treeOf } from '../../support/content/tree.ts';
import { type Household, openHousehold } from '../../support/households/household.ts';
import { addMembersWithHomes, homeOf, setPermissions, signInAs } from '../../support/households/member.ts';
import { type ApiClient, outcome } from '../../support/requests/api-client.ts';

let household: Household;
let api: ApiClient;
let count = 0;
let real = '';
let virtual = '';

beforeAll(async () => {
  household = await openHousehold();
  api = await household.signIn();
});
afterAll(() => household.close());
beforeEach(async () => {
  count += 1;
  real = join(household.home, `test ${count}`);
  virtual = `/ROOT/HOME/test ${count}`;
  await mkdir(join(real, 'box', 'in', 'empty'), { recursive: true });
  await writeFile(join(real, 'a.txt'), 'one');
  await writeFile(join(real, 'box', 'a.txt'), 'two');
  await writeFile(join(real, 'box', 'in', 'ä.txt'), 'three');
});

const zip = (paths: readonly string[], archiveName = 'all.zip', target = '') =>
  api.post('files/zip', {
    'paths[]': paths.map((path) => `${virtual}/${path}`),
    target: `${virtual}/${target}`,
    archiveName,
  });
const entriesOf = async (name: string) => readZip(await readFile(join(real, name)));
const incoming = () => readdir(join(household.folder, '.larder', 'incoming'));
const sha = (content: string) => createHash('sha256').update(content).digest('hex');

describe('files/zip', () => {
  it('creates one archive of files and folders, which extracts to the same', async () => {
    await symlink('/etc/passwd', join(real, 'box', 'link'));
    const reply = await zip(['a.txt', 'box']);
    expect([reply.status, reply.body.data]).toEqual([200, { path: `${virtual}/all.zip` }]);
    const entries = await entriesOf('all.zip');
    expect(Object.keys(entries).sort()).toEqual(
      ['a.txt', 'box/', 'box/a.txt', 'box/in/', 'box/in/empty/', 'box/in/ä.txt'].sort(),
    );
    expect(entries['box/in/ä.txt']).toMatchObject({ sha: sha('three'), isUtf8: true, isStored: true });
    expect(await incoming()).toEqual([]);
    await unlink(join(real, 'box', 'link'));
    await api.post('files/extract', { path: `${virtual}/all.zip`, extractTo: virtual });
    expect(await treeOf(join(real, 'all', 'box'))).toEqual(await treeOf(join(real, 'box')));
  });

  it('makes equal names unique, also if they differ only in case', async () => {
    await writeFile(join(real, 'box', 'in', 'A.TXT'), 'four');
    await zip(['a.txt', 'box/a.txt', 'box/in/A.TXT', 'a.txt', 'box/in', 'box/in']);
    const entries = await entriesOf('all.zip');
    expect(Object.keys(entries).filter((name) => !name.slice(0, -1).includes('/'))).toEqual([
      'a.txt',
      'a (2).txt',
      'A (3).TXT',
      'a (4).txt',
      'in/',
      'in (2)/',
    ]);
    expect(entries['a (2).txt']?.sha).toBe(sha('two'));
    expect(entries['a (4).txt']?.sha).toBe(sha('one'));
  });

  it('adds a missing .zip', async () => {
    expect((await zip(['a.txt'], 'notes')).body.data.path).toBe(`${virtual}/notes.zip`);
    expect((await zip(['a.txt'], 'Notes 2.ZIP')).body.data.path).toBe(`${virtual}/Notes 2.ZIP`);
    expect(await outcome(zip(['a.txt'], 'a:b'))).toEqual([400, 'invalid_name']);
    expect(await outcome(zip(['a.txt'], 'x'.repeat(252)))).toEqual([400, 'invalid_name']);
  });

  it('replaces no existing file', async () => {
    await writeFile(join(real, 'all.zip'), 'mine');
    expect(await outcome(zip(['a.txt']))).toEqual([409, 'already_exists']);
    expect(await outcome(zip(['a.txt'], 'ALL.zip'))).toEqual([409, 'already_exists']);
    await mkdir(join(real, 'folder.zip'));
    expect(await outcome(zip(['a.txt'], 'folder'))).toEqual([409, 'already_exists']);
    expect(await readFile(join(real, 'all.zip'), 'utf8')).toBe('mine');
    expect(await incoming()).toEqual([]);
  });

  it('of its own destination folder does not contain itself', async () => {
    expect((await zip([''], 'self', 'box/in')).status).toBe(200);
    expect(Object.keys(await entriesOf('box/in/self.zip'))).not.toContain(`test ${count}/box/in/self.zip`);
    expect(
      (await api.post('files/zip', { 'paths[]': ['/ROOT/HOME'], target: virtual, archiveName: 'home' })).status,
    ).toBe(200);
    expect(Object.keys(await entriesOf('home.zip'))).toContain(`My Files/test ${count}/a.txt`);
  });

  it('refuses missing items, and invalid paths', async () => {
    expect(await outcome(zip(['a.txt', 'nothing']))).toEqual([404, 'not_found']);
    expect(await outcome(zip(['a.txt'], 'x', 'nowhere'))).toEqual([404, 'not_found']);
    expect(await outcome(zip(['a.txt'], 'x', 'a.txt'))).toEqual([404, 'not_found']);
    const send = (paths: string | readonly string[]) =>
      api.post('files/zip', { 'paths[]': paths, target: virtual, archiveName: 'x' });
    expect(await outcome(send('/TRASH'))).toEqual([400, 'invalid_path']);
    expect(await outcome(send('a.txt'))).toEqual([400, 'invalid_path']);
    expect(await outcome(send(Array.from({ length: 901 }, () => `${virtual}/a.txt`)))).toEqual([
      400,
      'invalid_parameter',
    ]);
    expect(await outcome(api.post('files/zip', { target: virtual, archiveName: 'x' }))).toEqual([
      400,
      'missing_parameter',
    ]);
    expect((await readdir(real)).sort()).toEqual(['a.txt', 'box']);
  });
});

describe('an item deleted during zipping', () => {
  let failing: Failing;
  beforeAll(async () => {
    failing = await openFailing('storage.open=pause');
  });
  afterAll(() => failing.close());

  it('is omitted, and if no item is left, no archive is created', async () => {
    const { household, api } = failing;
    const at = (name: string) => join(household.home, name);
    for (const name of ['a', 'b', 'c']) await writeFile(at(name), name);
    const send = (names: readonly string[], archiveName: string) =>
      api.post('files/zip', {
        'paths[]': names.map((name) => `/ROOT/HOME/${name}`),
        target: '/ROOT/HOME',
        archiveName,
      });
    const { status } = await failing.whilePausedAt('storage.open', send(['a', 'b', 'c'], 'some'), () =>
      unlink(at('b')),
    );
    expect(status).toBe(200);
    expect(Object.keys(await readZip(await readFile(at('some.zip'))))).toEqual(['a', 'c']);
  });
});

it('creates nothing when all items are deleted meanwhile', async () => {
  const failing = await openFailing('storage.receive.flush=pause;storage.open=pause');
  const at = (name: string) => join(failing.household.home, name);
  try {
    await writeFile(at('a'), 'a');
    await mkdir(at('f'));
    const form = { 'paths[]': ['/ROOT/HOME/a', '/ROOT/HOME/f'], target: '/ROOT/HOME', archiveName: 'none' };
    const work = failing.api.post('files/zip', form);
    // The file has been checked, and is about to be opened.
    const reply = await failing.whilePausedAt('storage.open', work, async () => {
      await unlink(at('a'));
      await rm(at('f'), { recursive: true });
    });
    expect([reply.status, reply.body.code]).toEqual([404, 'not_found']);
    expect(await readdir(at(''))).not.toContain('none.zip');
    expect(await readdir(join(failing.household.folder, '.larder', 'incoming'))).toEqual([]);
  } finally {
    await failing.close();
  }
});

describe('limits of an account when zipping', () => {
  const MEGABYTE = 1024 * 1024;
  let mia: ApiClient;
  let home: string;
  beforeAll(async () => {
    await addMembersWithHomes(household, { mia: {} });
    mia = await signInAs(household, 'mia');
    home = homeOf(household, 'mia');
    await writeFile(join(home, 'large'), Buffer.alloc(3 * MEGABYTE));
    await mkdir(join(home, 'folder'));
    await mia.get('files/browse', { path: '/ROOT/HOME' });
  });
  const send = (name: string, archiveName: string) =>
    mia.post('files/zip', { 'paths[]': [`/ROOT/HOME/${name}`], target: '/ROOT/HOME', archiveName });

  it('include the quota while the archive grows', async () => {
    await setPermissions(household, { mia: { space_quota_max: 5 } });
    expect(await outcome(send('large', 'large'))).toEqual([507, 'quota_exceeded']);
    expect(await readdir(home)).not.toContain('large.zip');
    expect(await readdir(join(household.folder, '.larder', 'incoming'))).toEqual([]);
    await setPermissions(household, { mia: { space_quota_max: 7, upload_max_size: 1 } });
    expect((await send('large', 'large')).status).toBe(200);
    expect((await stat(join(home, 'large.zip'))).size).toBeGreaterThan(3 * MEGABYTE);
    expect(await outcome(send('large', 'again'))).toEqual([507, 'quota_exceeded']);
  });

  it('include the type of the archive’s name', async () => {
    await setPermissions(household, { mia: { upload_limit_types: 'jpg' } });
    expect(await outcome(send('folder', 'a'))).toEqual([415, 'type_not_allowed']);
    await setPermissions(household, { mia: { upload_limit_types: 'zip' } });
    expect((await send('folder', 'a')).status).toBe(200);
  });

  it('include folders: one that may not be downloaded is not zipped', async () => {
    await setPermissions(household, { mia: { download_folders: false } });
    const { body } = await send('folder', 'b');
    expect([body.code, body.details]).toEqual(['permission_denied', { permission: 'download_folders' }]);
    expect((await send('a.zip', 'b')).status).toBe(200);
  });
});
