import { type Asker, type ItemTarget, shownName } from '../access/access.ts';
import { permit, permitInShare } from '../access/rights.ts';
import { uniqueNames } from '../lib/numbered-name.ts';
import type { FilesContext } from './context.ts';
import type { ZipRoot } from './zip-plan.ts';

export interface FoundRoot extends ZipRoot {
  readonly isDir: boolean;
}

/**
 * What goes into an archive, each with a name that no other one has on any system.
 * @param folderAction the right that a folder takes
 * @throws ApiError `permission_denied`; StorageError `not-found` when one of them is not there
 */
export async function zipRoots(
  { disk }: Pick<FilesContext, 'disk'>,
  asker: Asker,
  items: readonly ItemTarget[],
  folderAction: 'files/zip folder' | 'files/download folder',
): Promise<FoundRoot[]> {
  const found: { target: ItemTarget; name: string; isFolder: boolean }[] = [];
  for (const target of items) {
    const { entry } = await disk.run('stat', { place: target.home.place, segments: target.segments });
    if (entry.isDir) {
      permit(asker.account, folderAction);
      permitInShare(target.share, folderAction);
    }
    found.push({ target, name: shownName(target, entry.name), isFolder: entry.isDir });
  }
  const names = uniqueNames(found);
  return found.map(({ target, isFolder: isDir }, index) => ({ target, name: names[index] ?? '', isDir }));
}
