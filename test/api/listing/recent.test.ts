import { mkdir, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { openSharingHousehold, type SharingHousehold } from '../../support/requests/sharing.ts';

const HOME = '/ROOT/HOME';

let household: SharingHousehold;
let box = '';
afterAll(() => household?.close());
beforeEach(async () => {
  household ??= await openSharingHousehold();
  box = await household.newBox();
});

/** Waits until the disk gives a file that changes now a later time than this one has. */
async function untilLaterThan(name: string): Promise<void> {
  const { ctimeNs } = await stat(household.at(name), { bigint: true });
  const probe = join(household.folder, 'probe');
  await expect
    .poll(async () => {
      await writeFile(probe, 'x');
      return (await stat(probe, { bigint: true })).ctimeNs > ctimeNs;
    })
    .toBe(true);
}

/** The names in the list, newest first, that are in the folder of this test. */
async function recent(person: 'olga' | 'ben' | 'sam' = 'olga', folder = `${HOME}/${box}`): Promise<string[]> {
  const { status, body } = await household.as(person).get('files/browse', { path: '/RECENT' });
  expect(status).toBe(200);
  const paths = body.data.files.map(({ path }: { path: string }) => path);
  return paths
    .filter((path: string) => path.startsWith(`${folder}/`))
    .map((path: string) => path.slice(folder.length + 1));
}

async function upload(name: string, lastModified?: number): Promise<void> {
  const { status } = await household
    .as('olga')
    .put({ path: `${HOME}/${box}/${name}`, ...(lastModified === undefined ? {} : { lastModified }) }, name);
  expect(status).toBe(201);
  await untilLaterThan(`${box}/${name}`);
}

describe('recent files', () => {
  it('are those added or changed last, whatever their modification time', async () => {
    await upload('new.txt');
    await upload('photo of 1999.jpg', 930_000_000);
    expect((await recent()).slice(0, 2)).toEqual(['photo of 1999.jpg', 'new.txt']);
    // Another program writes, and puts the time back.
    await writeFile(household.at(`${box}/a.txt`), 'changed by hand');
    await utimes(household.at(`${box}/a.txt`), new Date(0), new Date(0));
    await expect.poll(async () => (await recent())[0]).toBe('a.txt');
    await untilLaterThan(`${box}/a.txt`);
    await household.as('olga').post('files/rename', { path: `${HOME}/${box}/new.txt`, newName: 'named.txt' });
    expect((await recent()).slice(0, 3)).toEqual(['named.txt', 'a.txt', 'photo of 1999.jpg']);
  });

  it('do not include folders, hidden files, or items in the trash', async () => {
    await upload('kept.txt');
    await upload('._kept.txt');
    await upload('.DS_Store');
    await upload('deleted.txt');
    await mkdir(household.at(`${box}/folder`));
    await household.as('olga').post('files/delete', { path: `${HOME}/${box}/deleted.txt` });
    await expect.poll(async () => (await recent()).toSorted()).toEqual(['a.txt', 'kept.txt', 'sub/b.txt']);
    expect((await recent())[0]).toBe('kept.txt');
    await household.as('olga').post('files/delete', { path: `${HOME}/${box}/sub` });
    expect((await recent()).toSorted()).toEqual(['a.txt', 'kept.txt']);
  });

  it('include shared files of others, and none of their other files', async () => {
    await upload('sub/shared.txt');
    await upload('private.txt');
    const id = await household.share(`${HOME}/${box}/sub`, { uid: Number(household.ids.ben), download: 1 });
    const shared = `/ROOT/${household.ids.olga}/${id}`;
    await expect.poll(() => recent('ben', shared)).toEqual(['shared.txt', 'b.txt']);
    const { body } = await household.as('ben').get('files/browse', { path: '/RECENT' });
    expect(JSON.stringify(body)).not.toContain('private');
    expect(await recent('sam', '')).toEqual([]);
  });
});
