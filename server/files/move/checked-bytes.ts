import { type ItemTarget, virtualPathOf } from '../../access/access.ts';
import { areTypesLimited, checkType, limitsIn } from '../../access/limits.ts';
import type { AccountRecord } from '../../accounts/accounts.ts';
import type { DiskEntry } from '../../storage/disk/disk.ts';
import type { FilesContext } from '../context.ts';
import { walk } from '../walk.ts';

/**
 * The bytes of what is to come into another place, every type in it allowed there. A tree is looked through only where there
 * is a limit of either.
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
