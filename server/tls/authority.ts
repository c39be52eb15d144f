import { createPrivateKey, type KeyObject } from 'node:crypto';
import { join } from 'node:path';
import { t } from '../messages/messages.ts';
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
  if (certificate === undefined) throw unusable(t('api.tls.damaged', { file: certificatePath }));
  if (!certificate.ca) throw unusable(t('api.tls.notAuthority', { file: certificatePath }));
  if (key === undefined) throw unusable(t('api.tls.missing', { file: keyPath }));
  if (!certificate.checkPrivateKey(usableKey(keyPath, key))) throw unusable(t('api.tls.otherKey', { file: keyPath }));

  const pem = certificate.toString();
  let permits: (name: string) => boolean;
  try {
    permits = permittedBy(certificate.raw);
  } catch (error) {
    throw unusable(t('api.tls.constraints', { file: certificatePath }), error);
  }
  const { fingerprint, notBefore, notAfter } = detailsOf(certificate);
  return { certificate: pem, key, fingerprint, notBefore, notAfter, isNew: files.isNew, permits };
}

function usableKey(path: string, pem: string): KeyObject {
  let key: KeyObject;
  try {
    key = createPrivateKey(pem);
  } catch (error) {
    throw unusable(t('api.tls.damaged', { file: path }), error);
  }
  if (key.asymmetricKeyDetails?.namedCurve !== 'prime256v1') throw unusable(t('api.tls.keyType', { file: path }));
  return key;
}

function unusable(problem: string, cause?: unknown): Error {
  return new Error(t('api.tls.authorityUnusable', { problem }), { cause });
}

/** `Larder` and the host name, at most 64 characters (RFC 5280 appendix A, ub-common-name). */
function commonName(hostname: string): string {
  const [name] = hostNames(hostname);
  return ['Larder', ...(name === undefined ? [] : [name])].join(' ').slice(0, 64);
}
