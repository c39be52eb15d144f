/**
 * Polls until the value passes, and returns the last value: for results of background work.
 * @param within milliseconds
 */
export async function eventually<T>(
  look: () => T | Promise<T>,
  isRight: (seen: T) => boolean,
  within = 20_000,
): Promise<T> {
  for (const end = Date.now() + within; ; ) {
    const seen = await look();
    if (isRight(seen) || Date.now() > end) return seen;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
