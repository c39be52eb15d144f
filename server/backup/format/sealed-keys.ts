import {
  createCipheriv,
  createDecipheriv,
  diffieHellman,
  generateKeyPairSync,
  hkdfSync,
  type KeyObject,
  randomBytes,
} from 'node:crypto';
import { z } from 'zod';
import { t } from '../../messages/messages.ts';
import { privateKeyOf, publicKeyOf, rawPublic, type SealingParameters, sealingParameters } from './passphrase.ts';
import { BackupProblem } from './problem.ts';

/*
 * The file `keys.sealed`, JSON, format version 1. All bytes are in base64.
 *
 *   passphrase --Argon2id(salt, memory, passes, one lane)--> 32 bytes = private key of X25519; `publicKey` belongs to it
 *   shared  = X25519(a private key that is used once and thrown away, `publicKey`); `ephemeralKey` is its public one
 *   key     = HKDF-SHA-256(shared, salt = ephemeralKey || publicKey, info = "larder backup keys 1"), 32 bytes
 *   content = AES-256-GCM(key, nonce = 12 bytes, associated data = the header as it stands in the file, see `headerText`)
 *
 * The sealed content is JSON: { "files": { "<name>": "<text>" } }, the private keys from `tls/`. It cannot be read or changed
 * without the passphrase. Encrypting needs no passphrase.
 */

const INFO = 'larder backup keys 1';

const header = sealingParameters.extend({
  format: z.literal('larder-sealed-keys'),
  formatVersion: z.literal(1),
  kdf: z.literal('argon2id'),
  cipher: z.literal('x25519-hkdf-sha256-aes-256-gcm'),
  ephemeralKey: z.string(),
  nonce: z.string(),
});
const sealed = header.extend({ tag: z.string(), content: z.string() });
const opened = z.object({ files: z.record(z.string(), z.string()) });

type Header = z.infer<typeof header>;

export type KeyFiles = Readonly<Record<string, string>>;

/**
 * Encrypts private keys with the public key of a passphrase.
 * @returns the text of the file, and a function that decrypts it while this process runs, to verify the written file without the
 * passphrase
 */
export function sealKeys(
  files: KeyFiles,
  parameters: SealingParameters,
): { text: string; open: (text: string) => KeyFiles } {
  const ephemeral = generateKeyPairSync('x25519');
  const recipient = publicKeyOf(Buffer.from(parameters.publicKey, 'base64'));
  const { publicKey, salt, memory, passes } = parameters;
  const head: Header = {
    format: 'larder-sealed-keys',
    formatVersion: 1,
    ...{ kdf: 'argon2id', salt, memory, passes, publicKey },
    cipher: 'x25519-hkdf-sha256-aes-256-gcm',
    ephemeralKey: rawPublic(ephemeral.publicKey).toString('base64'),
    nonce: randomBytes(12).toString('base64'),
  };
  const key = contentKey(diffieHellman({ privateKey: ephemeral.privateKey, publicKey: recipient }), head);
  const cipher = createCipheriv('aes-256-gcm', key, Buffer.from(head.nonce, 'base64'));
  cipher.setAAD(headerText(head));
  const content = Buffer.concat([cipher.update(JSON.stringify({ files }), 'utf8'), cipher.final()]);
  const file = { ...head, tag: cipher.getAuthTag().toString('base64'), content: content.toString('base64') };
  return { text: `${JSON.stringify(file, null, 2)}\n`, open: (text) => decrypt(parse(text), key) };
}

/** @throws BackupProblem for another passphrase, and for modified data */
export async function unsealKeys(text: string, passphrase: string): Promise<KeyFiles> {
  const file = parse(text);
  const privateKey = await privateKeyOf(passphrase, file);
  const publicKey = publicKeyOf(Buffer.from(file.ephemeralKey, 'base64'));
  return decrypt(file, contentKey(agree(privateKey, publicKey), file));
}

function agree(privateKey: KeyObject, publicKey: KeyObject): Buffer {
  try {
    return diffieHellman({ privateKey, publicKey });
  } catch (error) {
    throw damaged(error);
  }
}

function parse(text: string): z.infer<typeof sealed> {
  try {
    return sealed.parse(JSON.parse(text));
  } catch (error) {
    throw damaged(error);
  }
}

function contentKey(shared: Buffer, { ephemeralKey, publicKey }: Header): Buffer {
  const salt = Buffer.concat([Buffer.from(ephemeralKey, 'base64'), Buffer.from(publicKey, 'base64')]);
  return Buffer.from(hkdfSync('sha256', shared, salt, INFO, 32));
}

/** The header's fields in alphabetical order, as JSON without spaces. */
function headerText(head: Header): Buffer {
  const entries = Object.entries(header.parse(head)).sort(([a], [b]) => (a < b ? -1 : 1));
  return Buffer.from(JSON.stringify(Object.fromEntries(entries)), 'utf8');
}

function decrypt(file: z.infer<typeof sealed>, key: Buffer): KeyFiles {
  try {
    const cipher = createDecipheriv('aes-256-gcm', key, Buffer.from(file.nonce, 'base64'), { authTagLength: 16 });
    cipher.setAAD(headerText(file));
    cipher.setAuthTag(Buffer.from(file.tag, 'base64'));
    const text = Buffer.concat([cipher.update(Buffer.from(file.content, 'base64')), cipher.final()]).toString('utf8');
    return opened.parse(JSON.parse(text)).files;
  } catch (error) {
    throw damaged(error);
  }
}

function damaged(cause: unknown): BackupProblem {
  return new BackupProblem(t('api.backup.keysDamaged'), { cause });
}
