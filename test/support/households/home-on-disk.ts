import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createHomes, type Home, type Homes } from '../../../dist/server/catalogue/homes.js';
import type { Item } from '../../../dist/server/catalogue/items.js';
import { rememberPath } from '../../../dist/server/catalogue/remember.js';
import type { Database } from '../../../dist/server/database/database.js';
import { createJournal, type Journal, type JournalEntry } from '../../../dist/server/files/journal/journal.js';
import { type Recovery, recover } from '../../../dist/server/files/journal/recover.js';
import { createJournalRepair, type JournalRepair } from '../../../dist/server/files/journal/repair.js';
import { systemClock } from '../../../dist/server/lib/clock.js';
import type { PathLocks } from '../../../dist/server/lib/concurrency/path-locks.js';
import { createLog } from '../../../dist/server/lib/log/log.js';
import type { FailPoints } from '../../../dist/server/lib/process/fail-points.js';
import { type Disk, openDisk } from '../../../dist/server/storage/disk/disk.js';
import { createArea } from '../../../dist/server/storage/homes/create-area.js';
import { type Layout, layoutOf } from '../../../dist/server/storage/layout.js';
import { openMigrated } from './household-template.ts';

/** A home on a real disk with its rows and journal, as after a crash. */
export class HomeOnDisk {
  readonly database: Database;
  readonly homes: Homes;
  readonly home: Home;
  readonly disk: Disk;
  readonly journal: Journal;
  readonly layout: Layout;
  readonly failures: Record<string, 'eio'> = {};
  /** The output of the log. */
  logged = '';

  private constructor(layout: Layout, database: Database, homes: Homes, home: Home) {
    this.layout = layout;
    this.database = database;
    this.homes = homes;
    this.home = home;
    this.disk = openDisk({ folder: layout.folder, actions: {} });
    this.journal = createJournal(database.files, systemClock);
  }

  static async open(): Promise<HomeOnDisk> {
    const layout = layoutOf(await mkdtemp(join(tmpdir(), 'larder-journal-')));
    await createArea(layout.larder);
    const database = await openMigrated(layout.database, layout.backups);
    const homes = createHomes(database, layout, systemClock);
    const id = await newHome(layout, database, homes, 'ann');
    return new HomeOnDisk(layout, database, homes, (await homes.byId(id)) as Home);
  }

  /** Another home on the same disk. */
  async newHome(name: string): Promise<Home> {
    return (await this.homes.byId(await newHome(this.layout, this.database, this.homes, name))) as Home;
  }

  at(...segments: string[]): string {
    return join(this.home.homeRoot.root, ...segments);
  }

  /** A file of a home and its row. */
  async file(name: string, content = `content of ${name}`): Promise<Item> {
    await writeFile(this.at(name), content);
    return this.remember(name);
  }

  async folder(name: string): Promise<Item> {
    await mkdir(this.at(name));
    return this.remember(name);
  }

  /** Writes the disk's state of a path into its row, as after an upload. */
  async remember(path: string): Promise<Item> {
    const { parents, entry } = await this.disk.run('stat', { homeRoot: this.home.homeRoot, segments: path.split('/') });
    return this.database.write((tx) => rememberPath(tx, this.home.id, parents, entry));
  }

  addVersion(itemId: number, id: string): Promise<unknown> {
    return this.database.write((tx) =>
      tx.run(
        `INSERT INTO versions (id, item_id, version, size, mtime, stored_at)
         VALUES (?1, ?2, (SELECT count(*) + 100 FROM versions WHERE item_id = ?2), 1, 1, 1)`,
        [id, itemId],
      ),
    );
  }

  begin(entry: JournalEntry): Promise<number> {
    return this.database.write((tx) => this.journal.begin(tx, entry));
  }

  recover(): Promise<Recovery> {
    return recover(this.#context(), this.homes, this.layout);
  }

  /** Of a server that runs on. @param pathLocks of its operations */
  repair(pathLocks: PathLocks): JournalRepair {
    return createJournalRepair({ ...this.#context(), pathLocks }, this.homes, this.layout);
  }

  #context() {
    const failPoints: FailPoints = { folder: this.layout.folder, actions: this.failures };
    const log = createLog('debug', { write: (line: string) => (this.logged += line) } as never);
    const settings = { values: { versionsKept: 5 } } as never;
    const { database, journal, disk } = this;
    const { files, activity: uploadRows } = database;
    return { database: files, uploadRows, journal, disk, clock: systemClock, settings, log, failPoints };
  }

  /** Ids and names of the rows of files, by full path; trashed ones are below "trash". */
  async rows(): Promise<Record<string, { id: number; missing: boolean }>> {
    const rows = await this.database.all<{ id: number; path: string; missing_since: number | null }>(
      `WITH RECURSIVE below (id, path, missing_since) AS (
         SELECT id, name, NULL FROM items WHERE parent_id IS NULL AND home_id = ?
         UNION ALL
         SELECT items.id, CASE path WHEN '' THEN name ELSE path || '/' || name END, items.missing_since
         FROM below JOIN items ON items.parent_id = below.id
       ) SELECT id, path, missing_since FROM below WHERE path NOT IN ('', 'trash') ORDER BY path`,
      [this.home.id],
    );
    return Object.fromEntries(
      rows.map(({ id, path, missing_since: missing }) => [path, { id, missing: missing !== null }]),
    );
  }

  async trashed(): Promise<{ id: string; item_id: number; original_path: string }[]> {
    return this.database.all('SELECT id, item_id, original_path FROM trash ORDER BY id');
  }

  async versions(): Promise<{ id: string; item_id: number }[]> {
    return this.database.all('SELECT id, item_id FROM versions ORDER BY id');
  }

  /** Kinds of pending journal entries. */
  async pending(): Promise<string[]> {
    return (await this.database.all<{ kind: string }>('SELECT kind FROM journal ORDER BY id')).map(({ kind }) => kind);
  }

  inArea(part: 'incoming' | 'trash' | 'versions'): Promise<string[]> {
    return readdir(this.home.area[part]);
  }

  async close(): Promise<void> {
    await this.disk.close();
    await this.database.close();
    await rm(this.layout.folder, { recursive: true, force: true });
  }
}

async function newHome(layout: Layout, database: Database, homes: Homes, name: string): Promise<string> {
  const id = randomUUID();
  const root = join(layout.homes, name);
  await mkdir(root, { recursive: true });
  await writeFile(join(root, '.larder-home'), `${id}\n`);
  await database.write((tx) => homes.add(tx, id, root));
  return id;
}
