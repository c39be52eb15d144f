/** As the server counts. */
export const MIN_LENGTH = 10;

export type Strength = 'short' | 'weak' | 'fair' | 'strong';

/**
 * How well a passphrase holds against whoever has the backup and all the time in the world, as far as its looks say so. What is
 * in everybody's list of passwords is not known here: only length and repetition are seen.
 */
export function strengthOf(passphrase: string): Strength {
  const characters = [...passphrase.normalize('NFC')];
  if (characters.length < MIN_LENGTH) return 'short';
  const distinct = new Set(characters).size;
  const words = new Set(passphrase.split(/[\s._-]+/).filter((word) => word.length > 2)).size;
  // A character that was there before adds little.
  const weight = Math.min(characters.length, distinct * 2.5);
  if (weight >= 24 || (words >= 5 && weight >= 18)) return 'strong';
  return weight >= 15 ? 'fair' : 'weak';
}
