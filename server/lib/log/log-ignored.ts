import { type IgnoredFailure, ignoredFailures } from '../async/ignore-failure.ts';
import type { Log } from './log.ts';

/** Logs the ignored failures of this process, at level debug. @returns what ends that */
export function logIgnoredFailures(log: Log): () => void {
  const write = (message: unknown) => {
    const { error, what } = message as IgnoredFailure;
    log.debug({ err: error }, what);
  };
  ignoredFailures.subscribe(write);
  return () => void ignoredFailures.unsubscribe(write);
}
