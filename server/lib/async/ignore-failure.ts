import { channel } from 'node:diagnostics_channel';

/** What is published for each ignored failure. */
export interface IgnoredFailure {
  readonly error: unknown;
  /** What failed, as a log line. */
  readonly what: string;
}

/** The log of the process subscribes to it, at its debug level. */
export const ignoredFailures = channel('larder.ignored-failures');

/**
 * Waits for work that may fail without consequences, such as the removal of leftovers, which a later run repeats.
 * @param what failed, as a log line: `failed to …`
 * @returns undefined when it failed
 */
export async function ignoreFailure<T>(work: Promise<T>, what: string): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    const failure: IgnoredFailure = { error, what };
    ignoredFailures.publish(failure);
    return undefined;
  }
}
