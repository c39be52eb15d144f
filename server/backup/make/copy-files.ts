import { join } from 'node:path';
import type { HomeRecord } from '../../catalogue/homes.ts';
import type { Database } from '../../database/database.ts';
import type { Snapshot } from '../../database/snapshot.ts';
import { type Clock, MINUTE } from '../../lib/clock.ts';
import { type FailPoints, failPoint } from '../../lib/process/fail-points.ts';
import { eraseStored } from '../../storage/content/work-area.ts';
import type { Disk } from '../../storage/disk/disk.ts';
import { flushFolders, LineFile, makePrivateFolder } from '../../storage/plain-files.ts';
import { EntryReader, entriesIn, segmentsOf } from '../format/entries.ts';
import { FILE_LIST, FILES, type Manifest, type ManifestHome } from '../format/manifest.ts';
import type { JobProgress } from '../job-progress.ts';
import { copyHistory } from './copy-history.ts';
import { catchUp, copyHomes } from './copy-homes.ts';
import { followMoved, writeFollowed } from './follow-moved.ts';
import { homeTrees } from './trees.ts';
import { type Previous, WrittenFiles } from './written-files.ts';

const FIRST_LIST = 'first.jsonl';
const SECOND_LIST = 'second.jsonl';

interface FilesOptions {
  /** The folder of the backup being written. */
  readonly folder: string;
  /** Whether to include older versions and the trash. */
  readonly history: boolean;
  /** An earlier backup of this installation that has files. */
  readonly previous: string | null;
  readonly disk: Disk;
  /** In its present state. */
  readonly database: Pick<Database, 'all'>;
  readonly job: JobProgress;
  readonly clock: Clock;
  readonly failPoints: FailPoints;
}

export type ManifestFiles = NonNullable<Manifest['files']>;

/**
 * Copies people's files in two passes, with the copy of the database in between: the first pass takes long and the second does
 * not, so database and files are from nearly the same moment. Files that neither pass found at their paths are then located by
 * identity.
 * @param homes in their present state
 * @param between copies the database @returns the copy, and the homes in it
 */
export async function copyFiles(
  requested: FilesOptions,
  homes: readonly HomeRecord[],
  between: () => Promise<{ snapshot: Snapshot; homes: readonly HomeRecord[] }>,
): Promise<ManifestFiles> {
  const { folder, history, disk, job } = requested;
  const root = join(folder, FILES);
  const since = requested.clock.now() - 10 * MINUTE;
  await makePrivateFolder(root);
  const size = homes.reduce((sum, { usedBytes }) => sum + usedBytes, 0);
  job.begin('files', size);
  const previous =
    requested.previous === null
      ? null
      : {
          files: join(requested.previous, FILES),
          reader: new EntryReader(join(requested.previous, FILE_LIST)),
        };
  try {
    const first = join(folder, FIRST_LIST);
    const offline = await listing(first, requested, previous, (files) =>
      copyHomes(homeTrees(homes, history), files, disk),
    );
    const { snapshot, homes: known } = await between();
    job.begin('history', null);
    const trees = homeTrees(known, history);
    const there = trees.filter(({ home }) => !offline.has(home.id));
    const second = join(folder, SECOND_LIST);
    let notFollowed = await listing(second, requested, null, async (files) => {
      await catchUp(there, files, disk, { first });
      return files.notFollowed;
    });
    failPoint(requested.failPoints, 'backup.caught-up');
    const list = await listingWithSum(join(folder, FILE_LIST), requested, previous, async (files) => {
      const { missing, renamed } = await followMoved(there, files, {
        disk,
        snapshot,
        live: requested.database,
        since,
        list: second,
      });
      await writeFollowed(second, files, renamed);
      if (history) {
        const theirs = known.filter(({ id, isOutside }) => !isOutside || !offline.has(id));
        await copyHistory(theirs, files, { snapshot, disk });
      }
      for (const path of missing) await files.write({ path: path.join('/'), absent: true });
      notFollowed += files.notFollowed;
    });
    for (const path of [first, second]) await eraseStored(path);
    await flushFolders(root);
    const manifestHomes = known.map(({ id, username, homeRoot }): ManifestHome => {
      const tree = trees.find(({ home }) => home.id === id);
      if (tree === undefined) return { id, username, path: homeRoot.root, folder: null, state: 'left-out' };
      if (offline.has(id)) return { id, username, path: homeRoot.root, folder: null, state: 'offline' };
      return { id, username, path: homeRoot.root, folder: tree.folder.join('/'), state: 'copied' };
    });
    return {
      list: { file: FILE_LIST, ...list },
      history,
      ...(await countsOf(join(folder, FILE_LIST))),
      notFollowed,
      homes: manifestHomes,
    };
  } finally {
    await previous?.reader.close();
  }
}

type Work<T> = (files: WrittenFiles) => Promise<T>;

async function listing<T>(path: string, requested: FilesOptions, previous: Previous | null, work: Work<T>): Promise<T> {
  let result: T | undefined;
  await listingWithSum(path, requested, previous, async (files) => {
    result = await work(files);
  });
  return result as T;
}

async function listingWithSum(
  path: string,
  { folder, job, failPoints }: FilesOptions,
  previous: Previous | null,
  work: Work<void>,
): Promise<{ bytes: number; sha256: string }> {
  const list = await LineFile.create(path);
  try {
    const isFinal = path === join(folder, FILE_LIST);
    await work(new WrittenFiles({ root: join(folder, FILES), list, isFinal, job, failPoints, previous }));
    return await list.close();
  } catch (error) {
    await list.abandon();
    throw error;
  }
}

async function countsOf(list: string) {
  const counts = { count: 0, bytes: 0, linked: 0, changed: 0, leftOut: 0, absent: 0 };
  for await (const entry of entriesIn(list)) {
    segmentsOf(entry.path);
    if ('leftOut' in entry) counts.leftOut += 1;
    else if ('absent' in entry) counts.absent += 1;
    else if ('sha256' in entry) {
      counts.count += 1;
      counts.bytes += entry.size;
      if (entry.linked === true) counts.linked += 1;
      if (entry.changed === true) counts.changed += 1;
    }
  }
  return counts;
}
