import { readdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { itInFull } from '../support/forms.ts';
import { homeOf } from '../support/households/member.ts';
import { openSharingHousehold, type SharingHousehold } from '../support/requests/sharing.ts';
import { eventually } from '../support/system/eventually.ts';
import { davClient } from '../support/webdav/dav-client.ts';

interface Figures {
  /** Files and folders of Olga's home. */
  items: number;
  /** Bytes, with deleted files and versions. */
  used: number;
  /** Of the whole household, as the status has it. */
  all: number;
}

let household: SharingHousehold;
let box: string;

beforeAll(async () => {
  household = await openSharingHousehold();
});
afterAll(() => household?.close());
beforeEach(async () => {
  box = await household.newBox();
  await restart();
});

const olga = () => household.as('olga');
const HOME = '/ROOT/HOME';

async function figures(): Promise<Figures> {
  const { homes } = (await household.control('homes.list')) as {
    homes: { username: string; items: number; usedBytes: number }[];
  };
  const home = homes.find(({ username }) => username === 'olga');
  const { items: all } = (await household.control('status')) as { items: number };
  return { items: home?.items ?? -1, used: home?.usedBytes ?? -1, all };
}

/** Every home is looked through from the beginning. */
async function restart(): Promise<void> {
  await household.restart({ port: household.port });
  await settled();
}

async function settled(): Promise<void> {
  const states = async () => {
    const { catalogue } = (await household.control('status')) as { catalogue: { state: string }[] };
    return catalogue.length === 0 ? 'none' : catalogue.map(({ state }) => state).join(' ');
  };
  await eventually(states, (found) => /^ready(?: ready)*$/.test(found));
}

/** What is on the disk, counted without the catalogue. */
async function onDisk(): Promise<number> {
  const names = await readdir(homeOf(household, 'olga'), { recursive: true });
  return names.filter((name) => !name.split(/[/\\]/).some((part) => part.startsWith('.larder'))).length;
}

const remove = async (path: string, by = olga()) =>
  String((await by.post('files/delete', { path })).body.data.trash_path);
const restore = (path: string) => olga().post('files/trash/restore', { path });

/** @param items more than before */
async function expectMore(before: Figures, items: number): Promise<void> {
  const now = await figures();
  expect(now).toMatchObject({ items: before.items + items, all: before.all + items });
  expect(now.items).toBe(await onDisk());
  await restart();
  expect(await figures(), 'after a restart').toEqual(now);
}

it('a folder that is deleted and restored counts once', async () => {
  const before = await figures();
  const deleted = await remove(`${HOME}/${box}`);
  // The folder, a file in it, and a folder with a file.
  await expectMore(before, -4);
  expect((await figures()).used, 'the trash takes space').toBe(before.used);
  await restore(deleted);
  await expectMore(before, 0);
  expect(await figures()).toEqual(before);
});

it('files that are deleted and restored repeatedly count once', async () => {
  const before = await figures();
  for (let round = 0; round < 3; round += 1) {
    const deleted = [await remove(`${HOME}/${box}/a.txt`), await remove(`${HOME}/${box}/sub`)];
    expect((await figures()).items).toBe(before.items - 3);
    for (const path of deleted) await restore(path);
    await settled();
    expect(await figures()).toEqual(before);
  }
  await expectMore(before, 0);
});

itInFull('a file that is restored beside another of its name counts as one more', async () => {
  const deleted = await remove(`${HOME}/${box}/a.txt`);
  await olga().put({ filePath: `${HOME}/${box}/a.txt` }, 'another');
  const before = await figures();
  expect((await restore(deleted)).body.data.path).toBe(`${HOME}/${box}/a (restored).txt`);
  await expectMore(before, 1);
});

itInFull('items that a recipient of a share deletes are subtracted from the count of its home', async () => {
  const id = await household.share(`${HOME}/${box}`, { uid: household.ids.ben, alter: 1 });
  const before = await figures();
  await remove(`/ROOT/${household.ids.olga}/${id}/sub`, household.as('ben'));
  await expectMore(before, -2);
  const [trashed] = (await olga().get('files/browse', { path: '/TRASH' })).body.data.files;
  await restore(trashed.path);
  await expectMore(before, 0);
});

itInFull('folders that programs create and delete are counted', async () => {
  const dav = await davClient(olga());
  const before = await figures();
  await dav.send('MKCOL', `/My%20files/${box}/made`);
  await dav.put(`/My%20files/${box}/made/one.txt`, 'one');
  await expectMore(before, 2);
  await dav.send('DELETE', `/My%20files/${box}/made`);
  await expectMore(before, 0);
});

it('a folder that another program moves away and back counts once', async () => {
  const before = await figures();
  const aside = join(household.folder, 'aside');
  await rename(household.at(box), aside);
  await olga().get('files/browse', { path: HOME });
  await eventually(figures, ({ items }) => items === before.items - 4);
  await rename(aside, household.at(box));
  await olga().get('files/browse', { path: HOME });
  await eventually(figures, ({ items }) => items === before.items);
  await expectMore(before, 0);
});

it('permanent deletions and copies are counted', async () => {
  const before = await figures();
  await olga().post('files/copy', { path: `${HOME}/${box}`, destination: `${HOME}/${box} again` });
  await settled();
  const copied = (await figures()).items - before.items;
  await expectMore(before, copied);
  await olga().post('files/trash/delete', { path: await remove(`${HOME}/${box}`) });
  await expectMore(before, copied - 4);
});
