/** Digits of the number that a person has to enter at least: its first line in the control panel, eight pairs. */
const LEAST_DIGITS = 16;

export type Comparison = 'none' | 'short' | 'same' | 'different';

/**
 * Compares what a person entered, or scanned, with the number of the authority.
 * @param entered from the start of the number; case, spaces and colons do not matter
 * @param fingerprint SHA-256 in pairs of hexadecimal digits, with colons between them
 */
export function compareNumber(entered: string, fingerprint: string): Comparison {
  const digits = entered.replace(/[\s:.\-–]/g, '').toLowerCase();
  if (digits === '') return 'none';
  const whole = fingerprint.replaceAll(':', '').toLowerCase();
  if (!whole.startsWith(digits)) return 'different';
  return digits.length < LEAST_DIGITS ? 'short' : 'same';
}
