import type { Asker, ItemTarget } from '../access/access.ts';
import { permit } from '../access/rights.ts';
import { foldName } from '../lib/names.ts';
import type { FilesContext } from './context.ts';
import { numberedName } from './numbered-name.ts';
import type { ZipRoot } from './write-zip.ts';

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
  const taken = new Set<string>();
  const roots: FoundRoot[] = [];
  for (const target of items) {
    const { entry } = await disk.run('stat', { place: target.home.place, segments: target.segments });
    if (entry.isDir) permit(asker.account, folderAction);
    const name = freeName(taken, entry.name === '' ? 'My Files' : entry.name, entry.isDir);
    taken.add(foldName(name));
    roots.push({ target, name, isDir: entry.isDir });
  }
  return roots;
}

function freeName(taken: ReadonlySet<string>, name: string, isFolder: boolean): string {
  for (let attempt = 1; ; attempt += 1) {
    const numbered = numberedName(name, attempt, isFolder);
    if (!taken.has(foldName(numbered))) return numbered;
  }
}
