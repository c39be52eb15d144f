import { type ItemTarget, isTop } from '../../access/access.ts';
import type { AccountCaller } from '../../access/caller.ts';
import { checkNewType, limitsIn } from '../../access/limits.ts';
import type { Reservation } from '../../access/quota.ts';
import { onStorage } from '../../access/storage-failure.ts';
import { ApiError } from '../../http/errors.ts';
import { t } from '../../messages/messages.ts';
import type { DiskEntry } from '../../storage/disk/disk.ts';
import { isSameDisk } from '../../storage/homes/move-home.ts';
import type { FilesContext } from '../context.ts';
import { checkNewName } from '../create-folder.ts';
import { checkItemConditions } from '../item-conditions.ts';
import { checkMoveUnlocked } from '../locks/locks.ts';
import { oldContents } from '../versions/version-rows.ts';
import { withItem } from '../with-file.ts';
import type { MoveAcrossHomes } from './across-homes-steps.ts';
import { checkedBytes } from './checked-bytes.ts';
import { checkFree } from './copy.ts';
import { copyAcrossHomes } from './copy-across-homes.ts';
import { renameAcrossHomes } from './rename-across-homes.ts';
import type { Moved, TransferOptions } from './transfer-options.ts';

/**
 * Moves an item to another home: its data, its owner, and the quota it counts for. The item and everything below it keep uuid,
 * versions, stars, locks and all other rows. Within one disk this is one rename; otherwise it is copied first, and the copy is
 * put in place in one step. A failure leaves everything unchanged.
 * @param folder in the other home
 * @throws ApiError `not_found`, `already_exists`, `invalid_path`, `locked`, `precondition_failed`, `type_not_allowed`,
 * `quota_exceeded`, `disk_full`
 */
export function moveAcrossHomes(
  context: FilesContext,
  caller: AccountCaller,
  source: ItemTarget,
  folder: ItemTarget,
  { overwrite, name, keepsReplaced = false, conditions = null, check }: TransferOptions,
): Promise<Moved> {
  if (isTop(source)) throw new ApiError('invalid_path', t('api.files.fixedRoot'));
  return onStorage(async () => {
    const found = await withItem(context, source, async (there) => there);
    const { entry } = found;
    const itemId = found.item.id;
    await checkItemConditions(context, caller, source, found, conditions);
    const target = { ...folder, segments: [...folder.segments, name ?? entry.name] };
    if (name !== undefined && name !== entry.name) {
      checkNewName(name);
      if (!entry.isDir) checkNewType(limitsIn(caller.account, target), entry.name, name);
    }
    await context.catalogue.ensureFolderRows(folder.home, folder.segments);
    const mayReplace = overwrite && !entry.isDir;
    await checkFree(context, target, mayReplace);
    await checkMoveUnlocked(context, caller, { source, target, overwrite });
    const reservation = await reserve(context, caller, { source, target, itemId, entry });
    const between = { source: source.home, target: target.home };
    const options = { mayReplace, keepsReplaced, conditions, check };
    const move: MoveAcrossHomes = { caller, source, target, between, itemId, ...options, reservation };
    try {
      const renamed = (await isSameDisk(source.home.homeRoot.root, target.home.homeRoot.root))
        ? await renameAcrossHomes(context, move)
        : null;
      return renamed ?? (await copyAcrossHomes(context, move));
    } finally {
      reservation.release();
    }
  });
}

interface Reserve {
  readonly source: ItemTarget;
  readonly target: ItemTarget;
  readonly itemId: number;
  readonly entry: DiskEntry;
}

/** Reserves space for all of it, versions included, and checks every file type before anything is moved. */
async function reserve(
  context: FilesContext,
  caller: AccountCaller,
  { source, target, itemId, entry }: Reserve,
): Promise<Reservation> {
  const { database, quotas } = context;
  const { home } = target;
  const bytes = await checkedBytes(context, caller.account, source, target, entry);
  const old = (await quotas.isLimited(home)) ? (await oldContents(database, itemId)).bytes : 0;
  return quotas.reserve({ caller, home, bytes: bytes + old });
}
