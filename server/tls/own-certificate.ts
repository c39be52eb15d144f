import { createPrivateKey } from 'node:crypto';
import { join } from 'node:path';
import { createSecureContext } from 'node:tls';
import { t } from '../messages/messages.ts';
import { day, detailsOf, parseCertificate } from './details.ts';
import { readIfThere } from './files.ts';
import type { Issued } from './issue.ts';

const SERVER_AUTH = '1.3.6.1.5.5.7.3.1';

/** The owner's own certificate (`certificate` is the whole chain file), or why it is not used, or nothing at all. */
type OwnCertificate = { readonly use: Issued } | { readonly problem: string } | undefined;

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
    if (certificate === undefined) return unused(t('api.tls.ownCertificateMissing'));
    if (key === undefined) return unused(t('api.tls.ownKeyMissing'));
    const flaw = flawOf({ certificate, key }, now);
    return flaw === undefined ? { use: { certificate, key } } : unused(flaw);
  } catch (error) {
    return unused(t('api.tls.ownUnreadable', { reason: message(error) }));
  }
}

function flawOf(own: Issued, now: number): string | undefined {
  const certificate = parseCertificate(own.certificate);
  if (certificate === undefined) return t('api.tls.ownNotCertificate');
  try {
    if (!certificate.checkPrivateKey(createPrivateKey(own.key))) {
      return t('api.tls.ownOtherKey');
    }
  } catch (error) {
    return t('api.tls.ownNotKey', { reason: message(error) });
  }
  const usages = certificate.keyUsage;
  if (usages?.length && !usages.includes(SERVER_AUTH)) return t('api.tls.ownNotServer');
  const { notBefore, notAfter } = detailsOf(certificate);
  if (now < notBefore) return t('api.tls.ownNotYet', { date: day(notBefore) });
  if (now > notAfter) return t('api.tls.ownExpired', { date: day(notAfter) });
  try {
    createSecureContext({ cert: own.certificate, key: own.key });
  } catch (error) {
    return t('api.tls.ownRejected', { reason: message(error) });
  }
  return undefined;
}

function unused(reason: string): OwnCertificate {
  return {
    problem: t('api.tls.ownUnused', { reason }),
  };
}

function message(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
