import { basename, dirname, join, posix } from 'node:path';
import type { Home } from '../../catalogue/homes.ts';
import { once } from '../../lib/async/once.ts';
import { foldName } from '../../lib/names/names.ts';
import { t } from '../../messages/messages.ts';
import { isInside } from '../../people/homes/home-path.ts';
import { type Disk, isOnline } from '../../storage/disk/disk.ts';
import { markerBelow } from '../../storage/homes/marker-below.ts';
import { MARKER_FILE } from '../../storage/paths/folder-handle.ts';
import { realPathToBe } from '../../storage/paths/inspect-path.ts';
import { whereIs } from '../format/destination.ts';
import { entriesIn } from '../format/entries.ts';
import { FILES, readManifest } from '../format/manifest.ts';
import { BackupProblem } from '../format/problem.ts';

interface Search {
  readonly disk: Disk;
  /** Ends a search, which may take long. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * The path of a home inside of a backup; null if there is none.
 *
 * A home that is not at its path, such as one on a disk that fails or is not mounted, is recognized by its marker instead: all folders
 * of the backup are searched for it. A backup contains no markers but those that people have copied into their folders.
 * @param folder of the backup
 * @throws BackupProblem if such a home exists, and a part of the backup cannot be read
 */
export async function homeInside(
  folder: string,
  homes: readonly Pick<Home, 'homeRoot'>[],
  { disk, signal }: Search,
): Promise<string | null> {
  const lost = new Map<string, string>();
  for (const { homeRoot } of homes) {
    const { root, homeId } = homeRoot;
    const found = await resolvedPart(root);
    const isIn = await whereIs(found.path);
    if (isInside(root, folder) || (await isIn(folder))) return root;
    if (!found.isWhole || !(await isOnline(disk, homeRoot))) lost.set(homeId, root);
  }
  return lost.size === 0 ? null : markedInside(folder, lost, signal);
}

/** The real path of as much of a path as can be resolved, and the rest of the path as it is. */
async function resolvedPart(path: string): Promise<{ readonly path: string; readonly isWhole: boolean }> {
  const rest: string[] = [];
  for (let known = path; ; known = dirname(known)) {
    const real = await realPathToBe(known).catch((error) => {
      if (dirname(known) === known) throw error;
      return null;
    });
    if (real !== null) return { path: join(real, ...rest), isWhole: known === path };
    rest.unshift(basename(known));
  }
}

/** @param homes the roots of homes by their ids */
async function markedInside(
  folder: string,
  homes: ReadonlyMap<string, string>,
  signal: AbortSignal | undefined,
): Promise<string | null> {
  const copied = once(() => copiedMarkers(folder));
  const isOther = async (path: string) => (await copied()).has(path);
  const id = await markerBelow(folder, new Set(homes.keys()), { signal, isOther }).catch(
    (error: NodeJS.ErrnoException) => {
      signal?.throwIfAborted();
      const [home = ''] = homes.values();
      const facts = { home, backup: basename(folder), reason: error.code ?? error.message };
      throw new BackupProblem(t('api.backup.homeUnknown', facts), { cause: error });
    },
  );
  return id === null ? null : (homes.get(id) ?? null);
}

/** The paths of files in a backup that have the name of a marker, and were copied with people's files. */
async function copiedMarkers(folder: string): Promise<ReadonlySet<string>> {
  const found = new Set<string>();
  // Without its list, all are taken for markers.
  const { files } = await readManifest(folder).catch((error) => {
    if (error instanceof BackupProblem) return { files: null };
    throw error;
  });
  if (files === null) return found;
  for await (const entry of entriesIn(join(folder, files.list.file))) {
    if ('sha256' in entry && foldName(posix.basename(entry.path)) === MARKER_FILE) found.add(`${FILES}/${entry.path}`);
  }
  return found;
}
