import { randomInt } from 'node:crypto';

/** Without characters that look alike; 31 of them, so that four groups of four have 79 bits. */
const SIGNS = '23456789abcdefghjkmnpqrstuvwxyz';
const GROUP = 4;
const GROUPS = 4;

/** A password to be read out and typed once, of the length the policy requires. @param minLength characters */
export function generatePassword(minLength: number): string {
  const groups: string[] = [];
  while (groups.length < GROUPS || groups.join('-').length < minLength) {
    groups.push(Array.from({ length: GROUP }, () => SIGNS[randomInt(SIGNS.length)]).join(''));
  }
  return groups.join('-');
}
