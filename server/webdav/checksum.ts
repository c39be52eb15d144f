import type { IncomingHttpHeaders } from 'node:http';
import { ApiError, invalidParameter } from '../http/errors.ts';
import { t } from '../messages/messages.ts';
import { digestOf } from '../storage/content/same-bytes.ts';

/** A checksum that a sync client states with a file. */
export interface Checksum {
  readonly algorithm: 'SHA1' | 'SHA256' | 'MD5' | 'ADLER32';
  /** Hexadecimal, in lower case. */
  readonly value: string;
}

const ALGORITHMS = { SHA1: 'sha1', SHA256: 'sha256', MD5: 'md5', ADLER32: 'adler32' } as const;

const LENGTHS: Readonly<Record<Checksum['algorithm'], number>> = { SHA1: 40, SHA256: 64, MD5: 32, ADLER32: 8 };

/**
 * The header `OC-Checksum`: `<algorithm>:<hexadecimal>`, or several of them. Those of unknown algorithms are left out.
 * @throws ApiError `invalid_parameter`: a checksum that cannot be read protects nothing
 */
export function statedChecksums(headers: IncomingHttpHeaders): Checksum[] {
  const stated = String(headers['oc-checksum'] ?? '').split(/[\s,]+/);
  // Each of them is compared once, however often it is stated.
  return [...new Set(stated)].flatMap((one) => {
    const [name = '', ...values] = one.split(':');
    const algorithm = name.toUpperCase();
    if (!isKnown(algorithm)) return [];
    const value = values.join(':').toLowerCase();
    if (/^[0-9a-f]+$/.test(value) && value.length === LENGTHS[algorithm]) return [{ algorithm, value }];
    throw invalidParameter('OC-Checksum', t('api.webdav.checksum'));
  });
}

function isKnown(name: string): name is Checksum['algorithm'] {
  return Object.hasOwn(LENGTHS, name);
}

/**
 * Compares a received file with the checksums that its client stated.
 * @param sha256 of the file, if known
 * @throws ApiError `digest_mismatch`
 */
export async function verifyChecksums(
  path: string,
  checksums: readonly Checksum[],
  sha256: Buffer | undefined,
): Promise<void> {
  for (const { algorithm, value } of checksums) {
    const known = algorithm === 'SHA256' ? sha256?.toString('hex') : undefined;
    if ((known ?? (await digestOf({ path, from: 0 }, ALGORITHMS[algorithm]))) !== value) {
      throw new ApiError('digest_mismatch', t('api.uploads.digestMismatch'));
    }
  }
}
