import { checkStillShared, homePathOf, type ItemTarget, isTop, virtualPathOf } from '../../access/access.ts';
import type { AccountCaller } from '../../access/caller.ts';
import { checkNewType, limitsIn } from '../../access/limits.ts';
import type { FileAction } from '../../access/rights.ts';
import { onStorage } from '../../access/storage-failure.ts';
import { rememberPath } from '../../catalogue/remember.ts';
import { ApiError } from '../../http/errors.ts';
import { t } from '../../messages/messages.ts';
import { StorageError } from '../../storage/errors.ts';
import { flushAndClose, flushEach } from '../../storage/flush.ts';
import { type FilesContext, lockKey } from '../context.ts';
import { checkNewName } from '../create-folder.ts';
import { emitItemEvent } from '../emit.ts';
import type { JournalEntryOf } from '../journal/journal.ts';
import { checkUnlocked } from '../locks/locks.ts';
import { previousContentPath, retainAs } from '../publish/previous-content.ts';
import { eraseVersionsLater, surplusVersions } from '../versions/version-limits.ts';
import { moveAcrossHomes } from './across-homes.ts';
import { recordMoved } from './record-moved.ts';

/** @throws ApiError `invalid_name`, `not_found`, `already_exists`, `invalid_path`, `type_not_allowed` */
export async function renameItem(
  context: FilesContext,
  caller: AccountCaller,
  path: readonly string[],
  newName: string,
  overwrite: boolean,
): Promise<string> {
  const source = await itemAt(context, caller, path, 'files/rename');
  if (newName !== source.segments.at(-1)) checkNewName(newName);
  return move(context, caller, source, { ...source, segments: [...source.segments.slice(0, -1), newName] }, overwrite);
}

/**
 * @param moveTo the destination folder
 * @throws ApiError `not_found`, `already_exists`, `invalid_path`; into another home also `type_not_allowed`, `quota_exceeded`,
 * `disk_full`
 */
export async function moveItem(
  context: FilesContext,
  caller: AccountCaller,
  path: readonly string[],
  moveTo: readonly string[],
  overwrite: boolean,
): Promise<string> {
  const source = await itemAt(context, caller, path, 'files/move');
  const folder = await context.access.resolveItem(caller, moveTo, ({ base }) => {
    if (base === source.base) return 'files/move:within';
    return overwrite ? 'files/move:replace' : 'files/move:into';
  });
  if (folder.home.id !== source.home.id) return moveAcrossHomes(context, caller, source, folder, overwrite);
  const name = source.segments.at(-1) ?? '';
  return move(context, caller, source, { ...folder, segments: [...folder.segments, name] }, overwrite);
}

async function itemAt(
  { access }: FilesContext,
  caller: AccountCaller,
  path: readonly string[],
  action: FileAction,
): Promise<ItemTarget> {
  const target = await access.resolveItem(caller, path, action);
  if (isTop(target)) throw new ApiError('invalid_path', t('api.files.fixedRoot'));
  return target;
}

/** One rename on the disk and one row, however large the tree. @returns the path of the item afterwards */
function move(
  context: FilesContext,
  caller: AccountCaller,
  source: ItemTarget,
  target: ItemTarget,
  overwrite: boolean,
): Promise<string> {
  const { home } = source;
  return onStorage(async () => {
    await context.catalogue.ensureItemRow(home, source.segments);
    await context.catalogue.ensureFolderRows(home, target.segments.slice(0, -1));
    return context.pathLocks.run([lockKey(home, source.segments), lockKey(home, target.segments)], () =>
      context.catalogue.changing(home, () => moveLocked(context, caller, source, target, overwrite)),
    );
  });
}

async function moveLocked(
  context: FilesContext,
  caller: AccountCaller,
  source: ItemTarget,
  target: ItemTarget,
  overwrite: boolean,
): Promise<string> {
  const { database, disk, journal, settings, clock } = context;
  const { home, segments: from } = source;
  const { segments: to } = target;
  await checkStillShared(source, target);
  const found = await disk.run('stat', { homeRoot: home.homeRoot, segments: from });
  for (const one of overwrite ? [source, target] : [source]) await checkUnlocked(context, caller, one);
  if (!found.entry.isDir) checkNewType(limitsIn(caller.account, target), from.at(-1) ?? '', to.at(-1) ?? '');
  const kept = retainAs(settings.values, homePathOf(to), caller.account.id, clock.now());
  const { entry, journalId } = await database.write(async (tx) => {
    const { id: itemId } = await rememberPath(tx, home.id, found.parents, found.entry);
    const { identity } = found.entry;
    const entry: JournalEntryOf<'move'> = {
      kind: 'move',
      homeId: home.id,
      itemId,
      identity,
      from: [...from],
      to: [...to],
      kept,
    };
    return { entry, journalId: await journal.begin(tx, entry) };
  });
  try {
    const moved = await disk.run('move', {
      homeRoot: home.homeRoot,
      toPlace: target.home.homeRoot,
      from,
      parent: to.slice(0, -1),
      name: to.at(-1) ?? '',
      retainAs: overwrite ? previousContentPath(home, kept) : null,
    });
    const unflushed = await flushEach([flushAndClose(moved.folderFd), flushAndClose(moved.fromFolderFd)]);
    const surplus = await database.write(async (tx) => {
      await recordMoved(context, tx, entry, moved, journalId);
      return moved.replaced === null ? null : surplusVersions(context, tx, home.id, entry.itemId);
    });
    if (unflushed !== null) throw unflushed;
    eraseVersionsLater(context, home, surplus);
    const path = virtualPathOf(target, [...to.slice(0, -1), moved.entry.name]);
    emitItemEvent(context, 'item.moved', caller, target, {
      itemId: entry.itemId,
      path,
      isFolder: moved.entry.isDir,
      from: virtualPathOf(source),
      hasReplaced: moved.replaced !== null,
      between: null,
    });
    return path;
  } catch (error) {
    // The disk refused before anything was renamed. Later failures are finished at the next start.
    if (error instanceof StorageError) await database.write((tx) => journal.end(tx, journalId));
    throw error;
  }
}
