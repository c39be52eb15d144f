import { networkInterfaces } from 'node:os';

/**
 * The addresses other machines may reach this one at, in a stable order, each once: IPv4 and IPv6 of every network
 * interface that is up, without loopback and internal ones and without IPv6 zone ids (`%eth0`), which mean something on
 * this machine only.
 */
export function lanAddresses(): readonly string[] {
  const found = new Set<string>();
  for (const entries of Object.values(networkInterfaces())) {
    for (const { address, internal } of entries ?? []) {
      if (!internal) found.add(address.replace(/%.*$/, ''));
    }
  }
  return [...found].sort();
}
