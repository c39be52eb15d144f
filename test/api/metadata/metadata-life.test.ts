import { rename, rm, writeFile } from 'node:fs/promises';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { openDatabase } from '../../../dist/server/database/database.js';
import { layoutOf } from '../../../dist/server/storage/layout.js';
import type { ApiClient } from '../../support/requests/api-client.ts';
import { addField } from '../../support/requests/fields.ts';
import { openSharingHousehold, outcome, PEOPLE, type SharingHousehold } from '../../support/requests/sharing.ts';

let household: SharingHousehold;
let field: number;
beforeAll(async () => {
  household = await openSharingHousehold();
  field = await addField(household);
});
afterAll(() => household.close());

const HOME = '/ROOT/HOME';
let name: string;
let box: string;
let file: string;
beforeEach(async () => {
  name = await household.newBox();
  box = `${HOME}/${name}`;
  file = `${box}/a.txt`;
});

const olga = () => household.as('olga');
const ben = () => household.as('ben');
const done = async (api: ApiClient, operation: string, form: Record<string, string | number>) => {
  const { status, text, body } = await api.post(operation, form);
  expect(status, text).toBe(200);
  return body.data;
};
/** Puts something of everything on a file. */
async function describeIt(path: string, word: string, api = olga()): Promise<void> {
  await done(api, 'files/tags/add', { path, 'tags[]': word });
  await done(api, 'files/label', { path, label: word });
  await done(api, 'files/rating', { path, rating: 4 });
  await done(api, 'files/metadata/set', { path, [`fields[${field}]`]: word });
}
/** The one word that stands everywhere on it; null for none anywhere. */
async function wordOf(path: string, api = olga()): Promise<string | null> {
  const { tags, label, rating, fieldsets } = await done(api, 'files/metadata', { path });
  const values = fieldsets.flatMap((set: { fields: { id: number; values: string[] }[] }) =>
    set.fields.filter(({ id }) => id === field).flatMap((one) => one.values),
  );
  const words = new Set([...tags.map(({ text }: { text: string }) => text), label, ...values].filter(Boolean));
  expect(words.size).toBeLessThan(2);
  const [word = null] = words;
  expect(rating).toBe(word === null ? null : 4);
  if (word !== null) expect([tags.length, label, values]).toEqual([1, word, [word]]);
  return word;
}
const found = async (word: string, api = olga(), path = HOME): Promise<string[]> =>
  (await done(api, 'files/search', { path, 'meta[tag][]': word })).files.map(({ path }: { path: string }) => path);
/** What the database has of a word. */
async function kept(word: string): Promise<number> {
  let count = 0;
  await household.whileStopped(async () => {
    const { database: at, backups } = layoutOf(household.folder);
    const database = await openDatabase(at, backups);
    const rows = await database.all(
      `SELECT 1 FROM metadata_terms WHERE value = ?1
       UNION ALL SELECT 1 FROM metadata_values WHERE term_id NOT IN (SELECT id FROM metadata_terms)
       UNION ALL SELECT 1 FROM metadata_folds WHERE metadata_folds MATCH ?1`,
      [word],
    );
    count = rows.length;
    await database.close();
  });
  for (const person of PEOPLE) await household.signInAgain(person);
  return count;
}

it('metadata stays with an item that is renamed, moved, overwritten, deleted and restored, and is not copied', async () => {
  await describeIt(file, 'lasting');
  await done(olga(), 'files/rename', { path: file, newName: 'c.txt' });
  expect(await wordOf(`${box}/c.txt`)).toBe('lasting');
  await done(olga(), 'files/copy', { path: `${box}/c.txt`, copyTo: `${box}/sub` });
  expect(await wordOf(`${box}/sub/c.txt`)).toBeNull();
  await done(olga(), 'files/move', { path: `${box}/c.txt`, moveTo: `${box}/sub`, overwrite: 1 });
  expect(await wordOf(`${box}/sub/c.txt`)).toBe('lasting');
  expect((await olga().put({ path: `${box}/sub/c.txt` }, 'new')).status).toBe(200);
  expect(await wordOf(`${box}/sub/c.txt`)).toBe('lasting');
  expect(await found('lasting')).toEqual([`${box}/sub/c.txt`]);
  const { trash_path: path } = await done(olga(), 'files/delete', { path: `${box}/sub` });
  expect(outcome(await olga().post('files/metadata', { path: `${box}/sub/c.txt` }))).toEqual([404, 'not_found']);
  expect(await found('lasting')).toEqual([]);
  await done(olga(), 'files/trash/restore', { path });
  expect(await wordOf(`${box}/sub/c.txt`)).toBe('lasting');
  expect(await found('lasting')).toEqual([`${box}/sub/c.txt`]);
});

it('metadata moves to the home of another account, and is found only there', async () => {
  const id = await household.share(box, { uid: household.ids.ben, upload: 1, alter: 1 });
  const path = `/ROOT/${household.ids.olga}/${id}`;
  await describeIt(`${box}/sub/b.txt`, 'wandering');
  await describeIt(`${box}/sub`, 'wandering');
  await done(ben(), 'files/move', { path: `${path}/sub`, moveTo: HOME });
  expect(await wordOf(`${HOME}/sub/b.txt`, ben())).toBe('wandering');
  expect((await found('wandering', ben())).sort()).toEqual([`${HOME}/sub`, `${HOME}/sub/b.txt`]);
  expect(await found('wandering')).toEqual([]);
});

it('metadata stays with an item that another program removes, and moves with it', async () => {
  await describeIt(file, 'vanishing');
  await rename(household.at(`${name}/a.txt`), household.at('outside.txt'));
  await done(olga(), 'files/browse', { path: box });
  await done(olga(), 'files/browse', { path: HOME });
  expect(await wordOf(`${HOME}/outside.txt`)).toBe('vanishing');
  await rename(household.at('outside.txt'), `${household.folder}/away.txt`);
  await done(olga(), 'files/browse', { path: HOME });
  expect(await found('vanishing')).toEqual([]);
  await rename(`${household.folder}/away.txt`, household.at('outside.txt'));
  await done(olga(), 'files/browse', { path: HOME });
  expect(await wordOf(`${HOME}/outside.txt`)).toBe('vanishing');
  expect(await found('vanishing')).toEqual([`${HOME}/outside.txt`]);
});

it('metadata stays with its home if another program had removed the item from the moving folder', async () => {
  const id = await household.share(box, { uid: household.ids.ben, upload: 1, alter: 1 });
  await done(olga(), 'files/rename', { path: `${box}/sub`, newName: 'rest' });
  await describeIt(`${box}/rest/b.txt`, 'remaining');
  await rename(household.at(`${name}/rest/b.txt`), `${household.folder}/b.txt`);
  await done(ben(), 'files/move', { path: `/ROOT/${household.ids.olga}/${id}/rest`, moveTo: HOME });
  expect(await found('remaining', ben())).toEqual([]);
  await rename(`${household.folder}/b.txt`, household.at(`${name}/b.txt`));
  await done(olga(), 'files/browse', { path: box });
  expect(await wordOf(`${box}/b.txt`)).toBe('remaining');
});

it('metadata is deleted with a permanently deleted item, including its index entries', async () => {
  await describeIt(file, 'fleeting');
  await describeIt(`${box}/sub/b.txt`, 'fleeting');
  await done(olga(), 'files/delete', { path: file, permanent: 1 });
  expect(await found('fleeting')).toEqual([`${box}/sub/b.txt`]);
  const { trash_path: path } = await done(olga(), 'files/delete', { path: box });
  expect(await kept('fleeting')).toBeGreaterThan(0);
  await done(olga(), 'files/trash/delete', { path });
  expect(await kept('fleeting')).toBe(0);
});

it('metadata does not apply to another file that takes the name', async () => {
  await describeIt(file, 'replaced');
  await rm(household.at(`${name}/a.txt`));
  await done(olga(), 'files/browse', { path: box });
  await writeFile(household.at(`${name}/other.txt`), 'something else altogether');
  await done(olga(), 'files/browse', { path: box });
  expect(await wordOf(`${box}/other.txt`)).toBeNull();
});
