/** Bytes of a megabyte in the API document. */
export const MEGABYTE = 1024 * 1024;
