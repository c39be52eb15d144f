import { X509Certificate } from 'node:crypto';
import { ipAddress } from './names.ts';

/** The properties of a certificate. */
interface Details {
  /** SHA-256 over the certificate, `AA:BB:…`. */
  readonly fingerprint: string;
  /** Milliseconds since the epoch, both. */
  readonly notBefore: number;
  readonly notAfter: number;
  /** The host names, and the addresses in canonical form, of the subject alternative names. */
  readonly names: readonly string[];
}

export function detailsOf(certificate: X509Certificate): Details {
  return {
    fingerprint: certificate.fingerprint256,
    notBefore: Date.parse(certificate.validFrom),
    notAfter: Date.parse(certificate.validTo),
    names: namesOf(certificate.subjectAltName ?? ''),
  };
}

/** The first certificate of a PEM text, `undefined` when it cannot be read. */
export function parseCertificate(pem: string): X509Certificate | undefined {
  try {
    return new X509Certificate(pem);
  } catch {
    return undefined;
  }
}

/** The date of a time, in UTC, as text for people. */
export function day(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}

function namesOf(subjectAltName: string): string[] {
  return subjectAltName.split(', ').flatMap((entry) => {
    if (entry.startsWith('DNS:')) return [entry.slice('DNS:'.length)];
    const address = entry.startsWith('IP Address:') ? ipAddress(entry.slice('IP Address:'.length)) : undefined;
    return address === undefined ? [] : [address];
  });
}
