import { isIP, SocketAddress } from 'node:net';
import { domainToASCII } from 'node:url';

const LABEL = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;

/**
 * A host name in the form of certificates (RFC 5280 §4.2.1.6, preferred name syntax of RFC 1034 §3.5): lower case, without the
 * final dot, letters outside ASCII as `xn--`. `undefined` when it is invalid, and for addresses.
 */
export function dnsName(text: string): string | undefined {
  // Only what needs converting goes through the URL rules: they would also read `0x7f.1` as an address.
  const ascii = /^[\0-\x7f]*$/.test(text) ? text : domainToASCII(text);
  const name = ascii.toLowerCase().replace(/\.$/, '');
  if (name.length > 253 || isIP(name) !== 0) return undefined;
  const labels = name.split('.');
  // Browsers read a last label of digits as an IPv4 address, whatever precedes it.
  if (/^\d+$/.test(labels.at(-1) ?? '')) return undefined;
  return labels.every((label) => LABEL.test(label)) ? name : undefined;
}

/** An IP address in canonical text form, without zone id; `undefined` when it is invalid. */
export function ipAddress(text: string): string | undefined {
  const bare = text.replace(/%.*$/, '');
  const version = isIP(bare);
  if (version === 0) return undefined;
  return new SocketAddress({ address: bare, family: version === 4 ? 'ipv4' : 'ipv6' }).address;
}

/** A host name or an address in canonical form; `undefined` when it is neither. */
export function certificateName(text: string): string | undefined {
  return ipAddress(text) ?? dnsName(text);
}

/**
 * The names of a machine with this host name: the host name itself and its first label under `.local`, where multicast DNS (RFC
 * 6762) finds it. None when the host name is not allowed in a certificate.
 */
export function hostNames(hostname: string): readonly string[] {
  const name = dnsName(hostname);
  if (name === undefined) return [];
  if (name === 'local' || name.endsWith('.local')) return [name];
  const [label] = name.split('.');
  return [name, `${label}.local`];
}

/**
 * The host name that is announced for this machine's Larder over multicast DNS: not the machine's own, which its system
 * announces.
 */
export function announcedName(hostname: string): string {
  const [label] = (dnsName(hostname) ?? '').split('.');
  const name = dnsName(`larder-${label}.local`);
  return label === '' || name === undefined ? 'larder.local' : name;
}
