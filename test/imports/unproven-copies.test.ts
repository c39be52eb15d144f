import { createHash, randomBytes } from 'node:crypto';
import { mkdir, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Household, openHousehold } from '../support/households/household.ts';
import type { ApiClient } from '../support/requests/api-client.ts';
import { HOME, imported, photo, putArchives, storedIn, YEAR } from './support.ts';

/** More than a request may read while it waits. */
const LARGE = randomBytes(65 * 1024 ** 2);

let household: Household;
let api: ApiClient;
beforeAll(async () => {
  household = await openHousehold();
  await household.control('settings.update', { hashingPaused: true });
  api = await household.signIn();
});
afterAll(() => household.close());

/** Puts files into the home as another program does, long ago. */
async function put(folder: string, files: Readonly<Record<string, string | Buffer>>): Promise<void> {
  await mkdir(join(household.home, folder), { recursive: true });
  for (const [name, content] of Object.entries(files)) {
    const path = join(household.home, folder, name);
    await writeFile(path, content);
    await utimes(path, new Date('2020-01-01'), new Date('2020-01-01'));
  }
  await api.get('files/browse', { path: `${HOME}/${folder}` });
}

it('recognises copies among files that were never read, while nothing is hashed in the background', async () => {
  await put('Phone', { 'a.jpg': 'one of both', 'b.jpg': 'its brother', 'c.mp4': LARGE, 'a.txt': 'as a text 2' });
  const paths = await putArchives(household.home, [
    ...photo(`${YEAR}/IMG_1.jpg`, 'one of both'),
    ...photo(`${YEAR}/IMG_2.jpg`, 'another one'),
    ...photo(`${YEAR}/IMG_3.jpg`, 'as a text 2'),
    ...photo(`${YEAR}/IMG_4.mp4`, LARGE),
  ]);
  const { import: done, notes } = await imported(api, paths);
  expect(done).toMatchObject({ total: 4, stored: 2, known: 2 });
  expect(notes).toEqual([]);
  expect(await storedIn(household.home, 'Photos')).toEqual(
    ['IMG_2.jpg', 'IMG_3.jpg'].map((name) => `Photos/Photos from 2019/${name}`),
  );
  // They are known from now on, also to apps.
  const items = [['b.jpg', 'its brother'] as const].map(([name, text]) => ({
    ...{ name, size: text.length, sha256: createHash('sha256').update(text).digest('hex') },
  }));
  const known = await api.post('files/known', { path: `${HOME}/Phone`, items: JSON.stringify(items) });
  expect(known.body.data.missing).toEqual([]);
});

it('says that a photo may be a copy if too many files of its size were never read', async () => {
  const many = Array.from({ length: 101 }, (_, index) => `${100 + index}`);
  await put('Scans', Object.fromEntries(many.map((number) => [`${number}.jpg`, `the scan ${number}`])));
  const first = await putArchives(household.home, photo(`${YEAR}/scan.jpg`, 'the scan xyz'));
  const { import: done, notes } = await imported(api, first);
  expect(done).toMatchObject({ stored: 1, known: 0 });
  expect(notes).toEqual([{ entry: `${YEAR}/scan.jpg`, reason: 'unread_copy' }]);
  // The rest is read for the next one.
  const second = await putArchives(household.home, photo(`${YEAR}/scan 2.jpg`, 'the scan 200'));
  const { import: again, notes: none } = await imported(api, second);
  expect(again).toMatchObject({ stored: 0, known: 1 });
  expect(none).toEqual([]);
});
