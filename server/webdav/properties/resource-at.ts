import { checkStillShared, type ItemTarget, shownName } from '../../access/access.ts';
import { type AccountCaller, rightsOf } from '../../access/caller.ts';
import { isPermitted } from '../../access/rights.ts';
import { onStorage } from '../../access/storage-failure.ts';
import { tagReader } from '../../access/tag-reader.ts';
import { knownContent } from '../../catalogue/find.ts';
import { sumBelow } from '../../catalogue/folder-sums.ts';
import { folderTags } from '../../catalogue/folder-tags.ts';
import { FILES_ROOT, isUpToDate, rootId } from '../../catalogue/items.ts';
import { contentTagForReader } from '../../files/content-tag.ts';
import type { DavContext } from '../context.ts';
import { checksumsOf } from '../stated-checksums.ts';
import type { DavResource } from './live.ts';
import { permissionLettersAt } from './permission-letters.ts';
import { needsChecksums, needsSums, needsTags, type RequestedProperties } from './requested.ts';

/** @returns the resource with the name on the disk, and its row */
export async function resourceAt(
  { files }: DavContext,
  caller: AccountCaller,
  target: ItemTarget,
  requested: RequestedProperties | null = null,
): Promise<{ readonly resource: DavResource; readonly itemId: number | null }> {
  const { home, segments } = target;
  const found = await onStorage(() => files.disk.run('stat', { homeRoot: home.homeRoot, segments }));
  await checkStillShared(target);
  const known = segments.length === 0 ? null : await knownContent(files.database, home.id, found);
  const itemId = segments.length === 0 ? await rootId(files.database, home.id, FILES_ROOT) : (known?.item.id ?? null);
  const wantsSum = requested !== null && needsSums(requested) && found.entry.isDir && itemId !== null;
  // In a list, each file is reached through a share of its own.
  const mayRead = isPermitted(rightsOf(caller), target.share, 'files/download');
  const wantsChecksums =
    mayRead &&
    known !== null &&
    isUpToDate(known.item, found.entry) &&
    requested !== null &&
    needsChecksums(requested) &&
    !found.entry.isDir;
  const wantsTag = requested === null || needsTags(requested);
  const resource: DavResource = {
    href: '',
    name: shownName(target, found.entry.name),
    isFolder: found.entry.isDir,
    entry: found.entry,
    etag: wantsTag ? await tagOf() : null,
    uuid: known?.item.uuid ?? (segments.length === 0 ? home.id : null),
    target: { segments },
    permissions: permissionLettersAt(rightsOf(caller), target, found.entry.isDir),
    checksums: wantsChecksums ? await checksumsOf(files.database, known.item.id, found.entry.identity) : null,
    bytesBelow: wantsSum ? (await sumBelow(files.database, itemId)).bytes : null,
  };
  return { resource, itemId };

  async function tagOf(): Promise<string | null> {
    if (!found.entry.isDir)
      return mayRead ? (await onStorage(() => contentTagForReader(files, home, found))).etag : null;
    if (itemId === null) return null;
    return (await folderTags(files.database, tagReader(caller.account, target.share), [itemId])).get(itemId) ?? null;
  }
}
