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
