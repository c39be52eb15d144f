import type { IncomingMessage } from 'node:http';
import ipaddr from 'ipaddr.js';
import { addressGroup, addressOf, isForwarded } from './client-address.ts';

/** Ranges that are not routed on the internet (RFC 6890). */
const HOME_RANGES = new Set(['loopback', 'private', 'linkLocal', 'uniqueLocal']);

/**
 * Whether a request comes from the household's own network: from a private address, or from an IPv6 network of this machine. What
 * an unknown proxy passed on may come from anywhere.
 * @param own addresses of this machine
 */
export function isFromHome(
  request: Pick<IncomingMessage, 'socket' | 'headers'> & { readonly ip?: string | undefined },
  own: readonly string[],
): boolean {
  const address = addressOf(request);
  if (address === null || (address === request.socket.remoteAddress && isForwarded(request))) return false;
  const plain = address.replace(/%.*$/, '');
  if (!ipaddr.isValid(plain)) return false;
  const parsed = ipaddr.process(plain);
  if (HOME_RANGES.has(parsed.range())) return true;
  // Devices at home have public IPv6 addresses, too. In IPv4 the group is the single address.
  return parsed.kind() === 'ipv6' && own.some((one) => addressGroup(one) === addressGroup(plain));
}
