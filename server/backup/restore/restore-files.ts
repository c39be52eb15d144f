import { dirname, join } from 'node:path';
import type { FailPoints } from '../../lib/process/fail-points.ts';
import { t } from '../../messages/messages.ts';
import { copyHashed, openPlain, WriteFailure, withOpened } from '../../storage/content/hashed-copy.ts';
import { eraseStored } from '../../storage/content/work-area.ts';
import { createArea } from '../../storage/homes/create-area.ts';
import { MARKER_FILE } from '../../storage/paths/folder-handle.ts';
import { makeFolders, OWNER_ONLY, writeNew } from '../../storage/plain-files.ts';
import { entriesIn, type FileEntry, segmentsOf } from '../format/entries.ts';
import { FILES, type Manifest } from '../format/manifest.ts';
import type { JobProgress } from '../job-progress.ts';
import type { Damages } from './damages.ts';
import type { BuiltHome, RestoredPlaces } from './restored-homes.ts';

/** Files that are copied at the same time. */
const CONCURRENCY = 8;

/**
 * Creates the homes with their markers, and copies their files from the backup. Every copy is compared with the list.
 * @param damages files to leave out; files found damaged meanwhile are added
 */
export async function restoreFiles({
  from,
  manifest,
  damages,
  places,
  job,
  failPoints,
}: {
  from: string;
  manifest: Manifest;
  damages: Damages;
  places: RestoredPlaces;
  job: JobProgress;
  failPoints: FailPoints;
}): Promise<{ files: number; bytes: number }> {
  for (const { home, root, area } of places.built) {
    await makeFolders(root, OWNER_ONLY);
    await writeNew(join(root, MARKER_FILE), `${home.id}\n`, 0o644);
    await createArea(dirname(area.incoming));
  }
  if (manifest.files === null) return { files: 0, bytes: 0 };
  const list = join(from, manifest.files.list.file);
  return copyListed({ from, list, targetOf: targets(places.built), damages, job, failPoints });
}

/**
 * Copies the files of a list, and leaves out damaged ones.
 * @param targetOf the destination of a path in the list; null for files that are not restored
 * @param makesParents whether to create parent folders that are not restored themselves
 * @throws WriteFailure when it cannot be written; the reason of the signal
 */
export async function copyListed({
  from,
  list,
  targetOf,
  damages,
  job,
  failPoints,
  makesParents = false,
}: {
  from: string;
  list: string;
  targetOf: (segments: readonly string[]) => string | null;
  damages: Damages;
  job: JobProgress;
  failPoints: FailPoints;
  makesParents?: boolean;
}): Promise<{ files: number; bytes: number }> {
  const done = { files: 0, bytes: 0 };
  let waiting: (() => Promise<void>)[] = [];
  const settle = async () => {
    const results = await Promise.allSettled(waiting.map((work) => work()));
    waiting = [];
    const failed = results.find((result) => result.status === 'rejected');
    if (failed !== undefined) throw failed.reason;
  };
  const copyOne = async (entry: FileEntry, segments: readonly string[], to: string) => {
    if (damages.isBelowDamaged(entry.path)) return damages.addFile(entry.path, t('api.backup.damageFolder'));
    if (makesParents) await makeFolders(dirname(to));
    const problem = await copyBack(join(from, FILES, ...segments), to, entry, { job, failPoints });
    if (problem !== null) return damages.addFile(entry.path, problem);
    done.files += 1;
    done.bytes += entry.size;
  };
  for await (const entry of entriesIn(list)) {
    job.signal.throwIfAborted();
    const segments = segmentsOf(entry.path);
    const to = targetOf(segments);
    if (to === null) continue;
    if ('folder' in entry) {
      await settle();
      await makeFolders(to);
    } else if ('sha256' in entry && !damages.isDamaged(entry.path)) {
      waiting.push(() => copyOne(entry, segments, to));
      if (waiting.length === CONCURRENCY) await settle();
    }
  }
  await settle();
  return done;
}

/** @returns the problem of the content; null when it was copied */
async function copyBack(
  from: string,
  to: string,
  { sha256, mtime, mode }: FileEntry,
  { job, failPoints }: { job: JobProgress; failPoints: FailPoints },
): Promise<string | null> {
  try {
    const copy = await withOpened(openPlain(from), (fd) =>
      // From the list: the backup disk may store no permissions, and times in steps of two seconds.
      copyHashed(fd, to, { signal: job.signal, onBytes: job.onBytes, failPoints, look: { mtime, mode } }),
    );
    if (copy.sha256 !== sha256) {
      await eraseStored(to);
      return t('api.backup.damageChanged');
    }
    job.file();
    return null;
  } catch (error) {
    job.signal.throwIfAborted();
    if (error instanceof WriteFailure) throw error;
    return t('api.backup.reasonUnreadable', { reason: (error as Error).message });
  }
}

/** The destination of a path below `files/`; null if it is not restored. */
function targets(built: readonly BuiltHome[]): (segments: readonly string[]) => string | null {
  const byFolder = new Map(built.flatMap((one) => (one.folder === null ? [] : [[one.folder, one] as const])));
  const byId = new Map(built.map((one) => [one.home.id, one]));
  return ([kind = '', which = '', ...rest]) => {
    if (kind === 'versions' || kind === 'trash') {
      const area = byId.get(which)?.area[kind];
      // The folder of a home's history is not itself a folder of the work area.
      return area === undefined || rest.length === 0 ? null : join(area, ...rest);
    }
    const root = byFolder.get(`${kind}/${which}`)?.root;
    return root === undefined ? null : join(root, ...rest);
  };
}
