import { createRequire } from 'node:module';
import { isIP } from 'node:net';
import {
  AsnConvert,
  GeneralName,
  GeneralSubtree,
  GeneralSubtrees,
  id_ce_nameConstraints,
  NameConstraints,
} from './asn1.ts';
import { permission } from './name-constraints.ts';
import { dnsName, hostNames, ipAddress } from './names.ts';

/** A critical extension of a certificate to be issued. */
export interface CriticalExtension {
  readonly oid: string;
  /** DER. */
  readonly value: ArrayBuffer;
}

/** Loopback, private, link-local and carrier-shared ranges: the networks of households. */
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

/** The public top-level domains (IANA). Loaded only when an authority is created. */
function publicDomains(): ReadonlySet<string> {
  return new Set(createRequire(import.meta.url)('tlds') as string[]);
}

/**
 * The critical extension (RFC 5280 §4.2.1.10) that limits a household authority to its household: a stolen key cannot impersonate
 * a bank. A DNS entry also permits every name below it, and RFC 5280 has no other kind: a machine called `cloud` or `dev`
 * therefore only has its `.local` name.
 */
export function householdConstraints(hostname: string, extraNames: readonly string[]): CriticalExtension {
  const isPublic = publicDomains();
  const dns = new Set(['localhost', 'local', ...hostNames(hostname).filter((name) => !isPublic.has(name))]);
  const ranges = new Set(HOUSEHOLD_RANGES);
  const inside = permission({ domains: [], ranges: HOUSEHOLD_RANGES }, { domains: [], ranges: [] });
  for (const extra of extraNames) {
    const address = ipAddress(extra);
    const name = dnsName(extra);
    if (name !== undefined && !isPublic.has(name)) dns.add(name);
    if (address !== undefined && !inside(address)) ranges.add(`${address}/${isIP(address) === 4 ? 32 : 128}`);
  }
  const permitted = [
    ...[...dns].map((dNSName) => new GeneralSubtree({ base: new GeneralName({ dNSName }) })),
    ...[...ranges].map((iPAddress) => new GeneralSubtree({ base: new GeneralName({ iPAddress }) })),
  ];
  const value = new NameConstraints({ permittedSubtrees: new GeneralSubtrees(permitted) });
  return { oid: id_ce_nameConstraints, value: AsnConvert.serialize(value) };
}
