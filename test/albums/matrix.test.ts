import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { homeOf, MEMBER } from '../support/households/member.ts';
import type { ApiClient, Reply } from '../support/requests/api-client.ts';
import { openSharingHousehold, outcome, type SharingHousehold, signInAsGuest } from '../support/requests/sharing.ts';
import { putPhoto, uuidOf } from './support.ts';

// Who sees which items of a shared album, and who may do what with it.

let household: SharingHousehold;
let album = '';
let folderAlbum = '';

/** Olga owns the album, Ben contributes, Gil's group sees it, Sam has nothing of it; `apps` are apps of Ben and Olga. */
const CALLERS = ['owner', 'contributor', 'viewer', 'outsider', 'guest', 'listing app', 'app without sharing'] as const;
type CallerName = (typeof CALLERS)[number];
const apis = new Map<CallerName, ApiClient>();
const api = (name: CallerName): ApiClient => apis.get(name) as ApiClient;

/** Items by their uuids. */
const ITEMS = ['own', 'contributed', 'of a share', 'in the trash', 'of an ended share', 'beside them'] as const;
type ItemName = (typeof ITEMS)[number];
const items = new Map<ItemName, string>();
const item = (name: ItemName): string => items.get(name) ?? '';

async function done(reply: Promise<Reply>) {
  const { status, text, body } = await reply;
  expect(status, text).toBe(200);
  return body.data;
}

async function appOf(username: string, scope: string): Promise<ApiClient> {
  const { clientId, clientSecret } = household;
  const form = { grant_type: 'password', username, password: MEMBER.password, scope };
  const { body } = await household.api.token({ ...form, client_id: clientId, client_secret: clientSecret });
  return household.api.with(String(body.access_token));
}

async function photoOf(person: 'olga' | 'ben' | 'sam', name: string): Promise<string> {
  await putPhoto(homeOf(household, person), name, 5);
  return uuidOf(household.as(person), `/ROOT/HOME/${name}`);
}

beforeAll(async () => {
  household = await openSharingHousehold();
  const { ids, family } = household;
  const [olga, ben, sam] = [household.as('olga'), household.as('ben'), household.as('sam')];
  await household.put('for-gran.txt');
  const guest = { path: '/ROOT/HOME/for-gran.txt', name: 'Gran', email: 'gran@example.com' };
  const { link } = (await done(olga.post('files/share', guest))).guest;
  apis.set('owner', olga).set('contributor', ben).set('viewer', household.as('gil')).set('outsider', sam);
  apis.set('guest', await signInAsGuest(household, link));
  apis.set('listing app', await appOf('ben', 'list'));
  apis.set('app without sharing', await appOf('olga', 'list download modify'));

  album = (await done(olga.post('albums/add', { title: 'Wedding' }))).album;
  await household.put('shown/');
  folderAlbum = (await done(olga.post('albums/folder', { path: '/ROOT/HOME/shown' }))).album;
  items.set('own', await photoOf('olga', 'Wedding/own.svg'));
  items.set('in the trash', await photoOf('olga', 'Wedding/trashed.svg'));
  items.set('beside them', await photoOf('olga', 'Wedding/beside.svg'));
  items.set('contributed', await photoOf('ben', 'contributed.svg'));
  items.set('of a share', await photoOf('sam', 'shared/still.svg'));
  items.set('of an ended share', await photoOf('sam', 'ended/once.svg'));
  for (const name of ['shared', 'ended'])
    await done(sam.post('files/share', { path: `/ROOT/HOME/${name}`, uid: ids.olga, share: 1, download: 1 }));
  const add = (who: ApiClient, ...names: ItemName[]) =>
    done(who.post('albums/items/add', { album, items: JSON.stringify(names.map((name) => ({ uuid: item(name) }))) }));
  await add(olga, 'own', 'in the trash', 'of a share', 'of an ended share');
  await done(olga.post('albums/share', { album, uid: ids.ben, role: 'contribute' }));
  await done(olga.post('albums/share', { album, gid: family, role: 'view' }));
  await add(ben, 'contributed');
  await done(olga.post('files/delete', { path: '/ROOT/HOME/Wedding/trashed.svg' }));
  await done(sam.post('files/unshare', { path: '/ROOT/HOME/ended', uid: ids.olga }));
});
afterAll(() => household.close());

/** The items that each of them sees in the album. */
const SEEN: Readonly<Record<CallerName, readonly ItemName[]>> = {
  owner: ['own', 'contributed', 'of a share'],
  'app without sharing': ['own', 'contributed', 'of a share'],
  contributor: ['own', 'contributed'],
  'listing app': ['own', 'contributed'],
  viewer: ['own', 'contributed'],
  outsider: [],
  guest: [],
};

describe.each(CALLERS)('%s', (caller) => {
  it.each(ITEMS)('%s', async (name) => {
    const who = api(caller);
    const reply = await who.get('albums/items', { album, 'details[]': 'uuid' });
    expect(reply.status).toBe(SEEN[caller].length > 0 ? 200 : 404);
    const files: { uuid: string; path: string }[] = reply.body.data?.files ?? [];
    const listed = files.find(({ uuid }) => uuid === item(name));
    const isSeen = SEEN[caller].includes(name);
    expect(listed !== undefined).toBe(isSeen);
    const through = `/ALBUMS/${album}/${item(name)}`;
    const mayRead = caller !== 'listing app';
    const expected = mayRead ? (isSeen ? 200 : 404) : 403;
    for (const operation of ['files/thumbnail', 'files/download'])
      expect((await who.get(operation, { path: listed?.path ?? through })).status, operation).toBe(expected);
    expect((await who.get('files/info', { path: listed?.path ?? through })).status).toBe(isSeen ? 200 : 404);
  });
});

const FOUND = [200, undefined] as const;
const DENIED = [403, 'permission_denied'] as const;
const SCOPE = [403, 'insufficient_scope'] as const;
const NONE = [404, 'not_found'] as const;

type Answers = Readonly<Record<CallerName, readonly [number, string | undefined]>>;
const all = (answer: Answers[CallerName], more: Partial<Answers> = {}): Answers => ({
  ...(Object.fromEntries(CALLERS.map((name) => [name, answer])) as Answers),
  ...{ outsider: NONE, guest: NONE },
  ...more,
});

const one = (name: ItemName) => JSON.stringify([{ uuid: item(name) }]);
/** What answers each of them; nothing of it changes what the others are answered. */
const CALLS: readonly [string, () => Record<string, string | number>, Answers][] = [
  ['albums/shares', () => ({ album }), all(FOUND)],
  [
    'albums/items/add',
    () => ({ album, items: one('own') }),
    all(NONE, { owner: FOUND, viewer: DENIED, 'listing app': SCOPE, 'app without sharing': SCOPE }),
  ],
  [
    'albums/items/remove',
    () => ({ album, items: one('beside them') }),
    all(FOUND, { viewer: FOUND, 'listing app': SCOPE }),
  ],
  ['albums/share', () => ({ album, gid: household.family, role: 'view' }), { ...sharing(), guest: DENIED }],
  [
    'albums/edit',
    () => ({ album, title: 'Wedding' }),
    all(DENIED, { owner: FOUND, 'app without sharing': FOUND, 'listing app': SCOPE }),
  ],
  ['albums/unshare', () => ({ album, gid: 999_999 }), sharing([409, 'not_shared'])],
  ['albums/link', () => ({ album }), { ...sharing(), guest: DENIED }],
  ['albums/links', () => ({ album }), { ...sharing(), guest: DENIED }],
  ['albums/unlink', () => ({ album, id: 'none' }), { ...sharing([409, 'no_weblink']), guest: DENIED }],
];

function sharing(owner: Answers[CallerName] = FOUND): Answers {
  return all(DENIED, { owner, 'listing app': SCOPE, 'app without sharing': SCOPE });
}

describe.each(CALLS)('%s', (operation, form, answers) => {
  it.each(CALLERS)('by the %s', async (caller) => {
    expect(outcome(await api(caller).post(operation, form()))).toEqual(answers[caller]);
  });
});

it.each(['outsider', 'guest'] as const)(
  'for the %s, the replies are identical to those for an album that does not exist',
  async (caller) => {
    for (const [operation, form] of [...CALLS, ['albums/items', () => ({ album }), null] as const]) {
      const of = async (name: string) => (await api(caller).post(operation, { ...form(), album: name })).text;
      expect(await of(album), operation).toBe(await of(randomUUID()));
    }
  },
);

it.each(['contributor', 'viewer'] as const)('the %s cannot remove photos of others', async (caller) => {
  const reply = await api(caller).post('albums/items/remove', { album, items: one('own') });
  expect(outcome(reply)).toEqual(DENIED);
});

it('the album of a folder does not exist for other accounts', async () => {
  for (const caller of ['contributor', 'viewer', 'outsider', 'guest'] as const)
    expect(outcome(await api(caller).get('albums/items', { album: folderAlbum }))).toEqual(NONE);
});
