import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { insertRoots, rootId } from '../../dist/server/catalogue/items.js';
import { partsOfPhotos, photoIndexOf, photosFrom, photoTimeline } from '../../dist/server/catalogue/photos.js';
import { Connection } from '../../dist/server/database/connection.js';
import type { Database } from '../../dist/server/database/database.js';
import { openMigrated } from '../support/households/household-template.ts';

let folder: string;
let database: Database;
const all = vi.spyOn(Connection.prototype, 'all');

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'larder-photo-groups-'));
  database = await openMigrated(join(folder, 'larder.sqlite'), join(folder, 'backups'));
});
afterAll(async () => {
  vi.restoreAllMocks();
  await database.close();
  await rm(folder, { recursive: true });
});

const set = (sql: string, params: (string | number | null)[]) => database.write((tx) => tx.run(sql, params));

let homes = 0;

/** A home with two folders, in which files are made. */
async function newHome() {
  const id = `home ${++homes}`;
  const folders = await database.write(async (tx) => {
    await tx.run('INSERT INTO homes (id, path, created_at) VALUES (?, ?, 0)', [id, id]);
    await insertRoots(tx, id);
    const files = await rootId(tx, id, '');
    const ids: number[] = [];
    for (const name of ['one', 'other']) {
      const [row] = await tx.all<{ id: number }>(
        "INSERT INTO items (uuid, home_id, parent_id, name, is_dir, size, mtime, identity) VALUES (?, ?, ?, ?, 1, 0, 0, '') RETURNING id",
        [`${id} ${name}`, id, files, name],
      );
      ids.push(row?.id ?? 0);
    }
    return ids;
  });
  const kindOf = (name: string) => (/\.(mov|mp4)$/i.test(name) ? 'video' : 'image');
  return {
    id,
    folders,
    async add(name: string, inFolder = 0, local = 0): Promise<number> {
      const [row] = await database.write((tx) =>
        tx.all<{ id: number }>(
          `INSERT INTO items (uuid, home_id, parent_id, name, is_dir, size, mtime, identity, kind, taken, taken_local)
           VALUES (lower(hex(randomblob(16))), ?1, ?2, ?3, 0, 1, 0, '', ?4, ?5, ?5) RETURNING id`,
          [id, folders[inFolder] ?? 0, name, kindOf(name), local],
        ),
      );
      return row?.id ?? 0;
    },
    async tell(item: number, { pair = null, burst = null, length = null }: Told): Promise<void> {
      await set('INSERT OR REPLACE INTO embedded_groups VALUES (?, ?, ?, ?)', [item, pair, burst, length]);
    },
    /** Each tile, with the names of what is part of it; and how many photos and films are counted. */
    async shown(): Promise<{ tiles: string[]; counted: [number, number] }> {
      const timeline = await photoTimeline(database, id);
      const found = await photosFrom(database, id, timeline, 0, 1_000);
      const parts = await partsOfPhotos(
        database,
        found.map(({ item }) => item.id),
      );
      const tiles = found.map(({ item }) =>
        [
          item.name,
          ...(parts.get(item.id) ?? []).map(({ name, filmOf }) => (filmOf === null ? name : `${name} of ${filmOf}`)),
        ].join(', '),
      );
      const counted = timeline.months.reduce<[number, number]>(
        ([photos, films], month) => [photos + month.photos, films + month.films],
        [0, 0],
      );
      expect(found).toHaveLength(timeline.total);
      return { tiles: tiles.sort(), counted };
    },
  };
}

interface Told {
  readonly pair?: string | null;
  readonly burst?: string | null;
  readonly length?: number | null;
}

it('shows a photo and its film as one if they have the same identifier, with any names', async () => {
  const home = await newHome();
  const still = await home.add('IMG_1.HEIC');
  const film = await home.add('film.MOV');
  await home.tell(film, { pair: 'A', length: 3_000 });
  expect((await home.shown()).tiles).toEqual(['IMG_1.HEIC', 'film.MOV']);
  await home.tell(still, { pair: 'A' });
  expect(await home.shown()).toEqual({ tiles: ['IMG_1.HEIC, film.MOV of IMG_1.HEIC'], counted: [1, 0] });
  // Its identifier decides, even if the name is the same.
  await set("UPDATE items SET name = 'IMG_1.MOV' WHERE id = ?", [film]);
  await home.tell(film, { pair: 'B', length: 3_000 });
  expect(await home.shown()).toEqual({ tiles: ['IMG_1.HEIC', 'IMG_1.MOV'], counted: [1, 1] });
});

it('goes by the name only for a short film beside the photo, taken at that time', async () => {
  const home = await newHome();
  const still = await home.add('IMG_1.JPG');
  const film = await home.add('IMG_1.mov');
  const together = ['IMG_1.JPG, IMG_1.mov of IMG_1.JPG'];
  const apart = ['IMG_1.JPG', 'IMG_1.mov'];
  const shown = async () => (await home.shown()).tiles;
  expect(await shown()).toEqual(apart);
  await home.tell(film, { length: 5_001 });
  expect(await shown()).toEqual(apart);
  await home.tell(film, { length: 2_900 });
  expect(await shown()).toEqual(together);
  await home.tell(still, { pair: 'A' });
  expect(await shown()).toEqual(together);
  await set('UPDATE items SET taken = ? WHERE id = ?', [3 * 86_400_000, film]);
  expect(await shown()).toEqual(apart);
  await set('UPDATE items SET taken = NULL WHERE id = ?', [film]);
  expect(await shown()).toEqual(together);
  await set("UPDATE items SET name = 'IMG_2.mov' WHERE id = ?", [film]);
  expect((await shown()).sort()).toEqual(['IMG_1.JPG', 'IMG_2.mov']);
  await set("UPDATE items SET name = 'IMG_2.JPG' WHERE id = ?", [still]);
  expect(await shown()).toEqual(['IMG_2.JPG, IMG_2.mov of IMG_2.JPG']);
  await set('UPDATE items SET parent_id = ? WHERE id = ?', [home.folders[1] ?? 0, still]);
  expect(await shown()).toEqual(['IMG_2.JPG', 'IMG_2.mov']);
  await set('UPDATE items SET parent_id = ? WHERE id = ?', [home.folders[1] ?? 0, film]);
  expect(await shown()).toEqual(['IMG_2.JPG, IMG_2.mov of IMG_2.JPG']);
  await set('UPDATE items SET missing_since = 1 WHERE id = ?', [still]);
  expect(await home.shown()).toEqual({ tiles: ['IMG_2.mov'], counted: [0, 1] });
});

it('shows a burst as one, by its identifier or the names of Android, with the selected photo', async () => {
  const home = await newHome();
  for (const [index, name] of ['IMG_1.JPG', 'IMG_2.JPG', 'IMG_3.JPG'].entries())
    await home.tell(await home.add(name, 0, 5 - index), { burst: 'A' });
  await home.add('IMG_20190101_120000_BURST001.jpg', 0, 1);
  await home.add('IMG_20190101_120000_BURST002_COVER.jpg', 0, 2);
  await home.add('IMG_20190101_120000_BURST003.jpg', 0, 3);
  await home.add('00000IMG_00000_BURST20190101120000123.jpg', 0, 1);
  await home.add('00001IMG_00001_BURST20190101120000123_COVER.jpg', 0, 2);
  // Another series, other names, and the same series in another folder.
  await home.add('IMG_20190101_120001_BURST001.jpg');
  for (const name of ['BURST.jpg', 'IMG_BURSTING.jpg', 'IMG_1_BURST123456.jpg', 'IMG_1_BURST1a.jpg'])
    await home.add(name);
  await home.add('IMG_20190101_120000_BURST004.jpg', 1);
  expect(await home.shown()).toEqual({
    tiles: [
      '00001IMG_00001_BURST20190101120000123_COVER.jpg, 00000IMG_00000_BURST20190101120000123.jpg',
      'BURST.jpg',
      'IMG_1_BURST123456.jpg',
      'IMG_1_BURST1a.jpg',
      'IMG_20190101_120000_BURST002_COVER.jpg, IMG_20190101_120000_BURST001.jpg, IMG_20190101_120000_BURST003.jpg',
      'IMG_20190101_120000_BURST004.jpg',
      'IMG_20190101_120001_BURST001.jpg',
      'IMG_3.JPG, IMG_2.JPG, IMG_1.JPG',
      'IMG_BURSTING.jpg',
    ],
    counted: [9, 0],
  });
});

it('finds the position of an item within a burst', async () => {
  const home = await newHome();
  await home.add('other.jpg', 0, 10);
  const first = await home.add('IMG_1.JPG', 0, 1);
  const second = await home.add('IMG_2.JPG', 0, 2);
  const film = await home.add('IMG_2.MOV', 0, 3);
  await home.tell(first, { burst: 'A' });
  await home.tell(second, { burst: 'A' });
  await home.tell(film, { length: 1_000 });
  expect((await home.shown()).tiles).toEqual(['IMG_1.JPG, IMG_2.JPG, IMG_2.MOV of IMG_2.JPG', 'other.jpg']);
  const timeline = await photoTimeline(database, home.id);
  for (const id of [first, second, film]) expect(await photoIndexOf(database, home.id, timeline, id)).toBe(1);
});

const NAMES = [
  'a.jpg',
  'a.heic',
  'a.mov',
  'b.jpg',
  'b.MOV',
  'c_BURST1.jpg',
  'c_BURST2.jpg',
  'c_BURST3_COVER.jpg',
  'c_BURST2.mp4',
];
const id = fc.nat(30);
const step = fc.oneof(
  fc.record({ do: fc.constant('add' as const), name: fc.constantFrom(...NAMES), folder: fc.nat(1), day: fc.nat(80) }),
  fc.record({
    do: fc.constant('tell' as const),
    id,
    pair: fc.option(fc.constantFrom('A', 'B')),
    burst: fc.option(fc.constantFrom('A', 'B')),
    length: fc.option(fc.constantFrom(3_000, 9_000)),
  }),
  fc.record({ do: fc.constant('place' as const), id, at: fc.option(fc.integer({ min: -90, max: 90 })) }),
  fc.record({ do: fc.constant('take' as const), id, day: fc.option(fc.nat(80)) }),
  fc.record({ do: fc.constantFrom('miss' as const, 'find' as const, 'erase' as const), id }),
  fc.record({ do: fc.constant('move' as const), id, folder: fc.nat(1) }),
);

it('groups items in the same way in every order of events', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40 }), async (steps) => {
      const home = await newHome();
      const ids: number[] = [];
      const of = (index: number) => ids[index % Math.max(1, ids.length)] ?? 0;
      for (const one of steps) {
        const parent = 'folder' in one ? (home.folders[one.folder] ?? 0) : 0;
        // A name may be taken.
        if (one.do === 'add') {
          const taken = await database.get('SELECT 1 AS one FROM items WHERE parent_id = ? AND name = ?', [
            parent,
            one.name,
          ]);
          if (taken === undefined) ids.push(await home.add(one.name, one.folder, one.day * 86_400_000));
        } else if (ids.length === 0) continue;
        else if (one.do === 'tell') {
          const there = await database.get('SELECT 1 AS one FROM items WHERE id = ?', [of(one.id)]);
          if (there !== undefined) await home.tell(of(one.id), one);
        } else if (one.do === 'place') {
          if (one.at === null) await set('DELETE FROM embedded_places WHERE item_id = ?', [of(one.id)]);
          else
            await set(
              `INSERT INTO embedded_places SELECT id, ?1, ?1 FROM items WHERE id = ?2
               ON CONFLICT DO UPDATE SET latitude = excluded.latitude, longitude = excluded.longitude`,
              [one.at, of(one.id)],
            );
        } else if (one.do === 'take')
          await set('UPDATE items SET taken = ?1, taken_local = ?1 WHERE id = ?2', [
            one.day === null ? null : one.day * 86_400_000,
            of(one.id),
          ]);
        else if (one.do === 'erase') await set('DELETE FROM items WHERE id = ?', [of(one.id)]);
        else if (one.do === 'move')
          await set('UPDATE OR IGNORE items SET parent_id = ? WHERE id = ?', [parent, of(one.id)]);
        else await set('UPDATE items SET missing_since = ? WHERE id = ?', [one.do === 'miss' ? 1 : null, of(one.id)]);
      }
      const now = await home.shown();
      const places = 'SELECT item_id, latitude, longitude, folder_id FROM';
      expect(await database.all(`${places} photo_places WHERE home_id = ? ORDER BY item_id`, [home.id])).toEqual(
        await database.all(
          `${places} photos JOIN embedded_places USING (item_id) WHERE home_id = ? AND part_of IS NULL ORDER BY item_id`,
          [home.id],
        ),
      );
      // Everything goes, and comes back in another order.
      await set('UPDATE items SET missing_since = 2 WHERE home_id = ? AND is_dir = 0 AND missing_since IS NULL', [
        home.id,
      ]);
      expect(await database.all('SELECT * FROM photo_counts WHERE home_id = ?', [home.id])).toEqual([]);
      for (const one of [...ids].sort((a, b) => ((a * 7) % 5) - ((b * 7) % 5)))
        await set('UPDATE items SET missing_since = NULL WHERE id = ? AND missing_since = 2', [one]);
      expect(await home.shown()).toEqual(now);
    }),
    { numRuns: 100 },
  );
});

it('reads parts by an index', async () => {
  const home = await newHome();
  const still = await home.add('IMG_1.JPG');
  all.mockClear();
  await partsOfPhotos(database, [still]);
  const [[sql = '', params = []] = []] = all.mock.calls;
  const plan = (await database.all<{ detail: string }>(`EXPLAIN QUERY PLAN ${sql}`, params)).map(
    ({ detail }) => detail,
  );
  expect(plan.filter((line) => /SCAN (photos|p|own|still)\b/.test(line))).toEqual([]);
  expect(plan.join('\n')).toContain('USING INDEX photos_part (part_of=?)');
});
