import { type ItemTarget, virtualPathOf } from '../../access/access.ts';
import { areTypesLimited, checkType, limitsIn } from '../../access/limits.ts';
import type { AccountRecord } from '../../accounts/accounts.ts';
import type { DiskEntry } from '../../storage/disk/disk.ts';
import type { FilesContext } from '../context.ts';
import { walk } from '../walk.ts';

/**
 * The bytes of an item to be copied or moved, with every file type in it allowed at the destination. The tree is walked only if
 * the destination has a limit.
 * @param entry of the source
 * @throws ApiError `type_not_allowed`
 */
export async function checkedBytes(
  { disk, quotas }: Pick<FilesContext, 'disk' | 'quotas'>,
  account: AccountRecord,
  source: ItemTarget,
  target: ItemTarget,
  entry: DiskEntry,
): Promise<number> {
  const limits = limitsIn(account, target);
  if (!entry.isDir) {
    checkType(limits, entry.name);
    return entry.size;
  }
  let bytes = 0;
  if (areTypesLimited(limits) || (await quotas.isLimited(target.home))) {
    for await (const { segments, entry } of walk(disk, source)) {
      if (entry.isDir) continue;
      checkType(limits, entry.name, virtualPathOf(source, [...source.segments, ...segments]));
      bytes += entry.size;
    }
  }
  return bytes;
}
