/**
 * Tells whether anything has changed since the function was returned. Once false, it stays false. Call it after reading and
 * waiting, and before acting: while it is true, what was read is still valid.
 */
export type Unchanged = () => boolean;

/** The same where it needs a lookup. */
export type UnchangedLater = () => Promise<boolean>;
