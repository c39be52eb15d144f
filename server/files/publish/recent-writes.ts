import { LruCache } from '../../lib/lru-cache.ts';
import type { EntriesContext } from '../journal/context.ts';
import type { Journal } from '../journal/journal.ts';

/** A content that a program wrote. */
export interface RecentWrite {
  /** Its account, its credential and its device, as one text. */
  readonly program: string;
  /** Of the content: see `Item.tag`. */
  readonly tag: string;
  /** When the program began to write the file, in milliseconds since the epoch: with this content, or one that this one superseded. */
  readonly since: number;
  /** When it wrote this content. */
  readonly at: number;
  /** Whether the program made the file: with this content, or one that this one superseded. */
  readonly isNewFile: boolean;
  /** Its place among all writes and departures of files: see `nextTurn`. */
  readonly turn: number;
}

let turns = 0;

/** Orders what happens within a millisecond. */
export function nextTurn(): number {
  turns += 1;
  return turns;
}

/** Files whose last writer is known. With more than this many, those that were used longest ago are forgotten. */
const MOST = 4_096;

/** By the ids of the files; per installation. */
const writes = new WeakMap<Journal, LruCache<RecentWrite>>();

/** Which program wrote the present content of a file, if that is known; its tag says whether it is still that content. */
export function recentWriteOf({ journal }: EntriesContext, itemId: number): RecentWrite | null {
  return writes.get(journal)?.get(String(itemId)) ?? null;
}

/**
 * Notes it in memory, and nowhere else: what is not known is kept as a version, so that a restart costs one version at most.
 */
export function noteWrite({ journal }: EntriesContext, itemId: number, write: RecentWrite): void {
  const byItem = writes.get(journal) ?? new LruCache<RecentWrite>(MOST);
  writes.set(journal, byItem);
  byItem.set(String(itemId), write);
}

/** Forgets it: someone else relies on the content as well. */
export function forgetWrite({ journal }: EntriesContext, itemId: number): void {
  writes.get(journal)?.delete(String(itemId));
}
