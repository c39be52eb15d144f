/** What was taken lately: whoever has lost the answer asks once more, and does not send it all again. */
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
