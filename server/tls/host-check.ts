import { X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';

const CACHE_ENTRIES = 256;
/** A leading dot is a pattern for the verifier (`.home` matches every name below it), so the first character is restricted. */
const HOST = /^[a-z0-9_][a-z0-9_.-]{0,252}$/;

/**
 * Returns a function that tells whether the certificate (PEM) covers a host name or an IP address (no port, no brackets), like a
 * browser (RFC 9525 §6): wildcards for one whole label, never the common name. Accepts any text and never throws.
 * @param wildcards whether names count that only a wildcard covers
 */
export function hostCheck(pem: string, { wildcards = true } = {}): (host: string) => boolean {
  const certificate = new X509Certificate(pem);
  const known = new Map<string, boolean>();
  return (host) => {
    const name = normalise(host);
    if (name === undefined) return false;
    const cached = known.get(name);
    if (cached !== undefined) return cached;
    const answer = covers(certificate, name, wildcards);
    // Made-up host names must not fill the memory; the few real ones are soon cached again.
    if (known.size >= CACHE_ENTRIES) known.clear();
    known.set(name, answer);
    return answer;
  };
}

function normalise(host: string): string | undefined {
  if (typeof host !== 'string' || host.length > 254) return undefined;
  const bare = host.replace(/%.*$/, '');
  if (isIP(bare) !== 0) return bare.toLowerCase();
  const name = host.toLowerCase().replace(/\.$/, '');
  return HOST.test(name) ? name : undefined;
}

function covers(certificate: X509Certificate, name: string, wildcards: boolean): boolean {
  try {
    if (isIP(name) !== 0) return certificate.checkIP(name) !== undefined;
    return certificate.checkHost(name, { subject: 'never', wildcards, partialWildcards: false }) !== undefined;
  } catch {
    return false;
  }
}
