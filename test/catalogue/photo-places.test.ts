import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { insertRoots, rootId } from '../../dist/server/catalogue/items.js';
import { createPhotoMap, photoClusters, photosWithin } from '../../dist/server/catalogue/photo-places.js';
import { createPhotoTimelines, photoTimeline } from '../../dist/server/catalogue/photos.js';
import { Connection } from '../../dist/server/database/connection.js';
import type { Database } from '../../dist/server/database/database.js';
import { openMigrated } from '../support/households/household-template.ts';

let folder: string;
let database: Database;
let shown: number;
let trashed: number;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'larder-photo-places-'));
  database = await openMigrated(join(folder, 'larder.sqlite'), join(folder, 'backups'));
  await database.write(async (tx) => {
    for (const home of ['home', 'other home']) {
      await tx.run('INSERT INTO homes (id, path, created_at) VALUES (?1, ?1, 0)', [home]);
      await insertRoots(tx, home);
    }
  });
  shown = await add('home', await rootOf('home', ''), 'Shown', null);
  trashed = await add('home', await rootOf('home', 'trash'), 'Trashed', null);
  await add('home', shown, 'munich.jpg', [48.13, 11.57], 1);
  await add('home', shown, 'near munich.jpg', [48.2, 11.6], 3);
  await add('home', shown, 'sydney.jpg', [-33.8, 151.2], 2);
  await add('home', shown, 'nowhere.jpg', null, 4);
  await add('home', trashed, 'in the trash.jpg', [48.1, 11.5], 5);
  await add('other home', await rootOf('other home', ''), 'of another.jpg', [48.1, 11.5], 6);
});
afterAll(async () => {
  vi.restoreAllMocks();
  await database.close();
  await rm(folder, { recursive: true });
});

const rootOf = (home: string, name: '' | 'trash') => database.write((tx) => rootId(tx, home, name));

/** A photo, or a folder if it has no time. */
async function add(
  home: string,
  parent: number,
  name: string,
  place: readonly [number, number] | null,
  taken: number | null = null,
): Promise<number> {
  return database.write(async (tx) => {
    const [row] = await tx.all<{ id: number }>(
      `INSERT INTO items (uuid, home_id, parent_id, name, is_dir, size, mtime, identity, kind, taken, taken_local)
       VALUES (?1 || ?2, ?1, ?3, ?2, ?4, 1, 0, ?2, ?5, ?6, ?6) RETURNING id`,
      [home, name, parent, taken === null ? 1 : 0, taken === null ? 'folder' : 'image', taken],
    );
    const id = row?.id ?? 0;
    if (place !== null) await tx.run('INSERT INTO embedded_places VALUES (?, ?, ?)', [id, ...place]);
    return id;
  });
}

const WORLD = { west: -180, south: -90, east: 180, north: 90 };
const timeline = () => photoTimeline(database, 'home');

it('groups photos that are near each other, without those in the trash or of others', async () => {
  const clusters = await photoClusters(database, 'home', await timeline(), WORLD, 50);
  expect(
    clusters.map(({ count, latitude, longitude }) => [count, Math.round(latitude), Math.round(longitude)]),
  ).toEqual([
    [2, 48, 12],
    [1, -34, 151],
  ]);
  const apart = await photoClusters(database, 'home', await timeline(), { ...WORLD, south: 0 }, 0.05);
  expect(apart.map(({ count }) => count)).toEqual([1, 1]);
});

it('groups photos on both sides of the 180th meridian in one area', async () => {
  const fiji = await add('home', shown, 'Fiji', null);
  await add('home', fiji, 'west of it.jpg', [-17, 178.5], 7);
  await add('home', fiji, 'east of it.jpg', [-17, -179.5], 8);
  await add('home', fiji, 'on it.jpg', [-17, 180], 9);
  const clustersIn = async (west: number, east: number, cell: number) => {
    const area = { west, south: -20, east, north: -10 };
    const found = await photoClusters(database, 'home', await timeline(), area, cell);
    return found.map((one) => [one.count, one.area.west, one.area.east]).sort();
  };
  // From both sides, and each photo once.
  expect(await clustersIn(175, 185, 36)).toEqual([
    [1, 178.5, 178.5],
    [2, 180, 180.5],
  ]);
  expect(await clustersIn(-185, -175, 36)).toEqual([
    [1, -181.5, -181.5],
    [2, -180, -179.5],
  ]);
  const area = { west: 175, south: -20, east: 185, north: -10 };
  const names = (await photosWithin(database, 'home', await timeline(), area, 10)).map(({ item }) => item.name);
  expect(names).toEqual(['on it.jpg', 'east of it.jpg', 'west of it.jpg']);
  await database.write((tx) => tx.run('DELETE FROM items WHERE parent_id = ?', [fiji]));
});

it('reads a view again only after a change, and never returns that of another home', async () => {
  const map = createPhotoMap(database, createPhotoTimelines(database));
  const all = vi.spyOn(Connection.prototype, 'all');
  const reads = () => all.mock.calls.filter(([sql]) => sql.includes('FROM photo_places')).length;
  const countsOf = async (home: string) => (await map(home, WORLD, 50)).map(({ count }) => count);
  expect(await countsOf('home')).toEqual([2, 1]);
  expect(await countsOf('home')).toEqual([2, 1]);
  expect(reads()).toBe(1);
  expect(await countsOf('other home')).toEqual([1]);
  expect(reads()).toBe(2);
  // Another view is another one.
  await map('home', { ...WORLD, south: 0 }, 50);
  expect(reads()).toBe(3);
  const added = await add('home', shown, 'another of sydney.jpg', [-33.7, 151.1], 10);
  expect(await countsOf('home')).toEqual([2, 2]);
  await database.write((tx) => tx.run('UPDATE items SET parent_id = ? WHERE id = ?', [trashed, added]));
  expect(await countsOf('home')).toEqual([2, 1]);
  await database.write((tx) => tx.run('DELETE FROM items WHERE id = ?', [added]));
  vi.restoreAllMocks();
});

it('finds the newest photo of an area', async () => {
  const area = { west: 11, south: 48, east: 12, north: 49 };
  const names = async (limit: number) =>
    (await photosWithin(database, 'home', await timeline(), area, limit)).map(({ item }) => item.name);
  expect(await names(10)).toEqual(['near munich.jpg', 'munich.jpg']);
  expect(await names(1)).toEqual(['near munich.jpg']);
});

it('reads an area by an index', async () => {
  const all = vi.spyOn(Connection.prototype, 'all');
  const known = await timeline();
  all.mockClear();
  await photoClusters(database, 'home', known, WORLD, 50);
  await photosWithin(database, 'home', known, WORLD, 10);
  const statements = all.mock.calls.filter(([sql]) => sql.includes('photo_places'));
  expect(statements).toHaveLength(2);
  for (const [sql, params] of statements) {
    const plan = (await database.all<{ detail: string }>(`EXPLAIN QUERY PLAN ${sql}`, params)).map(
      ({ detail }) => detail,
    );
    expect(plan.join('\n')).toMatch(
      /SEARCH photo_places USING COVERING INDEX photo_places_area \(home_id=\? AND latitude>\? AND latitude<\?\)/,
    );
  }
});
