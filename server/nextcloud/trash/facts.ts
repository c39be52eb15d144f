import { HOME_BASE, virtualPathOf } from '../../access/access.ts';
import { rightsOf } from '../../access/caller.ts';
import { isPermitted } from '../../access/rights.ts';
import { limitingFolder } from '../../access/target-of-uuid.ts';
import type { TrashedItem } from '../../files/trash/trash-rows.ts';
import { MY_FILES } from '../../webdav/locate.ts';
import type { TrashCall } from './call.ts';

/** Where a deleted item was, as an app sees the files of the home: at its top, or in a folder there. */
export async function formerLocations({ context, caller }: TrashCall): Promise<(item: TrashedItem) => string> {
  const root = await limitingFolder(context.files, caller);
  const [top, before] = root === null ? [HOME_BASE, [MY_FILES]] : [virtualPathOf(root), []];
  return ({ originalPath }) => [...before, originalPath.slice(top.length + 1)].join('/');
}

/** What the caller may do with a deleted item. */
export function permissionsOf(caller: TrashCall['caller']): string {
  return isPermitted(rightsOf(caller), null, 'files/trash/delete') ? 'D' : '';
}
