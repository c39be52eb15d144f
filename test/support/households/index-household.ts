import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createCatalogue } from '../../../dist/server/catalogue/catalogue.js';
import { createHomes } from '../../../dist/server/catalogue/homes.js';
import { createThrottle } from '../../../dist/server/catalogue/reconcile/throttle.js';
import { PathLocks } from '../../../dist/server/lib/concurrency/path-locks.js';
import { createEvents } from '../../../dist/server/lib/events.js';
import { createLog } from '../../../dist/server/lib/log/log.js';
import { noFailPoints } from '../../../dist/server/lib/process/fail-points.js';
import type { BackgroundParts, BackgroundReader } from '../../../dist/server/media/background-reader.js';
import type { StatesTable } from '../../../dist/server/media/reading-states.js';
import { type Disk, openDisk } from '../../../dist/server/storage/disk/disk.js';
import { prepareFolder } from '../../../dist/server/storage/installation/data-folder.js';
import { layoutOf } from '../../../dist/server/storage/layout.js';
import { forkFile, forkWorker } from '../../../dist/server/workers/pool/fork-worker.js';
import { eventually } from '../system/eventually.ts';
import { TestClock } from './household.ts';
import { openMigrated } from './household-template.ts';

export const HOME_ID = 'home-of-ann';

type Index = Pick<BackgroundReader, 'start' | 'stop' | 'counts'>;

/**
 * The background reader of files, without the rest of the server.
 * @param table that stores its state
 */
export async function openIndexHousehold<Made extends Index>(
  createIndex: (parts: BackgroundParts & { readonly quick: Disk }) => Made,
  table: StatesTable,
) {
  const folder = await mkdtemp(join(tmpdir(), 'larder-index-'));
  const layout = layoutOf(folder);
  await prepareFolder(layout);
  const log = createLog('silent', { write: () => undefined });
  const clock = new TestClock();
  const database = await openMigrated(layout.database, layout.backups);
  const homes = createHomes(database, layout, clock);
  const disk = openDisk(noFailPoints);
  const catalogue = createCatalogue({
    database: database.files,
    disk,
    backgroundDisk: disk,
    watches: new Map(),
    clock,
    locks: new PathLocks(),
    log,
  });
  const events = createEvents((error) => {
    throw error;
  });
  let index: Made | null = null;
  const workers: number[] = [];

  async function addHome(id: string): Promise<string> {
    const root = join(folder, 'homes', id);
    await mkdir(root, { recursive: true });
    await writeFile(join(root, '.larder-home'), id);
    await database.write((tx) => homes.add(tx, id, root));
    return root;
  }
  const root = await addHome(HOME_ID);

  const self = {
    root,
    database,
    clock,
    events,
    workers,
    addHome,
    write: (path: string, content: string | Buffer) => writeFile(join(root, path), content),
    rename: (from: string, to: string) => rename(join(root, from), join(root, to)),
    /** Reconciles a folder. */
    async look(segments: readonly string[] = [], homeId = HOME_ID): Promise<void> {
      const home = await homes.byId(homeId);
      if (home !== null) await catalogue.list(home, segments);
    },
    /** @param worker the reading program; by default the server's own */
    start(options: Partial<BackgroundParts> & { readonly worker?: string } = {}): Made {
      const { worker, ...parts } = options;
      index = createIndex({
        database,
        homes,
        disk,
        quick: disk,
        events,
        clock,
        log,
        throttle: createThrottle(),
        checkInterval: 20,
        spawnWorker: (entry) => {
          const made = worker === undefined ? forkWorker(entry) : forkFile(worker);
          workers.push(made.pid ?? 0);
          return made;
        },
        ...parts,
      });
      index.start();
      return index;
    },
    async stop(): Promise<void> {
      await index?.stop();
      index = null;
    },
    counts: async () => index?.counts(),
    /** Waits until the queue is empty. */
    async settled(): Promise<void> {
      await eventually(
        () => index?.counts(),
        (counts) => counts === undefined || counts.waiting === 0,
      );
    },
    /** `name: state` of all files that are or may be read. */
    async states(): Promise<Record<string, string>> {
      const rows = await database.all<{ name: string; state: string; tries: number }>(
        `SELECT i.name, s.state, s.tries FROM ${table} s JOIN items i ON i.id = s.item_id ORDER BY i.name`,
      );
      return Object.fromEntries(
        rows.map(({ name, state, tries }) => [name, tries === 0 ? state : `${state} ${tries}`]),
      );
    },
    async close(): Promise<void> {
      await self.stop();
      await disk.close();
      await database.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
  return self;
}
