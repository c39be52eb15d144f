import { X509Certificate } from 'node:crypto';
import type { Clock } from '../lib/clock.ts';
import type { Log } from '../lib/log/log.ts';
import { type Authority, openAuthority } from './authority.ts';
import { detailsOf } from './details.ts';
import { prepareFolder } from './files.ts';
import { hostCheck } from './host-check.ts';
import { householdCertificate } from './household-certificate.ts';
import type { Issued } from './issue.ts';
import { certificateName, hostNames } from './names.ts';
import { readOwnCertificate } from './own-certificate.ts';
import { certificateProblems } from './problems.ts';
import type { ServerCertificate } from './server-certificate.ts';

export interface CertificateOptions {
  /** Absolute path of the folder for keys and certificates; created readable only by its owner. */
  readonly folder: string;
  readonly hostname: string;
  /** The host name announced on the local network. */
  readonly announcedHost?: string;
  /** Further host names and addresses for the certificate. */
  readonly extraNames: readonly string[];
  /** The machine's present addresses. */
  readonly addresses: () => readonly string[];
  readonly clock: Clock;
  readonly log: Log;
}

export interface Certificates {
  current(): ServerCertificate;
  /** What devices of the household trust: PEM, SHA-256 fingerprint, expiry in milliseconds since the epoch. */
  readonly authority: { readonly pem: string; readonly fingerprint: string; readonly notAfter: number };
  /** Whether the authority was just created, because there was none. */
  readonly hasNewAuthority: boolean;
  /** Whether the current certificate covers this host name or IP address (no port, no brackets). Never throws. */
  covers(host: string): boolean;
  /**
   * Whether this server itself has the name or address: the certificate or the configuration states it. Other servers may have names
   * that only a wildcard covers. Never throws.
   */
  isNamed(host: string): boolean;
  /**
   * Checks the owner's own certificate, names, addresses and dates, and issues a new certificate if needed. Concurrent calls
   * share one run. @returns whether `current()` changed
   */
  refresh(): Promise<boolean>;
  /** Sentences for the owner; empty if all is well. */
  problems(): string[];
  /** Calls the listener with every new current certificate. Returns the function that unsubscribes. */
  onChange(listener: (certificate: ServerCertificate) => void): () => void;
}

/**
 * Opens the household's certificates, creating the authority at the first start and a server certificate when needed.
 * @throws Error with a sentence for the owner when the existing authority cannot be used, or the file system's error
 */
export async function openCertificates(options: CertificateOptions): Promise<Certificates> {
  const { folder, hostname, extraNames, clock, log } = options;
  const exposed = await prepareFolder(folder);
  const authority = await openAuthority({ folder, hostname, extraNames, now: clock.now() });
  const household = householdCertificate({ folder, authority, clock, log });
  const listeners = new Set<(certificate: ServerCertificate) => void>();
  let ownProblem: string | undefined;
  let running: Promise<boolean> | undefined;

  async function choose(): Promise<ServerCertificate> {
    const own = await readOwnCertificate(folder, clock.now());
    ownProblem = own !== undefined && 'problem' in own ? own.problem : undefined;
    if (own !== undefined && 'use' in own) return serverCertificate('own', own.use);
    const issued = await household.provide(requestedNames(options, authority));
    return serverCertificate('household', { ...issued, certificate: issued.certificate + authority.certificate });
  }

  let current = await choose();
  let check = hostCheck(current.chain);
  let checkNamed = hostCheck(current.chain, { wildcards: false });
  const configured = new Set(extraNames.map((name) => certificateName(name)));

  async function run(): Promise<boolean> {
    const next = await choose();
    if (next.chain === current.chain && next.key === current.key) return false;
    check = hostCheck(next.chain);
    checkNamed = hostCheck(next.chain, { wildcards: false });
    current = next;
    log.info({ source: next.source, fingerprint: next.fingerprint, names: next.names }, 'server certificate changed');
    for (const listener of [...listeners]) {
      try {
        listener(next);
      } catch (error) {
        log.error({ err: error }, 'a listener for the new server certificate failed');
      }
    }
    return true;
  }

  return {
    current: () => current,
    authority: { pem: authority.certificate, fingerprint: authority.fingerprint, notAfter: authority.notAfter },
    hasNewAuthority: authority.isNew,
    covers: (host) => check(host),
    isNamed: (host) => checkNamed(host) || configured.has(host),
    refresh() {
      running ??= run().finally(() => {
        running = undefined;
      });
      return running;
    },
    problems: () => [
      ...[...exposed, ownProblem, household.problem()].filter((problem) => problem !== undefined),
      ...certificateProblems({ folder, extraNames, current, covers: check, authority, now: clock.now() }),
    ],
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** The names of the household certificate: all names and addresses of this machine that the authority may certify. */
function requestedNames(options: CertificateOptions, authority: Authority): readonly string[] {
  const { announcedHost } = options;
  const announced = announcedHost === undefined ? [] : [announcedHost];
  const given = [...announced, ...options.addresses(), ...options.extraNames].map(certificateName);
  const names = ['localhost', ...hostNames(options.hostname), '127.0.0.1', '::1', ...given];
  return [...new Set(names)].filter((name) => name !== undefined).filter((name) => authority.permits(name));
}

function serverCertificate(source: ServerCertificate['source'], issued: Issued): ServerCertificate {
  const { fingerprint, notAfter, names } = detailsOf(new X509Certificate(issued.certificate));
  return { key: issued.key, chain: issued.certificate, fingerprint, notAfter, names, source };
}
