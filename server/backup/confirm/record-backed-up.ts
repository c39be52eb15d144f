import { dirname, join } from 'node:path';
import type { HomeRecord } from '../../catalogue/homes.ts';
import type { Database } from '../../database/database.ts';
import type { DisksUnder } from '../../storage/underlying-disks.ts';
import { entriesIn, segmentsOf } from '../format/entries.ts';
import { madeAt } from '../format/list-backups.ts';
import type { Manifest } from '../format/manifest.ts';
import type { JobProgress } from '../job-progress.ts';
import { contentKey } from './content-key.ts';
import { areApart } from './other-disk.ts';

/** Rows of one transaction: requests wait for it. */
const ROWS = 1_000;

interface Recorded {
  /** Of the backup. */
  readonly folder: string;
  readonly manifest: Manifest;
  readonly homes: readonly Pick<HomeRecord, 'homeRoot'>[];
}

/**
 * Records which files a backup has that was just completed: every copy in it was read again, and is equal. Only for a backup on
 * another physical disk than a home. Files that were written to while they were copied are left out.
 */
export async function recordBackedUp(
  { folder, manifest, homes }: Recorded,
  { database, disksUnder, job }: { database: Database; disksUnder: DisksUnder; job: JobProgress },
): Promise<void> {
  const { files } = manifest;
  if (files === null || !(await isElsewhere(folder, homes, disksUnder))) return;
  const place = dirname(folder);
  const { run, isSamePlace } = await beginRun(database, place);
  const keys = await keysOf(join(folder, files.list.file), files.homes, job);
  // In their order, each page of the table is written once.
  keys.sort(Buffer.compare);
  const rows = `INSERT INTO backed_up (key, since, run) SELECT unhex(value), ?1, ?2 FROM json_each(?3) WHERE true
    ON CONFLICT (key) DO UPDATE SET run = excluded.run,
      since = CASE WHEN ?4 AND backed_up.run >= excluded.run - 1 THEN since ELSE excluded.since END`;
  for (let start = 0; start < keys.length; start += ROWS) {
    const some = JSON.stringify(keys.slice(start, start + ROWS).map((key) => key.toString('hex')));
    await database.activity.write((tx) => tx.run(rows, [madeAt(manifest), run, some, isSamePlace ? 1 : 0]));
    await job.rest();
  }
  await removeOlder(database, run, job);
  await database.activity.write((tx) =>
    tx.run('UPDATE backed_up_run SET folder = ?, list = ? WHERE id = 1 AND run = ?', [folder, files.list.sha256, run]),
  );
}

async function isElsewhere(folder: string, homes: Recorded['homes'], disksUnder: DisksUnder): Promise<boolean> {
  for (const { homeRoot } of homes) if ((await areApart(disksUnder, folder, homeRoot.root)) !== null) return true;
  return false;
}

/** Until the rows are complete, nothing is confirmed. */
async function beginRun(database: Database, place: string): Promise<{ run: number; isSamePlace: boolean }> {
  return database.activity.write(async (tx) => {
    const before = await tx.get<{ run: number; place: string }>('SELECT run, place FROM backed_up_run');
    const run = (before?.run ?? 0) + 1;
    await tx.run(
      `INSERT INTO backed_up_run (id, run, place) VALUES (1, ?1, ?2)
       ON CONFLICT (id) DO UPDATE SET run = ?1, place = ?2, folder = NULL, list = NULL`,
      [run, place],
    );
    return { run, isSamePlace: before?.place === place };
  });
}

async function keysOf(
  list: string,
  homes: NonNullable<Manifest['files']>['homes'],
  job: JobProgress,
): Promise<Buffer[]> {
  const idOf = new Map(homes.flatMap(({ id, folder }) => (folder === null ? [] : [[folder, id] as const])));
  const keys: Buffer[] = [];
  for await (const entry of entriesIn(list)) {
    if (!('sha256' in entry) || entry.changed === true) continue;
    const segments = segmentsOf(entry.path);
    // Homes are at `homes/ann` or `elsewhere/<id>`; older versions are elsewhere.
    const homeId = idOf.get(segments.slice(0, 2).join('/'));
    if (homeId === undefined) continue;
    keys.push(contentKey(homeId, segments.slice(2), entry.sha256));
    await job.rest();
  }
  return keys;
}

async function removeOlder(database: Database, run: number, job: JobProgress): Promise<void> {
  for (;;) {
    const { changes } = await database.activity.write((tx) =>
      tx.run('DELETE FROM backed_up WHERE key IN (SELECT key FROM backed_up WHERE run <> ? LIMIT ?)', [run, ROWS]),
    );
    if (changes < ROWS) return;
    await job.rest();
  }
}
