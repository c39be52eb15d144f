/** Recently completed uploads: a client that lost the reply asks again instead of sending everything again. */
export interface CompletedUploads {
  add(key: string): void;
  has(key: string): boolean;
}

/** @param most older ones are forgotten */
export function createCompletedUploads(most = 10_000): CompletedUploads {
  const keys = new Set<string>();
  return {
    add(key) {
      keys.add(key);
      const [oldest] = keys;
      if (keys.size > most && oldest !== undefined) keys.delete(oldest);
    },
    has: (key) => keys.has(key),
  };
}
