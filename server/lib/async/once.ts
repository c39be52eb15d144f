/** Runs the work at the first call and returns its result for every call; a failed attempt is repeated. */
export function once<T>(work: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | null = null;
  return () => {
    made ??= work().catch((error) => {
      made = null;
      throw error;
    });
    return made;
  };
}
