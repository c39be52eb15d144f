import { isIPv4 } from 'node:net';
import type { Announcer } from '../../announce/announcer.ts';
import type { Config } from '../../config/config.ts';
import type { Output } from '../../control/contract/contract.ts';
import type { Closers } from '../../lib/async/closers.ts';
import { type Clock, MINUTE } from '../../lib/clock.ts';
import type { Events } from '../../lib/events.ts';
import type { Log } from '../../lib/log/log.ts';
import type { Settings } from '../../settings/settings.ts';
import type { Certificates } from '../../tls/certificates.ts';
import { listenedAt, reachableNames } from '../../tls/lan-addresses.ts';
import { watchNetworks } from './network-watch.ts';

export interface OwnAddressesParts {
  readonly config: Config;
  readonly certificates: Certificates;
  readonly settings: Settings;
  readonly events: Events;
  readonly clock: Clock;
  readonly log: Log;
  /** This machine's addresses on its networks. */
  readonly addresses: () => readonly string[];
  readonly announcer: Announcer;
  /** The announced host name; null if no other machine can connect. */
  readonly announcedHost: string | null;
  /** The open ports, or null while nothing listens. */
  readonly listening: () => { readonly port: number; readonly httpPort: number | null } | null;
}

type Where = Pick<Output<'status'>, 'running' | 'addresses' | 'httpAddresses'>;

const CHECK_CERTIFICATE = MINUTE;

/** The addresses at which this server is reached: those of the machine that its certificate covers, as networks come and go. */
export function createOwnAddresses(parts: OwnAddressesParts) {
  const { config, certificates, settings, events, clock, log, announcer, announcedHost, listening } = parts;
  const followers = new Set<(addresses: readonly string[]) => void>();

  function where(): Where {
    const ports = listening();
    if (ports === null) return { running: false, addresses: [], httpAddresses: [] };
    const unannounced = announcer.isAnnounced() ? null : announcedHost;
    const listened = listenedAt(config.host, parts.addresses());
    const names = reachableNames(certificates.current().names, config.host, listened).filter(
      (name) => name !== unannounced,
    );
    const urls = (scheme: string, port: number) => names.map((name) => `${scheme}://${name}:${port}${config.basePath}`);
    return {
      running: true,
      addresses: urls('https', ports.port),
      httpAddresses: ports.httpPort === null ? [] : urls('http', ports.httpPort),
    };
  }

  /** Announces the server on the local network: only reachable addresses, by a name that the certificate covers. */
  function announce(again = false): Promise<void> {
    const { announce: isWanted, householdName: household } = settings.values;
    const ports = listening();
    const addresses = listenedAt(config.host, parts.addresses());
    if (!isWanted || ports === null || announcedHost === null || !certificates.covers(announcedHost)) {
      return announcer.follow(null);
    }
    // Announcements use IPv4, so an address there is required.
    if (!addresses.some(isIPv4)) return announcer.follow(null);
    const { port } = ports;
    return announcer.follow({ household, host: announcedHost, port, basePath: config.basePath, addresses }, again);
  }

  async function renewCertificate(): Promise<void> {
    await certificates.refresh().catch((error) => log.error({ err: error }, 'failed to renew the certificate'));
  }

  /** Calls back when the networks have changed and the certificate covers them. Returns the function that stops it. */
  function followNetworks(): () => void {
    let announced = where().addresses;
    return watchNetworks({
      ...{ addresses: parts.addresses, clock, log },
      // During sleep, the network forgets our multicast membership, and others our announcement.
      onWake: () => announce(true),
      async onChange() {
        await renewCertificate();
        await announce();
        const { addresses } = where();
        if (addresses.join() === announced.join() || listening() === null) return;
        announced = addresses;
        log.info({ addresses }, 'the addresses of the machine have changed');
        for (const follow of followers) follow(addresses);
      },
    });
  }

  return {
    where,

    /** Called with every change of the server's addresses. */
    onChange(listener: (addresses: readonly string[]) => void): void {
      followers.add(listener);
    },

    /** Announces them from now on, and keeps certificate and announcement in line with them. */
    async open(closers: Closers): Promise<void> {
      await announce();
      // Others learn at once that we are gone.
      closers.add('announcer', () => announcer.close());
      const unsubscribe = events.on('settings.changed', ({ keys }) => {
        if (keys.includes('announce') || keys.includes('householdName')) void announce();
      });
      // Another certificate may have other names; and an announcement that failed may succeed now.
      const timer = setInterval(() => void renewCertificate().then(() => announce()), CHECK_CERTIFICATE);
      const unfollowNames = certificates.onChange(() => void announce());
      const unfollowNetworks = followNetworks();
      closers.add('addresses', () => {
        unsubscribe();
        unfollowNames();
        unfollowNetworks();
        clearInterval(timer);
      });
    },
  };
}
