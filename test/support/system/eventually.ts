/** Milliseconds. Only what never comes about reaches it. */
const DEADLINE = 120_000;

/**
 * Polls until the value is the right one and returns it: for results of background work.
 * @param deadline milliseconds, for what takes longer than two minutes by its nature: the load tests of `npm run trust`
 * @throws at the deadline, with the last value
 */
export async function eventually<T>(
  look: () => T | Promise<T>,
  isRight: (seen: T) => boolean,
  deadline = DEADLINE,
): Promise<T> {
  for (const end = Date.now() + deadline; ; ) {
    const seen = await look();
    if (isRight(seen)) return seen;
    if (Date.now() > end) throw new Error(`did not come about within ${deadline / 1_000} s: ${JSON.stringify(seen)}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
