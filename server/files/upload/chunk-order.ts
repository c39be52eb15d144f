import { LruCache } from '../../lib/lru-cache.ts';

/** The next change of an upload. */
export interface Change {
  readonly happened: Promise<void>;
  /** Stops waiting. */
  ignore(): void;
}

/** How many completed uploads are remembered, for clients that lost the last reply. */
const MOST_ENDED = 10_000;

/**
 * Wakes chunks that came before their predecessors, as clients send them that use several connections, and knows which uploads
 * ended lately.
 */
export interface ChunkOrder {
  /** @param milliseconds after which it counts as having happened */
  next(key: string, milliseconds: number): Change;
  /** Something of this upload has come. */
  changed(key: string): void;
  /** The upload of an account has its name. @param bytes of the file */
  end(accountId: number, uploadId: string, bytes: number): void;
  /** Bytes of the file that it became; undefined when nobody knows of it any more. */
  ended(accountId: number, uploadId: string): number | undefined;
}

export function createChunkOrder(): ChunkOrder {
  const waiting = new Map<string, Set<() => void>>();
  const stored = new LruCache<number>(MOST_ENDED);
  return {
    next(key, milliseconds) {
      const sleepers = waiting.get(key) ?? new Set();
      waiting.set(key, sleepers);
      let wake = () => {};
      const happened = new Promise<void>((resolve) => {
        wake = () => {
          clearTimeout(timer);
          sleepers.delete(wake);
          if (sleepers.size === 0 && waiting.get(key) === sleepers) waiting.delete(key);
          resolve();
        };
        sleepers.add(wake);
      });
      const timer = setTimeout(wake, milliseconds).unref();
      return { happened, ignore: wake };
    },
    end: (accountId, uploadId, bytes) => stored.set(`${accountId} ${uploadId}`, bytes),
    ended: (accountId, uploadId) => stored.get(`${accountId} ${uploadId}`),
    changed(key) {
      for (const wake of [...(waiting.get(key) ?? [])]) wake();
    },
  };
}
