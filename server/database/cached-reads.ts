import { LruCache } from '../lib/lru-cache.ts';
import type { Unchanged } from '../lib/unchanged.ts';
import type { DatabaseReader } from './database.ts';
import type { Subject } from './write-queue.ts';

/**
 * Caches reads in memory until the next commit that could affect them, so they are never stale. Missing rows are not cached.
 * @param limit number of cached reads
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
