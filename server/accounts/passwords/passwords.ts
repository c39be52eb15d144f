import { randomBytes } from 'node:crypto';
import { hasCheapPasswords } from '../../config/test-build.ts';
import { ApiError } from '../../http/errors.ts';
import { normalized } from '../../lib/names/normalized.ts';
import { t } from '../../messages/messages.ts';
import { commonPasswords } from './common-passwords.ts';
import { passwordWorker } from './password-worker.ts';

/** `Algorithm.Argon2id`; the package declares it as a const enum, which single-file compilation cannot read. */
const ARGON2ID = 2;

/** OWASP's recommendation for Argon2id: 19 MiB, two passes, one lane. @param isCheap for test builds only */
export function passwordParameters(isCheap: boolean) {
  const cost = isCheap ? { memoryCost: 64, timeCost: 1 } : { memoryCost: 19_456, timeCost: 2 };
  return { algorithm: ARGON2ID, ...cost, parallelism: 1 };
}

const PARAMETERS = passwordParameters(hasCheapPasswords());

/**
 * A hash that no password has, so that an unknown name takes as long as a known one. It is a constant: computing it could fail
 * under load, which would distinguish unknown names.
 */
const DECOY = `$argon2id$v=19$m=${PARAMETERS.memoryCost},t=${PARAMETERS.timeCost},p=${PARAMETERS.parallelism}$${unpadded(16)}$${unpadded(32)}`;

function unpadded(bytes: number): string {
  return randomBytes(bytes).toString('base64').replace(/=+$/, '');
}

/** Longer ones cost memory without adding security. */
const MAX_BYTES = 1_024;
/** Longer texts are no password in any Unicode form, and are not processed. In UTF-16 units. */
const MAX_SHOWN = 4 * MAX_BYTES;

/** The key of authenticated requests and the local owner: they do not queue behind others' guesses. */
const TRUSTED = 'trusted';

/** @param from key for fairness under load, see `addressGroup` @throws ApiError `too_many_requests` */
export async function hashPassword(password: string, from: string = TRUSTED): Promise<string> {
  const task = { kind: 'hash', password: normalized(password, 'NFC'), options: PARAMETERS } as const;
  return String(await passwordWorker.do(task, from));
}

/**
 * @param from key for fairness under load, see `addressGroup`
 * @returns false also for an account without a password, after the same time
 * @throws ApiError `too_many_requests`
 */
export async function verifyPassword(
  password: string,
  passwordHash: string | null,
  from: string = TRUSTED,
): Promise<boolean> {
  const isTooLong = password.length > MAX_SHOWN;
  const task = {
    kind: 'verify',
    password: isTooLong ? '' : normalized(password, 'NFC'),
    passwordHash: passwordHash ?? DECOY,
  } as const;
  const matches = await passwordWorker.do(task, from).catch((error) => {
    if (error instanceof ApiError) throw error;
    return false;
  });
  return matches === true && passwordHash !== null && !isTooLong;
}

/** Why a password is not acceptable, as a sentence, or null. Lengths are in characters as people count them. */
export function passwordProblem(password: string, username: string, minLength: number): string | null {
  if (Buffer.byteLength(password) > MAX_BYTES) return t('api.passwords.tooLong', { max: MAX_BYTES });
  const length = [...new Intl.Segmenter().segment(password)].length;
  if (length < minLength) return t('api.passwords.tooShort', { min: minLength });
  const plain = normalized(password, 'NFC').toLowerCase();
  if (plain === normalized(username, 'NFC').toLowerCase()) return t('api.passwords.isUsername');
  if (commonPasswords.has(plain) || new Set(plain).size < 3) return t('api.passwords.common');
  return null;
}
