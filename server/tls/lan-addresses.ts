import { isIP, isIPv4 } from 'node:net';
import { networkInterfaces } from 'node:os';
import { isLoopbackHost } from '../lib/loopback-host.ts';

/** The last known addresses. */
let last: readonly string[] = [];

/**
 * The addresses at which other machines may reach this one, in a stable order, without duplicates: IPv4 and IPv6 of every active
 * network interface, without loopback and internal ones. Link-local IPv6 (`fe80::`) is left out too: it only works with a zone id
 * (`%eth0`), which no address bar accepts, and it comes and goes with every container. If the system cannot tell, the last known
 * ones.
 */
export function lanAddresses(): readonly string[] {
  const found = new Set<string>();
  const interfaces = interfacesNow();
  if (interfaces === null) return last;
  for (const entries of Object.values(interfaces)) {
    for (const { address, internal } of entries ?? []) {
      if (!internal && !/^fe[89ab]/i.test(address)) found.add(address);
    }
  }
  last = [...found].sort();
  return last;
}

/** Null when the system cannot tell: it opens a socket for it, and none may be left. */
function interfacesNow(): ReturnType<typeof networkInterfaces> | null {
  try {
    return networkInterfaces();
  } catch {
    return null;
  }
}

/** The machine's addresses at which a listener on this host is reached. */
export function listenedAt(host: string, addresses: readonly string[]): readonly string[] {
  if (host === '0.0.0.0') return addresses.filter(isIPv4);
  return isIP(host) === 0 || host === '::' ? addresses : addresses.filter((address) => address === host);
}

/**
 * The names that other machines can type, most readable first, then those that only this machine can: those covered by the
 * certificate at which a listener on this host is reached. IPv6 addresses are in brackets.
 * @param certified names and addresses of the certificate
 * @param host of the listener
 * @param addresses of this machine at which it is reached, see `listenedAt`
 */
export function reachableNames(certified: readonly string[], host: string, addresses: readonly string[]): string[] {
  if (host === '::1') return ['[::1]'];
  if (isLoopbackHost(host)) return ['localhost'];
  const names = certified.filter((name) => !/^(?:localhost|127\.|::1$)/.test(name) && !name.includes('*'));
  const plain = names
    .filter((name) => isIP(name) === 0)
    .sort((a, b) => Number(b.endsWith('.local')) - Number(a.endsWith('.local')));
  // A listener on a single address of this machine is not reached by its `localhost`.
  const here = isIP(host) === 0 || host === '::' || host === '0.0.0.0' ? ['localhost'] : [];
  const all = [...plain, ...names.filter((name) => addresses.includes(name)), ...here];
  return all.map((name) => (name.includes(':') ? `[${name}]` : name));
}
