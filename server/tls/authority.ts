import { createPrivateKey, type KeyObject } from 'node:crypto';
import { join } from 'node:path';
import { detailsOf, parseCertificate } from './details.ts';
import { readIfThere, storePair } from './files.ts';
import type { Issued } from './issue.ts';
import { permittedBy } from './name-constraints.ts';
import { hostNames } from './names.ts';

/** The household's certificate authority, which its devices trust. */
export interface Authority extends Issued {
  readonly fingerprint: string;
  readonly notBefore: number;
  readonly notAfter: number;
  /** Whether it was just created, because there was none. */
  readonly isNew: boolean;
  /** Whether devices accept a certificate of this authority for the name (in the form of `certificateName`). */
  permits(name: string): boolean;
}

/**
 * Reads the household authority from `ca.crt` and `ca.key`, or creates it when there is no `ca.crt`. An existing one is never
 * replaced, whatever its state: devices trust it, and a new one would lock them all out.
 * @throws Error with a sentence for the owner when `ca.crt` or `ca.key` cannot be used
 */
export async function openAuthority(options: {
  folder: string;
  hostname: string;
  extraNames: readonly string[];
  now: number;
}): Promise<Authority> {
  const certificatePath = join(options.folder, 'ca.crt');
  const keyPath = join(options.folder, 'ca.key');
  const certificate = await readIfThere(certificatePath);
  const key = await readIfThere(keyPath);
  if (certificate !== undefined) return load({ certificatePath, keyPath, certificate, key, isNew: false });

  // A key without certificate is left by a power cut during the first start, or belongs to an authority devices may still trust.
  if (key !== undefined) usableKey(keyPath, key);
  // Creating certificates is rare and needs large libraries, so they are loaded on use.
  const [{ issueAuthority }, { householdConstraints }] = await Promise.all([
    import('./issue.ts'),
    import('./household-constraints.ts'),
  ]);
  const issued = await issueAuthority({
    commonName: commonName(options.hostname),
    constraints: householdConstraints(options.hostname, options.extraNames),
    now: options.now,
    ...(key === undefined ? {} : { key }),
  });
  await storePair(options.folder, 'ca', issued);
  return load({ certificatePath, keyPath, ...issued, isNew: true });
}

function load(files: {
  certificatePath: string;
  keyPath: string;
  certificate: string;
  key: string | undefined;
  isNew: boolean;
}): Authority {
  const { certificatePath, keyPath, key } = files;
  const certificate = parseCertificate(files.certificate);
  if (certificate === undefined) throw unusable(certificatePath, 'is damaged');
  if (!certificate.ca) throw unusable(certificatePath, 'is not the certificate of an authority');
  if (key === undefined) throw unusable(keyPath, 'is missing');
  if (!certificate.checkPrivateKey(usableKey(keyPath, key))) throw unusable(keyPath, 'does not belong to ca.crt');

  const pem = certificate.toString();
  let permits: (name: string) => boolean;
  try {
    permits = permittedBy(certificate.raw);
  } catch (error) {
    throw unusable(certificatePath, 'has name constraints that cannot be read', error);
  }
  const { fingerprint, notBefore, notAfter } = detailsOf(certificate);
  return { certificate: pem, key, fingerprint, notBefore, notAfter, isNew: files.isNew, permits };
}

function usableKey(path: string, pem: string): KeyObject {
  let key: KeyObject;
  try {
    key = createPrivateKey(pem);
  } catch (error) {
    throw unusable(path, 'is damaged', error);
  }
  if (key.asymmetricKeyDetails?.namedCurve !== 'prime256v1') throw unusable(path, 'is not an ECDSA P-256 key');
  return key;
}

function unusable(path: string, what: string, cause?: unknown): Error {
  const advice =
    'Restore ca.crt and ca.key together from a backup. If there is none, move both files away: the next start makes a ' +
    'new household authority, and every device has to trust that one anew.';
  return new Error(`The household's certificate authority cannot be used: ${path} ${what}. ${advice}`, { cause });
}

/** `Larder` and the host name, at most 64 characters (RFC 5280 appendix A, ub-common-name). */
function commonName(hostname: string): string {
  const [name] = hostNames(hostname);
  return ['Larder', ...(name === undefined ? [] : [name])].join(' ').slice(0, 64);
}
