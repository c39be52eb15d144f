import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, statSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import { wrongCounts } from '../../../dist/server/catalogue/storage-use.js';
import { Connection } from '../../../dist/server/database/connection.js';
import { createArea } from '../../../dist/server/storage/homes/create-area.js';
import { lanAddresses } from '../../../dist/server/tls/lan-addresses.js';
import type { ApiClient } from '../requests/api-client.ts';
import { openHomeFolders, signInAs } from './home-folders.ts';
import { type Household, openHousehold } from './household.ts';

const MOVER = fileURLToPath(new URL('./move-between.mjs', import.meta.url));
/** A file system in memory, as a disk other than that of temporary files. */
const OTHER_DISK = '/dev/shm';
export const hasOtherDisk = existsSync(OTHER_DISK) && statSync(OTHER_DISK).dev !== statSync(tmpdir()).dev;

/**
 * The location of Mia's home: within the installation's folder like Ann's, outside of it on the same disk, or on another disk.
 */
export type Where = 'inside' | 'outside' | 'other disk';
export const PLACES: readonly Where[] = hasOtherDisk ? ['inside', 'outside', 'other disk'] : ['inside', 'outside'];

export type Person = 'ann' | 'mia';

export interface Move {
  readonly as?: Person;
  /** The person, and the path from the root of their home. */
  readonly from: readonly [Person, ...string[]];
  readonly to: readonly [Person, ...string[]];
  readonly overwrite?: boolean;
}

export interface Moved {
  readonly results: readonly { path?: string; code?: string; details?: Record<string, unknown> }[];
  /** The events. */
  readonly told: readonly Record<string, unknown>[];
  /** Kinds of journal entries pending at the end. */
  readonly pending: readonly string[];
}

export interface Moves {
  /** Moves in a nested list run concurrently; others one after the other. */
  readonly moves: readonly (Move | readonly Move[])[];
  readonly failPoints?: string;
  /** Whether the reconciler runs meanwhile. */
  readonly reconciler?: boolean;
  /** Runs during the moves. */
  readonly meanwhile?: () => Promise<void>;
  /** Runs when the mover has ended, before the server starts again. */
  readonly afterwards?: () => Promise<void>;
}

/** Two people with a home each; items move between them below the API. */
export interface TwoHomes {
  readonly household: Household;
  readonly roots: Readonly<Record<Person, string>>;
  /** The work area of a home. */
  readonly areas: Readonly<Record<Person, string>>;
  /** The folder on the other disk, or null. */
  readonly disk: string | null;
  /** Of the present start: every start has another port. */
  api(person: Person): ApiClient;
  /** Stops the server and moves. Null when a fail point killed the mover. */
  move(moves: Moves): Promise<Moved | null>;
  /** The same, for one move. */
  moveOne(move: Move): Promise<Moved['results'][number]>;
  rows<Row>(sql: string, params?: readonly (string | number)[]): Promise<Row[]>;
  /** Checks that rows and disks agree, counts are right, and nothing is left over. */
  expectAllWell(): Promise<void>;
  close(): Promise<void>;
}

export async function openTwoHomes(where: Where): Promise<TwoHomes> {
  const household = await openHousehold({ addresses: lanAddresses });
  const parent = where === 'other disk' ? OTHER_DISK : await realpath(tmpdir());
  const disk = where === 'inside' ? null : await mkdtemp(join(parent, 'larder-test-'));
  const root = disk === null ? join(household.folder, 'homes', 'mia') : join(disk, 'mia');
  await household.whileStopped(async () => {
    const open = await openHomeFolders(household.folder);
    if (where === 'other disk') {
      // The server refuses a home in system memory, so it is moved there by hand.
      const homeId = randomUUID();
      await mkdir(root);
      await writeFile(join(root, '.larder-home'), `${homeId}\n`);
      await createArea(join(root, '.larder-area'));
      const record = (tx: Parameters<typeof open.homes.add>[0]) => open.homes.add(tx, homeId, root);
      await open.give('mia', { homeId, root, isTakenOver: false, record, undo: async () => undefined });
    } else {
      if (where === 'inside') await mkdir(root);
      await open.give('mia', await open.homeFolders.create(root, { adopt: true }));
    }
    await open.close();
  });
  const tokens = {
    ann: (await household.signIn()).token_ ?? '',
    mia: (await signInAs(household, 'mia')).token_ ?? '',
  };
  const larder = join(household.folder, '.larder');
  const file = join(larder, 'larder.sqlite');

  async function run({ moves, failPoints = '', reconciler = false, meanwhile }: Moves): Promise<Moved | null> {
    const asked = moves.map((one) =>
      'from' in one ? { as: one.from[0], ...one } : one.map((each) => ({ as: each.from[0], ...each })),
    );
    const input = { folder: household.folder, failPoints, reconciler, moves: asked };
    // A process of its own takes longer to start than most moves take; only one can be killed, or held at a point.
    if (!/=(kill|pause)/.test(failPoints)) {
      const { moveBetween } = (await import(MOVER)) as { moveBetween(of: typeof input): Promise<Moved> };
      const [moved] = await Promise.all([moveBetween(input), meanwhile?.()]);
      return moved;
    }
    const child = spawn(process.execPath, [MOVER, JSON.stringify(input)], { stdio: ['ignore', 'pipe', 'pipe'] });
    let [output, complaint] = ['', ''];
    child.stdout.on('data', (chunk) => (output += chunk));
    child.stderr.on('data', (chunk) => (complaint += chunk));
    const ended = once(child, 'close');
    try {
      await meanwhile?.();
    } finally {
      await ended;
    }
    if (child.signalCode === 'SIGKILL') return null;
    if (child.exitCode !== 0) {
      throw new Error(`the mover failed (${child.exitCode ?? child.signalCode}): ${complaint}`);
    }
    return JSON.parse(output);
  }

  const two: TwoHomes = {
    household,
    roots: { ann: household.home, mia: root },
    areas: { ann: larder, mia: disk === null ? larder : join(root, '.larder-area') },
    disk,
    api: (person) => household.api.with(tokens[person]),
    async move(moves) {
      let moved: Moved | null = null;
      await household.whileStopped(async () => {
        moved = await run(moves);
        await moves.afterwards?.();
      });
      return moved;
    },
    async moveOne(move) {
      const [result] = (await two.move({ moves: [move] }))?.results ?? [];
      return result ?? {};
    },
    async rows(sql, params = []) {
      const rows = await Connection.open(file);
      try {
        return await rows.all(sql, [...params]);
      } finally {
        await rows.close();
      }
    },
    async expectAllWell() {
      await expect
        .poll(async () => {
          const { ok, problems, notes } = (await household.control('doctor')) as Record<string, unknown>;
          const strays = (notes as string[]).filter((note) =>
            /belongs to nothing|interrupted|is left of|have been at work/.test(note),
          );
          return { ok, problems, strays };
        })
        .toEqual({ ok: true, problems: [], strays: [] });
      const connection = await Connection.open(file);
      try {
        expect(await wrongCounts(connection)).toEqual([]);
      } finally {
        await connection.close();
      }
      expect(await two.rows(STRANGERS)).toEqual([]);
      for (const area of new Set(Object.values(two.areas))) expect(await readdir(join(area, 'incoming'))).toEqual([]);
    },
    async close() {
      await household.close();
      if (disk !== null) await rm(disk, { recursive: true, force: true });
    },
  };
  return two;
}

/** Rows whose home differs from that of their folder. */
const STRANGERS = `SELECT items.name FROM items JOIN items AS above ON above.id = items.parent_id
  WHERE above.home_id <> items.home_id
  UNION ALL SELECT items.name FROM text_states JOIN items ON items.id = item_id WHERE text_states.home_id <> items.home_id`;

/** What a person sees in the home, with contents and versions, and in the trash; the disk has to agree. */
export async function seenBy(two: TwoHomes, person: Person): Promise<Record<string, unknown>> {
  const api = two.api(person);
  const details = ['version', 'fileSize'];
  const { body } = await api.get('files/browse', { path: '/ROOT/HOME', recursive: 1, 'details[]': details });
  const seen: Record<string, unknown> = {};
  for (const { path, is_dir: isFolder, version, fileSize } of body.data.files) {
    const below = path.slice('/ROOT/HOME/'.length);
    if (isFolder) {
      seen[below] = 'folder';
      continue;
    }
    const content = await readFile(join(two.roots[person], below), 'latin1');
    if (content.length !== fileSize) throw new Error(`${below} has ${content.length} bytes, listed as ${fileSize}`);
    seen[below] = [content, version, ...(await oldContents(api, path, version))];
  }
  const trash = (await api.get('files/browse', { path: '/TRASH' })).body.data.files as { filename: string }[];
  if (trash.length > 0) seen['/TRASH'] = trash.map(({ filename }) => filename).sort();
  return seen;
}

async function oldContents(api: ApiClient, path: string, present: number): Promise<string[]> {
  const old: string[] = [];
  for (const { version } of (await api.get('files/versions/list', { path })).body.data.versions) {
    if (version !== present) old.push(`${version}: ${(await api.get('files/download', { path, version })).text}`);
  }
  return old;
}

/** The uuid of everything in a home, by path. */
export async function uuidsOf(two: TwoHomes, person: Person): Promise<Record<string, string>> {
  const query = { path: '/ROOT/HOME', recursive: 1, 'details[]': ['uuid'] };
  const { body } = await two.api(person).get('files/browse', query);
  return Object.fromEntries(
    body.data.files.map(({ path, uuid }: { path: string; uuid: string }) => [path.slice('/ROOT/HOME/'.length), uuid]),
  );
}
