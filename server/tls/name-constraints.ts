import { BlockList, isIP } from 'node:net';
import { type Element, elementsIn } from './der.ts';

/** Names that an authority may certify, or may not: domains with everything below them, and `<address>/<bits>`. */
export interface Subtrees {
  readonly domains: readonly string[];
  readonly ranges: readonly string[];
}

const SEQUENCE = 0x30;
const OCTET_STRING = 0x04;
/** Of a TBSCertificate, `[3]` (RFC 5280 §4.1). */
const EXTENSIONS = 0xa3;
/** `id-ce-nameConstraints`, 2.5.29.30. */
const NAME_CONSTRAINTS = Buffer.from([0x55, 0x1d, 0x1e]);
/** Of NameConstraints (RFC 5280 §4.2.1.10). */
const PERMITTED = 0xa0;
const EXCLUDED = 0xa1;
/** Of a GeneralName (RFC 5280 §4.2.1.6). */
const DNS_NAME = 0x82;
const IP_ADDRESS = 0x87;

/**
 * Reads from an authority's certificate (DER) which names it may certify. The returned function takes names in the form of
 * `certificateName`. Kinds of names the certificate does not mention are unrestricted (RFC 5280 §4.2.1.10).
 * Implemented without the library that creates certificates, because every start needs it, and the library takes a sixth of the
 * start.
 * @throws Error when the certificate or the extension cannot be decoded
 */
export function permittedBy(certificate: Uint8Array): (name: string) => boolean {
  const extension = nameConstraintsOf(certificate);
  if (extension === undefined) return () => true;
  const parts = elementsIn(sequence(only(elementsIn(extension))));
  return permission(subtreesOf(parts, PERMITTED), subtreesOf(parts, EXCLUDED));
}

/** Whether a name is permitted, and not excluded as well. */
export function permission(permitted: Subtrees, excluded: Subtrees): (name: string) => boolean {
  const allowed = matcher(permitted);
  const refused = matcher(excluded);
  return (name) => {
    const limits = isIP(name) === 0 ? permitted.domains : permitted.ranges;
    return !refused(name) && (limits.length === 0 || allowed(name));
  };
}

function nameConstraintsOf(certificate: Uint8Array): Uint8Array | undefined {
  const [signed] = elementsIn(sequence(only(elementsIn(certificate))));
  const extensions = elementsIn(sequence(signed)).find(({ tag }) => tag === EXTENSIONS);
  if (extensions === undefined) return undefined;
  for (const extension of elementsIn(sequence(only(elementsIn(extensions.content))))) {
    // The type, the critical flag, and the value; the flag is usually omitted.
    const [oid, ...rest] = elementsIn(sequence(extension));
    if (oid === undefined || !NAME_CONSTRAINTS.equals(oid.content)) continue;
    const value = rest.at(-1);
    if (value?.tag !== OCTET_STRING) throw new Error('not an extension');
    return value.content;
  }
  return undefined;
}

function subtreesOf(parts: readonly Element[], tag: number): Subtrees {
  const bases = parts
    .filter((part) => part.tag === tag)
    .flatMap(({ content }) => elementsIn(content))
    .map((subtree) => elementsIn(sequence(subtree))[0]);
  const contents = (kind: number) => bases.flatMap((base) => (base?.tag === kind ? [base.content] : []));
  return {
    domains: contents(DNS_NAME).map((name) => Buffer.from(name).toString('latin1').toLowerCase()),
    ranges: contents(IP_ADDRESS).map(rangeOf),
  };
}

/** @param bytes an address and its mask, 4 or 16 bytes each */
function rangeOf(bytes: Uint8Array): string {
  const half = bytes.length / 2;
  if (half !== 4 && half !== 16) throw new Error('not a range of addresses');
  const mask = [...bytes.subarray(half)].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  if (!/^1*0*$/.test(mask)) throw new Error('not a mask of addresses');
  const address = Buffer.from(bytes.subarray(0, half));
  const text = half === 4 ? address.join('.') : (address.toString('hex').match(/.{4}/g) ?? []).join(':');
  return `${text}/${mask.replace(/0+$/, '').length}`;
}

function matcher({ domains, ranges }: Subtrees): (name: string) => boolean {
  const list = new BlockList();
  for (const range of ranges) {
    const [address = '', bits] = range.split('/');
    list.addSubnet(address, Number(bits), isIP(address) === 4 ? 'ipv4' : 'ipv6');
  }
  return (name) => {
    if (isIP(name) === 4) return list.check(name, 'ipv4');
    // The list would compare the IPv4 part of `::ffff:192.168.1.5`; verifiers compare sixteen bytes.
    if (isIP(name) === 6) return !name.startsWith('::ffff:') && list.check(name, 'ipv6');
    return domains.some((domain) => inDomain(name, domain));
  };
}

function inDomain(name: string, domain: string): boolean {
  return domain === '' || name === domain || name.endsWith(domain.startsWith('.') ? domain : `.${domain}`);
}

function only(elements: readonly Element[]): Element {
  const [first, ...rest] = elements;
  if (first === undefined || rest.length > 0) throw new Error('not one element');
  return first;
}

function sequence(element: Element | undefined): Uint8Array {
  if (element?.tag !== SEQUENCE) throw new Error('not a sequence');
  return element.content;
}
