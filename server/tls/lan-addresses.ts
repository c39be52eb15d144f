import { isIP, isIPv4 } from 'node:net';
import { networkInterfaces } from 'node:os';

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
