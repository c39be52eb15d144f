import { createHash, type Hash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { ApiError, invalidParameter } from '../../http/errors.ts';
import { t } from '../../messages/messages.ts';
import { digestOf } from '../../storage/content/same-bytes.ts';

/** The active algorithms of RFC 9530, as Node names them. */
const ALGORITHMS = { 'sha-256': { name: 'sha256', bytes: 32 }, 'sha-512': { name: 'sha512', bytes: 64 } } as const;

/** Those that clients of other protocols send as well, for a chunk. They detect errors of the transmission, not forgery. */
const CHECKSUMS = { ...ALGORITHMS, 'sha-1': { name: 'sha1', bytes: 20 }, md5: { name: 'md5', bytes: 16 } } as const;

type ChecksumName = (typeof CHECKSUMS)[keyof typeof CHECKSUMS]['name'];

/** The digests a client sends with its content. Each is `<algorithm>=<hex>`. */
export interface RequestDigests {
  /** Of the whole file (`Repr-Digest`, or the parameter `sha256`). */
  readonly digest: string | undefined;
  /** Of the content of this message (`Content-Digest`). */
  readonly contentDigest: string | undefined;
}

/**
 * The digests of a message whose content is a file, or a chunk of one.
 * @param sha256 the parameter: 64 hexadecimal digits
 * @throws ApiError `invalid_parameter`
 */
export function requestDigests(headers: IncomingHttpHeaders, sha256: string | undefined): RequestDigests {
  const repr = fieldDigest(headers, 'repr-digest');
  const parameter = sha256 === undefined ? undefined : parameterDigest(sha256);
  if (repr !== undefined && parameter?.startsWith('sha-256') && repr.startsWith('sha-256') && repr !== parameter) {
    throw invalidParameter('sha256', t('api.uploads.digestsDiffer'));
  }
  return { digest: parameter ?? repr, contentDigest: fieldDigest(headers, 'content-digest') };
}

/** @throws ApiError `invalid_parameter` */
function parameterDigest(sha256: string): string {
  if (!/^[0-9a-f]{64}$/i.test(sha256)) throw invalidParameter('sha256', t('api.uploads.sha256'));
  return `sha-256=${sha256.toLowerCase()}`;
}

/** RFC 9530 §2: a dictionary of byte sequences (RFC 8941). Unknown algorithms are ignored. */
function fieldDigest(headers: IncomingHttpHeaders, name: 'repr-digest' | 'content-digest'): string | undefined {
  const field = headers[name];
  if (field === undefined) return undefined;
  const header = name === 'repr-digest' ? 'Repr-Digest' : 'Content-Digest';
  let found: string | undefined;
  for (const member of String(field).split(',')) {
    const [, key = '', encoded = ''] =
      /^\s*([a-z*][a-z0-9_.*-]*)\s*=\s*:([A-Za-z0-9+/]*={0,2}):\s*(?:;.*)?$/.exec(member) ?? [];
    if (key === '') throw invalidParameter(header, t('api.uploads.digestHeader', { header }));
    if (!isKnown(key)) continue;
    const bytes = Buffer.from(encoded, 'base64');
    if (bytes.length !== ALGORITHMS[key].bytes) {
      throw invalidParameter(header, t('api.uploads.digestLength', { header }));
    }
    found ??= `${key}=${bytes.toString('hex')}`;
  }
  return found;
}

function isKnown(key: string): key is keyof typeof ALGORITHMS {
  return Object.hasOwn(ALGORITHMS, key);
}

/** A content of the work area. */
interface StoredContent {
  readonly path: string;
  /** The first byte that counts. */
  readonly from: number;
  /** Of these bytes, if known. */
  readonly sha256?: Buffer | undefined;
}

/**
 * Compares a content of the work area with the digest that its client sent.
 * @param offset where the upload continues on a mismatch
 * @throws ApiError `digest_mismatch`
 */
export async function checkDigest(content: StoredContent, expected: string, offset: number): Promise<void> {
  const { name, hex } = parsed(expected);
  const known = name === 'sha256' ? content.sha256?.toString('hex') : undefined;
  if ((known ?? (await digestOf(content, name))) !== hex) throw digestMismatch(offset);
}

/** The SHA-256 among digests of a content, which was compared with them; see `requestDigests`. */
export function sha256In(digests: readonly string[]): Buffer | undefined {
  const hex = digests.map(parsed).find(({ name }) => name === 'sha256')?.hex;
  return hex === undefined ? undefined : Buffer.from(hex, 'hex');
}

/** A hash for bytes that are compared with a digest by `checkHash`. */
export function hashFor(expected: string): Hash {
  return createHash(parsed(expected).name);
}

/** The same for a hash that was given the bytes. @throws ApiError `digest_mismatch` */
export function checkHash(hash: Hash, expected: string, offset: number): void {
  if (hash.digest('hex') !== parsed(expected).hex) throw digestMismatch(offset);
}

/** @param digest as `<algorithm>=<hex>` */
function parsed(digest: string): { name: ChecksumName; hex: string | undefined } {
  const [key = '', hex] = digest.split('=');
  if (!Object.hasOwn(CHECKSUMS, key)) throw new Error(`no digest algorithm is called ${key}`);
  return { name: CHECKSUMS[key as keyof typeof CHECKSUMS].name, hex };
}

/**
 * A checksum of a chunk, as `<algorithm>=<hex>`.
 * @param name of the algorithm, as Node has it
 * @returns null if the algorithm is not supported, or the checksum has a different length
 */
export function checksum(name: string, bytes: Buffer): string | null {
  const found = Object.entries(CHECKSUMS).find(([, algorithm]) => algorithm.name === name);
  return found === undefined || found[1].bytes !== bytes.length ? null : `${found[0]}=${bytes.toString('hex')}`;
}

/** The names that `checksum` accepts. */
export const CHECKSUM_NAMES = Object.values(CHECKSUMS).map(({ name }) => name);

function digestMismatch(offset: number): ApiError {
  return new ApiError('digest_mismatch', t('api.uploads.digestMismatch'), { details: { offset } });
}
