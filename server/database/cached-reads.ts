import { LruCache } from '../lib/lru-cache.ts';
import type { Unchanged } from '../lib/unchanged.ts';
import type { DatabaseReader } from './database.ts';
import type { Subject } from './write-queue.ts';

/**
 * Reads that are kept in memory as long as nothing is written that they could be about: they are never stale. What is not
 * there is asked for again.
 * @param limit of reads that are kept
 */
export function cachedReads<Key extends string | number, Value>(
  database: Pick<DatabaseReader, 'unchangedSince'>,
  subject: Subject,
  limit: number,
  read: (key: Key) => Promise<Value>,
): (key: Key) => Promise<Value> {
  const kept = new LruCache<{ readonly value: Value; readonly isUnchanged: Unchanged }>(limit);
  return async (key) => {
    const before = kept.get(String(key));
    if (before?.isUnchanged()) return before.value;
    const isUnchanged = database.unchangedSince(subject);
    const value = await read(key);
    if (value !== null && isUnchanged()) kept.set(String(key), { value, isUnchanged });
    return value;
  };
}
