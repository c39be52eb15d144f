import type { ItemTarget } from '../../access/access.ts';
import type { Caller } from '../../access/caller.ts';
import type { Item } from '../../catalogue/items.ts';
import { MINUTE } from '../../lib/clock.ts';
import { storedContent } from '../../storage/content/work-area.ts';
import type { DiskEntry } from '../../storage/disk/disk.ts';
import type { FilesContext } from '../context.ts';
import { covers, holds, locksIn } from '../locks/lock-record.ts';
import { type RecentWrite, recentWriteOf } from './recent-writes.ts';
import type { PresentItem } from './same-content.ts';

/** Milliseconds from the first of several writes of a program, during which each supersedes the one before. */
const ONE_SAVE = MINUTE;

/**
 * Whether a program replaces what it has just written itself: such a content is one step of saving, and no version of its own. An
 * empty one that is replaced under a lock is one whatever the time: a large content takes long to arrive.
 * @param incoming the path of the new content
 * @returns the write that is superseded; null for a content that is kept
 */
export async function supersededBy(
  context: Pick<FilesContext, 'journal' | 'database' | 'clock'>,
  caller: Caller,
  target: ItemTarget,
  { item, entry }: PresentItem,
  { program, incoming }: { readonly program: string; readonly incoming: string },
): Promise<RecentWrite | null> {
  const write = recentWriteOf(context, item.id);
  if (write === null || write.program !== program || write.tag !== item.tag) return null;
  // A program may empty a file before it sends what comes next, which may never arrive.
  if (entry.size > 0 && (await storedContent(incoming))?.size === 0) return null;
  if (context.clock.now() - write.since < ONE_SAVE) return write;
  if (entry.size > 0) return null;
  const locks = await locksIn(context, target.home.id);
  const isUnderLock = locks.some((lock) => lock.token !== null && covers(lock, target) && holds(caller, lock));
  return isUnderLock ? write : null;
}

/**
 * Whether a replaced content is the one of a write, without a change by another program since.
 * @param before the row of the file with the replaced content
 * @param replaced as it was right before it lost its name
 * @param stored as it is where it was retained
 */
export function isStill(
  { tag }: RecentWrite,
  before: Item | null,
  replaced: DiskEntry | null,
  stored: DiskEntry | null,
): boolean {
  if (before === null || replaced === null || stored === null) return false;
  const isThis = before.tag === tag && before.identity === replaced.identity && (before.touched ?? 0) > 0;
  const { identity, size, mtime } = replaced;
  return isThis && stored.identity === identity && stored.size === size && stored.mtime === mtime;
}
