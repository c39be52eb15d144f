import { readdir, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Household, openHousehold } from '../../support/households/household.ts';
import { addMember, MEMBER, signInAs } from '../../support/households/member.ts';
import type { ApiClient } from '../../support/requests/api-client.ts';

// Serialised listings are used again. They must not be taken for one another.

const FILES = 1_500;

let household: Household;
let owner: ApiClient;
let member: ApiClient;
let shared: string;
let shareId: number;

beforeAll(async () => {
  household = await openHousehold();
  owner = await household.signIn();
  await owner.post('files/createfolder', { path: '/ROOT/HOME', name: 'wide' });
  for (let file = 0; file < FILES; file += 1) {
    const path = join(household.home, 'wide', `file ${file}.txt`);
    await writeFile(path, 'x'.repeat(file % 7));
    await utimes(path, 1_600_000_000 - file * 60, 1_600_000_000 - file * 60);
  }
  await addMember(household);
  member = await signInAs(household, MEMBER.username);
  const uid = Number((await member.get('account/info')).body.id);
  const reply = await owner.post('files/share', { path: '/ROOT/HOME/wide', uid });
  shareId = Number(reply.body.data.shareid);
  shared = `/ROOT/1/${shareId}`;
});
afterAll(() => household?.close());

const OWN = '/ROOT/HOME/wide';
const names = (reply: { body: { data: { files: { filename: string }[] } } }) =>
  reply.body.data.files.map(({ filename }) => filename);

it('cached listings differ by every parameter, also when repeated', async () => {
  for (let round = 0; round < 3; round += 1) {
    const all = await owner.get('files/browse', { path: OWN });
    expect(all.body.data.files).toHaveLength(FILES);
    expect(all.headers['content-length']).toBe(String(all.bytes.length));
    expect(all.body.data.meta.total).toBeUndefined();
    const zero = await owner.get('files/browse', { path: OWN, limit: 0 });
    expect([zero.body.data.files.length, zero.body.data.meta.total]).toEqual([FILES, FILES]);
    const page = await owner.get('files/browse', { path: OWN, start: 10, limit: 5 });
    expect(names(page)).toEqual(names(all).slice(10, 15));
    expect(page.body.data.meta.total).toBe(FILES);
    const byDate = await owner.get('files/browse', { path: OWN, sort: 'mdate', limit: 2 });
    expect(names(byDate)).toEqual([`file ${FILES - 1}.txt`, `file ${FILES - 2}.txt`]);
    const down = await owner.get('files/browse', { path: OWN, sort: 'mdate', order: 'desc', limit: 2 });
    expect(names(down)).toEqual(['file 0.txt', 'file 1.txt']);
    expect(names(await owner.get('files/browse', { path: OWN, itemType: 'folders' }))).toEqual([]);
    const sized = await owner.get('files/browse', { path: OWN, limit: 3, 'details[]': ['fileSize', 'mdate'] });
    expect(sized.body.data.files[2]).toEqual({
      filename: 'file 2.txt',
      is_dir: false,
      path: `${OWN}/file 2.txt`,
      fileSize: 2,
      mdate: '2020-09-13T12:24:40Z',
    });
  }
});

it('cached listings differ by caller, with the paths and permissions of each', async () => {
  for (let round = 0; round < 2; round += 1) {
    const own = await owner.get('files/browse', { path: OWN, limit: 1 });
    const other = await member.get('files/browse', { path: shared, limit: 1 });
    expect(own.body.data.files[0].path).toBe(`${OWN}/file 0.txt`);
    expect(other.body.data.files[0].path).toBe(`${shared}/file 0.txt`);
    expect([own.body.data.meta.perms.upload, other.body.data.meta.perms.upload]).toEqual([true, false]);
  }
});

it('cached listings contain current values of details that depend on others or on the time', async () => {
  const one = () => owner.get('files/browse', { path: OWN, limit: 1, 'details[]': ['isLocked', 'label', 'fileSize'] });
  expect((await one()).body.data.files[0].isLocked).toBe(false);
  await owner.post('files/lock', { path: `${OWN}/file 0.txt` });
  expect((await one()).body.data.files[0].isLocked).toBe(true);
});

it('cached listings are not returned after the share has ended', async () => {
  expect((await member.get('files/browse', { path: shared, limit: 1 })).status).toBe(200);
  const uid = Number((await member.get('account/info')).body.id);
  await owner.post('files/unshare', { path: OWN, uid });
  expect((await member.get('files/browse', { path: shared, limit: 1 })).status).toBe(404);
});

it('cached listings show uploads and changes of other programs at once', async () => {
  for (let round = 0; round < 20; round += 1) {
    await owner.put({ filePath: `${OWN}/uploaded ${round}.txt` }, 'new');
    expect(names(await owner.get('files/browse', { path: OWN }))).toContain(`uploaded ${round}.txt`);
    await writeFile(join(household.home, 'wide', `written ${round}.txt`), '');
    expect(names(await owner.get('files/browse', { path: OWN })).sort()).toEqual(
      (await readdir(join(household.home, 'wide'))).sort(),
    );
  }
});
