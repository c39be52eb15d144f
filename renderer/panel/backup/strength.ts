/** As counted by the server. */
const MIN_LENGTH = 10;

type Strength = 'short' | 'weak' | 'fair' | 'strong';

/**
 * The estimated strength of a passphrase against offline guessing. It considers only length and repetition, and knows no list of
 * common passwords.
 */
export function strengthOf(passphrase: string): Strength {
  const characters = [...passphrase.normalize('NFC')];
  if (characters.length < MIN_LENGTH) return 'short';
  const distinct = new Set(characters).size;
  const words = new Set(passphrase.split(/[\s._-]+/).filter((word) => word.length > 2)).size;
  // A repeated character adds little.
  const weight = Math.min(characters.length, distinct * 2.5);
  if (weight >= 24 || (words >= 5 && weight >= 18)) return 'strong';
  return weight >= 15 ? 'fair' : 'weak';
}
