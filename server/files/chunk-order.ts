/** The next change of an upload. */
export interface Change {
  readonly happened: Promise<void>;
  /** It is not waited for any more. */
  ignore(): void;
}

/** Wakes chunks that came before their predecessors, as clients send them that use several connections. */
export interface ChunkOrder {
  /** @param milliseconds after which it counts as having happened */
  next(key: string, milliseconds: number): Change;
  /** Something of this upload has come. */
  changed(key: string): void;
}

export function createChunkOrder(): ChunkOrder {
  const waiting = new Map<string, Set<() => void>>();
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
    changed(key) {
      for (const wake of [...(waiting.get(key) ?? [])]) wake();
    },
  };
}
