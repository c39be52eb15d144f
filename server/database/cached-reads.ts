import { LruCache } from '../lib/lru-cache.ts';
import type { Database } from './database.ts';
import type { Subject } from './write-queue.ts';

/**
 * Reads that are kept in memory as long as nothing is written that they could be about: they are never stale. What is not
 * there is asked for again.
 * @param limit of reads that are kept
 */
export function cachedReads<Key extends string | number, Value>(
  database: Pick<Database, 'generation'>,
  subject: Subject,
  limit: number,
  read: (key: Key) => Promise<Value>,
): (key: Key) => Promise<Value> {
  const kept = new LruCache<{ readonly value: Value; readonly generation: number }>(limit);
  return async (key) => {
    const generation = database.generation(subject);
    const before = kept.get(String(key));
    if (before?.generation === generation) return before.value;
    const value = await read(key);
    if (value !== null && database.generation(subject) === generation) kept.set(String(key), { value, generation });
    return value;
  };
}
