/** Most bytes of a file sent with a tried operation. */
export const TRIED_FILE_BYTES = 1024 * 1024;

/** Bytes of a reply that are returned; the rest is cut. */
export const ANSWER_BYTES = 256 * 1024;
