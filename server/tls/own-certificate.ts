import { createPrivateKey } from 'node:crypto';
import { join } from 'node:path';
import { createSecureContext } from 'node:tls';
import { day, detailsOf, parseCertificate } from './details.ts';
import { readIfThere } from './files.ts';
import type { Issued } from './issue.ts';

const SERVER_AUTH = '1.3.6.1.5.5.7.3.1';

/** The owner's own certificate (`certificate` is the whole chain file), or why it is not used, or nothing at all. */
export type OwnCertificate = { readonly use: Issued } | { readonly problem: string } | undefined;

/**
 * Looks for the owner's own certificate: `own.crt`, a PEM chain with the server's certificate first, and `own.key`. It is used
 * only when the two belong together, TLS accepts them, and `now` (milliseconds) is within its validity. The files are never
 * written.
 */
export async function readOwnCertificate(folder: string, now: number): Promise<OwnCertificate> {
  try {
    const certificate = await readIfThere(join(folder, 'own.crt'));
    const key = await readIfThere(join(folder, 'own.key'));
    if (certificate === undefined && key === undefined) return undefined;
    if (certificate === undefined) return unused('own.crt is missing next to own.key');
    if (key === undefined) return unused('own.key is missing next to own.crt');
    const flaw = flawOf({ certificate, key }, now);
    return flaw === undefined ? { use: { certificate, key } } : unused(flaw);
  } catch (error) {
    return unused(`it cannot be read (${message(error)})`);
  }
}

function flawOf(own: Issued, now: number): string | undefined {
  const certificate = parseCertificate(own.certificate);
  if (certificate === undefined) return 'own.crt is not a certificate in PEM form';
  try {
    if (!certificate.checkPrivateKey(createPrivateKey(own.key))) {
      return 'own.key does not belong to the first certificate in own.crt';
    }
  } catch (error) {
    return `own.key is not an unencrypted private key in PEM form (${message(error)})`;
  }
  const usages = certificate.keyUsage;
  if (usages?.length && !usages.includes(SERVER_AUTH)) return 'own.crt is not meant for servers';
  const { notBefore, notAfter } = detailsOf(certificate);
  if (now < notBefore) return `own.crt is valid only from ${day(notBefore)}`;
  if (now > notAfter) return `own.crt expired on ${day(notAfter)}`;
  try {
    createSecureContext({ cert: own.certificate, key: own.key });
  } catch (error) {
    return `TLS refuses it (${message(error)})`;
  }
  return undefined;
}

function unused(reason: string): OwnCertificate {
  return {
    problem: `Your own certificate is not used: ${reason}. Until that is put right the household certificate is used.`,
  };
}

function message(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
