import { basename } from 'node:path';
import type { HomeRecord } from '../../catalogue/homes.ts';
import { comparePaths } from '../format/entries.ts';

/** A home, and where its files lie below `files/` in a backup. */
export interface HomeTree {
  readonly home: HomeRecord;
  readonly folder: readonly string[];
}

/**
 * The homes that a backup has, in the order of the list. Those in the installation's folder under their own names; those
 * elsewhere, and those in the trash, by their ids.
 * @param history whether the trash is in it, and with it whole homes that were deleted
 */
export function homeTrees(homes: readonly HomeRecord[], history: boolean): HomeTree[] {
  return homes
    .filter(({ trashed }) => history || trashed === null)
    .map((home) => ({ home, folder: folderOf(home) }))
    .sort((a, b) => comparePaths(a.folder, b.folder));
}

function folderOf({ id, isOutside, trashed, place }: HomeRecord): string[] {
  if (trashed !== null) return ['deleted-homes', id];
  return isOutside ? ['elsewhere', id] : ['homes', basename(place.root)];
}

/** Where older versions and deleted items of a home lie. */
export function historyFolder(kind: 'versions' | 'trash', homeId: string): string[] {
  return [kind, homeId];
}
