import { mkdir, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { buildZip, DEFLATED, timeField, type ZipItem } from '../../support/content/build-zip.ts';
import { HOSTILE } from '../../support/content/hostile-zips.ts';
import { treeOf } from '../../support/content/tree.ts';
import { itInFull, oneOfEachKind } from '../../support/forms.ts';
import { type Household, openHousehold } from '../../support/households/household.ts';
import { addMembersWithHomes, homeOf, setPermissions, signInAs } from '../../support/households/member.ts';
import type { ApiClient } from '../../support/requests/api-client.ts';
import { outcome } from '../../support/requests/api-client.ts';
import { t } from '../../support/server-texts.ts';

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
  await mkdir(join(real, 'to'), { recursive: true });
});

const put = (zip: Buffer, name = 'Photos.zip') => writeFile(join(real, name), zip);
const extract = (name = 'Photos.zip', to = 'to') =>
  api.post('files/extract', { path: `${virtual}/${name}`, extractTo: `${virtual}/${to}` });
const incoming = () => readdir(join(household.folder, '.larder', 'incoming'));
const holiday: readonly ZipItem[] = [
  { name: 'sea/', mode: 0o040700 },
  { name: 'sea/beach.jpg', content: 'sand '.repeat(1_000), method: DEFLATED, extra: timeField(1_500_000_000) },
  { name: 'hills/deep/rock.jpg', content: 'stone' },
  { name: 'Größe.txt', content: '' },
];

describe('files/extract', () => {
  it('creates a folder named after the archive, with times and identities', async () => {
    await put(buildZip(holiday));
    const reply = await extract();
    expect([reply.status, reply.body.data]).toEqual([200, { items: 6, path: `${virtual}/to/Photos` }]);
    const tree = join(real, 'to', 'Photos');
    expect(Object.keys(await treeOf(tree))).toHaveLength(6);
    expect(await readFile(join(tree, 'sea', 'beach.jpg'), 'utf8')).toBe('sand '.repeat(1_000));
    expect((await stat(join(tree, 'sea', 'beach.jpg'))).mtimeMs).toBe(1_500_000_000_000);
    expect((await stat(join(tree, 'sea', 'beach.jpg'))).mode & 0o111).toBe(0);
    const listed = await api.get('files/browse', {
      path: `${virtual}/to/Photos`,
      recursive: 1,
      'details[]': ['uuid', 'fileSize'],
    });
    expect(listed.body.data.files).toHaveLength(6);
    expect(new Set(listed.body.data.files.map(({ uuid }: { uuid: string }) => uuid)).size).toBe(6);
    expect(await incoming()).toEqual([]);
  });

  it('creates no second folder for a single folder in the archive, and none for a single file', async () => {
    await put(
      buildZip([{ name: 'Sea/' }, { name: 'Sea/a', content: 'x' }, { name: '__MACOSX/Sea/._a', content: 'y' }]),
    );
    expect((await extract()).body.data).toEqual({ items: 2, path: `${virtual}/to/Sea` });
    await put(buildZip([{ name: 'one.txt', content: 'x' }]), 'other.zip');
    expect((await extract('other.zip')).body.data).toEqual({ items: 1, path: `${virtual}/to/one.txt` });
    expect(Object.keys(await treeOf(join(real, 'to'))).sort()).toEqual(['Sea', 'Sea/a', 'one.txt']);
    expect(await incoming()).toEqual([]);
  });

  it('never changes existing items: a name in use gets a number', async () => {
    await mkdir(join(real, 'to', 'PHOTOS'));
    await writeFile(join(real, 'to', 'PHOTOS', 'mine'), 'mine');
    await put(buildZip(holiday));
    expect((await extract()).body.data.path).toBe(`${virtual}/to/Photos (2)`);
    expect((await extract()).body.data.path).toBe(`${virtual}/to/Photos (3)`);
    expect(await readdir(join(real, 'to', 'PHOTOS'))).toEqual(['mine']);
    await put(buildZip([{ name: 'one.tar.gz', content: 'x' }]), 'one.zip');
    await extract('one.zip');
    expect((await extract('one.zip')).body.data.path).toBe(`${virtual}/to/one.tar (2).gz`);
    // A folder has no extension.
    await put(buildZip([{ name: 'v1.2/x', content: 'x' }]), 'v.zip');
    await extract('v.zip');
    expect((await extract('v.zip')).body.data.path).toBe(`${virtual}/to/v1.2 (2)`);
  });

  it.each([
    ['Photos', 'Photos (2)'],
    ['.zip', '.zip (2)'],
    ['Photos. .zip', 'Photos'],
    ['a:b.zip', 'Archive'],
    ['con.zip', 'Archive'],
  ])('beside an archive called %s creates %s', async (name, made) => {
    await put(buildZip(holiday), name);
    expect((await extract(name, '')).body.data.path).toBe(`${virtual}/${made}`);
  });

  it('creates an empty folder for an empty archive', async () => {
    await put(buildZip([]));
    expect((await extract()).body.data).toEqual({ items: 0, path: `${virtual}/to/Photos` });
    expect(await readdir(join(real, 'to', 'Photos'))).toEqual([]);
  });

  it('accepts the older name of the folder parameter, and requires the folder', async () => {
    await put(buildZip(holiday));
    const form = { path: `${virtual}/Photos.zip` };
    expect((await api.post('files/extract', { ...form, target: `${virtual}/to` })).status).toBe(200);
    const { body } = await api.post('files/extract', form);
    expect([body.code, body.details]).toEqual(['missing_parameter', { parameter: 'extractTo' }]);
  });

  it('refuses missing items, and a wrong type of item', async () => {
    await put(buildZip(holiday));
    await symlink(join(real, 'Photos.zip'), join(real, 'link.zip'));
    await symlink(join(real, 'to'), join(real, 'elsewhere'));
    expect(await outcome(extract('nothing.zip'))).toEqual([404, 'not_found']);
    expect(await outcome(extract('link.zip'))).toEqual([404, 'not_found']);
    expect(await outcome(extract('to'))).toEqual([400, 'invalid_path']);
    expect(await outcome(extract('Photos.zip', 'nowhere'))).toEqual([404, 'not_found']);
    expect(await outcome(extract('Photos.zip', 'elsewhere'))).toEqual([404, 'not_found']);
    expect(await outcome(extract('Photos.zip', 'Photos.zip'))).toEqual([404, 'not_found']);
    expect(await readdir(join(real, 'to'))).toEqual([]);
  });

  it('refuses an archive whose entries would be too deep for a path', async () => {
    const deep = Array.from({ length: 110 }, () => 'd').join('/');
    await mkdir(join(real, 'to', deep), { recursive: true });
    await put(buildZip([{ name: 'a/b/c/d/e/f/g/h/i/j/k/l/m/n/o/p/q/r/s/t', content: 'x' }, { name: 'b' }]));
    const reply = await extract('Photos.zip', `to/${deep}`);
    expect([reply.body.code, reply.body.details.reason]).toEqual(['unsafe_archive', 'too_deep']);
    expect((await extract()).status).toBe(200);
  });

  itInFull('extracts one archive many times concurrently', async () => {
    await put(buildZip(holiday));
    const replies = await Promise.all(Array.from({ length: 6 }, () => extract()));
    expect(replies.map(({ status }) => status)).toEqual(Array(6).fill(200));
    expect(new Set(replies.map(({ body }) => body.data.path)).size).toBe(6);
    expect(await incoming()).toEqual([]);
  });
});

describe('a refused archive', () => {
  it.each(oneOfEachKind(HOSTILE, ({ code, reason }) => `${code} ${reason}`))(
    'leaves nothing: $what',
    async ({ zip, code, reason }) => {
      await put(zip());
      const before = await readdir(household.home, { recursive: true });
      const reply = await extract();
      expect([reply.body.code, reply.body.details?.reason], reply.text).toEqual([code, reason]);
      expect(reply.status).toBe(code === 'unsupported_media' ? 415 : 422);
      expect(await readdir(household.home, { recursive: true })).toEqual(before);
      expect(await incoming()).toEqual([]);
      expect(household.logged()).not.toContain('unexpected failure');
    },
  );

  it('reports the problem of a name', async () => {
    await put(buildZip([{ name: 'a/what?.txt', content: 'x' }]));
    const { body } = await extract();
    expect(body.error).toContain(t('api.files.invalidName', { problem: 'characters', max: 255 }));
    expect(body.details).toEqual({ reason: 'name', entry: 'a/what?.txt' });
  });

  it('does not block the next one', async () => {
    await put(buildZip(holiday));
    expect((await extract()).status).toBe(200);
  });
});

describe('limits of an account when extracting', () => {
  const MEGABYTE = 1024 * 1024;
  let mia: ApiClient;
  beforeAll(async () => {
    await addMembersWithHomes(household, { mia: {} });
    mia = await signInAs(household, 'mia');
  });
  const unpackMine = (name: string) =>
    mia.post('files/extract', { path: `/ROOT/HOME/${name}`, extractTo: '/ROOT/HOME' });
  const mine = (name: string, items: readonly ZipItem[]) =>
    writeFile(join(homeOf(household, 'mia'), name), buildZip(items));

  it('include the quota for the whole content, before anything is extracted', async () => {
    await setPermissions(household, { mia: { space_quota_max: 1, upload_max_size: 1 } });
    const large = { content: Buffer.alloc(MEGABYTE / 2 + 1), method: DEFLATED };
    await mine('large.zip', [
      { name: 'a', ...large },
      { name: 'b', ...large },
    ]);
    const reply = await unpackMine('large.zip');
    expect([reply.status, reply.body.code]).toEqual([507, 'quota_exceeded']);
    expect(reply.body.details).toMatchObject({ quota: MEGABYTE, needed: MEGABYTE + 2 });
    expect(await readdir(homeOf(household, 'mia'))).not.toContain('large');
    // What fits counts from then on, and its reservation is released.
    await mine('one.zip', [{ name: 'a', ...large }]);
    expect((await unpackMine('one.zip')).status).toBe(200);
    expect(await outcome(unpackMine('one.zip'))).toEqual([507, 'quota_exceeded']);
    await mia.post('files/delete', { path: '/ROOT/HOME/a', permanent: 1 });
    expect((await unpackMine('one.zip')).status).toBe(200);
  });

  it('include the types of all files', async () => {
    await setPermissions(household, { mia: { upload_limit_types: 'jpg' } });
    await mine('types.zip', [
      { name: 'a.jpg', content: 'x' },
      { name: 'b/c.exe', content: 'x' },
    ]);
    const reply = await unpackMine('types.zip');
    expect([reply.status, reply.body.code]).toEqual([415, 'type_not_allowed']);
    expect(reply.body.details.path).toBe('/ROOT/HOME/types.zip/b/c.exe');
    await mine('types.zip', [
      { name: 'a.jpg', content: 'x' },
      { name: 'b/c.JPG', content: 'x' },
    ]);
    expect((await unpackMine('types.zip')).body.data).toEqual({ items: 3, path: '/ROOT/HOME/types' });
    expect(await incoming()).toEqual([]);
  });
});
