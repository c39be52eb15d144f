// For browsers, too: imports nothing.

/**
 * Marks the failure of work as handled, because it is reported where the work is awaited, which may be later.
 * @returns resolves when the work has ended in either way
 */
export async function settled(work: Promise<unknown>): Promise<void> {
  try {
    await work;
  } catch {
    // The error reaches those who await the work itself.
  }
}

/**
 * Does what is good to have and changes nothing when it fails, where there is no log: a feature that a browser may lack, or a
 * message to what may have ended.
 * @returns undefined when it failed
 */
export async function bestEffort<T>(work: Promise<T> | undefined): Promise<T | undefined> {
  try {
    return await work;
  } catch {
    return undefined;
  }
}
