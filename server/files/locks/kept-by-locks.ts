import type { ItemTarget } from '../../access/access.ts';
import { type Caller, responsibleId } from '../../access/caller.ts';
import type { AccountRecord } from '../../accounts/accounts.ts';
import type { Home } from '../../catalogue/homes.ts';
import type { FilesContext } from '../context.ts';
import { mayDeleteDespite, nameForCaller, ownerOf } from './lock-holder.ts';
import { covers, entryLockFinder, foreignLocks, type LockRecord, locksIn } from './lock-record.ts';

/** What a lock keeps a caller from doing with an item, and whose lock it is. */
export interface KeptByLock {
  /** Whether deleting is refused; renaming and moving always is. */
  readonly isKept: boolean;
  /** Whether only something in the folder is locked. */
  readonly isBelow: boolean;
  /** Another program of the caller has it, someone whom the caller knows, or someone else. */
  readonly holder: { readonly kind: 'program' | 'someone' } | { readonly kind: 'person'; readonly name: string };
}

/**
 * What the locks of a home keep a caller from, for many items: the same decisions as `checkEntryUnlocked` and `checkDeletable`, so that
 * nothing is offered that these refuse. The locks are read once, and people only where their locks concern an item.
 */
export async function keptByLocksIn(
  context: FilesContext,
  caller: Caller,
  home: Home,
): Promise<(target: ItemTarget) => Promise<KeptByLock | null>> {
  const others = foreignLocks(caller, await locksIn(context, home.id));
  if (others.length === 0) return async () => null;
  const find = entryLockFinder(others);
  let owning: Promise<AccountRecord | null> | undefined;
  const owner = () => {
    owning ??= ownerOf(context, home);
    return owning;
  };
  const names = new Map<number, Promise<string | null>>();
  const holderOf = async ({ accountId }: LockRecord, { share }: ItemTarget): Promise<KeptByLock['holder']> => {
    if (accountId === responsibleId(caller) && caller.account !== undefined) return { kind: 'program' };
    const known = names.get(accountId) ?? nameForCaller(context, caller, accountId, null);
    names.set(accountId, known);
    // The sharer decides whom the recipient may know of.
    const name = share?.hidden.has(accountId) ? null : await known;
    return name === null ? { kind: 'someone' } : { kind: 'person', name };
  };
  return async (target) => {
    const locks = find(target);
    const [first] = locks;
    if (first === undefined) return null;
    let isKept = false;
    for (const lock of locks) isKept ||= !(await mayDeleteDespite(context, caller, lock, target, owner));
    const named = locks.find((lock) => covers(lock, target)) ?? first;
    const isBelow = !covers(named, target) && named.path.split('/').length > target.segments.length;
    return { isKept, isBelow, holder: await holderOf(named, target) };
  };
}
