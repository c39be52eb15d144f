import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { setPermissions } from '../../support/households/member.ts';
import type { ActivityRow } from '../../support/requests/activity.ts';
import type { ApiClient, Reply } from '../../support/requests/api-client.ts';
import {
  openSharingHousehold,
  outcome,
  PEOPLE,
  type SharingHousehold,
  signInAsGuest,
} from '../../support/requests/sharing.ts';

let household: SharingHousehold;
beforeAll(async () => {
  household = await openSharingHousehold();
  for (const username of PEOPLE) {
    await household.control('accounts.update', { username, name: username.toUpperCase(), lastName: 'Ohm' });
  }
});
afterAll(() => household.close());

const HOME = '/ROOT/HOME';
/** A folder of Olga's that no other test has, and a file in it. */
let box: string;
let file: string;
beforeEach(async () => {
  box = `${HOME}/${await household.newBox()}`;
  file = `${box}/a.txt`;
});

const olga = () => household.as('olga');
const ben = () => household.as('ben');
const say = async (api: ApiClient, path: string, comment: string) => {
  const { status, text, body } = await api.post('files/comments/add', { path, comment });
  expect(status, text).toBe(200);
  return body.data.id as number;
};
const list = (api: ApiClient, path: string) => api.post('files/comments/list', { path });
const said = async (api: ApiClient, path: string): Promise<string[]> =>
  (await list(api, path)).body.data.comments.map(({ comment }: { comment: string }) => comment);
/** Who wrote each comment, as far as it is told. */
const authors = async (api: ApiClient, path: string) =>
  (await list(api, path)).body.data.comments.map(({ uid, name }: { uid: number; name: string }) => [uid, name]);
const remove = (api: ApiClient, path: string, id: number) => api.post('files/comments/delete', { path, id });
/** Olga shares the folder. @returns the path that it has for the others */
const share = async (form: Record<string, string | number>, path = box) => {
  const id = await household.share(path, form);
  return `/ROOT/${form.anonymous === 1 ? 0 : household.ids.olga}/${id}`;
};

describe('files/comments/add', () => {
  it('comments on a file and on a folder, listed in order', async () => {
    const before = Math.floor(household.clock.now() / 1_000) * 1_000;
    const first = await say(olga(), file, 'Less sugar');
    const second = await say(olga(), file, 'More plums');
    await say(olga(), box, 'All of it');
    const { comments } = (await list(olga(), file)).body.data;
    const by = { uid: household.ids.olga, name: 'OLGA Ohm', date: expect.stringMatching(/^\d{4}-.*T.*:\d\dZ$/) };
    expect(comments).toEqual([
      { id: first, ...by, comment: 'Less sugar' },
      { id: second, ...by, comment: 'More plums' },
    ]);
    expect(Date.parse(comments[0].date)).toBeGreaterThanOrEqual(before);
    expect(await said(olga(), box)).toEqual(['All of it']);
    expect(await said(olga(), `${box}/sub`)).toEqual([]);
    const byGet = await olga().get('files/comments/list', { path: file, before: second });
    expect(byGet.body.data.comments.map(({ id }: { id: number }) => id)).toEqual([first]);
  });

  it.each([
    ['<b onclick="x">&amp;</b>', '<b onclick="x">&amp;</b>'],
    ["'; DROP TABLE comments; --", "'; DROP TABLE comments; --"],
    ['  \n one\r\ntwo\rthree\n\n ', 'one\ntwo\nthree'],
    ['Gru\u0308\u00dfe \u{1f351}', 'Gr\u00fc\u00dfe \u{1f351}'],
    ['\u{1f351}'.repeat(4_000), '\u{1f351}'.repeat(4_000)],
    ['0', '0'],
  ])('accepts %.40j as text', async (given, kept) => {
    await say(olga(), file, given);
    expect(await said(olga(), file)).toEqual([kept]);
  });

  it.each([
    ['nothing', ''],
    ['blanks', ' \n\r\n\u00a0\u3000'],
    ['4,001 characters', 'x'.repeat(4_001)],
    ['a NUL', 'a\u0000b'],
    ['an escape', 'a\u001b[31mb'],
    ['a tab', 'a\tb'],
    ['a C1 control', 'a\u0085b'],
    ['half a surrogate', 'a\ud800b'],
  ])('refuses %s', async (_what, comment) => {
    const reply = await olga().send('POST', '/api.php/files/comments/add', {
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ path: file, comment }),
    });
    expect([...outcome(reply), reply.body.details]).toEqual([400, 'invalid_parameter', { parameter: 'comment' }]);
    expect(await said(olga(), file)).toEqual([]);
  });

  it('accepts no comment on missing items, a home, or a list', async () => {
    for (const [path, status, code] of [
      [`${box}/nothing.txt`, 404, 'not_found'],
      [HOME, 400, 'invalid_path'],
      ['/STARRED', 400, 'invalid_path'],
      ['/TRASH', 400, 'invalid_path'],
      [`/ROOT/${household.ids.ben}`, 404, 'not_found'],
    ] as const) {
      for (const operation of ['add', 'list', 'delete']) {
        const reply = await olga().post(`files/comments/${operation}`, { path, comment: 'x', id: 1 });
        expect(outcome(reply), `${operation} ${path}`).toEqual([status, code]);
      }
    }
  });
});

describe('the author of a comment', () => {
  it('is shown to recipients of the item only', async () => {
    const path = await share({ uid: household.ids.ben });
    await say(olga(), file, 'Mine');
    await say(ben(), `${path}/a.txt`, 'Not mine');
    const both = [
      [household.ids.olga, 'OLGA Ohm'],
      [household.ids.ben, 'BEN Ohm'],
    ];
    expect(await authors(olga(), file)).toEqual(both);
    expect(await authors(ben(), `${path}/a.txt`)).toEqual(both);
    expect(outcome(await list(household.as('sam'), `${path}/a.txt`))).toEqual([404, 'not_found']);
  });

  it('is hidden from accounts that may not know of each other', async () => {
    const path = await share({ gid: household.family });
    await say(olga(), box, 'Mine');
    await say(household.as('gil'), path, 'Gil’s');
    await setPermissions(household, { gil: { users_may_see: '' } });
    expect(await authors(household.as('gil'), path)).toEqual([
      [null, null],
      [household.ids.gil, 'GIL Ohm'],
    ]);
    await setPermissions(household, { gil: {} });
  });

  it('who is a guest is shown to the inviting account, and vice versa', async () => {
    const invited = await olga().post('files/share', { path: box, name: 'Gran', email: 'gran@example.net' });
    const gran = await signInAsGuest(household, invited.body.data.guest.link);
    const uid = Number((await gran.get('account/info')).body.id);
    const path = `/ROOT/${household.ids.olga}/${invited.body.data.shareid}`;
    const toBen = await share({ uid: household.ids.ben });
    await say(gran, path, 'Lovely');
    await say(ben(), toBen, 'It is');
    await say(olga(), box, 'Thank you');
    const [granTold, benTold, olgaTold] = await Promise.all([
      authors(gran, path),
      authors(ben(), toBen),
      authors(olga(), box),
    ]);
    const [isGran, isBen, isOlga, unknown] = [
      [uid, 'Gran'],
      [household.ids.ben, 'BEN Ohm'],
      [household.ids.olga, 'OLGA Ohm'],
      [null, null],
    ];
    expect(granTold).toEqual([isGran, unknown, isOlga]);
    expect(benTold).toEqual([unknown, isBen, isOlga]);
    expect(olgaTold).toEqual([isGran, isBen, isOlga]);
  });

  it('who shares anonymously is hidden', async () => {
    const path = await share({ uid: household.ids.ben, anonymous: 1 });
    await say(olga(), box, 'From nobody');
    await say(ben(), path, 'From Ben');
    const reply = await list(ben(), path);
    expect(reply.body.data.comments).toMatchObject([
      { uid: null, name: null, comment: 'From nobody' },
      { uid: household.ids.ben, name: 'BEN Ohm', comment: 'From Ben' },
    ]);
    expect(reply.text).not.toMatch(/olga/i);
  });
});

describe('files/comments/delete', () => {
  it('deletes the caller’s own comment; on the caller’s own files anybody’s', async () => {
    const path = await share({ uid: household.ids.ben });
    const mine = await say(olga(), file, 'Mine');
    const his = await say(ben(), `${path}/a.txt`, 'His');
    const another = await say(ben(), `${path}/a.txt`, 'Another');
    const refused = await remove(ben(), `${path}/a.txt`, mine);
    expect([...outcome(refused), refused.body.details]).toEqual([403, 'permission_denied', { permission: 'owner' }]);
    expect(outcome(await remove(ben(), `${path}/a.txt`, his))).toEqual([200, undefined]);
    expect(outcome(await remove(ben(), `${path}/a.txt`, his))).toEqual([404, 'not_found']);
    expect(await said(olga(), file)).toEqual(['Mine', 'Another']);
    expect(outcome(await remove(olga(), file, another))).toEqual([200, undefined]);
    expect(await said(ben(), `${path}/a.txt`)).toEqual(['Mine']);
  });

  it('finds no comment on another item', async () => {
    const path = await share({ uid: household.ids.ben });
    const onFolder = await say(ben(), path, 'On the folder');
    await household.as('sam').post('files/createfolder', { path: HOME, name: 'hers' });
    const foreign = await say(household.as('sam'), `${HOME}/hers`, 'Hers');
    for (const id of [onFolder, foreign, 999_999]) {
      expect(outcome(await remove(olga(), file, id))).toEqual([404, 'not_found']);
      expect(outcome(await remove(ben(), `${path}/a.txt`, id))).toEqual([404, 'not_found']);
    }
    expect(await said(olga(), box)).toEqual(['On the folder']);
    expect(await said(household.as('sam'), `${HOME}/hers`)).toContain('Hers');
  });

  it('does not reveal comments to accounts that may not read them', async () => {
    const path = await share({ uid: household.ids.ben, read_comments: 0 });
    const mine = await say(olga(), box, 'Mine');
    const his = await say(ben(), path, 'His');
    expect(outcome(await list(ben(), path))).toEqual([403, 'permission_denied']);
    expect(outcome(await remove(ben(), path, mine))).toEqual([404, 'not_found']);
    expect(outcome(await remove(ben(), path, his))).toEqual([200, undefined]);
    expect(await said(olga(), box)).toEqual(['Mine']);
  });

  it('logs the author of the comment, but not its text', async () => {
    const path = await share({ uid: household.ids.ben });
    const id = await say(ben(), path, 'Between us');
    await remove(olga(), box, id);
    const own = await say(olga(), file, 'Between us');
    await remove(olga(), file, own);
    const { entries } = (await household.control('activity.list', { limit: 4 })) as { entries: ActivityRow[] };
    expect(
      entries.map(({ group, kind, username, subject, details }) => [group, kind, username, subject, details]),
    ).toEqual([
      ['files', 'comment.removed', 'olga', file, { id: own }],
      ['files', 'comment.added', 'olga', file, { id: own }],
      ['files', 'comment.removed', 'olga', box, { id, author: 'ben' }],
      ['files', 'comment.added', 'ben', path, { id, of: 'olga' }],
    ]);
    expect(JSON.stringify(entries) + household.logged()).not.toContain('Between us');
  });
});

describe('the permissions of grantors', () => {
  it('limit reading and writing of comments', async () => {
    const path = await share({ uid: household.ids.ben });
    const id = await say(ben(), path, 'Before');
    const replies = async () => ({
      list: (await list(ben(), path)).status,
      add: (await ben().post('files/comments/add', { path, comment: 'After' })).status,
      remove: (await remove(ben(), path, id)).status,
    });
    await setPermissions(household, { olga: { write_comments: false } });
    expect(await replies()).toEqual({ list: 200, add: 403, remove: 403 });
    await setPermissions(household, { olga: { read_comments: false } });
    expect(await replies()).toEqual({ list: 403, add: 200, remove: 200 });
    await setPermissions(household, { olga: {} });
    expect(await said(olga(), box)).toEqual(['After']);
  });

  it('may forbid changing files, which does not include comments', async () => {
    await setPermissions(household, { olga: { readonly: true } });
    const path = await share({ uid: household.ids.ben });
    await say(olga(), box, 'Seen');
    await say(ben(), path, 'Seen, too');
    await setPermissions(household, { olga: {} });
    expect(await said(olga(), box)).toEqual(['Seen', 'Seen, too']);
  });
});

it('GET is accepted as well as POST', async () => {
  const added: Reply = await olga().get('files/comments/add', { path: file, comment: 'By GET' });
  expect(added.status).toBe(200);
  expect((await olga().get('files/comments/delete', { path: file, id: added.body.data.id })).body.data).toEqual({});
  expect(await said(olga(), file)).toEqual([]);
});
