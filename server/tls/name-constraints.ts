import { X509Certificate } from 'node:crypto';
import { createRequire } from 'node:module';
import { BlockList, isIP } from 'node:net';
import {
  AsnConvert,
  Certificate,
  GeneralName,
  GeneralSubtree,
  GeneralSubtrees,
  id_ce_nameConstraints,
  NameConstraints,
} from './asn1.ts';
import { dnsName, hostNames, ipAddress } from './names.ts';

/** A critical extension of a certificate that is to be made. */
export interface CriticalExtension {
  readonly oid: string;
  /** DER. */
  readonly value: ArrayBuffer;
}

/** Loopback, the private, link-local and carrier-shared ranges: where a household lives. */
const HOUSEHOLD_RANGES = [
  '10.0.0.0/8',
  '172.16.0.0/12',
  '192.168.0.0/16',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '100.64.0.0/10',
  '::1/128',
  'fc00::/7',
  'fe80::/10',
];

/** The public top-level domains (IANA). Loaded when an authority is made, once in a household's life. */
function publicDomains(): ReadonlySet<string> {
  return new Set(createRequire(import.meta.url)('tlds') as string[]);
}

/**
 * The critical extension (RFC 5280 §4.2.1.10) that keeps a household authority to its household: whoever gets its key
 * can still not pass for a bank. A DNS entry also permits every name below it, and RFC 5280 has no other kind: a machine called `cloud` or
 * `dev` therefore goes by its `.local` name only.
 */
export function householdConstraints(hostname: string, extraNames: readonly string[]): CriticalExtension {
  const isPublic = publicDomains();
  const dns = new Set(['localhost', 'local', ...hostNames(hostname).filter((name) => !isPublic.has(name))]);
  const ranges = new Set(HOUSEHOLD_RANGES);
  const inside = permission(subtreesOf({ dns: [], ranges: HOUSEHOLD_RANGES }), []);
  for (const extra of extraNames) {
    const address = ipAddress(extra);
    const name = dnsName(extra);
    if (name !== undefined && !isPublic.has(name)) dns.add(name);
    if (address !== undefined && !inside(address)) ranges.add(`${address}/${isIP(address) === 4 ? 32 : 128}`);
  }
  const value = new NameConstraints({
    permittedSubtrees: new GeneralSubtrees(subtreesOf({ dns: [...dns], ranges: [...ranges] })),
  });
  return { oid: id_ce_nameConstraints, value: AsnConvert.serialize(value) };
}

/**
 * Reads from an authority's certificate (PEM) which names it may vouch for. The answer is for names in the form of
 * `certificateName`. Kinds of names the certificate does not mention are unrestricted (RFC 5280 §4.2.1.10).
 *
 * @throws when the certificate or the extension cannot be decoded
 */
export function permittedBy(pem: string): (name: string) => boolean {
  const { extensions = [] } = AsnConvert.parse(new X509Certificate(pem).raw, Certificate).tbsCertificate;
  const extension = [...extensions].find(({ extnID }) => extnID === id_ce_nameConstraints);
  if (extension === undefined) return () => true;
  const { permittedSubtrees, excludedSubtrees } = AsnConvert.parse(extension.extnValue, NameConstraints);
  return permission([...(permittedSubtrees ?? [])], [...(excludedSubtrees ?? [])]);
}

function subtreesOf(names: { dns: readonly string[]; ranges: readonly string[] }): GeneralSubtree[] {
  return [
    ...names.dns.map((dNSName) => new GeneralSubtree({ base: new GeneralName({ dNSName }) })),
    ...names.ranges.map((iPAddress) => new GeneralSubtree({ base: new GeneralName({ iPAddress }) })),
  ];
}

function permission(permitted: readonly GeneralSubtree[], excluded: readonly GeneralSubtree[]) {
  const allowed = matcher(permitted);
  const refused = matcher(excluded);
  const limitsDns = permitted.some(({ base }) => base.dNSName !== undefined);
  const limitsAddresses = permitted.some(({ base }) => base.iPAddress !== undefined);
  return (name: string): boolean => {
    const limited = isIP(name) === 0 ? limitsDns : limitsAddresses;
    return !refused(name) && (!limited || allowed(name));
  };
}

function matcher(subtrees: readonly GeneralSubtree[]): (name: string) => boolean {
  const ranges = new BlockList();
  const domains: string[] = [];
  for (const { base } of subtrees) {
    if (base.dNSName !== undefined) domains.push(base.dNSName.toLowerCase());
    const [address, prefix] = base.iPAddress?.split('/') ?? [];
    if (address !== undefined && isIP(address) !== 0) {
      ranges.addSubnet(address, Number(prefix), isIP(address) === 4 ? 'ipv4' : 'ipv6');
    }
  }
  return (name) => {
    if (isIP(name) === 4) return ranges.check(name, 'ipv4');
    // The list would compare the IPv4 part of `::ffff:192.168.1.5`; verifiers compare sixteen bytes.
    if (isIP(name) === 6) return !name.startsWith('::ffff:') && ranges.check(name, 'ipv6');
    return domains.some((domain) => inDomain(name, domain));
  };
}

function inDomain(name: string, domain: string): boolean {
  return domain === '' || name === domain || name.endsWith(domain.startsWith('.') ? domain : `.${domain}`);
}
