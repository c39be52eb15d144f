import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { insertRoots, rootId } from '../../dist/server/catalogue/items.js';
import { photoIndexOf, photosFrom, photosOfDays, photoTimeline } from '../../dist/server/catalogue/photos.js';
import { Connection } from '../../dist/server/database/connection.js';
import type { Database } from '../../dist/server/database/database.js';
import { openMigrated } from '../support/households/household-template.ts';

let folder: string;
let database: Database;
const all = vi.spyOn(Connection.prototype, 'all');

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'larder-photos-'));
  database = await openMigrated(join(folder, 'larder.sqlite'), join(folder, 'backups'));
});
afterAll(async () => {
  vi.restoreAllMocks();
  await database.close();
  await rm(folder, { recursive: true });
});

let homes = 0;

/** A home with some folders. @returns its id, and the ids of its roots and folders */
async function newHome(folders = 3) {
  const id = `home ${++homes}`;
  return database.write(async (tx) => {
    await tx.run('INSERT INTO homes (id, path, created_at) VALUES (?, ?, 0)', [id, id]);
    await insertRoots(tx, id);
    const [files, trash] = [await rootId(tx, id, ''), await rootId(tx, id, 'trash')];
    const ids: number[] = [];
    for (let index = 0; index < folders; index += 1) {
      const [row] = await tx.all<{ id: number }>(
        "INSERT INTO items (uuid, home_id, parent_id, name, is_dir, size, mtime, identity) VALUES (?, ?, ?, ?, 1, 0, 0, '') RETURNING id",
        [`${id} folder ${index}`, id, files, `folder ${index}`],
      );
      ids.push(row?.id ?? 0);
    }
    return { id, files, trash, folders: ids };
  });
}

interface File {
  readonly parent: number;
  readonly name: string;
  readonly kind: string;
  readonly mtime: number;
}

async function add(homeId: string, { parent, name, kind, mtime }: File): Promise<number> {
  return database.write(async (tx) => {
    const [row] = await tx.all<{ id: number }>(
      `INSERT INTO items (uuid, home_id, parent_id, name, is_dir, size, mtime, identity, kind)
       VALUES (lower(hex(randomblob(16))), ?, ?, ?, 0, 1, ?, '', ?) RETURNING id`,
      [homeId, parent, name, mtime, kind],
    );
    return row?.id ?? 0;
  });
}

const set = (sql: string, params: (string | number | null)[]) => database.write((tx) => tx.run(sql, params));

/** The local time of a moment, in milliseconds as if it were UTC. */
const localOf = (moment: number) => moment - new Date(moment).getTimezoneOffset() * 60_000;

async function everyPhoto(homeId: string) {
  return photosFrom(database, homeId, await photoTimeline(database, homeId), 0, 1_000);
}

const DAYS = 86_400_000;
const KINDS = ['image', 'raw', 'video', 'audio', 'text'];

type Step =
  | {
      readonly do: 'add';
      readonly folder: number;
      readonly kind: string;
      readonly day: number;
      readonly hidden: boolean;
    }
  | { readonly do: 'take'; readonly file: number; readonly day: number | null; readonly local: boolean }
  | { readonly do: 'touch'; readonly file: number; readonly day: number }
  | { readonly do: 'miss' | 'find' | 'erase'; readonly file: number }
  | { readonly do: 'kind'; readonly file: number; readonly kind: string }
  | { readonly do: 'move'; readonly file: number; readonly folder: number }
  | { readonly do: 'trash' | 'restore'; readonly folder: number };

const file = fc.nat(30);
const day = fc.integer({ min: -9_000, max: 30_000 });
const kind = fc.constantFrom(...KINDS);
const inFolder = fc.nat(2);
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant('add' as const), folder: inFolder, kind, day, hidden: fc.boolean() }),
  },
  fc.record({ do: fc.constant('take' as const), file, day: fc.option(day), local: fc.boolean() }),
  fc.record({ do: fc.constant('touch' as const), file, day }),
  fc.record({ do: fc.constantFrom('miss' as const, 'find' as const, 'erase' as const), file }),
  fc.record({ do: fc.constant('kind' as const), file, kind }),
  fc.record({ do: fc.constant('move' as const), file, folder: inFolder }),
  fc.record({ do: fc.constantFrom('trash' as const, 'restore' as const), folder: inFolder }),
);

async function take(step: Step, home: Awaited<ReturnType<typeof newHome>>, ids: number[]): Promise<void> {
  const parent = 'folder' in step ? (home.folders[step.folder] ?? 0) : 0;
  const id = 'file' in step ? (ids[step.file % Math.max(1, ids.length)] ?? 0) : 0;
  // An hour apart from midnight, so that the day depends on the time zone.
  const moment = 'day' in step && step.day !== null ? step.day * DAYS + 23 * 3_600_000 : null;
  if (step.do === 'add') {
    const name = `${step.hidden ? '._' : ''}file ${ids.length}`;
    ids.push(await add(home.id, { parent, name, kind: step.kind, mtime: moment ?? 0 }));
  } else if (step.do === 'take') {
    const local = step.local && moment !== null ? moment - 7_200_000 : null;
    await set('UPDATE items SET taken = ?, taken_local = ? WHERE id = ?', [moment, local, id]);
  } else if (step.do === 'touch') await set('UPDATE items SET mtime = ? WHERE id = ?', [moment, id]);
  else if (step.do === 'erase') await set('DELETE FROM items WHERE id = ?', [id]);
  else if (step.do === 'kind') await set('UPDATE items SET kind = ? WHERE id = ?', [step.kind, id]);
  else if (step.do === 'move') await set('UPDATE items SET parent_id = ? WHERE id = ?', [parent, id]);
  else if (step.do === 'trash' || step.do === 'restore') {
    await set('UPDATE items SET parent_id = ? WHERE id = ?', [step.do === 'trash' ? home.trash : home.files, parent]);
  } else await set('UPDATE items SET missing_since = ? WHERE id = ?', [step.do === 'miss' ? 1 : null, id]);
}

/** The photos and films as their rows say it, without any of the tables that are kept for them. */
async function expected(home: Awaited<ReturnType<typeof newHome>>) {
  const rows = await database.all<{ id: number; kind: string; taken: number; taken_local: number; mtime: number }>(
    `SELECT i.* FROM items i JOIN items f ON f.id = i.parent_id
     WHERE i.home_id = ? AND f.parent_id = ? AND i.missing_since IS NULL AND i.kind IN ('image', 'raw', 'video')
       AND i.name NOT LIKE '.%'`,
    [home.id, home.files],
  );
  return rows
    .map(({ id, kind, taken, taken_local: own, mtime }) => ({
      id,
      isFilm: kind === 'video',
      local: taken === null ? localOf(mtime) : (own ?? localOf(taken)),
    }))
    .sort((a, b) => b.local - a.local || b.id - a.id);
}

it('counts by month and finds existing photos after every kind of change', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40 }), async (steps) => {
      const home = await newHome();
      const ids: number[] = [];
      for (const one of steps) await take(one, home, ids);
      const wanted = await expected(home);
      const timeline = await photoTimeline(database, home.id);
      const months = new Map<string, { photos: number; films: number }>();
      for (const { local, isFilm } of wanted) {
        const month = new Date(local).toISOString().slice(0, 7);
        const sum = months.get(month) ?? { photos: 0, films: 0 };
        months.set(month, { photos: sum.photos + (isFilm ? 0 : 1), films: sum.films + (isFilm ? 1 : 0) });
      }
      expect(timeline.months).toEqual([...months].map(([month, sums]) => ({ month, ...sums })));
      expect(timeline.total).toBe(wanted.length);
      const found = await photosFrom(database, home.id, timeline, 0, 1_000);
      expect(found.map(({ item, local }) => [item.id, local])).toEqual(wanted.map(({ id, local }) => [id, local]));
      // From any place, and back from there.
      for (const start of [1, Math.floor(wanted.length / 2)].filter((at) => at < wanted.length)) {
        const [photo] = await photosFrom(database, home.id, timeline, start, 1);
        expect(photo?.item.id).toBe(wanted[start]?.id);
        expect(await photoIndexOf(database, home.id, timeline, photo?.item.id ?? 0)).toBe(start);
      }
      await set('DELETE FROM homes WHERE id = ?', [home.id]);
      expect(await database.all('SELECT * FROM photo_counts WHERE home_id = ?', [home.id])).toEqual([]);
    }),
    { numRuns: 60 },
  );
});

it('dates outside of the calendar do not prevent a file from being recorded', async () => {
  const home = await newHome(1);
  for (const mtime of [Number.MIN_SAFE_INTEGER, -1, 0, Number.MAX_SAFE_INTEGER]) {
    await add(home.id, { parent: home.folders[0] ?? 0, name: `${mtime}.jpg`, kind: 'image', mtime });
  }
  const found = await everyPhoto(home.id);
  expect(found.map(({ item }) => item.mtime)).toEqual([Number.MAX_SAFE_INTEGER, 0, -1, Number.MIN_SAFE_INTEGER]);
  const { months } = await photoTimeline(database, home.id);
  expect([months[0]?.month, months.at(-1)?.month]).toEqual(['9999-12', '1800-01']);
});

it('finds photos of a day in several years, with the last of each', async () => {
  const home = await newHome(1);
  const parent = home.folders[0] ?? 0;
  const at = async (name: string, local: number, kind = 'image') => {
    const id = await add(home.id, { parent, name, kind, mtime: 0 });
    await set('UPDATE items SET taken = ?1, taken_local = ?1 WHERE id = ?2', [local, id]);
  };
  await at('noon.jpg', Date.UTC(2020, 5, 12, 12));
  await at('morning.jpg', Date.UTC(2020, 5, 12, 8));
  await at('film.mp4', Date.UTC(2020, 5, 12, 23, 59, 59, 999), 'video');
  await at('day after.jpg', Date.UTC(2020, 5, 13));
  await at('other year.jpg', Date.UTC(2018, 5, 12));
  const timeline = await photoTimeline(database, home.id);
  const days = [2021, 2020, 2019, 2018].map((year) => Date.UTC(year, 5, 12));
  const found = await photosOfDays(database, home.id, timeline, days);
  expect(found.map(({ day: when, photos, films, last }) => [when, photos, films, last.item.name])).toEqual([
    [Date.UTC(2020, 5, 12), 2, 1, 'film.mp4'],
    [Date.UTC(2018, 5, 12), 1, 0, 'other year.jpg'],
  ]);
});

it('reads by an index, in its order, and sums by folder', async () => {
  const home = await newHome(1);
  const id = await add(home.id, { parent: home.folders[0] ?? 0, name: 'a.jpg', kind: 'image', mtime: 1 });
  all.mockClear();
  const timeline = await photoTimeline(database, home.id);
  await photosFrom(database, home.id, timeline, 0, 100);
  await photoIndexOf(database, home.id, timeline, id);
  await photosOfDays(database, home.id, timeline, [0, DAYS]);
  const statements = all.mock.calls.filter(([sql]) => /FROM photo|photos/.test(sql));
  expect(statements).toHaveLength(5);
  const plans = new Map<string, string>();
  for (const [sql, params] of statements) {
    const plan = await database.all<{ detail: string }>(`EXPLAIN QUERY PLAN ${sql}`, params ?? []);
    plans.set(sql, plan.map(({ detail }) => detail).join('\n'));
  }
  for (const [sql, plan] of plans) {
    expect(plan, sql).not.toMatch(/SCAN photo/);
    if (sql.includes('ORDER BY local')) {
      expect(plan).toMatch(/SEARCH photos USING COVERING INDEX photos_time \(home_id=\? AND local<\?\)/);
      expect(plan).not.toMatch(/TEMP B-TREE/);
    }
  }
});
