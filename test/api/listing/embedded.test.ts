import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Household, openHousehold } from '../../support/households/household.ts';
import { addMember, MEMBER, signInAs } from '../../support/households/member.ts';
import type { ApiClient } from '../../support/requests/api-client.ts';
import { fixture } from '../../workers/embedded-support.ts';

const HOME = '/ROOT/HOME';

let household: Household;
let api: ApiClient;
beforeAll(async () => {
  household = await openHousehold();
  api = await household.signIn();
});
afterAll(() => household.close());

interface Known {
  readonly fieldsets: readonly { readonly fields: readonly { readonly name: string; readonly values: string[] }[] }[];
  readonly gps?: { readonly x: number; readonly y: number };
}

async function metadata(path: string, who = api): Promise<Known> {
  return (await who.post('files/metadata', { path })).body.data;
}

/** What is known of a file, by the names of its fields. */
async function known(path: string, who = api): Promise<Record<string, string>> {
  const { fieldsets } = await metadata(path, who);
  return Object.fromEntries(
    fieldsets.flatMap(({ fields }) => fields.map(({ name, values }) => [name, values.join(', ')])),
  );
}

async function photos(who = api): Promise<string[]> {
  const { body } = await who.get('files/browse', { path: '/PHOTOS' });
  return body.data.files.map(({ path }: { path: string }) => path);
}

const put = async (path: string, name: string, more = {}) =>
  expect((await api.put({ filePath: `${HOME}/${path}`, ...more }, await fixture(name))).status).toBeLessThan(300);

it('embedded metadata is available as soon as it is requested', async () => {
  await put('photo.jpg', 'pictures/camera.jpg');
  expect(await known(`${HOME}/photo.jpg`)).toMatchObject({
    Camera: 'Canon EOS R6',
    'Date taken': '2024-05-06T07:08:09+02:00',
  });
  expect((await metadata(`${HOME}/photo.jpg`)).gps).toEqual({ x: 48.85837, y: 2.29448 });
  // By other means, of which the server has not heard.
  await writeFile(join(household.home, 'by hand.mp3'), await fixture('audio/id3v23.mp3'));
  expect(await known(`${HOME}/by hand.mp3`)).toMatchObject({ Title: 'Blue Sky', Album: 'Morning' });
  await api.put({ filePath: `${HOME}/broken.jpg` }, 'no photo');
  expect(await known(`${HOME}/broken.jpg`)).not.toHaveProperty('Camera');
});

it('photos are sorted by the time they were taken', async () => {
  await put('a.dng', 'raw/preview.dng');
  await put('b.jpg', 'pictures/telephone.jpg');
  await expect
    .poll(async () => (await photos()).filter((path) => !path.includes('broken')))
    .toEqual([...[`${HOME}/a.dng`, `${HOME}/photo.jpg`, `${HOME}/b.jpg`]]);
});

it('embedded metadata follows the file: overwritten, renamed, moved, deleted and restored', async () => {
  await put('b.jpg', 'pictures/described.jpg', { overwrite: 1 });
  await expect.poll(() => known(`${HOME}/b.jpg`)).toMatchObject({ Title: 'The lake in summer' });
  expect(await known(`${HOME}/b.jpg`)).not.toHaveProperty('Camera', 'samsung SM-G991B');
  await api.post('files/rename', { path: `${HOME}/b.jpg`, newName: 'lake.jpg' });
  await api.post('files/createfolder', { path: HOME, name: 'album' });
  await api.post('files/move', { path: `${HOME}/lake.jpg`, moveTo: `${HOME}/album` });
  expect(await known(`${HOME}/album/lake.jpg`)).toMatchObject({ Title: 'The lake in summer' });
  await api.post('files/copy', { path: `${HOME}/album/lake.jpg`, copyTo: HOME });
  expect(await known(`${HOME}/lake.jpg`)).toMatchObject({ Title: 'The lake in summer' });
  await api.post('files/delete', { path: `${HOME}/album/lake.jpg` });
  expect(await photos()).not.toContain(`${HOME}/album/lake.jpg`);
  const { body } = await api.get('files/browse', { path: '/TRASH' });
  await api.post('files/trash/restore', { path: body.data.files[0].path });
  expect(await known(`${HOME}/album/lake.jpg`)).toMatchObject({ Title: 'The lake in summer' });
  expect((await photos()).filter((path) => !path.includes('broken'))).toEqual([
    ...[`${HOME}/a.dng`, `${HOME}/lake.jpg`, `${HOME}/album/lake.jpg`, `${HOME}/photo.jpg`],
  ]);
});

it('embedded metadata is visible to recipients of a share, in the same order', async () => {
  await addMember(household);
  const mia = await signInAs(household, MEMBER.username);
  const uid = Number((await mia.get('account/info')).body.id);
  await api.post('files/createfolder', { path: HOME, name: 'ours' });
  await put('ours/old.jpg', 'pictures/camera.jpg');
  await put('ours/new.heic', 'pictures/telephone.heic');
  const shared = await api.post('files/share', { path: `${HOME}/ours`, uid });
  const path = `/ROOT/1/${shared.body.data.shareid}`;
  await expect.poll(() => photos(mia)).toEqual([`${path}/new.heic`, `${path}/old.jpg`]);
  expect(await known(`${path}/old.jpg`, mia)).toMatchObject({ Camera: 'Canon EOS R6' });
});

it('embedded metadata is counted for the owner', async () => {
  await expect
    .poll(async () => (await household.control('status')).embedded)
    .toEqual({ indexed: expect.any(Number), waiting: 0, failed: 0 });
  expect((await household.control('status')).embedded).not.toMatchObject({ indexed: 0 });
});
