import { createPrivateKey, type X509Certificate } from 'node:crypto';
import { join } from 'node:path';
import { type Clock, DAY } from '../lib/clock.ts';
import type { Log } from '../lib/log/log.ts';
import { t } from '../messages/messages.ts';
import type { Authority } from './authority.ts';
import { detailsOf, parseCertificate } from './details.ts';
import { readIfThere, storePair } from './files.ts';
import type { Issued } from './issue.ts';

/** A certificate is renewed, and its expiry announced, so long before its end (milliseconds). */
export const RENEWAL = 30 * DAY;

interface HouseholdCertificate {
  /** The server certificate of the household authority for exactly these names; issued again when needed. */
  provide(names: readonly string[]): Promise<Issued>;
  /** Why the certificate in use is not stored, if it is not. */
  problem(): string | undefined;
}

/**
 * Stores the server certificate of the household authority in `server.crt` and `server.key`. If the disk refuses, the new
 * certificate is used anyway, and stored at a later call.
 */
export function householdCertificate(options: {
  folder: string;
  authority: Authority;
  clock: Clock;
  log: Log;
}): HouseholdCertificate {
  const { folder, authority, clock, log } = options;
  let held: Issued | undefined;
  let unsaved: string | undefined;

  async function store(issued: Issued): Promise<void> {
    try {
      await storePair(folder, 'server', issued);
      unsaved = undefined;
    } catch (error) {
      log.error({ err: error }, 'failed to store the server certificate');
      unsaved = t('api.tls.notStored', { folder, reason: error instanceof Error ? error.message : String(error) });
    }
  }

  return {
    async provide(names) {
      held ??= await stored(folder);
      if (held === undefined || !isGood(held, authority, names, clock.now())) {
        const { issueServer } = await import('./issue.ts');
        held = await issueServer({ names, authority, now: clock.now() });
        await store(held);
      } else if (unsaved !== undefined) {
        await store(held);
      }
      return held;
    },
    problem: () => unsaved,
  };
}

/** The stored certificate, valid or not; unreadable files count as missing, because a new certificate costs nothing. */
async function stored(folder: string): Promise<Issued | undefined> {
  try {
    const certificate = await readIfThere(join(folder, 'server.crt'));
    const key = await readIfThere(join(folder, 'server.key'));
    return certificate === undefined || key === undefined ? undefined : { certificate, key };
  } catch {
    return undefined;
  }
}

function isGood(issued: Issued, authority: Authority, names: readonly string[], now: number): boolean {
  const certificate = parseCertificate(issued.certificate);
  const issuer = parseCertificate(authority.certificate);
  if (certificate === undefined || issuer === undefined) return false;
  const { notBefore, notAfter, names: carried } = detailsOf(certificate);
  return (
    now >= notBefore &&
    now < notAfter - RENEWAL &&
    carried.length === names.length &&
    names.every((name) => carried.includes(name)) &&
    certificate.verify(issuer.publicKey) &&
    hasKey(certificate, issued.key)
  );
}

function hasKey(certificate: X509Certificate, pem: string): boolean {
  try {
    return certificate.checkPrivateKey(createPrivateKey(pem));
  } catch {
    return false;
  }
}
