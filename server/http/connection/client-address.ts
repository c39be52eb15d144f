import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import proxyAddress, { compile } from 'proxy-addr';

/** Whether an address is a trusted proxy. */
export type TrustsProxy = (address: string, hop: number) => boolean;

/**
 * @param proxies addresses and networks (`192.168.1.2`, `10.0.0.0/8`, `fd00::/8`), read each time
 */
export function trustIn(proxies: () => readonly string[]): TrustsProxy {
  let known: readonly string[] = [];
  let trusts: TrustsProxy = () => false;
  return (address, hop) => {
    const named = proxies();
    if (named !== known) {
      known = named;
      trusts = named.length === 0 ? () => false : compile([...named]);
    }
    return trusts(address, hop);
  };
}

/**
 * The client address: the peer of the connection or, behind a trusted proxy, the address in `X-Forwarded-For`. From other peers that
 * header is ignored.
 */
export function addressOf(
  request: Pick<IncomingMessage, 'socket'> & { readonly ip?: string | undefined },
): string | null {
  const { ip } = request;
  // A proxy that forwards the header unchecked may forward anything.
  if (ip !== undefined && isIP(ip.replace(/%.*$/, '')) !== 0) return ip;
  return request.socket.remoteAddress ?? null;
}

/** Headers of proxies: what they pass on may come from anywhere, also where the proxy runs on this computer. */
const FORWARDING = [
  ...[
    'forwarded',
    'via',
    'x-forwarded',
    'x-forwarded-for',
    'x-forwarded-host',
    'x-forwarded-proto',
    'x-forwarded-port',
  ],
  ...['x-forwarded-server', 'x-real-ip', 'x-client-ip', 'x-cluster-client-ip', 'true-client-ip', 'cf-connecting-ip'],
];

/** Whether a proxy says that it passed the request on. */
export function isForwarded({ headers }: Pick<IncomingMessage, 'headers'>): boolean {
  return FORWARDING.some((name) => headers[name] !== undefined);
}

/** Whether a program of this very computer sent the request, and no proxy passed it on. */
export function isFromThisComputer({ socket, headers }: Pick<IncomingMessage, 'socket' | 'headers'>): boolean {
  const plain = (socket.remoteAddress ?? '').replace(/%.*$/, '');
  if (!ipaddr.isValid(plain) || ipaddr.process(plain).range() !== 'loopback') return false;
  return !isForwarded({ headers });
}

/** Whether the client uses HTTPS, behind a trusted proxy too, as found when the request was checked. */
export function usesHttps(request: Pick<IncomingMessage, 'socket'> & { readonly secure?: boolean }): boolean {
  return request.secure === true;
}

/** The address that `addressOf` looks at: the last one in `X-Forwarded-For` that trusted proxies did not add. */
export function forwardedAddress(request: IncomingMessage, trusts: TrustsProxy): string | undefined {
  const { remoteAddress } = request.socket;
  if (remoteAddress === undefined || !trusts(remoteAddress, 0)) return remoteAddress;
  return proxyAddress(request, trusts);
}

/** Whether the client uses HTTPS: on this connection or, as a trusted proxy says in `X-Forwarded-Proto`, on its own. */
export function isForwardedSecurely(request: IncomingMessage, trusts: TrustsProxy): boolean {
  const { socket, headers } = request;
  const isEncrypted = 'encrypted' in socket && socket.encrypted === true;
  const sent = headers['x-forwarded-proto'];
  if (typeof sent !== 'string' || socket.remoteAddress === undefined || !trusts(socket.remoteAddress, 0))
    return isEncrypted;
  return sent === '' ? isEncrypted : sent.split(',', 1)[0]?.trim() === 'https';
}

/** The same before the request is parsed: the last address that is not a trusted proxy. */
export function addressBehind(request: IncomingMessage, trusts: TrustsProxy): string {
  const address = proxyAddress(request, trusts);
  return isIP(address.replace(/%.*$/, '')) === 0 ? (request.socket.remoteAddress ?? '') : address;
}

/**
 * What limits count by: an IPv4 address, or the first 64 bits of an IPv6 address, because one household, or one attacker,
 * has all addresses of such a network (RFC 6177, RFC 7421).
 * @param address from `addressOf`; anything else is its own group
 */
export function addressGroup(address: string | null): string {
  const plain = (address ?? '').replace(/%.*$/, '');
  if (!ipaddr.isValid(plain)) return plain;
  const parsed = ipaddr.process(plain);
  if (parsed.kind() === 'ipv4') return parsed.toString();
  const network = (parsed as ipaddr.IPv6).parts.slice(0, 4).map((part) => part.toString(16));
  return `${network.join(':')}::/64`;
}
