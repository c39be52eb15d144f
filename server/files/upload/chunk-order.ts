import { LruCache } from '../../lib/lru-cache.ts';

/** The next change of an upload. */
interface Change {
  readonly happened: Promise<void>;
  /** Stops waiting. */
  ignore(): void;
}

/** How many completed uploads are remembered, for clients that lost the last reply. */
const MAX_ENDED = 10_000;

/**
 * Wakes chunks that arrived before their predecessors, as they do from clients with several connections, and remembers recently
 * completed uploads.
 */
export interface ChunkOrder {
  /** @param milliseconds after which it resolves anyway */
  next(key: string, milliseconds: number): Change;
  /** A chunk of this upload has arrived. */
  changed(key: string): void;
  /** The upload is published. @param bytes of the file */
  end(accountId: number, uploadId: string, bytes: number): void;
  /** Bytes of the published file; undefined if it is not remembered. */
  ended(accountId: number, uploadId: string): number | undefined;
}

export function createChunkOrder(): ChunkOrder {
  const waiting = new Map<string, Set<() => void>>();
  const stored = new LruCache<number>(MAX_ENDED);
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
