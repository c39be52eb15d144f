/** Bytes of what the API document calls a megabyte. */
export const MEGABYTE = 1024 * 1024;
