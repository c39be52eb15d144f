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
 * A hash that no password has, so that an unknown name costs the same time as a known one. It is not computed: computing it could
 * fail while much waits, and that would tell unknown names from known ones.
 */
const DECOY = `$argon2id$v=19$m=${PARAMETERS.memoryCost},t=${PARAMETERS.timeCost},p=${PARAMETERS.parallelism}$${unpadded(16)}$${unpadded(32)}`;

function unpadded(bytes: number): string {
  return randomBytes(bytes).toString('base64').replace(/=+$/, '');
}

/** Longer ones cost memory and prove nothing. */
const MAX_BYTES = 1_024;
/** What is longer is no password in any form of Unicode, and is not worked on. In UTF-16 units. */
const MAX_SHOWN = 4 * MAX_BYTES;

/**
 * Who works on their own installation, or has proved who they are: what they ask for waits for nobody's guesses but their own.
 */
export const TRUSTED = 'trusted';

/** @param from whom it counts for while many ask at once, see `addressGroup` @throws ApiError `too_many_requests` */
export async function hashPassword(password: string, from: string = TRUSTED): Promise<string> {
  const task = { kind: 'hash', password: normalized(password, 'NFC'), options: PARAMETERS } as const;
  return String(await passwordWorker.do(task, from));
}

/**
 * @param from whom it counts for while many ask at once, see `addressGroup`
 * @returns false also for an account without a password; it then takes as long as with one
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

/** Why a password may not be chosen, as a sentence, or null when it may. Lengths are in characters, as people count. */
export function passwordProblem(password: string, username: string, minLength: number): string | null {
  if (Buffer.byteLength(password) > MAX_BYTES) return t('api.passwords.tooLong', { max: MAX_BYTES });
  const length = [...new Intl.Segmenter().segment(password)].length;
  if (length < minLength) return t('api.passwords.tooShort', { min: minLength });
  const plain = normalized(password, 'NFC').toLowerCase();
  if (plain === normalized(username, 'NFC').toLowerCase()) return t('api.passwords.isUsername');
  if (commonPasswords.has(plain) || new Set(plain).size < 3) return t('api.passwords.common');
  return null;
}
