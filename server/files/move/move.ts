import { checkStillShared, homePathOf, type ItemTarget, isTop, virtualPathOf } from '../../access/access.ts';
import type { AccountCaller } from '../../access/caller.ts';
import type { ItemName } from '../../access/item-name.ts';
import { checkNewType, limitsIn } from '../../access/limits.ts';
import type { FileAction } from '../../access/rights.ts';
import { onStorage } from '../../access/storage-failure.ts';
import { rememberPath } from '../../catalogue/remember.ts';
import { ApiError } from '../../http/errors.ts';
import { isHiddenName } from '../../lib/names/hidden-names.ts';
import { awaitFailPoint } from '../../lib/process/fail-points.ts';
import { t } from '../../messages/messages.ts';
import { StorageError } from '../../storage/errors.ts';
import { flushAndClose, flushEach } from '../../storage/flush.ts';
import { type FilesContext, lockKey } from '../context.ts';
import { checkNewName } from '../create-folder.ts';
import { emitItemEvent } from '../emit.ts';
import { checkItemConditions } from '../item-conditions.ts';
import type { JournalEntryOf } from '../journal/journal.ts';
import { checkMoveUnlocked } from '../locks/locks.ts';
import { previousContentPath, retainAs } from '../publish/previous-content.ts';
import { eraseVersionsLater, surplusVersions } from '../versions/version-limits.ts';
import { moveAcrossHomes } from './across-homes.ts';
import { completeSave } from './complete-save.ts';
import { recordMoved } from './record-moved.ts';
import type { Moved, TransferOptions } from './transfer-options.ts';
import { keyOf, noteSuccessor, noteVacated } from './vacated.ts';

/**
 * @throws ApiError `invalid_name`, `not_found`, `already_exists`, `invalid_path`, `type_not_allowed`, `precondition_failed`
 */
export async function renameItem(
  context: FilesContext,
  caller: AccountCaller,
  named: ItemName,
  newName: string,
  options: TransferOptions,
): Promise<Moved> {
  const source = await itemAt(context, caller, named, 'files/rename');
  if (newName !== source.segments.at(-1)) checkNewName(newName);
  return move(context, caller, source, { ...source, segments: [...source.segments.slice(0, -1), newName] }, options);
}

/**
 * @param moveTo the destination folder
 * @throws ApiError `not_found`, `already_exists`, `invalid_path`, `precondition_failed`; into another home also
 * `type_not_allowed`, `quota_exceeded`, `disk_full`
 */
export async function moveItem(
  context: FilesContext,
  caller: AccountCaller,
  named: ItemName,
  moveTo: readonly string[],
  options: TransferOptions,
): Promise<Moved> {
  const source = await itemAt(context, caller, named, 'files/move');
  const folder = await context.access.resolveItem(caller, moveTo, moveTargetAction(source, options.overwrite));
  if (folder.home.id !== source.home.id) return moveAcrossHomes(context, caller, source, folder, options);
  const before = source.segments.at(-1) ?? '';
  const { name = before } = options;
  if (name !== before) checkNewName(name);
  return move(context, caller, source, { ...folder, segments: [...folder.segments, name] }, options);
}

/** What a move needs in its destination folder. */
export function moveTargetAction(source: Pick<ItemTarget, 'base'>, overwrite: boolean) {
  return ({ base }: Pick<ItemTarget, 'base'>): FileAction => {
    if (base === source.base) return 'files/move:within';
    return overwrite ? 'files/move:replace' : 'files/move:into';
  };
}

async function itemAt(
  { access }: FilesContext,
  caller: AccountCaller,
  named: ItemName,
  action: FileAction,
): Promise<ItemTarget> {
  const target = await access.resolveItem(caller, named, action);
  if (isTop(target)) throw new ApiError('invalid_path', t('api.files.fixedRoot'));
  return target;
}

/** One rename on the disk and one row, however large the tree. */
async function move(
  context: FilesContext,
  caller: AccountCaller,
  source: ItemTarget,
  target: ItemTarget,
  options: TransferOptions,
): Promise<Moved> {
  const { home } = source;
  const moved = await onStorage(async () => {
    await context.catalogue.ensureItemRow(home, source.segments);
    await context.catalogue.ensureFolderRows(home, target.segments.slice(0, -1));
    return context.pathLocks.run([lockKey(home, source.segments), lockKey(home, target.segments)], () =>
      context.catalogue.changing(home, () => moveLocked(context, caller, source, target, options)),
    );
  });
  if (options.program !== undefined && moved.isSaved) {
    await noteStep(context, caller, options.program, { source, target, itemId: moved.itemId });
  }
  return moved;
}

interface MovedItem extends Moved {
  readonly itemId: number;
  /** Whether it may be a step in which a program saves a document: a file that has replaced none. */
  readonly isSaved: boolean;
}

/** Notes what a program does that saves a document by way of other names, and completes it if this was the last step. */
async function noteStep(
  context: FilesContext,
  caller: AccountCaller,
  program: string,
  { source, target, itemId }: { readonly source: ItemTarget; readonly target: ItemTarget; readonly itemId: number },
): Promise<void> {
  const before = noteSuccessor(context, program, { itemId, target });
  if (before !== null && 'trashId' in before.now) {
    const { trashId } = before.now;
    const { lock } = before;
    // What is written only after the document was deleted is another one: deleting may have meant to end its shares.
    const requested = { program, trashId, itemId: before.itemId, target, successorId: itemId, lock };
    await completeSave(context, caller, { ...requested, writtenBefore: before.leftAt });
  }
  const folderOf = ({ segments }: ItemTarget) => segments.slice(0, -1).join('/');
  if (folderOf(source) !== folderOf(target)) return;
  noteVacated(context, { program, itemId, former: source, now: { path: keyOf(target) }, lock: null });
}

async function moveLocked(
  context: FilesContext,
  caller: AccountCaller,
  source: ItemTarget,
  target: ItemTarget,
  { overwrite, conditions = null, check, keepsReplaced = false }: TransferOptions,
): Promise<MovedItem> {
  const { database, disk, journal, settings, clock } = context;
  const { home, segments: from } = source;
  const { segments: to } = target;
  await checkStillShared(source, target);
  const found = await disk.run('stat', { homeRoot: home.homeRoot, segments: from });
  await checkItemConditions(context, caller, source, found, conditions);
  await check?.();
  await checkMoveUnlocked(context, caller, { source, target, overwrite });
  if (!found.entry.isDir) checkNewType(limitsIn(caller.account, target), from.at(-1) ?? '', to.at(-1) ?? '');
  const isHidden = isHiddenName(to.at(-1) ?? '');
  const limits = isHidden ? { versionsKept: 1 } : settings.values;
  const kept = retainAs(limits, homePathOf(to), caller.account.id, clock.now());
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
      keepsReplaced,
    };
    return { entry, journalId: await journal.begin(tx, entry) };
  });
  try {
    await awaitFailPoint(context.failPoints, 'files.move.begun');
    const moved = await disk.run('move', {
      homeRoot: home.homeRoot,
      toHomeRoot: target.home.homeRoot,
      from,
      parent: to.slice(0, -1),
      name: to.at(-1) ?? '',
      retainAs: overwrite ? previousContentPath(home, kept) : null,
    });
    const unflushed = await flushEach([flushAndClose(moved.folderFd), flushAndClose(moved.fromFolderFd)]);
    const surplus = await database.write(async (tx) => {
      await recordMoved(context, tx, entry, moved, journalId);
      return moved.replaced === null
        ? null
        : surplusVersions(context, tx, home.id, entry.itemId, isHidden ? [kept.id] : []);
    });
    if (unflushed !== null) throw unflushed;
    eraseVersionsLater(context, home, surplus);
    const path = virtualPathOf(target, [...to.slice(0, -1), moved.entry.name]);
    const hasReplaced = moved.replaced !== null;
    emitItemEvent(context, 'item.moved', caller, target, {
      itemId: entry.itemId,
      path,
      isFolder: moved.entry.isDir,
      from: virtualPathOf(source),
      hasReplaced,
      between: null,
    });
    const isSaved = !moved.entry.isDir && !hasReplaced && !isHidden;
    return { path, hasReplaced, itemId: entry.itemId, isSaved };
  } catch (error) {
    // The disk refused before anything was renamed. Later failures are finished by `journal/repair.ts`.
    if (error instanceof StorageError) await database.write((tx) => journal.end(tx, journalId));
    throw error;
  }
}
