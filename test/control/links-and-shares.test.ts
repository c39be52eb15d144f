import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { rowsOf } from '../support/requests/activity.ts';
import { type LinkHousehold, openLinkHousehold } from '../support/requests/links.ts';

let household: LinkHousehold;
beforeAll(async () => {
  household = await openLinkHousehold();
});
afterAll(() => household?.close());

const HOME = '/ROOT/HOME';
let box: string;
beforeEach(async () => {
  box = await household.newBox();
});

interface Listed {
  links: { number: number; item: Record<string, unknown>; ended: boolean; expiresAt: string | null }[];
  shares: { id: number; item: Record<string, unknown> }[];
  next: number | null;
  total: number;
}
const list = async (method: string, query = {}) => (await household.control(method, query)) as unknown as Listed;

it('links are listed in pages, each once, and those to items in the trash are marked', async () => {
  const names = Array.from({ length: 7 }, (_, n) => `${n}.txt`);
  await household.put(...names.map((name) => `${box}/${name}`));
  for (const name of names) await household.link(`${HOME}/${box}/${name}`);
  const seen: unknown[] = [];
  for (let before: number | null | undefined; before !== null; ) {
    const page = await list('links.list', { limit: 3, ...(before === undefined ? {} : { before }) });
    expect(page.total).toBe(7);
    seen.push(...page.links.map(({ item }) => item.name));
    before = page.next;
  }
  expect(seen).toEqual([...names].reverse());
  await household.as('olga').post('files/delete', { path: `${HOME}/${box}/3.txt` });
  const { links } = await list('links.list', { text: '3.TXT' });
  expect(links).toMatchObject([{ item: { name: '3.txt', path: `${box}/3.txt`, owner: 'olga', state: 'trashed' } }]);
});

it('are found by the names of people and groups, as they are shown', async () => {
  const { olga, ben, sam } = household.ids;
  await household.control('accounts.update', { username: 'olga', name: 'Olga', lastName: 'Ähre' });
  await household.control('accounts.update', { username: 'ben', name: 'Benno', lastName: 'Öhm' });
  const gid = Number((await household.control('groups.add', { name: 'Große Runde' })).id);
  const toBen = await household.share(`${HOME}/${box}`, { uid: ben });
  const toSam = await household.share(`${HOME}/${box}`, { uid: sam });
  const toGroup = await household.share(`${HOME}/${box}`, { gid });
  await household.link(`${HOME}/${box}`);
  const shares = async (text: string) => (await list('shares.list', { text })).shares.map(({ id }) => id);
  expect(await shares('benno ohm')).toEqual([toBen]);
  expect(await shares('GROSSE')).toEqual([toGroup]);
  expect(await shares('olga ähre')).toEqual([toGroup, toSam, toBen]);
  expect(await list('shares.list', { text: 'benno', by: olga })).toMatchObject({ total: 1 });
  expect(await shares('nobody of this name')).toEqual([]);
  const { links, total } = await list('links.list', { text: 'Ähre', limit: 1 });
  expect([links.length, total > 0]).toEqual([1, true]);
  expect(await list('links.list', { text: 'benno' })).toMatchObject({ total: 0 });
});

it('an ended link is marked, and ending a deleted one fails without an effect', async () => {
  await household.link(`${HOME}/${box}/a.txt`, { download_limit: 1 });
  const [before] = (await list('links.list', { by: household.ids.olga })).links;
  expect(before).toMatchObject({ ended: false, item: { path: `${box}/a.txt` } });
  const number = before?.number ?? 0;
  const id = await household.link(`${HOME}/${box}/sub/b.txt`, { download_limit: 1 });
  expect((await household.visit(id, { fmode: 'download' })).status).toBe(200);
  expect((await list('links.list', { limit: 1 })).links).toMatchObject([{ ended: true, downloads: 1 }]);
  expect(await household.control('links.remove', { numbers: [number, number, 999_999] })).toEqual({ removed: 1 });
  expect(await household.control('links.remove', { numbers: [number] })).toEqual({ removed: 0 });
  expect((await list('links.list', { by: household.ids.ben })).links).toEqual([]);
});

it('shares end together with those that recipients made from them, each with an event', async () => {
  const id = await household.share(`${HOME}/${box}`, { uid: household.ids.ben, share: 1, download: 1 });
  const through = `/ROOT/${household.ids.olga}/${id}`;
  const on = await household.as('ben').post('files/share', { path: through, uid: household.ids.sam });
  expect(on.status).toBe(200);
  const found = await list('shares.list', { text: box });
  expect(found.total).toBe(2);
  const rows = await rowsOf(household, async () => {
    expect(await household.control('shares.remove', { ids: [id] })).toEqual({ removed: 1 });
  });
  expect(rows).toMatchObject([{ kind: 'share.removed', username: 'ann', details: { of: 'olga' } }]);
  expect((await list('shares.list', { text: box })).total).toBe(0);
  for (const person of ['ben', 'sam'] as const) {
    expect((await household.as(person).get('files/browse', { path: through })).status).toBe(404);
  }
});

it('albums are listed with whom they are shared, found by title and names, and their sharing ends with an event', async () => {
  const { olga, ben, sam } = household.ids;
  await household.put(`${box}/1.jpg`, `${box}/2.jpg`);
  const as = (person: 'olga' | 'ben') => household.as(person);
  const { album } = (await as('olga').post('albums/add', { title: 'Müller’s wedding' })).body.data;
  const items = JSON.stringify(['1', '2'].map((name) => ({ path: `${HOME}/${box}/${name}.jpg` })));
  expect((await as('olga').post('albums/items/add', { album, items })).status).toBe(200);
  expect((await as('olga').post('albums/share', { album, uid: ben, role: 'contribute' })).status).toBe(200);
  expect((await as('olga').post('albums/share', { album, uid: sam, role: 'view' })).status).toBe(200);
  const shared = async (query = {}) =>
    (await household.control('albumShares.list', query)) as unknown as {
      shares: { id: number; title: string; with: { name: string }; role: string }[];
      next: number | null;
      total: number;
    };
  const { shares, total } = await shared();
  expect([total, shares.map(({ role }) => role)]).toEqual([2, ['view', 'contribute']]);
  expect(shares[1]).toMatchObject({
    title: 'Müller’s wedding',
    items: 2,
    by: { id: olga, username: 'olga' },
    with: { kind: 'user' },
  });
  const first = await shared({ limit: 1 });
  expect((await shared({ limit: 1, before: first.next })).shares).toEqual([shares[1]]);
  const bens = shares[1]?.with.name ?? '';
  expect((await shared({ text: 'muller' })).total).toBe(2);
  expect((await shared({ text: bens })).shares).toEqual([shares[1]]);
  expect((await shared({ text: 'no album of this name' })).total).toBe(0);
  expect((await shared({ by: ben })).total).toBe(0);
  const id = shares[1]?.id ?? 0;
  const rows = await rowsOf(household, async () => {
    expect(await household.control('albumShares.remove', { ids: [id, id, 999_999] })).toEqual({ removed: 1 });
  });
  expect(rows).toMatchObject([
    { kind: 'album.unshared', username: 'ann', subject: 'Müller’s wedding', details: { of: 'olga', to: bens } },
  ]);
  expect((await as('ben').get('albums/items', { album })).status).toBe(404);
  expect((await shared()).shares).toEqual([shares[0]]);
  expect((await as('olga').get('albums/items', { album })).body.data.total).toBe(2);
});

it('a link to an album is listed with its title, and found by it', async () => {
  await household.put(`${box}/1.jpg`);
  const { album } = (await household.as('olga').post('albums/add', { title: 'Summer in Malmö' })).body.data;
  const items = JSON.stringify([{ path: `${HOME}/${box}/1.jpg` }]);
  expect((await household.as('olga').post('albums/items/add', { album, items })).status).toBe(200);
  expect((await household.as('olga').post('albums/link', { album })).status).toBe(200);
  expect((await list('links.list', { text: 'malmo' })).links).toMatchObject([{ album: 'Summer in Malmö', items: 1 }]);
});

it('the counts of an album and of a link to it are of what people see', async () => {
  const olga = household.as('olga');
  await household.put(`${box}/1.jpg`, `${box}/sub/2.jpg`, `${box}/sub/3.jpg`);
  const { album } = (await olga.post('albums/add', { title: `Counted ${box}` })).body.data;
  const paths = ['1', 'sub/2', 'sub/3'].map((name) => ({ path: `${HOME}/${box}/${name}.jpg` }));
  expect((await olga.post('albums/items/add', { album, items: JSON.stringify(paths) })).status).toBe(200);
  expect((await olga.post('albums/share', { album, uid: household.ids.ben, role: 'view' })).status).toBe(200);
  expect((await olga.post('albums/link', { album })).status).toBe(200);
  const counts = async () => {
    const { shares } = await list('albumShares.list', { text: `Counted ${box}` });
    const { links } = await list('links.list', { text: `Counted ${box}` });
    return [...shares, ...links];
  };
  expect(await counts()).toMatchObject([{ items: 3 }, { items: 3 }]);
  await olga.post('files/delete', { path: paths[1]?.path ?? '' });
  expect(await counts()).toMatchObject([{ items: 2 }, { items: 2 }]);
  await olga.post('files/delete', { path: `${HOME}/${box}/sub` });
  expect(await counts()).toMatchObject([{ items: 1 }, { items: 1 }]);
  await olga.post('files/delete', { path: paths[0]?.path ?? '' });
  expect(await counts()).toMatchObject([{ items: 0 }, { items: 0 }]);
});
