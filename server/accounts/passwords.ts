import { once } from '../lib/once.ts';
import { commonPasswords } from './common-passwords.ts';

const argon2 = once(() => import('@node-rs/argon2'));

/** `Algorithm.Argon2id`; the package declares it as a const enum, which single-file compilation cannot read. */
const ARGON2ID = 2;

/** OWASP's recommendation for Argon2id: 19 MiB, two passes, one lane. */
const PARAMETERS = { algorithm: ARGON2ID, memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** Longer ones cost memory and prove nothing. */
const MAX_BYTES = 1_024;

export async function hashPassword(password: string): Promise<string> {
  return (await argon2()).hash(password.normalize('NFC'), PARAMETERS);
}

/** @returns false also for an account without a password; it then takes as long as with one */
export async function verifyPassword(password: string, passwordHash: string | null): Promise<boolean> {
  const { verify } = await argon2();
  const matches = await verify(passwordHash ?? (await decoyHash()), password.normalize('NFC')).catch(() => false);
  return matches && passwordHash !== null;
}

let decoy: Promise<string> | undefined;

/** A hash nobody knows the password of, so that an unknown name costs the same time as a known one. */
function decoyHash(): Promise<string> {
  decoy ??= hashPassword(crypto.randomUUID());
  return decoy;
}

/** Why a password may not be chosen, as a sentence, or null when it may. Lengths are in characters, as people count. */
export function passwordProblem(password: string, username: string, minLength: number): string | null {
  if (Buffer.byteLength(password) > MAX_BYTES) return `A password is at most ${MAX_BYTES} bytes long.`;
  const length = [...new Intl.Segmenter().segment(password)].length;
  if (length < minLength) return `A password has at least ${minLength} characters.`;
  const plain = password.normalize('NFC').toLowerCase();
  if (plain === username.normalize('NFC').toLowerCase()) return 'The password is the user name.';
  if (commonPasswords.has(plain) || new Set(plain).size < 3) return 'This password is among the first that are tried.';
  return null;
}
