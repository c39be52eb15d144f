import { type ItemTarget, shownName } from '../../access/access.ts';
import { type Caller, rightsOf } from '../../access/caller.ts';
import { permit, permitInShare } from '../../access/rights.ts';
import { foldName } from '../../lib/names/names.ts';
import { uniqueNames } from '../../lib/names/numbered-name.ts';
import type { FilesContext } from '../context.ts';
import type { ZipRoot } from './plan.ts';

interface Found {
  readonly target: ItemTarget;
  readonly name: string;
  readonly isFolder: boolean;
  readonly identity: string;
}

export interface FoundRoot extends ZipRoot {
  readonly isDir: boolean;
}

/**
 * The items of an archive, each with a name that is unique on every system. A download includes each item once, even if it was
 * selected twice, or lies in a selected folder.
 * @param folderAction the right needed for a folder
 * @throws ApiError `permission_denied`; StorageError `not-found` when one of them does not exist
 */
export async function zipRoots(
  { disk }: Pick<FilesContext, 'disk'>,
  caller: Caller,
  items: readonly ItemTarget[],
  folderAction: 'files/zip:folder' | 'files/download:folder',
): Promise<FoundRoot[]> {
  // A download has what was selected, once; a new archive has what was requested, even twice.
  const isOnce = folderAction === 'files/download:folder';
  const all: (Found & { readonly key: string })[] = [];
  for (const target of items) {
    const { entry } = await disk.run('stat', { homeRoot: target.home.homeRoot, segments: target.segments });
    if (entry.isDir) {
      permit(rightsOf(caller), folderAction);
      permitInShare(target.share, folderAction);
    }
    const path = target.segments.map((name) => `/${foldName(name)}`).join('');
    const key = `${target.home.id}${path}`;
    // On a case-sensitive disk, two names may have one key: they are two files then.
    const isKnown = isOnce && all.some((one) => one.key === key && one.identity === entry.identity);
    const name = shownName(target, entry.name);
    if (!isKnown) all.push({ target, name, isFolder: entry.isDir, identity: entry.identity, key });
  }
  const folders = new Set(all.filter(({ isFolder }) => isFolder).map(({ key }) => key));
  const found = isOnce ? all.filter(({ key }) => !isBelow(key, folders)) : all;
  const names = uniqueNames(found);
  return found.map(({ target, isFolder: isDir }, index) => ({ target, name: names[index] ?? '', isDir }));
}

/** Whether one of the folders contains the item with this key, at any depth. */
function isBelow(key: string, folders: ReadonlySet<string>): boolean {
  for (let end = key.lastIndexOf('/'); end > 0; end = key.lastIndexOf('/', end - 1)) {
    if (folders.has(key.slice(0, end))) return true;
  }
  return false;
}
