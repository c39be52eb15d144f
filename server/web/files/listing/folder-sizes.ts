import { checkStillShared } from '../../../access/access.ts';
import type { AccountCaller } from '../../../access/caller.ts';
import { onStorage } from '../../../access/storage-failure.ts';
import { knownBytesBelow } from '../../../catalogue/folder-sums.ts';
import type { FilesPagesParts } from '../context.ts';

/**
 * The bytes in each folder of a folder, by their names. It takes longer than a listing, so it is asked for after the page is shown.
 * A caller who may list a folder may list everything below it, so the sums reveal nothing.
 * @throws ApiError `not_found`, `permission_denied`
 */
export async function folderSizes(
  { files }: Pick<FilesPagesParts, 'files'>,
  caller: AccountCaller,
  path: readonly string[],
): Promise<Record<string, number>> {
  const target = await files.access.resolveItem(caller, path, 'files/browse');
  const { segments } = target;
  const { homeRoot, id } = target.home;
  const { parents, entry } = await onStorage(() => files.disk.run('stat', { homeRoot, segments }));
  // The home itself has no name.
  const names = segments.length === 0 ? [] : [...parents.slice(1).map(({ name }) => name), entry.name];
  const sums = await knownBytesBelow({ all: files.database.allAside }, id, names);
  await checkStillShared(target);
  return Object.fromEntries(sums.map(({ name, bytes }) => [name, bytes]));
}
