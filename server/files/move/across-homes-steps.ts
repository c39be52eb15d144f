import { checkStillShared, homePathOf, type ItemTarget, virtualPathOf } from '../../access/access.ts';
import type { AccountCaller } from '../../access/caller.ts';
import type { Reservation } from '../../access/quota.ts';
import { rememberPath } from '../../catalogue/remember.ts';
import type { Preconditions } from '../../http/request/preconditions.ts';
import { isHiddenName } from '../../lib/names/hidden-names.ts';
import type { Found } from '../../storage/disk/disk.ts';
import { type FilesContext, lockKey } from '../context.ts';
import { emitItemEvent, ownerOf } from '../emit.ts';
import { checkItemConditions } from '../item-conditions.ts';
import type { JournalContext } from '../journal/context.ts';
import type { JournalEntryOf } from '../journal/journal.ts';
import { checkMoveUnlocked } from '../locks/locks.ts';
import { retainAs } from '../publish/previous-content.ts';
import { eraseVersionsLater } from '../versions/version-limits.ts';
import { oldContents } from '../versions/version-rows.ts';
import { finishMovedOutLater, untilFreed } from './move-cleanup.ts';
import { bringVersions, type HomePair, settleVersions, shareArea } from './move-versions.ts';
import { type MovedAcrossHomes, recordMovedAcrossHomes } from './record-across-homes.ts';
import type { Moved } from './transfer-options.ts';

/** An item to be moved from one home to another. */
export interface MoveAcrossHomes {
  readonly caller: AccountCaller;
  readonly source: ItemTarget;
  /** The destination, including the name. */
  readonly target: ItemTarget;
  readonly between: HomePair;
  readonly itemId: number;
  /** Whether an existing file may be replaced; its content is retained. */
  readonly mayReplace: boolean;
  /** Whether a file that is replaced keeps its identity. */
  readonly keepsReplaced: boolean;
  /** About the source. */
  readonly conditions: Preconditions | null;
  /** See `TransferOptions`. */
  readonly check: (() => Promise<void>) | undefined;
  readonly reservation: Reservation;
}

/** A move recorded in the journal. */
export interface BegunMove {
  readonly entry: JournalEntryOf<'move-between'>;
  readonly journalId: number;
}

/** Runs while none of our own operations changes source or destination; earlier listings count as outdated. */
export function alone<T>(
  { pathLocks, catalogue }: FilesContext,
  { source, target }: MoveAcrossHomes,
  work: () => Promise<T>,
): Promise<T> {
  return pathLocks.run([lockKey(source.home, source.segments), lockKey(target.home, target.segments)], () =>
    catalogue.changing(source.home, () => catalogue.changing(target.home, work)),
  );
}

/**
 * Reads the item again, and checks the conditions and that nobody else has locked any of it.
 * @throws ApiError `locked`, `not_found`, `precondition_failed`, StorageError
 */
export async function findAgain(
  context: FilesContext,
  { caller, source, target, mayReplace, conditions, check }: MoveAcrossHomes,
): Promise<Found> {
  await checkStillShared(source, target);
  const found = await context.disk.run('stat', { homeRoot: source.home.homeRoot, segments: source.segments });
  await checkItemConditions(context, caller, source, found, conditions);
  await check?.();
  await checkMoveUnlocked(context, caller, { source, target, overwrite: mayReplace });
  return found;
}

/**
 * Writes the move into the journal.
 * @param found the item that moves
 * @param identity of the item at its destination
 * @param takenId for a copy
 */
export async function begin(
  { database, journal, settings, clock }: FilesContext,
  { caller, source, target, between, keepsReplaced }: MoveAcrossHomes,
  found: Found,
  { identity, takenId }: { readonly identity: string; readonly takenId: string | null },
): Promise<BegunMove> {
  const [by, at] = [caller.account.id, clock.now()];
  // What systems store for themselves is not kept: its version is deleted with the move.
  const { versionsKept } = isHiddenName(target.segments.at(-1) ?? '') ? { versionsKept: 1 } : settings.values;
  return database.write(async (tx) => {
    const { id: itemId } = await rememberPath(tx, source.home.id, found.parents, found.entry);
    const entry: JournalEntryOf<'move-between'> = {
      kind: 'move-between',
      homeId: source.home.id,
      toHomeId: target.home.id,
      itemId,
      identity,
      from: [...source.segments],
      to: [...target.segments],
      // Its trash entry shows the path as the home's owner sees it.
      kept: retainAs({ versionsKept }, homePathOf(target.segments), by, at),
      keepsReplaced,
      takenId,
      versionIds: shareArea(between) ? [] : (await oldContents(tx, itemId)).ids,
      by,
      at,
    };
    return { entry, journalId: await journal.begin(tx, entry) };
  });
}

/** Moves the versions to the storage of the other home. @param copies the folder of `copyVersions`; null when there is none */
export async function moveOldContents(
  context: FilesContext,
  { between }: Pick<MoveAcrossHomes, 'between'>,
  { entry: { versionIds } }: BegunMove,
  copies: string | null,
): Promise<void> {
  await untilFreed(context, versionIds);
  await bringVersions(context, between, versionIds, copies);
}

/** Nothing has moved, and nothing will. */
export async function cancelMove(
  context: JournalContext,
  between: HomePair,
  { entry, journalId }: BegunMove,
): Promise<void> {
  await settleVersions(context, between, entry.versionIds);
  await context.database.write((tx) => context.journal.end(tx, journalId));
}

/**
 * Writes the rows of a move that is done on the disk, and emits its event.
 * @param unflushed a failure to flush, thrown once the rows agree with the disk, or null
 */
export async function completeMove(
  context: FilesContext,
  { caller, source, target, between, reservation }: MoveAcrossHomes,
  { entry, journalId }: BegunMove,
  moved: MovedAcrossHomes,
  unflushed: unknown,
): Promise<Moved> {
  const { movedOut, surplus } = await reservation.settle(() =>
    recordMovedAcrossHomes(context, between, entry, moved, journalId),
  );
  if (unflushed !== null) throw unflushed;
  eraseVersionsLater(context, target.home, surplus);
  if (movedOut !== null) finishMovedOutLater(context, between, movedOut);
  const path = virtualPathOf(target, [...target.segments.slice(0, -1), moved.entry.name]);
  const [fromOwner, toOwner] = await Promise.all([ownerOf(context, source.home), ownerOf(context, target.home)]);
  const hasReplaced = moved.replaced !== null;
  // This event reaches both owners.
  emitItemEvent(
    context,
    'item.moved',
    caller,
    { home: target.home, share: null },
    {
      itemId: entry.itemId,
      path,
      isFolder: moved.entry.isDir,
      from: virtualPathOf(source),
      hasReplaced,
      between: { fromHomeId: source.home.id, fromOwner, toOwner },
    },
  );
  return { path, hasReplaced };
}
