// Delays before further attempts.

/** Seconds before each attempt; the last one repeats. */
const DELAYS = [1, 2, 5, 10, 20, 30] as const;
const LONGEST = 30;

/** HTTP statuses of temporary failures; 0 means no reply. */
const TEMPORARY: ReadonlySet<number> = new Set([0, 408, 429, 500, 502, 503, 504]);

/** @param attempts number of failed ones @returns seconds */
export const delayAfter = (attempts: number): number => DELAYS[attempts] ?? LONGEST;

export const isTemporary = (status: number): boolean => TEMPORARY.has(status);

/** How often the server may change the offset of an upload that gets no further before it is given up. */
const MAX_CONFLICTS = 4;

/**
 * @param conflicts number of conflicts since the upload last got further, including this one
 * @returns seconds until the upload continues; null when it is given up, because another client uploads to the same path
 */
export const delayAfterConflict = (conflicts: number): number | null =>
  conflicts > MAX_CONFLICTS ? null : delayAfter(conflicts - 1);
