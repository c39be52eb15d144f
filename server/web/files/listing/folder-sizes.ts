import { checkStillShared } from '../../../access/access.ts';
import type { AccountCaller } from '../../../access/caller.ts';
import { onStorage } from '../../../access/storage-failure.ts';
import { knownBytesBelow, knownBytesIn } from '../../../catalogue/folder-sums.ts';
import type { FilesDatabase } from '../../../database/database.ts';
import { ApiError } from '../../../http/errors.ts';
import type { FilesPagesParts } from '../context.ts';

/**
 * The bytes in each folder of a folder, by their names. It takes longer than a listing, so it is asked for after the page is shown.
 * A caller who may list a folder may list everything below it, so the sums reveal nothing.
 * @throws ApiError `not_found`, `permission_denied`
 */
export function folderSizes(
  parts: Pick<FilesPagesParts, 'files'>,
  caller: AccountCaller,
  path: readonly string[],
): Promise<Record<string, number>> {
  return inFolder(parts, caller, path, async (database, homeId, names) => {
    const sums = await knownBytesBelow(database, homeId, names);
    return Object.fromEntries(sums.map(({ name, bytes }) => [name, bytes]));
  });
}

/** The bytes in folders from anywhere, by their paths. Those that are gone, or not all known, are left out. */
export async function sizesOfFolders(
  parts: Pick<FilesPagesParts, 'files'>,
  caller: AccountCaller,
  paths: readonly (readonly string[])[],
): Promise<Record<string, number>> {
  const sizes: Record<string, number> = {};
  for (const path of paths) {
    const bytes = await inFolder(parts, caller, path, knownBytesIn).catch((error) => {
      if (error instanceof ApiError) return null;
      throw error;
    });
    if (bytes !== null) sizes[`/${path.join('/')}`] = bytes;
  }
  return sizes;
}

/** @param read what is asked for, by the names on the path to the folder @throws ApiError */
async function inFolder<T>(
  { files }: Pick<FilesPagesParts, 'files'>,
  caller: AccountCaller,
  path: readonly string[],
  read: (database: Pick<FilesDatabase, 'all'>, homeId: string, names: readonly string[]) => Promise<T>,
): Promise<T> {
  const target = await files.access.resolveItem(caller, path, 'files/browse');
  const { segments } = target;
  const { homeRoot, id } = target.home;
  const { parents, entry } = await onStorage(() => files.disk.run('stat', { homeRoot, segments }));
  // The home itself has no name.
  const names = segments.length === 0 ? [] : [...parents.slice(1).map(({ name }) => name), entry.name];
  const found = await read({ all: files.database.allAside }, id, names);
  await checkStillShared(target);
  return found;
}
