import { isIP, isIPv4 } from 'node:net';
import { networkInterfaces } from 'node:os';

/**
 * The addresses other machines may reach this one at, in a stable order, each once: IPv4 and IPv6 of every network
 * interface that is up, without loopback and internal ones. Link-local IPv6 (`fe80::`) is left out too: it only works
 * with a zone id (`%eth0`), which no address bar takes, and it comes and goes with every container.
 */
export function lanAddresses(): readonly string[] {
  const found = new Set<string>();
  for (const entries of Object.values(networkInterfaces())) {
    for (const { address, internal } of entries ?? []) {
      if (!internal && !/^fe[89ab]/i.test(address)) found.add(address);
    }
  }
  return [...found].sort();
}

/** Of the machine's addresses, those at which a listener on this host is reached. */
export function listenedAt(host: string, addresses: readonly string[]): readonly string[] {
  if (host === '0.0.0.0') return addresses.filter(isIPv4);
  return isIP(host) === 0 || host === '::' ? addresses : addresses.filter((address) => address === host);
}
