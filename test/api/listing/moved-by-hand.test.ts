import { mkdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type Household, openHousehold } from '../../support/households/household.ts';
import type { ApiClient } from '../../support/requests/api-client.ts';

let household: Household;
let api: ApiClient;

const HOME = '/ROOT/HOME';
const NEW = `${HOME}/new/plan.txt`;

beforeEach(async () => {
  household = await openHousehold();
  api = await household.signIn();
  for (const content of ['first', 'second']) await api.put({ filePath: `${HOME}/old/plan.txt` }, content);
  await mkdir(join(household.home, 'new'));
  await api.get('files/browse', { path: HOME });
});
afterEach(() => household.close());

const byHand = (from: string, to: string) => rename(join(household.home, from), join(household.home, to));

async function starred(): Promise<string[]> {
  const { body } = await api.get('files/browse', { path: '/STARRED' });
  return body.data.files.map((file: { path: string }) => file.path);
}

// In all of these, nobody has listed the new place yet, and the reconciler of the catalogue has not had the time to.

it('a move by another program keeps the star of a file', async () => {
  await api.post('files/star', { path: `${HOME}/old/plan.txt` });
  await byHand('old/plan.txt', 'new/plan.txt');
  expect((await api.post('files/unstar', { path: NEW })).status).toBe(200);
});

it('a move by another program keeps the versions of a file', async () => {
  await byHand('old/plan.txt', 'new/plan.txt');
  expect((await api.get('files/versions/list', { path: NEW })).body.data.versions.length).toBe(2);
});

it('a move by another program keeps the star of a folder that is renamed next', async () => {
  await api.post('files/star', { path: `${HOME}/old` });
  await byHand('old', 'new/old');
  await api.post('files/rename', { path: `${HOME}/new/old`, newName: 'newest' });
  expect(await starred()).toEqual([`${HOME}/new/newest`]);
});

it('a move by another program keeps the star of a file that is deleted and restored next', async () => {
  await api.post('files/star', { path: `${HOME}/old/plan.txt` });
  await byHand('old/plan.txt', 'new/plan.txt');
  const { body } = await api.post('files/delete', { path: NEW });
  await api.post('files/trash/restore', { path: body.data.trash_path });
  expect(await starred()).toEqual([NEW]);
});

it('a move by another program keeps the versions of a file that is overwritten next', async () => {
  await byHand('old/plan.txt', 'new/plan.txt');
  expect((await api.put({ path: NEW }, 'third')).body.data.version).toBe(3);
  expect((await api.get('files/versions/list', { path: NEW })).body.data.versions.length).toBe(3);
});

it('a move by another program keeps the star of a folder to which an item is added next', async () => {
  await api.post('files/star', { path: `${HOME}/old` });
  await byHand('old', 'new/old');
  expect((await api.put({ path: `${HOME}/new/old/another.txt` }, 'another')).status).toBe(201);
  expect(await starred()).toEqual([`${HOME}/new/old`]);
  await byHand('new/old', 'moved');
  await api.post('files/createfolder', { path: `${HOME}/moved`, name: 'within' });
  expect(await starred()).toEqual([`${HOME}/moved`]);
});

it('a move by another program keeps the star of a folder that is searched next', async () => {
  await api.post('files/star', { path: `${HOME}/old` });
  await byHand('old', 'new/old');
  const { body } = await api.post('files/search', { path: `${HOME}/new/old`, filename: 'plan' });
  expect(body.data.files.length).toBe(1);
  expect(await starred()).toEqual([`${HOME}/new/old`]);
});
