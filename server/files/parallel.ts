/** Files processed at the same time, so that their flushes are combined. */
const LANES = 8;

/** Shares the values among the lanes. When it settles, nothing is in progress, whether it failed or not. */
export async function forEachInParallel<T>(
  values: AsyncIterable<T> | Iterable<T>,
  work: (value: T) => Promise<void>,
): Promise<void> {
  const shared = turns(values);
  const lane = async () => {
    for await (const value of shared) await work(value);
  };
  // The first lane that fails ends the generator, and with it the others.
  const results = await Promise.allSettled(Array.from({ length: LANES }, lane));
  const failed = results.find((result) => result.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
}

async function* turns<T>(values: AsyncIterable<T> | Iterable<T>): AsyncGenerator<T> {
  yield* values;
}
