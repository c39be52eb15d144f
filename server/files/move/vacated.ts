import type { ItemTarget } from '../../access/access.ts';
import { MINUTE } from '../../lib/clock.ts';
import { type FilesContext, lockKey } from '../context.ts';
import type { Journal } from '../journal/journal.ts';
import { nextTurn } from '../publish/recent-writes.ts';

/**
 * Milliseconds between the steps in which a program saves a document by way of other names: the document leaves its name, a new
 * file takes that name, and the document is deleted.
 */
export const ONE_STEP = MINUTE;

/** A lock of the API that ended with its file. */
export interface EndedLock {
  readonly accountId: number;
  /** Milliseconds since the epoch. */
  readonly lockedAt: number;
}

/** A file that a program has taken from its name. */
interface Vacated {
  /** Its account, its credential and its device, as one text. */
  readonly program: string;
  readonly itemId: number;
  /** The name that it left. */
  readonly former: ItemTarget;
  /** Where it is now: its key as a path, or its id in the trash. */
  readonly now: { readonly path: string } | { readonly trashId: string };
  /** The lock of the API that ended when it was deleted. */
  readonly lock: EndedLock | null;
  /** The file that the program has put there since, and when it did; until then, when the name was left. */
  readonly successorId: number | null;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** When it left its name, among all writes and departures: see `nextTurn`. */
  readonly leftAt: number;
}

/** Files whose former names are known. With more than this many, the oldest are forgotten, and saved as two files. */
const MOST = 256;

/** Oldest first; per installation, and in memory only. */
const all = new WeakMap<Journal, readonly Vacated[]>();

type VacatedContext = Pick<FilesContext, 'journal' | 'clock'>;

function known({ journal, clock }: VacatedContext): readonly Vacated[] {
  const now = clock.now();
  return (all.get(journal) ?? []).filter(({ at }) => now - at < ONE_STEP);
}

function remember(context: VacatedContext, vacated: Vacated): void {
  const others = known(context).filter(({ itemId }) => itemId !== vacated.itemId);
  all.set(context.journal, [...others, vacated].slice(-MOST));
}

/** Notes that a file has left its name for another one in its folder, or for the trash. */
export function noteVacated(context: VacatedContext, vacated: Omit<Vacated, 'successorId' | 'at' | 'leftAt'>): void {
  remember(context, { ...vacated, successorId: null, at: context.clock.now(), leftAt: nextTurn() });
}

/**
 * Notes that a file has got a name.
 * @param file its id and its place
 * @returns the file that left the name before, if the same program took it from there
 */
export function noteSuccessor(
  context: VacatedContext,
  program: string,
  { itemId, target }: { readonly itemId: number; readonly target: ItemTarget },
): Vacated | null {
  const key = keyOf(target);
  const before = known(context).findLast((one) => one.program === program && keyOf(one.former) === key);
  if (before === undefined || before.itemId === itemId) return null;
  // A deleted file has one successor: the program may go on with the name afterwards.
  if ('trashId' in before.now && before.successorId !== null) return null;
  const successor = { ...before, successorId: itemId, at: context.clock.now() };
  remember(context, successor);
  return successor;
}

/** The file at a place, if it left another name of its folder that the same program has given to another file since. */
export function vacatedAt(context: VacatedContext, program: string, target: ItemTarget): Vacated | null {
  const path = keyOf(target);
  const found = known(context).findLast((one) => one.program === program && 'path' in one.now && one.now.path === path);
  return found?.successorId === undefined || found.successorId === null ? null : found;
}

export function keyOf({ home, segments }: Pick<ItemTarget, 'home' | 'segments'>): string {
  return lockKey(home, segments);
}
