import { basename } from 'node:path';
import type { HomeRecord } from '../../catalogue/homes.ts';
import { comparePaths } from '../format/entries.ts';

/** A home, and the folder of its files below `files/` in a backup. */
export interface HomeTree {
  readonly home: HomeRecord;
  readonly folder: readonly string[];
}

/**
 * The homes in a backup, in the order of the list. Those in the installation's folder have their own names; those elsewhere, and
 * those in the trash, have their ids.
 * @param history whether the trash is included, and with it deleted homes
 */
export function homeTrees(homes: readonly HomeRecord[], history: boolean): HomeTree[] {
  return homes
    .filter(({ trashed }) => history || trashed === null)
    .map((home) => ({ home, folder: folderOf(home) }))
    .sort((a, b) => comparePaths(a.folder, b.folder));
}

function folderOf({ id, isOutside, trashed, homeRoot }: HomeRecord): string[] {
  if (trashed !== null) return ['deleted-homes', id];
  return isOutside ? ['elsewhere', id] : ['homes', basename(homeRoot.root)];
}

/** The folder of a home's older versions or deleted items. */
export function historyFolder(kind: 'versions' | 'trash', homeId: string): string[] {
  return [kind, homeId];
}
