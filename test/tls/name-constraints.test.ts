import { X509Certificate } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  AsnConvert,
  GeneralName,
  GeneralSubtree,
  GeneralSubtrees,
  id_ce_nameConstraints,
  NameConstraints,
} from '../../dist/server/tls/asn1.js';
import { issueAuthority } from '../../dist/server/tls/issue.js';
import { permission, permittedBy, type Subtrees } from '../../dist/server/tls/name-constraints.js';

const NOW = Date.UTC(2026, 0, 1);

async function certificateWith(value: ArrayBuffer, oid: string = id_ce_nameConstraints): Promise<Uint8Array> {
  const { certificate } = await issueAuthority({ commonName: 'Test', constraints: { oid, value }, now: NOW });
  return new X509Certificate(certificate).raw;
}

const bytes = (...values: number[]) => Uint8Array.from(values).buffer;

const domain = fc.constantFrom('local', '.local', 'Example.org', 'a.b.c', 'x'.repeat(63), '');
const range = fc.oneof(
  fc.tuple(fc.ipV4(), fc.integer({ min: 0, max: 32 })),
  fc.tuple(
    fc
      .array(fc.integer({ min: 0, max: 0xffff }), { minLength: 8, maxLength: 8 })
      .map((groups) => groups.map((group) => group.toString(16)).join(':')),
    fc.integer({ min: 0, max: 128 }),
  ),
);
const subtrees = fc.record({
  domains: fc.array(domain, { maxLength: 20 }),
  ranges: fc.array(
    range.map(([address, bits]) => `${address}/${bits}`),
    { maxLength: 20 },
  ),
});

function encoded({ domains, ranges }: Subtrees): GeneralSubtrees {
  return new GeneralSubtrees([
    ...domains.map((dNSName) => new GeneralSubtree({ base: new GeneralName({ dNSName }) })),
    ...ranges.map((iPAddress) => new GeneralSubtree({ base: new GeneralName({ iPAddress }) })),
  ]);
}

describe('the name constraints of a certificate', () => {
  test('are read as written by the library', async () => {
    await fc.assert(
      fc.asyncProperty(subtrees, subtrees, fc.boolean(), async (permitted, excluded, both) => {
        const constraints = new NameConstraints({
          permittedSubtrees: encoded(permitted),
          ...(both ? { excludedSubtrees: encoded(excluded) } : {}),
        });
        const read = permittedBy(await certificateWith(AsnConvert.serialize(constraints)));
        const lowered = (part: Subtrees) => ({ ...part, domains: part.domains.map((name) => name.toLowerCase()) });
        const meant = permission(lowered(permitted), both ? lowered(excluded) : { domains: [], ranges: [] });
        const addresses = [...permitted.ranges, ...excluded.ranges].map((text) => text.split('/', 1).join());
        const names = ['local', 'a.local', 'example.org', 'b.example.org', 'a.b.c', 'c', '192.168.1.5', 'fe80::1'];
        for (const name of [...names, ...addresses]) expect([name, read(name)]).toEqual([name, meant(name)]);
      }),
      { numRuns: 50 },
    );
  });

  test('are empty without the extension', async () => {
    const permits = permittedBy(await certificateWith(bytes(0x30, 0x00), '1.2.3.4'));
    expect([permits('bank.example'), permits('8.8.8.8')]).toEqual([true, true]);
  });

  test.each([
    ['nothing', []],
    ['no sequence', [0x04, 0x00]],
    ['two of them', [0x30, 0x00, 0x30, 0x00]],
    ['a length beyond the end', [0x30, 0x05, 0xa0, 0x00]],
    ['a length of no octets', [0x30, 0x80, 0x00, 0x00]],
    ['a length of four octets', [0x30, 0x84, 0x00, 0x00, 0x00, 0x00]],
    ['a tag of two octets', [0x30, 0x03, 0xbf, 0x20, 0x00]],
    ['an address of five bytes', [0x30, 0x0b, 0xa0, 0x09, 0x30, 0x07, 0x87, 0x05, 10, 0, 0, 0, 255]],
    ['a mask with a hole', [0x30, 0x0e, 0xa0, 0x0c, 0x30, 0x0a, 0x87, 0x08, 10, 0, 0, 0, 255, 0, 255, 0]],
  ])('are refused when they are %s', async (_what, value) => {
    const certificate = await certificateWith(bytes(...value));
    expect(() => permittedBy(certificate)).toThrow(/^not /);
  });

  test('of a truncated certificate are never read as empty', async () => {
    const constraints = new NameConstraints({ permittedSubtrees: encoded({ domains: ['local'], ranges: [] }) });
    const whole = await certificateWith(AsnConvert.serialize(constraints));
    expect(permittedBy(whole)('bank.example')).toBe(false);
    for (let length = 0; length < whole.length; length += 1) {
      expect(() => permittedBy(whole.subarray(0, length)), `${length} bytes`).toThrow(/^not /);
    }
  });
});
