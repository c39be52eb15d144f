import { randomUUID } from 'node:crypto';
import { lstat, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type pino from 'pino';
import { createHomes, type Home } from '../../dist/server/catalogue/homes.js';
import { type CataloguePart, composeCatalogue } from '../../dist/server/composition/catalogue.js';
import type { Database } from '../../dist/server/database/database.js';
import { systemClock } from '../../dist/server/lib/clock.js';
import { createLog } from '../../dist/server/lib/log/log.js';
import { noFailPoints } from '../../dist/server/lib/process/fail-points.js';
import type { SettingsValues } from '../../dist/server/settings/settings.js';
import { layoutOf } from '../../dist/server/storage/layout.js';
import { openMigrated } from '../support/households/household-template.ts';
import { eventually } from '../support/system/eventually.ts';

/** A home on a real disk, its catalogue and reconciler, without a server. */
export interface KeptFolder {
  /** The root of the home. */
  readonly root: string;
  readonly home: Home;
  readonly database: Database;
  readonly part: () => CataloguePart;
  /** The output of the log. */
  readonly logged: () => string;
  /** Stops and starts the reconciler, the disks and the database; changes by `meanwhile` are not observed. */
  whileStopped(meanwhile: () => Promise<unknown>): Promise<void>;
  close(): Promise<void>;
}

export async function openKeptFolder({ watched }: { watched?: number } = {}): Promise<KeptFolder> {
  let logged = '';
  const log = createLog('debug', { write: (line) => (logged += line) } as pino.DestinationStream);
  const folder = await mkdtemp(join(tmpdir(), 'larder-test-'));
  const layout = layoutOf(folder);
  const root = join(layout.homes, 'ann');
  const id = randomUUID();
  await mkdir(root, { recursive: true });
  await writeFile(join(root, '.larder-home'), `${id}\n`);
  let database: Database;
  let part: CataloguePart;

  async function open(): Promise<Home> {
    database = await openMigrated(join(folder, 'larder.sqlite'), join(folder, 'backups'));
    const homes = createHomes(database, layout, systemClock);
    if ((await homes.byId(id)) === null) await database.write((tx) => homes.add(tx, id, root));
    const config = { failPoints: noFailPoints, hashDelay: 60, hashRate: 20, powerSupplies: join(folder, 'none') };
    part = composeCatalogue({
      database,
      homes,
      config,
      clock: systemClock,
      log,
      settings: { values: { hashingPaused: false } as SettingsValues },
      events: { on: () => () => undefined },
      reportsBattery: () => false,
      watched,
    });
    part.reconciler.start();
    return (await homes.byId(id)) as Home;
  }

  async function stop(): Promise<void> {
    await part.close();
    await database.close();
  }

  const home = await open();
  return {
    root,
    home,
    get database() {
      return database;
    },
    part: () => part,
    logged: () => logged,
    async whileStopped(meanwhile) {
      await stop();
      await meanwhile();
      await open();
    },
    async close() {
      try {
        await stop();
      } finally {
        await rm(folder, { recursive: true, force: true });
      }
    },
  };
}

/** A file or folder on the disk, by its path below the root. */
export type OnDisk = Map<string, { isDir: boolean; inode: bigint; size: bigint; mtime: bigint }>;

export async function diskOf(root: string): Promise<OnDisk> {
  const found: OnDisk = new Map();
  async function look(path: string): Promise<void> {
    for (const name of await readdir(join(root, path))) {
      if (path === '' && name === '.larder-home') continue;
      const below = path === '' ? name : `${path}/${name}`;
      const stats = await lstat(join(root, below), { bigint: true });
      const { ino: inode, size, mtimeNs: mtime } = stats;
      if (stats.isDirectory()) found.set(below, { isDir: true, inode, size: 0n, mtime: 0n });
      else found.set(below, { isDir: false, inode, size, mtime });
      if (stats.isDirectory()) await look(below);
    }
  }
  await look('');
  return found;
}

export interface Row {
  readonly uuid: string;
  readonly is_dir: number;
  readonly identity: string;
}

/** The catalogue's items by path, without missing ones and everything below those. */
export async function rowsOf(database: Database): Promise<Map<string, Row>> {
  const rows = await database.all<Row & { path: string }>(
    `WITH RECURSIVE below (id, path, uuid, is_dir, identity) AS (
       SELECT id, '', uuid, is_dir, identity FROM items WHERE parent_id IS NULL AND name = ''
       UNION ALL
       SELECT items.id, CASE path WHEN '' THEN items.name ELSE path || '/' || items.name END, items.uuid, items.is_dir,
         items.identity
       FROM below JOIN items ON items.parent_id = below.id AND items.missing_since IS NULL
     ) SELECT path, uuid, is_dir, identity FROM below WHERE path <> ''`,
  );
  return new Map(rows.map((row) => [row.path, row]));
}

/** Whether catalogue and disk agree: the same paths, and for every file the same inode, size and time. */
export function agree(rows: ReadonlyMap<string, Row>, disk: OnDisk): boolean {
  if (rows.size !== disk.size) return false;
  return [...disk].every(([path, { isDir, inode, size, mtime }]) => {
    const row = rows.get(path);
    if (row === undefined || (row.is_dir === 1) !== isDir) return false;
    const [kindAndInode, , rowSize, rowTime] = row.identity.split('.');
    return isDir
      ? kindAndInode === `d${inode}`
      : row.identity.startsWith(`f${inode}.`) && rowSize === String(size) && rowTime === String(mtime);
  });
}

/** Waits until catalogue and disk agree, without any request to the catalogue. */
export async function caughtUp({ root, database }: KeptFolder): Promise<Map<string, Row>> {
  let rows = new Map<string, Row>();
  const look = async () => {
    const disk = await diskOf(root);
    rows = await rowsOf(database);
    return agree(rows, disk) ? null : difference(rows, disk);
  };
  await eventually(look, (unlike) => unlike === null);
  return rows;
}

function difference(rows: ReadonlyMap<string, Row>, disk: OnDisk): string {
  const unknown = [...disk.keys()].filter((path) => !rows.has(path));
  const gone = [...rows.keys()].filter((path) => !disk.has(path));
  return `${disk.size} on the disk, ${rows.size} rows; unknown: ${unknown.slice(0, 5)}; gone: ${gone.slice(0, 5)}`;
}
