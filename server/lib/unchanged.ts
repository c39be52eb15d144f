/**
 * Says whether nothing has changed since it was handed out. Once false, it stays false. Whoever reads, waits and then acts on what
 * was read asks it before acting: what was read while it stays true is still true.
 */
export type Unchanged = () => boolean;

/** The same where it has to be looked up. */
export type UnchangedLater = () => Promise<boolean>;
