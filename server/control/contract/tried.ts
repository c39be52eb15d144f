/** Bytes of a file that goes with an operation that is tried. */
export const TRIED_FILE_BYTES = 1024 * 1024;

/** Bytes of an answer that are handed on; it may be as long as it likes. */
export const ANSWER_BYTES = 256 * 1024;
