/** Milliseconds within which two changes may have the same time: FAT records two seconds, and a network disk's clock may be off. */
const COARSEST = 3_000;

/**
 * Whether a later change would have another time, so that the time identifies the state of a file or folder.
 * @param changed the time on the disk, in milliseconds since the epoch
 * @param now likewise
 */
export function isSettled(changed: number, now: number): boolean {
  return now - changed > COARSEST;
}
