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
 * The header `OC-Checksum`, as `<algorithm>:<hexadecimal>`.
 * @returns null without it, and for an algorithm that is not known
 * @throws ApiError `invalid_parameter`
 */
export function checksumOf(headers: IncomingHttpHeaders): Checksum | null {
  const header = headers['oc-checksum'];
  if (typeof header !== 'string') return null;
  const [, name = '', value = ''] = /^\s*([A-Za-z0-9]+):([0-9A-Fa-f]+)\s*$/.exec(header) ?? [];
  const algorithm = name.toUpperCase();
  if (!isKnown(algorithm)) return null;
  if (value.length !== LENGTHS[algorithm]) {
    throw invalidParameter('OC-Checksum', t('api.uploads.digestLength', { header: 'OC-Checksum' }));
  }
  return { algorithm, value: value.toLowerCase() };
}

function isKnown(name: string): name is Checksum['algorithm'] {
  return Object.hasOwn(LENGTHS, name);
}

/**
 * Compares a received file with the checksum that its client stated.
 * @param sha256 of the file, if known
 * @throws ApiError `digest_mismatch`
 */
export async function verifyChecksum(
  path: string,
  { algorithm, value }: Checksum,
  sha256: Buffer | undefined,
): Promise<void> {
  const known = algorithm === 'SHA256' ? sha256?.toString('hex') : undefined;
  if ((known ?? (await digestOf({ path, from: 0 }, ALGORITHMS[algorithm]))) !== value) {
    throw new ApiError('digest_mismatch', t('api.uploads.digestMismatch'));
  }
}
