import { X509Certificate } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { DAY } from '../../dist/server/lib/clock.js';
import { issueServer } from '../../dist/server/tls/issue.js';
import { lanAddresses } from '../../dist/server/tls/lan-addresses.js';
import { handshake, household, pythonHandshake, serving, tool } from './support.ts';

let world: Awaited<ReturnType<typeof household>>;
beforeEach(async () => {
  world = await household();
});
afterEach(() => world.remove());

/** A certificate the household authority's key signed, shown with the authority like the real one. */
async function signed(names: readonly string[]) {
  const certificates = await world.open();
  const key = await readFile(join(world.folder, 'ca.key'), 'utf8');
  const { pem } = certificates.authority;
  const leaf = await issueServer({ names, authority: { certificate: pem, key }, now: world.now });
  return { ca: pem, leaf: leaf.certificate, pair: { key: leaf.key, chain: leaf.certificate + pem } };
}

test('a client that trusts the authority connects by address and by name', async () => {
  const certificates = await world.open();
  const ca = certificates.authority.pem;
  await serving(certificates.current(), async (port) => {
    expect(await handshake({ host: '127.0.0.1', port, ca })).toBe('ok');
    for (const servername of ['localhost', 'nas', 'nas.local']) {
      expect(await handshake({ host: '127.0.0.1', port, ca, servername }), servername).toBe('ok');
    }
    expect(await handshake({ host: '127.0.0.1', port, ca, servername: 'other.local' })).toBe(
      'ERR_TLS_CERT_ALTNAME_INVALID',
    );
    expect(await handshake({ host: '127.0.0.1', port })).toBe('SELF_SIGNED_CERT_IN_CHAIN');
  });
});

test('a client connects over IPv6 loopback', async () => {
  const certificates = await world.open();
  expect(certificates.covers('::1')).toBe(true);
  const there = Object.values(networkInterfaces()).some((list) => list?.some(({ address }) => address === '::1'));
  if (!there) {
    process.stderr.write('no ::1 on this machine: only the name was checked\n');
    return;
  }
  const ca = certificates.authority.pem;
  const answer = await serving(certificates.current(), (port) => handshake({ host: '::1', port, ca }), '::1');
  expect(answer).toBe('ok');
});

test.each([['bank.example'], ['8.8.8.8'], ['2001:db8::1'], ['notlocal']])(
  'a certificate for %s is refused although the authority signed it',
  async (name) => {
    const { ca, leaf, pair } = await signed([name, 'localhost']);
    // Signature, dates and purpose are right: it is the name alone that clients refuse.
    expect(new X509Certificate(leaf).verify(new X509Certificate(ca).publicKey)).toBe(true);
    await serving(pair, async (port) => {
      const answer = await handshake({
        host: '127.0.0.1',
        port,
        ca,
        servername: name.includes(':') || /^\d/.test(name) ? 'localhost' : name,
      });
      expect(answer).toBe('permitted subtree violation');
      const python = await pythonHandshake(port, join(world.folder, 'ca.crt'), name);
      if (python !== undefined) expect(python).toContain('permitted subtree violation');
    });
    await writeFile(join(world.folder, 'forged.crt'), leaf);
    const openssl = await verify('forged.crt');
    if (openssl !== undefined) expect(openssl).toContain('permitted subtree violation');
  },
);

test('the same way of signing gives an accepted certificate for a permitted name', async () => {
  const { ca, pair } = await signed(['kitchen.local', '10.1.2.3']);
  await serving(pair, async (port) => {
    expect(await handshake({ host: '127.0.0.1', port, ca, servername: 'kitchen.local' })).toBe('ok');
  });
});

test('strict verifiers accept the certificate', async () => {
  const certificates = await world.open();
  await serving(certificates.current(), async (port) => {
    for (const name of ['127.0.0.1', 'localhost', 'nas.local']) {
      const python = await pythonHandshake(port, join(world.folder, 'ca.crt'), name);
      if (python !== undefined) expect(python, name).toBe('ok');
    }
  });
  const openssl = await verify('server.crt');
  if (openssl !== undefined) expect(openssl).toMatch(/server\.crt: OK$/);
});

test('both certificates state their purpose, and no more', async () => {
  const certificates = await world.open();
  const ca = new X509Certificate(certificates.authority.pem);
  const leaf = new X509Certificate(certificates.current().chain);
  expect(ca.ca).toBe(true);
  expect(ca.subject).toBe('CN=Larder nas');
  expect(leaf.ca).toBe(false);
  expect(leaf.subject || '').toBe('');
  expect(leaf.checkIssued(ca)).toBe(true);
  expect(leaf.keyUsage).toEqual(['1.3.6.1.5.5.7.3.1']);
  expect(leaf.publicKey.asymmetricKeyDetails?.namedCurve).toBe('prime256v1');
  expect(Date.parse(leaf.validTo) - Date.parse(leaf.validFrom)).toBe(397 * DAY);
  expect(world.now - Date.parse(leaf.validFrom)).toBeGreaterThanOrEqual(DAY);
  const years = (Date.parse(ca.validTo) - world.now) / (365.25 * DAY);
  expect(years).toBeCloseTo(20, 2);
  for (const { serialNumber } of [ca, leaf]) {
    expect(serialNumber.length).toBeLessThanOrEqual(32);
    expect(BigInt(`0x${serialNumber}`)).toBeGreaterThan(2n ** 32n);
  }

  const authorityText = await tool('openssl', ['x509', '-in', join(world.folder, 'ca.crt'), '-noout', '-text']);
  if (authorityText !== undefined) {
    expect(authorityText).toMatch(/Basic Constraints: critical\s+CA:TRUE, pathlen:0\s/);
    expect(authorityText).toMatch(/X509v3 Key Usage: critical\s+Certificate Sign, CRL Sign\s/);
    expect(authorityText).toContain('Name Constraints: critical');
    expect(authorityText).toContain('Subject Key Identifier');
    expect(authorityText).toContain('ecdsa-with-SHA256');
    const permitted = [...authorityText.matchAll(/^\s+(?:DNS|IP):(.+)$/gm)].map(([, value]) => value);
    expect(permitted).toEqual([
      ...['localhost', 'local', 'nas', 'nas.local'],
      ...['10.0.0.0/255.0.0.0', '172.16.0.0/255.240.0.0', '192.168.0.0/255.255.0.0', '127.0.0.0/255.0.0.0'],
      ...['169.254.0.0/255.255.0.0', '100.64.0.0/255.192.0.0'],
      '0:0:0:0:0:0:0:1/FFFF:FFFF:FFFF:FFFF:FFFF:FFFF:FFFF:FFFF',
      'FC00:0:0:0:0:0:0:0/FE00:0:0:0:0:0:0:0',
      'FE80:0:0:0:0:0:0:0/FFC0:0:0:0:0:0:0:0',
    ]);
  }
  const leafText = await tool('openssl', ['x509', '-in', join(world.folder, 'server.crt'), '-noout', '-text']);
  if (leafText !== undefined) {
    expect(leafText).toMatch(/Basic Constraints: critical\s+CA:FALSE\s/);
    expect(leafText).toMatch(/X509v3 Key Usage: critical\s+Digital Signature\s/);
    expect(leafText).toContain('Subject Alternative Name: critical');
    expect(leafText).toContain('Subject Key Identifier');
    expect(leafText).toContain('Authority Key Identifier');
  }
});

test('the addresses of this computer exclude loopback and zone ids, each once', () => {
  const addresses = lanAddresses();
  expect(addresses).not.toContain('127.0.0.1');
  expect(addresses).not.toContain('::1');
  expect(addresses.filter((address) => address.includes('%'))).toEqual([]);
  expect(new Set(addresses).size).toBe(addresses.length);
  const outside = Object.values(networkInterfaces()).flatMap((list) => (list ?? []).filter((entry) => !entry.internal));
  expect(addresses.length === 0).toBe(outside.length === 0);
});

function verify(file: string): Promise<string | undefined> {
  const ca = join(world.folder, 'ca.crt');
  return tool('openssl', ['verify', '-x509_strict', '-no-CApath', '-CAfile', ca, join(world.folder, file)]);
}
