import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { DAY } from '../../../dist/server/lib/clock.js';
import { type Household, openHousehold } from '../../support/households/household.ts';
import type { ApiClient } from '../../support/requests/api-client.ts';
import { eventually } from '../../support/system/eventually.ts';

let household: Household;
let api: ApiClient;

const HOME = '/ROOT/HOME';

beforeEach(async () => {
  household = await openHousehold();
  api = await household.signIn();
  for (const content of ['first', 'second']) await api.put({ filePath: `${HOME}/Plans/deep/garden.txt` }, content);
  await api.post('files/star', { path: `${HOME}/Plans/deep/garden.txt` });
});
afterEach(() => household.close());

const starred = async () => (await api.get('files/browse', { path: '/STARRED' })).body.data.files.length;
const list = (path: string) => api.get('files/browse', { path, 'details[]': ['uuid', 'version'] });
const keptContents = async () => (await readdir(join(household.folder, '.larder', 'versions'))).length;

async function laterBy(days: number): Promise<void> {
  household.clock.advance(days * DAY);
  // Nothing is forgotten of a home that is still being looked through.
  const states = async () => JSON.stringify((await household.control('status')).catalogue);
  await eventually(states, (catalogue) => /"state":"(?:ready|offline)"/.test(catalogue));
  await household.larder.maintenance();
  // A token lives for an hour.
  api = await household.signIn();
}

it('keeps the records of missing items for thirty days, and recognizes returning ones', async () => {
  const aside = join(household.folder, 'aside');
  const before = (await list(`${HOME}/Plans/deep`)).body.data.files[0];
  await rename(join(household.home, 'Plans'), aside);
  await list(HOME);
  expect(await starred()).toBe(0);
  await laterBy(29);
  expect(await keptContents()).toBe(1);
  await mkdir(join(household.home, 'Elsewhere'));
  await rename(aside, join(household.home, 'Elsewhere', 'Plans'));
  expect((await list(`${HOME}/Elsewhere/Plans/deep`)).body.data.files[0]).toEqual({
    ...before,
    path: `${HOME}/Elsewhere/Plans/deep/garden.txt`,
  });
  expect(await starred()).toBe(1);
  expect(before.version).toBe(2);
});

it('deletes the records of missing items after thirty days, with their versions', async () => {
  await rm(join(household.home, 'Plans'), { recursive: true });
  await list(HOME);
  await laterBy(31);
  // What has just come to its notice is looked at first, and nothing is forgotten meanwhile.
  const kept = async () => {
    await household.larder.maintenance();
    return keptContents();
  };
  expect(await eventually(kept, (contents) => contents === 0)).toBe(0);
  expect(await household.control('doctor')).toMatchObject({ ok: true, problems: [] });
  await api.put({ filePath: `${HOME}/Plans/deep/garden.txt` }, 'anew');
  const [file] = (await list(`${HOME}/Plans/deep`)).body.data.files;
  expect(file.version).toBe(1);
  expect(await starred()).toBe(0);
});

it('deletes nothing of a home on an unavailable disk', async () => {
  await rename(household.home, `${household.home} away`);
  await laterBy(40);
  await rename(`${household.home} away`, household.home);
  expect((await list(`${HOME}/Plans/deep`)).body.data.files[0].version).toBe(2);
  expect([await starred(), await keptContents()]).toEqual([1, 1]);
});
