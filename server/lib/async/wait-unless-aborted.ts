import { setTimeout as wait } from 'node:timers/promises';

/**
 * Resolves after so many milliseconds, or as soon as the signal aborts, which callers check anyway. Does not keep the
 * process alive.
 */
export async function waitUnlessAborted(milliseconds: number, signal: AbortSignal): Promise<void> {
  await wait(milliseconds, undefined, { ref: false, signal }).catch((error: Error) => {
    if (error.name !== 'AbortError') throw error;
  });
}
