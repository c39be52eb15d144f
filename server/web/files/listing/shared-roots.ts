import { grantPath, shownName, targetIn } from '../../../access/access.ts';
import { type AccountCaller, rightsOf } from '../../../access/caller.ts';
import { folderPermissions } from '../../../access/rights.ts';
import { displayName } from '../../../accounts/account-record.ts';
import type { FilesContext } from '../../../files/context.ts';
import { SHARED_NAME } from '../../../listing/browse-shared.ts';
import { t } from '../../../messages/messages.ts';

/** An item shared with the caller, as needed for rows of a list. */
export interface SharedPlace {
  readonly name: string;
  /** The path of the list that contains it. */
  readonly above: string;
  readonly canOpen: boolean;
}

/** The beginning of every path into a share. */
const BASE = /^\/ROOT\/\d+\/\d+(?=\/|$)/;

/** By the beginnings of their paths, if any of these leads into a share. */
export async function sharedPlaces(
  { access }: Pick<FilesContext, 'access'>,
  caller: AccountCaller,
  paths: readonly string[],
): Promise<ReadonlyMap<string, SharedPlace>> {
  if (!paths.some((path) => BASE.test(path))) return new Map();
  const grants = await access.shared.grantsOf(caller.account);
  return new Map(
    grants.map((grant) => [
      grantPath(grant),
      {
        name: shownName(targetIn(grant, []), grant.location.segments.at(-1) ?? ''),
        above: grant.sharer === null ? SHARED_NAME : displayName(grant.sharer),
        canOpen: folderPermissions(rightsOf(caller), grant).download,
      },
    ]),
  );
}

/** The folder of a path by its name for the caller, and whether it may be opened. */
export function placeIn(
  shared: ReadonlyMap<string, SharedPlace>,
  path: string,
): { readonly folder: string; readonly canOpen: boolean } {
  const base = BASE.exec(path)?.[0] ?? '';
  const place = shared.get(base);
  const parent = path.slice(0, path.lastIndexOf('/'));
  const own = parent === '/ROOT/HOME' ? t('files.myFiles') : parent.slice(parent.lastIndexOf('/') + 1);
  if (place === undefined) return { folder: own, canOpen: true };
  return { folder: path === base ? place.above : parent === base ? place.name : own, canOpen: place.canOpen };
}
