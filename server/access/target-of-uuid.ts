import { itemByUuid } from '../catalogue/item-by-uuid.ts';
import type { FilesDatabase } from '../database/database.ts';
import { type Access, HOME_BASE, type ItemTarget, notFound, targetIn } from './access.ts';
import type { AccountCaller } from './caller.ts';
import { folderLimitOf, limitedTo } from './folder-limit.ts';

interface Parts {
  readonly access: Pick<Access, 'homeOf' | 'shared'>;
  readonly database: Pick<FilesDatabase, 'all'>;
}

/**
 * Where a caller reaches an item: in the own home, otherwise through the oldest share that contains it. The catalogue is searched,
 * not the disk: another program may have moved the item since.
 * @throws ApiError `not_found` alike for items that do not exist and for those the caller may not know of
 */
export async function targetOfUuid(parts: Parts, caller: AccountCaller, uuid: string): Promise<ItemTarget> {
  const limit = await folderLimitOf(parts.database, caller);
  if (limit === 'gone') throw notFound();
  const target = await unlimitedTarget(parts, caller, uuid);
  const reached = limit === null ? target : limitedTo(limit, target);
  if (reached === null) throw notFound();
  return reached;
}

/**
 * The folder that the credential of a caller is limited to, by the path of the caller (`virtualPathOf`).
 * @returns null for a caller without such a limit
 * @throws ApiError `not_found` when the account no longer reaches it
 */
export async function limitingFolder(parts: Parts, caller: AccountCaller): Promise<ItemTarget | null> {
  const rootUuid = caller.credential?.rootUuid ?? null;
  return rootUuid === null ? null : targetOfUuid(parts, caller, rootUuid);
}

async function unlimitedTarget(
  { access, database }: Parts,
  { account }: AccountCaller,
  uuid: string,
): Promise<ItemTarget> {
  const found = await itemByUuid(database, uuid);
  if (found === null) throw notFound();
  const { item, location } = found;
  if (location.homeId === account.homeId) {
    const home = await access.homeOf({ account });
    return { home, segments: location.segments, base: HOME_BASE, top: 0, share: null };
  }
  const path = new Set([...location.folders, item.id]);
  const grants = (await access.shared.grantsOf(account)).filter(({ itemId }) => path.has(itemId));
  const [grant] = grants.sort((a, b) => a.id - b.id);
  if (grant === undefined) throw notFound();
  return targetIn(grant, location.segments.slice(grant.location.segments.length));
}
