/** Recently completed uploads: a client that lost the reply asks again instead of sending everything again. */
export interface TakenUploads {
  add(key: string): void;
  has(key: string): boolean;
}

/** @param most older ones are forgotten */
export function createTakenUploads(most = 10_000): TakenUploads {
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
