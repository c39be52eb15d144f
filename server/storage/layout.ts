import { isAbsolute, join, relative, sep } from 'node:path';

/** All paths that Larder owns. All absolute. */
export interface Layout {
  readonly folder: string;
  readonly homes: string;
  readonly larder: string;
  readonly database: string;
  /** Exists while the database is open. */
  readonly openMark: string;
  readonly lock: string;
  /** Space for the database and for deletions on a full disk. */
  readonly reserve: string;
  readonly control: string;
  /** The last known time, to detect a clock that was set back. */
  readonly clock: string;
  readonly tls: string;
  readonly thumbnails: string;
  readonly logs: string;
  readonly backups: string;
}

export function layoutOf(folder: string): Layout {
  const larder = join(folder, '.larder');
  return {
    folder,
    homes: join(folder, 'homes'),
    larder,
    database: join(larder, 'larder.sqlite'),
    openMark: join(larder, 'larder.sqlite-open'),
    lock: join(larder, 'lock.sqlite'),
    reserve: join(larder, 'reserve'),
    control: join(larder, 'control.json'),
    clock: join(larder, 'clock.json'),
    tls: join(larder, 'tls'),
    thumbnails: join(larder, 'thumbnails'),
    logs: join(larder, 'logs'),
    backups: join(larder, 'backups'),
  };
}

/** The work area of a home, on the same file system as its files, so that publishing is one rename. */
export interface Area {
  readonly incoming: string;
  readonly trash: string;
  readonly versions: string;
}

export function areaIn(folder: string): Area {
  return { incoming: join(folder, 'incoming'), trash: join(folder, 'trash'), versions: join(folder, 'versions') };
}

/** Homes of deleted accounts, by id, beside the deleted items of homes. */
export function trashedHomes({ larder }: Pick<Layout, 'larder'>): string {
  return join(areaIn(larder).trash, TRASHED_HOMES);
}

/** No id of a deleted item is equal to it. */
export const TRASHED_HOMES = 'homes';

/** How a path is stored: relative with forward slashes inside the folder, so that the folder can be moved. */
export function storedPath(folder: string, path: string): string {
  const inside = relative(folder, path);
  const isInside = inside !== '' && !inside.startsWith('..') && !isAbsolute(inside);
  return isInside ? inside.split(sep).join('/') : path;
}

export function realPath(folder: string, stored: string): string {
  return isAbsolute(stored) ? stored : join(folder, ...stored.split('/'));
}
