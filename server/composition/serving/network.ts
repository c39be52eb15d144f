import { hostname } from 'node:os';
import { createAnnouncer, type Network as Multicast } from '../../announce/announcer.ts';
import { FailedHandshakes } from '../../http/connection/failed-handshakes.ts';
import { createOutsideAddress } from '../../http/connection/outside-address.ts';
import { Traffic } from '../../http/connection/traffic.ts';
import { isLoopbackHost } from '../../lib/loopback-host.ts';
import { openCertificates } from '../../tls/certificates.ts';
import { announcedName } from '../../tls/names.ts';
import type { Base } from '../base.ts';
import type { Identity } from '../identity.ts';
import type { Storage } from '../storage.ts';
import { createListeners } from './listeners.ts';

export interface NetworkOptions {
  /** This machine's addresses on its networks. */
  readonly addresses: () => readonly string[];
  /** Where to announce the server; by default on the local network. */
  readonly network?: Multicast | undefined;
  /** Certificate authorities (PEM) for the check of the address on the internet; by default those of Node. */
  readonly publicAuthorities?: readonly string[] | undefined;
}

export type Network = Awaited<ReturnType<typeof openNetwork>>;

/**
 * The certificates, the names and addresses of this server, and the listeners, which open later.
 * @throws an Error that names the damaged file
 */
export async function openNetwork(
  base: Base,
  { settings }: Pick<Storage, 'settings'>,
  { hasOwner }: Pick<Identity, 'hasOwner'>,
  { addresses, network, publicAuthorities }: NetworkOptions,
) {
  const { config, layout, clock, log } = base;
  const announcedHost = isLoopbackHost(config.host) ? null : announcedName(hostname());
  const certificates = await openCertificates({
    folder: layout.tls,
    hostname: hostname(),
    ...(announcedHost === null ? {} : { announcedHost }),
    extraNames: config.name,
    addresses,
    clock,
    log,
  });
  const failedHandshakes = new FailedHandshakes();
  const traffic = new Traffic();
  const outside = createOutsideAddress({
    settings: () => settings.values,
    basePath: config.basePath,
    authorities: publicAuthorities,
  });
  return {
    addresses,
    certificates,
    failedHandshakes,
    traffic,
    outside,
    listeners: createListeners({
      ...base,
      traffic,
      failedHandshakes,
      certificates,
      settings,
      addresses,
      announcer: createAnnouncer({ log, network }),
      announcedHost,
      hasOwner,
    }),
    /** Names by which clients may address the server. @param at the address as the client sent it */
    isKnownHost: (host: string, at: string) => certificates.covers(host) || outside.isKnownHost(host, at),
    /** Names of this server alone. */
    isOwnHost: (host: string, at: string) => certificates.isNamed(host) || outside.isKnownHost(host, at),
  };
}
