/** Modification times that every file system keeps, such as ext4 with small inodes: seconds since the epoch, from 13 December 1901. */
export const EARLIEST_TIME = -(2 ** 31);

/** The end of the year 9999, in the same seconds. */
export const LATEST_TIME = 253_402_300_799;
