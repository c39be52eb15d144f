// How long to wait before the next attempt, and after what.

/** Seconds before each attempt; the last one holds for all that follow. */
const DELAYS = [1, 2, 5, 10, 20, 30] as const;
const LONGEST = 30;

/** HTTP statuses of failures that pass by themselves; 0 stands for no answer. */
const TEMPORARY: ReadonlySet<number> = new Set([0, 408, 429, 500, 502, 503, 504]);

/** @param attempts that failed before this one @returns seconds */
export const delayAfter = (attempts: number): number => DELAYS[attempts] ?? LONGEST;

export const isTemporary = (status: number): boolean => TEMPORARY.has(status);

/** How often in all the server may move an upload to another offset before it is given up. */
const MAX_CONFLICTS = 4;

/**
 * @param conflicts how many there were, with this one
 * @returns seconds until the upload continues; null when it is given up: something else is sent to the same place
 */
export const delayAfterConflict = (conflicts: number): number | null =>
  conflicts > MAX_CONFLICTS ? null : delayAfter(conflicts - 1);
