import { dirname, join } from 'node:path';
import type { FailPoints } from '../lib/fail-points.ts';
import { MARKER_FILE } from '../storage/folder-handle.ts';
import { copyHashed, openPlain, withOpened } from '../storage/hashed-copy.ts';
import { createArea } from '../storage/homes.ts';
import { makeFolders, writeNew } from '../storage/plain-files.ts';
import type { Course } from './course.ts';
import { entriesIn, type FileEntry, segmentsOf } from './entries.ts';
import { FILES, type Manifest } from './manifest.ts';
import { BackupProblem } from './problem.ts';
import type { BuiltHome, RestoredPlaces } from './restored-homes.ts';

/** Files that are copied at the same time. */
const AT_ONCE = 8;

/** Makes the homes with their markers, and copies into them what the backup has. Every copy is held against the list. */
export async function restoreFiles({
  from,
  manifest,
  places,
  course,
  failPoints,
}: {
  from: string;
  manifest: Manifest;
  places: RestoredPlaces;
  course: Course;
  failPoints: FailPoints;
}): Promise<{ files: number; bytes: number }> {
  for (const { home, root, area } of places.built) {
    await makeFolders(root);
    await writeNew(join(root, MARKER_FILE), `${home.id}\n`, 0o644);
    await createArea(dirname(area.incoming));
  }
  const done = { files: 0, bytes: 0 };
  if (manifest.files === null) return done;
  const targetOf = targets(places.built);
  let waiting: (() => Promise<void>)[] = [];
  const settle = async () => {
    const results = await Promise.allSettled(waiting.map((work) => work()));
    waiting = [];
    const failed = results.find((result) => result.status === 'rejected');
    if (failed !== undefined) throw failed.reason;
  };
  for await (const entry of entriesIn(join(from, manifest.files.list.file))) {
    course.signal.throwIfAborted();
    const segments = segmentsOf(entry.path);
    const to = targetOf(segments);
    if (to === null) continue;
    if ('folder' in entry) {
      await settle();
      await makeFolders(to);
    } else if ('sha256' in entry) {
      waiting.push(() => copyBack(join(from, FILES, ...segments), to, entry, { course, failPoints }));
      done.files += 1;
      done.bytes += entry.size;
      if (waiting.length === AT_ONCE) await settle();
    }
  }
  await settle();
  return done;
}

async function copyBack(
  from: string,
  to: string,
  { path, sha256, mtime, mode }: FileEntry,
  { course, failPoints }: { course: Course; failPoints: FailPoints },
): Promise<void> {
  const copy = await withOpened(openPlain(from), (fd) =>
    // As the list has them: the disk of the backups may keep no access rights, and times of two seconds.
    copyHashed(fd, to, { signal: course.signal, onBytes: course.onBytes, failPoints, look: { mtime, mode } }),
  );
  if (copy.sha256 !== sha256) throw new BackupProblem(`${path} has changed while it was restored. Try again.`);
  course.file();
}

/** Where something below `files/` goes; null for what is not restored. */
function targets(built: readonly BuiltHome[]): (segments: readonly string[]) => string | null {
  const byFolder = new Map(built.flatMap((one) => (one.folder === null ? [] : [[one.folder, one] as const])));
  const byId = new Map(built.map((one) => [one.home.id, one]));
  return ([kind = '', which = '', ...rest]) => {
    if (kind === 'versions' || kind === 'trash') {
      const area = byId.get(which)?.area[kind];
      // The folder of a home's history is no folder of the work area.
      return area === undefined || rest.length === 0 ? null : join(area, ...rest);
    }
    const root = byFolder.get(`${kind}/${which}`)?.root;
    return root === undefined ? null : join(root, ...rest);
  };
}
