import { isIP, isIPv4 } from 'node:net';
import { networkInterfaces } from 'node:os';
import { isLoopbackHost } from '../lib/loopback-host.ts';

/** What the system said last. */
let last: readonly string[] = [];

/**
 * The addresses other machines may reach this one at, in a stable order, each once: IPv4 and IPv6 of every network
 * interface that is up, without loopback and internal ones. Link-local IPv6 (`fe80::`) is left out too: it only works
 * with a zone id (`%eth0`), which no address bar takes, and it comes and goes with every container. What they were before,
 * where the system cannot say.
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

/** Null where the system cannot say right now: it opens a socket for it, and there may be none to be had. */
function interfacesNow(): ReturnType<typeof networkInterfaces> | null {
  try {
    return networkInterfaces();
  } catch {
    return null;
  }
}

/** Of the machine's addresses, those at which a listener on this host is reached. */
export function listenedAt(host: string, addresses: readonly string[]): readonly string[] {
  if (host === '0.0.0.0') return addresses.filter(isIPv4);
  return isIP(host) === 0 || host === '::' ? addresses : addresses.filter((address) => address === host);
}

/**
 * What other machines can type, the friendliest first, and what only this machine can, last: of the names that the certificate
 * is for, those at which a listener on this host is reached. IPv6 addresses are in brackets.
 * @param certified names and addresses of the certificate
 * @param host that is listened at
 * @param addresses of this machine at which that is reached, see `listenedAt`
 */
export function reachableNames(certified: readonly string[], host: string, addresses: readonly string[]): string[] {
  if (host === '::1') return ['[::1]'];
  if (isLoopbackHost(host)) return ['localhost'];
  const names = certified.filter((name) => !/^(?:localhost|127\.|::1$)/.test(name) && !name.includes('*'));
  const plain = names
    .filter((name) => isIP(name) === 0)
    .sort((a, b) => Number(b.endsWith('.local')) - Number(a.endsWith('.local')));
  // At one address of this machine alone, its own `localhost` is not listened to.
  const here = isIP(host) === 0 || host === '::' || host === '0.0.0.0' ? ['localhost'] : [];
  const all = [...plain, ...names.filter((name) => addresses.includes(name)), ...here];
  return all.map((name) => (name.includes(':') ? `[${name}]` : name));
}
