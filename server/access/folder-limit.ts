import { itemByUuid } from '../catalogue/item-by-uuid.ts';
import type { FilesDatabase } from '../database/database.ts';
import type { UnchangedLater } from '../lib/unchanged.ts';
import type { AccountCaller, Caller } from './caller.ts';
import type { ItemTarget } from './item-target.ts';

/** The folder that a caller's credential is limited to, in its present place. */
interface FolderLimit {
  readonly itemId: number;
  readonly homeId: string;
  readonly segments: readonly string[];
  /** Whether it is still there. Checked again during an operation, which does not follow it to another place. */
  readonly isUnchanged: UnchangedLater;
}

type Reads = Pick<FilesDatabase, 'all'>;

/** @returns null for a caller without such a limit; 'gone' where the folder is in no home now */
export async function folderLimitOf(
  database: Reads,
  caller: Caller | Pick<AccountCaller, 'account' | 'credential'>,
): Promise<FolderLimit | null | 'gone'> {
  const rootUuid = caller.account === undefined ? null : (caller.credential?.rootUuid ?? null);
  return rootUuid === null ? null : placeOf(database, rootUuid);
}

async function placeOf(database: Reads, uuid: string): Promise<FolderLimit | 'gone'> {
  const found = await itemByUuid(database, uuid);
  if (found === null) return 'gone';
  const { homeId, segments } = found.location;
  return {
    itemId: found.item.id,
    homeId,
    segments,
    async isUnchanged() {
      const now = (await itemByUuid(database, uuid))?.location;
      // No name has a slash, so the joined paths are unambiguous.
      return now?.homeId === homeId && now.segments.join('/') === segments.join('/');
    },
  };
}

/**
 * An item as a limited caller reaches it: the folder of the limit is its topmost one, so that it can be neither renamed nor moved.
 * @returns null for an item outside of that folder. Names have to be spelled as they are: another composition may be another item
 */
export function limitedTo(limit: FolderLimit, item: ItemTarget): ItemTarget | null {
  const { homeId, segments: root } = limit;
  if (item.home.id !== homeId || !root.every((name, index) => item.segments[index] === name)) return null;
  const { homeRoot } = item.home;
  return {
    ...item,
    home: { ...item.home, homeRoot: { ...homeRoot, exact: Math.max(homeRoot.exact ?? 0, root.length) } },
    base: [item.base, ...root.slice(item.top)].join('/'),
    top: root.length,
    limit,
  };
}
