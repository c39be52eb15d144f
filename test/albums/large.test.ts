import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { Connection } from '../../dist/server/database/connection.js';
import { isFullForm } from '../support/forms.ts';
import { type Household, openHousehold } from '../support/households/household.ts';
import type { ApiClient } from '../support/requests/api-client.ts';
import { eventually } from '../support/system/eventually.ts';

// More than a page of items, which is what matters here.
const PHOTOS = isFullForm ? 10_000 : 300;
/** Files that are written at the same time. */
const TOGETHER = 100;
const FOLDER = '/ROOT/HOME/many';

let household: Household;
let api: ApiClient;
let album = '';
const all = vi.spyOn(Connection.prototype, 'all');

beforeAll(async () => {
  household = await openHousehold();
  // It would begin a minute after the files were written, with such statements as well.
  await household.control('settings.update', { hashingPaused: true });
  api = await household.signIn();
  const folder = join(household.home, 'many');
  await mkdir(folder);
  const name = (index: number) => join(folder, `${String(index).padStart(5, '0')}.png`);
  for (let start = 0; start < PHOTOS; start += TOGETHER)
    await Promise.all(Array.from({ length: TOGETHER }, (_, index) => writeFile(name(start + index), '')));
  const { files } = (await api.get('files/browse', { path: FOLDER, 'details[]': 'uuid' })).body.data;
  expect(files).toHaveLength(PHOTOS);
  album = (await api.post('albums/add', { title: 'Many' })).body.data.album;
  for (let start = 0; start < PHOTOS; start += 1_000) {
    const items = JSON.stringify(files.slice(start, start + 1_000).map(({ uuid }: { uuid: string }) => ({ uuid })));
    expect((await api.post('albums/items/add', { album, items })).status).toBe(200);
  }
  // What reads files in the background has statements with lists of its own.
  await eventually(
    async () => (await household.control('status')).embedded as { waiting: number },
    ({ waiting }) => waiting === 0,
  );
});
afterAll(async () => {
  vi.restoreAllMocks();
  await household?.close();
});

/** The ids that a parameter of a statement lists. */
const listIn = (param: unknown): unknown[][] =>
  typeof param === 'string' && param.startsWith('[') ? [JSON.parse(param)] : [];

it('a page reads only the rows of its items by indexes, whatever the size of the album', async () => {
  all.mockClear();
  const form = { album, start: PHOTOS - 150, limit: 100, 'details[]': ['uuid', 'fileSize'] };
  const { body } = await api.post('albums/items', form);
  expect([body.data.total, body.data.album.photos, body.data.files.length]).toEqual([PHOTOS, PHOTOS, 100]);
  const calls = all.mock.calls.filter(([sql]) => /\b(?:items|photos|album_items)\b/.test(sql));
  const lists = calls.flatMap(([, params]) => (params ?? []).flatMap(listIn));
  expect(Math.max(...lists.map(({ length }) => length))).toBe(100);
  const reader = all.mock.contexts[0] as Connection;
  for (const [sql, params] of new Map(calls.map((call) => [call[0], call] as const)).values()) {
    const plan = await reader.all<{ detail: string }>(`EXPLAIN QUERY PLAN ${sql}`, params ?? []);
    const scans = plan.filter(({ detail }) => /^SCAN (?!up|\w+ VIRTUAL|json_each)/.test(detail));
    expect(scans, sql).toEqual([]);
  }
});

it('the list of albums has the same count, and pages have no gaps', async () => {
  const { albums } = (await api.get('albums/list')).body.data;
  expect(albums.find((one: { album: string }) => one.album === album)).toMatchObject({ photos: PHOTOS });
  const seen = new Set<string>();
  for (let start = 0; start < PHOTOS; start += 1_000) {
    const { files } = (await api.get('albums/items', { album, start })).body.data;
    for (const { path } of files) seen.add(path);
  }
  expect(seen.size).toBe(PHOTOS);
});
