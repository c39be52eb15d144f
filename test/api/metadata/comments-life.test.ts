import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { type Comments, createComments } from '../../../dist/server/comments/comments.js';
import { openDatabase, type Transaction } from '../../../dist/server/database/database.js';
import { layoutOf } from '../../../dist/server/storage/layout.js';
import { signInAs } from '../../support/households/member.ts';
import type { ApiClient } from '../../support/requests/api-client.ts';
import { openSharingHousehold, outcome, type SharingHousehold } from '../../support/requests/sharing.ts';

let household: SharingHousehold;
beforeAll(async () => {
  household = await openSharingHousehold();
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
const say = async (path: string, comment: string, api = olga()) =>
  (await done(api, 'files/comments/add', { path, comment })).id as number;
const said = async (path: string, api = olga()): Promise<string[]> =>
  (await done(api, 'files/comments/list', { path })).comments.map(({ comment }: { comment: string }) => comment);
/** `commentsCount` of each entry of a listing; undefined where it is left out. */
const counts = async (form: Record<string, string | number>, api = olga(), operation = 'files/browse') =>
  Object.fromEntries(
    (await done(api, operation, { ...form, 'details[]': 'commentsCount' })).files.map(
      ({ path, commentsCount }: { path: string; commentsCount?: number }) => [path, commentsCount],
    ),
  );
/** Writes comments below the API, as links do for visitors. */
async function write(work: (comments: Comments, tx: Transaction, itemId: number) => Promise<void>): Promise<void> {
  await household.whileStopped(async () => {
    const { database: file, backups } = layoutOf(household.folder);
    const database = await openDatabase(file, backups);
    try {
      const item = await database.get<{ id: number }>(
        "SELECT id FROM items WHERE name = 'a.txt' AND parent_id = (SELECT id FROM items WHERE name = ?)",
        [name],
      );
      const comments = createComments(database, household.clock);
      await database.write((tx) => work(comments, tx, item?.id ?? 0));
    } finally {
      await database.close();
    }
  });
  for (const person of ['olga', 'ben'] as const) await household.signInAgain(person);
}

it('a comment stays with an item that is renamed, moved, overwritten, deleted and restored, and is not copied', async () => {
  await say(file, 'Said');
  await say(`${box}/sub/b.txt`, 'Deep');
  await done(olga(), 'files/rename', { path: file, newName: 'c.txt' });
  expect(await said(`${box}/c.txt`)).toEqual(['Said']);
  await done(olga(), 'files/copy', { path: `${box}/c.txt`, copyTo: `${box}/sub` });
  expect(await said(`${box}/sub/c.txt`)).toEqual([]);
  await done(olga(), 'files/move', { path: `${box}/c.txt`, moveTo: `${box}/sub`, overwrite: 1 });
  expect(await said(`${box}/sub/c.txt`)).toEqual(['Said']);
  expect((await olga().put({ path: `${box}/sub/c.txt` }, 'new')).status).toBe(200);
  expect(await said(`${box}/sub/c.txt`)).toEqual(['Said']);
  const { trash_path: path } = await done(olga(), 'files/delete', { path: `${box}/sub` });
  expect(outcome(await olga().post('files/comments/list', { path: `${box}/sub/c.txt` }))).toEqual([404, 'not_found']);
  await done(olga(), 'files/trash/restore', { path });
  expect(await said(`${box}/sub/c.txt`)).toEqual(['Said']);
  expect(await said(`${box}/sub/b.txt`)).toEqual(['Deep']);
});

it('a comment stays when another file replaces the commented one', async () => {
  await olga().put({ path: `${box}/new.txt` }, 'new');
  const mine = await say(file, 'Of the old one');
  await say(`${box}/new.txt`, 'Of the new one');
  await done(olga(), 'files/rename', { path: `${box}/new.txt`, newName: 'a.txt', overwrite: 1 });
  expect(await said(file)).toEqual(['Of the old one', 'Of the new one']);
  await done(olga(), 'files/comments/delete', { path: file, id: mine });
});

it('a comment moves to the home of another account, whose owner then moderates it', async () => {
  const id = await household.share(box, { uid: household.ids.ben, upload: 1, alter: 1 });
  const path = `/ROOT/${household.ids.olga}/${id}`;
  const hers = await say(file, 'Olga’s');
  await say(`${path}/a.txt`, 'Ben’s', ben());
  await say(`${box}/sub/b.txt`, 'Deep');
  await done(ben(), 'files/move', { path: `${path}/a.txt`, moveTo: HOME, overwrite: 1 });
  expect(await said(`${HOME}/a.txt`, ben())).toEqual(['Olga’s', 'Ben’s']);
  await done(ben(), 'files/comments/delete', { path: `${HOME}/a.txt`, id: hers });
  await done(ben(), 'files/move', { path: `${path}/sub`, moveTo: HOME, overwrite: 1 });
  expect(await said(`${HOME}/sub/b.txt`, ben())).toEqual(['Deep']);
  expect(await counts({ path: `${HOME}/sub` }, ben())).toEqual({ [`${HOME}/sub/b.txt`]: 1 });
});

it('comments are counted in all listings that request it', async () => {
  await say(file, 'One');
  await say(file, 'Two');
  await say(`${box}/sub`, 'Folder');
  expect(await counts({ path: box })).toEqual({ [`${box}/sub`]: 1, [file]: 2 });
  expect(await counts({ path: box, recursive: 1 })).toEqual({ [`${box}/sub`]: 1, [`${box}/sub/b.txt`]: 0, [file]: 2 });
  expect(await counts({ path: box, filename: 'a.txt' }, olga(), 'files/search')).toEqual({ [file]: 2 });
  await done(olga(), 'files/star', { path: file });
  expect(await counts({ path: '/STARRED' })).toMatchObject({ [file]: 2 });
  const plain = await done(olga(), 'files/browse', { path: box });
  expect(plain.files.every((entry: object) => !('commentsCount' in entry))).toBe(true);
  const { trash_path: trashed } = await done(olga(), 'files/delete', { path: file });
  expect(await counts({ path: '/TRASH' })).toMatchObject({ [trashed]: 2 });
});

it('comments are not counted for accounts that may not read them', async () => {
  await say(file, 'One');
  const share = (path: string, form: Record<string, number>) =>
    household.share(path, { uid: household.ids.ben, ...form });
  const closed = `/ROOT/${household.ids.olga}/${await share(box, { read_comments: 0 })}`;
  const other = await household.newBox();
  await say(`${HOME}/${other}/a.txt`, 'Open');
  const open = `/ROOT/${household.ids.olga}/${await share(`${HOME}/${other}`, {})}`;
  expect(await counts({ path: closed }, ben())).toEqual({
    [`${closed}/sub`]: undefined,
    [`${closed}/a.txt`]: undefined,
  });
  expect(await counts({ path: open }, ben())).toEqual({ [`${open}/sub`]: 0, [`${open}/a.txt`]: 1 });
  // In one list, of one home: each by its own share.
  for (const path of [closed, open]) await done(ben(), 'files/star', { path: `${path}/a.txt` });
  expect(await counts({ path: '/STARRED' }, ben())).toEqual({ [`${closed}/a.txt`]: undefined, [`${open}/a.txt`]: 1 });
  await household.control('accounts.update', { username: 'olga', permissions: { read_comments: false } });
  expect(await counts({ path: open }, ben())).toEqual({
    [`${open}/sub`]: undefined,
    [`${open}/a.txt`]: undefined,
  });
  expect(await counts({ path: box })).toEqual({ [`${box}/sub`]: undefined, [file]: undefined });
  await household.control('accounts.update', { username: 'olga', permissions: { read_comments: true } });
});

it('a comment is kept without a name if its author’s account is deleted', async () => {
  const { id: accountId } = (await household.control('accounts.add', {
    ...{ username: 'eva', name: 'Eva', password: 'correct horse battery' },
  })) as { id: number };
  const id = await household.share(box, { uid: accountId });
  await say(`/ROOT/${household.ids.olga}/${id}/a.txt`, 'From Eva', await signInAs(household, 'eva'));
  const list = () => done(olga(), 'files/comments/list', { path: file });
  expect((await list()).comments).toMatchObject([{ uid: accountId, name: 'Eva' }]);
  await household.control('accounts.remove', { ids: [accountId] });
  expect((await list()).comments).toMatchObject([{ uid: null, name: null, comment: 'From Eva' }]);
});

it('a comment may be from a visitor, under the name they entered', async () => {
  await say(file, 'First');
  await write(async (comments, tx, itemId) => {
    await comments.add(tx, { itemId, accountId: null, visitorName: 'Aunt <i>May</i>', comment: 'By a link' });
    await comments.add(tx, { itemId, accountId: null, visitorName: '', comment: 'Without a name' });
    const both = { itemId, accountId: 1, visitorName: 'Ann', comment: 'Both' };
    await expect(comments.add(tx, both)).rejects.toThrow(/CHECK/);
  });
  const { comments } = await done(olga(), 'files/comments/list', { path: file });
  expect(comments).toMatchObject([
    { comment: 'First' },
    { uid: null, name: 'Aunt <i>May</i>', comment: 'By a link' },
    { uid: null, name: null, comment: 'Without a name' },
  ]);
  const id = await household.share(box, { uid: household.ids.ben });
  const path = `/ROOT/${household.ids.olga}/${id}/a.txt`;
  expect(outcome(await ben().post('files/comments/delete', { path, id: comments[2].id }))).toEqual([
    403,
    'permission_denied',
  ]);
  for (const { id } of comments.slice(1)) await done(olga(), 'files/comments/delete', { path: file, id });
  expect(await said(file)).toEqual(['First']);
});

it('up to a thousand comments are listed, the latest first', async () => {
  await say(file, 'First');
  await write(async (comments, tx, itemId) => {
    for (let number = 2; number <= 1_003; number += 1) {
      await comments.add(tx, { itemId, accountId: null, visitorName: '', comment: String(number) });
    }
  });
  const list = async (form: object) =>
    (await done(olga(), 'files/comments/list', { path: file, ...form })).comments as { id: number; comment: string }[];
  const latest = await list({});
  expect([latest.length, latest[0]?.comment, latest.at(-1)?.comment]).toEqual([1_000, '4', '1003']);
  const earlier = await list({ before: latest[0]?.id });
  expect(earlier.map(({ comment }) => comment)).toEqual(['First', '2', '3']);
  expect((await counts({ path: box }))[file]).toBe(1_003);
});

it('a comment is deleted with a permanently deleted item', async () => {
  await say(file, 'Said');
  await say(`${box}/sub/b.txt`, 'Deep');
  await done(olga(), 'files/delete', { path: box, permanent: 1 });
  await household.put(`${name}/a.txt`, `${name}/sub/b.txt`);
  expect([await said(file), await said(`${box}/sub/b.txt`)]).toEqual([[], []]);
});
