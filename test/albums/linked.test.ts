import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { WebVisitor } from '../support/browser/web-visitor.ts';
import { homeOf } from '../support/households/member.ts';
import type { ApiClient } from '../support/requests/api-client.ts';
import { openSharingHousehold, outcome, type SharingHousehold } from '../support/requests/sharing.ts';
import { putPhoto, uuidOf } from './support.ts';

let household: SharingHousehold;
let olga: ApiClient;
let album = '';

beforeAll(async () => {
  household = await openSharingHousehold();
  olga = household.as('olga');
  for (const [index, name] of ['lake.svg', 'hut.svg'].entries())
    await putPhoto(homeOf(household, 'olga'), name, index + 1);
});
afterAll(() => household.close());

beforeEach(async () => {
  album = (await olga.post('albums/add', { title: 'Summer' })).body.data.album;
  await add('lake.svg');
});

const add = async (name: string) => {
  const items = JSON.stringify([{ uuid: await uuidOf(olga, `/ROOT/HOME/${name}`) }]);
  expect((await olga.post('albums/items/add', { album, items })).status).toBe(200);
};
const link = (options: Record<string, string | number> = {}) => olga.post('albums/link', { album, ...options });
const links = async () => (await olga.get('albums/links', { album })).body.data.links;

/** What a visitor sees at an address. */
async function visited(url: string): Promise<{ status: number; text: string }> {
  const { status, text } = await new WebVisitor(household).get(url.slice(url.indexOf('/wl/')));
  return { status, text };
}

it('the link of an album is made once, and follows the album', async () => {
  const made = await link({ notify: 1 });
  expect(made.body.data).toMatchObject({ status: 'created', options_applied: true });
  const { url } = made.body.data;
  expect((await visited(url)).text).toContain('lake.svg');
  await add('hut.svg');
  expect((await visited(url)).text).toContain('hut.svg');
  expect((await link({ notify: 0 })).body.data).toEqual({ status: 'existing', url, options_applied: false });
  expect(await links()).toMatchObject([{ url, notify: true, allow_uploads: false }]);
});

it('an album can have several links, each with its own expiry', async () => {
  const { url } = (await link()).body.data;
  const others = [
    await link({ temporary: 1 }),
    await link({ singleDownload: 1 }),
    await link({ expiry: '2099-01-01 00:00:00', password: 'plum jam' }),
    await link({ download_limit: 3 }),
  ].map(({ body }) => body.data);
  expect(others.map(({ status }) => status)).toEqual(['created', 'created', 'created', 'created']);
  expect((await link()).body.data).toMatchObject({ status: 'existing', url });
  expect((await links()).map((one: { url: string }) => one.url)).toEqual(
    [...others.reverse(), { url }].map((one) => one.url),
  );
  expect((await links())[1]).toMatchObject({ expiry: '2099-01-01 00:00:00', password: true });
});

it('a link of an album is ended alone, with all others, and with the album', async () => {
  const [first, second] = [(await link()).body.data.url, (await link({ temporary: 1 })).body.data.url];
  const idOf = (url: string) => new URL(url).searchParams.get('id') ?? '';
  expect((await olga.post('albums/unlink', { album, id: idOf(second) })).body.data).toEqual({
    removed: [idOf(second)],
  });
  expect((await visited(second)).status).toBe(404);
  expect((await visited(first)).status).toBe(200);
  expect(outcome(await olga.post('albums/unlink', { album, id: idOf(second) }))).toEqual([409, 'no_weblink']);
  expect((await olga.post('albums/unlink', { album })).body.data).toEqual({ removed: [idOf(first)] });
  expect((await visited(first)).status).toBe(404);
  expect(await links()).toEqual([]);
  const { url } = (await link()).body.data;
  expect((await olga.post('albums/delete', { album })).status).toBe(200);
  expect((await visited(url)).status).toBe(404);
});

it('a link requires an own album with photos, and accepts no files', async () => {
  expect(outcome(await olga.post('albums/link', { album: 'favourites' }))).toEqual([400, 'invalid_parameter']);
  const empty = (await olga.post('albums/add', { title: 'Empty' })).body.data.album;
  expect(outcome(await olga.post('albums/link', { album: empty }))).toEqual([409, 'conflict']);
  expect(outcome(await household.as('ben').post('albums/link', { album }))).toEqual([404, 'not_found']);
  expect((await link({ allow_uploads: 1 })).status).toBe(200);
  expect(await links()).toMatchObject([{ allow_uploads: false }]);
});
