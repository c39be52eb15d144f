import { basename, join, relative } from 'node:path';
import { createHomes, type HomeRecord } from '../../catalogue/homes.ts';
import { openDatabase } from '../../database/database.ts';
import type { Clock } from '../../lib/clock.ts';
import { t } from '../../messages/messages.ts';
import { isInside, isSame } from '../../people/homes/home-path.ts';
import { type Area, areaIn, type Layout } from '../../storage/layout.ts';
import { AREA_FOLDER } from '../../storage/paths/folder-handle.ts';
import { makeFolders, plainStat } from '../../storage/plain-files.ts';
import type { Manifest } from '../format/manifest.ts';
import { BackupProblem } from '../format/problem.ts';

/** A home after a restore. */
export interface RestoredHome {
  readonly id: string;
  readonly username: string;
  /** Absolute. */
  readonly path: string;
  /**
   * `restored`: with its files; `empty`: without them; `awaited`: offline until its files and its marker are put there;
   * `elsewhere`: unchanged outside of the installation; `forgotten`: it was in the trash, and is not in the backup.
   */
  readonly files: 'restored' | 'empty' | 'awaited' | 'elsewhere' | 'forgotten';
}

/** Where a home is built. */
export interface BuiltHome {
  readonly home: HomeRecord;
  readonly root: string;
  readonly area: Area;
  /** Its folder below `files/` in the backup; null if its files are not in it. */
  readonly folder: string | null;
}

export interface RestoredPlaces {
  /** Homes that are written. */
  readonly built: readonly BuiltHome[];
  /** Homes outside of the installation, built aside and moved at the end. */
  readonly moves: readonly { readonly homeId: string; readonly at: string; readonly goesTo: string }[];
  /** `at` of all moves: removed if the restore fails. */
  readonly aside: readonly string[];
  readonly report: readonly RestoredHome[];
}

/**
 * Decides the destination of every home. Those in the installation keep their location in it; those outside stay, or go below
 * `homesTo`.
 * @param layout of the installation as it is built @param final its layout afterwards
 * @throws BackupProblem
 */
export async function restoredHomes({
  requested: { homesTo, emptyHomes, historyFollows },
  manifest,
  layout,
  final,
  clock,
}: {
  requested: { readonly homesTo: string | null; readonly emptyHomes: boolean; readonly historyFollows: boolean };
  manifest: Manifest;
  layout: Layout;
  final: Layout;
  clock: Clock;
}): Promise<RestoredPlaces> {
  if (homesTo !== null && (isInside(homesTo, final.folder) || isSame(homesTo, final.folder)))
    throw new BackupProblem(t('api.restore.homesOutside'));
  const folders = new Map(manifest.files?.homes.map(({ id, folder }) => [id, folder]));
  const built: BuiltHome[] = [];
  const moves: { homeId: string; at: string; goesTo: string }[] = [];
  const report: RestoredHome[] = [];
  for (const home of await homesIn(layout, clock)) {
    const { id, username, homeRoot, trashed } = home;
    const folder = folders.get(id) ?? null;
    const isHere = isInside(homeRoot.root, layout.folder);
    const path = isHere ? join(final.folder, relative(layout.folder, homeRoot.root)) : homeRoot.root;
    const say = (files: RestoredHome['files'], at = path) => report.push({ id, username, path: at, files });
    if (isHere && (folder !== null || (emptyHomes && trashed === null))) {
      built.push({ home, root: homeRoot.root, area: home.area, folder });
      say(folder === null ? 'empty' : 'restored');
    } else if (isHere) say(trashed === null || historyFollows ? 'awaited' : 'forgotten');
    else if (homesTo !== null && folder !== null) {
      const goesTo = await freePath(homesTo, basename(homeRoot.root), id, moves);
      const at = join(homesTo, `.larder-restoring-${id}`);
      if ((await plainStat(at)) !== null) throw new BackupProblem(t('api.restore.leftover', { path: at }));
      await makeFolders(homesTo);
      built.push({ home, root: at, area: areaIn(join(at, AREA_FOLDER)), folder });
      moves.push({ homeId: id, at, goesTo });
      say('restored', goesTo);
    } else say('elsewhere');
  }
  return { built, moves, aside: moves.map(({ at }) => at), report };
}

/** This also migrates the database, as a start does. */
async function homesIn(layout: Layout, clock: Clock): Promise<HomeRecord[]> {
  const database = await openDatabase(layout.database, layout.backups);
  try {
    return await createHomes(database, layout, clock).records();
  } finally {
    await database.close();
  }
}

async function freePath(
  folder: string,
  name: string,
  id: string,
  moves: readonly { readonly goesTo: string }[],
): Promise<string> {
  const requested = join(folder, name);
  const path = moves.some(({ goesTo }) => isSame(goesTo, requested))
    ? join(folder, `${name}-${id.slice(0, 8)}`)
    : requested;
  if ((await plainStat(path)) !== null) throw new BackupProblem(t('api.restore.homeExists', { path }));
  return path;
}
