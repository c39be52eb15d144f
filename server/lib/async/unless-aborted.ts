import { settled } from './settled.ts';

/**
 * Ends as the work does, or with the reason of the signal as soon as it aborts. The work itself goes on then, and how it ends is
 * ignored.
 */
export async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  let abort = () => {};
  const aborted = new Promise<never>((_, reject) => {
    abort = () => reject(signal.reason);
    signal.addEventListener('abort', abort);
  });
  // Only one of the two is awaited in the end.
  for (const one of [work, aborted]) void settled(one);
  try {
    signal.throwIfAborted();
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}
