import { createPrivateKey, createPublicKey, type KeyObject, randomBytes } from 'node:crypto';
import { z } from 'zod';
import { once } from '../../lib/async/once.ts';
import { normalized } from '../../lib/names/normalized.ts';
import { t } from '../../messages/messages.ts';
import { BackupProblem } from './problem.ts';

/**
 * How a passphrase becomes a key pair. Argon2id (RFC 9106) derives 32 bytes from it, used as the private key of X25519 (RFC
 * 7748). The public key is stored, so that a server that does not know the passphrase can encrypt the keys every night.
 */
export const sealingParameters = z.object({
  /** Base64, 32 bytes. */
  publicKey: z.string(),
  /** Base64, 16 bytes. */
  salt: z.string(),
  /** Of Argon2id: kibibytes and passes, in one lane. */
  memory: z.int().min(8).max(1_048_576),
  passes: z.int().min(1).max(20),
});

export type SealingParameters = z.infer<typeof sealingParameters>;

/** RFC 9106 §4, the second recommendation, in one lane: 64 MiB, three passes. */
const COST = { memory: 65_536, passes: 3 };

const MIN_LENGTH = 10;
const MAX_BYTES = 1_024;

const argon2 = once(() => import('@node-rs/argon2'));
/** `Algorithm.Argon2id`; the package declares it as a const enum, which single-file compilation cannot read. */
const ARGON2ID = 2;

/** PKCS #8 around a private key of X25519 (RFC 8410 §7), and SubjectPublicKeyInfo around a public one (§4). */
const PRIVATE_PREFIX = Buffer.from('302e020100300506032b656e04220420', 'hex');
const PUBLIC_PREFIX = Buffer.from('302a300506032b656e032100', 'hex');

/** Why a passphrase is not acceptable, as a sentence, or null. Lengths are in characters as people count them. */
export function passphraseProblem(passphrase: string): string | null {
  if (Buffer.byteLength(passphrase) > MAX_BYTES) return t('api.backup.passphraseTooLong', { max: MAX_BYTES });
  const { length } = [...new Intl.Segmenter().segment(passphrase)];
  return length < MIN_LENGTH ? t('api.backup.passphraseTooShort', { min: MIN_LENGTH }) : null;
}

/** What is stored of a new passphrase. */
export async function sealingFor(passphrase: string): Promise<SealingParameters> {
  const salt = randomBytes(16);
  const privateKey = await derive(passphrase, { ...COST, salt });
  return {
    publicKey: rawPublic(createPublicKey(privateKey)).toString('base64'),
    salt: salt.toString('base64'),
    ...COST,
  };
}

/** The private key for these parameters. @throws BackupProblem for another passphrase */
export async function privateKeyOf(passphrase: string, parameters: SealingParameters): Promise<KeyObject> {
  const { publicKey, salt, memory, passes } = sealingParameters.parse(parameters);
  const privateKey = await derive(passphrase, { salt: Buffer.from(salt, 'base64'), memory, passes });
  if (rawPublic(createPublicKey(privateKey)).equals(Buffer.from(publicKey, 'base64'))) return privateKey;
  throw new BackupProblem(t('api.backup.passphraseWrong'), {
    field: 'passphrase',
  });
}

export function publicKeyOf(raw: Buffer): KeyObject {
  return createPublicKey({ key: Buffer.concat([PUBLIC_PREFIX, raw]), format: 'der', type: 'spki' });
}

/** The 32 bytes of a public key. */
export function rawPublic(key: KeyObject): Buffer {
  return key.export({ format: 'der', type: 'spki' }).subarray(PUBLIC_PREFIX.length);
}

async function derive(
  passphrase: string,
  { salt, memory, passes }: { salt: Buffer; memory: number; passes: number },
): Promise<KeyObject> {
  const { hashRaw } = await argon2();
  const seed = await hashRaw(normalized(passphrase, 'NFC'), {
    ...{ algorithm: ARGON2ID, memoryCost: memory, timeCost: passes, parallelism: 1 },
    ...{ outputLen: 32, salt },
  });
  return createPrivateKey({ key: Buffer.concat([PRIVATE_PREFIX, seed]), format: 'der', type: 'pkcs8' });
}
