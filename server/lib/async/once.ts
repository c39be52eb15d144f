/** Does the work at the first call and gives every call its result; a failed attempt is made again. */
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
