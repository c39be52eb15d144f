import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { Home } from '../../catalogue/homes.ts';
import { makeFolder } from '../../storage/content/copy.ts';
import { copyStoredVia } from '../../storage/content/stored-tree.ts';
import { eraseStored } from '../../storage/content/work-area.ts';
import { flushFolder } from '../../storage/flush.ts';
import type { FilesContext, RowsContext } from '../context.ts';
import { forEachInParallel } from '../parallel.ts';
import { homesOfVersions } from '../versions/version-rows.ts';

/** The homes between which items and their versions move. */
export interface HomePair {
  readonly source: Home;
  readonly target: Home;
}

/** Homes within the installation's folder share one work area, so their versions need not move. */
export function shareArea({ source, target }: HomePair): boolean {
  return source.area.versions === target.area.versions;
}

/**
 * Copies versions to the target's disk, into a folder where they are not looked up yet. Copied before locking, since it may
 * take long.
 * @param folder is created
 */
export async function copyVersions(
  { failPoints }: Pick<FilesContext, 'failPoints'>,
  { source }: HomePair,
  ids: readonly string[],
  folder: string,
): Promise<void> {
  await makeFolder(folder);
  await forEachInParallel(ids, async (id) => {
    await copyStoredVia(join(source.area.versions, id), join(folder, id), `${join(folder, id)}.part`, failPoints);
  });
}

/**
 * Puts versions into the target's storage, and also leaves them in the source's: they are read there until the rows have moved.
 * Lost ones are left out.
 * @param copies the folder of `copyVersions`; null when there is none
 */
export async function bringVersions(
  { failPoints }: Pick<FilesContext, 'failPoints'>,
  { source, target }: HomePair,
  ids: readonly string[],
  copies: string | null,
): Promise<void> {
  if (ids.length === 0) return;
  await forEachInParallel(ids, async (id) => {
    const to = join(target.area.versions, id);
    const via = join(target.area.incoming, randomUUID());
    if (copies !== null && (await copyStoredVia(join(copies, id), to, via, failPoints))) return;
    await copyStoredVia(join(source.area.versions, id), to, via, failPoints);
  });
  await flushFolder(target.area.versions);
}

/** After the rows have moved, or have not: each version stays only in the work area of the home that has its row. */
export async function settleVersions(
  { database }: RowsContext,
  between: HomePair,
  ids: readonly string[],
): Promise<void> {
  if (ids.length === 0 || shareArea(between)) return;
  const homes = await homesOfVersions(database, ids);
  for (const { id: homeId, area } of [between.source, between.target]) {
    const surplus = ids.filter((id) => homes.get(id) !== homeId);
    for (const id of surplus) await eraseStored(join(area.versions, id));
    if (surplus.length > 0) await flushFolder(area.versions);
  }
}
