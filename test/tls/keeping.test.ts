import { createPrivateKey, X509Certificate } from 'node:crypto';
import { chmod, mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { DAY, SECOND } from '../../dist/server/lib/clock.js';
import {
  AsnConvert,
  GeneralName,
  GeneralSubtree,
  GeneralSubtrees,
  id_ce_nameConstraints,
  NameConstraints,
} from '../../dist/server/tls/asn1.js';
import { issueAuthority } from '../../dist/server/tls/issue.js';
import { like, t } from '../support/server-texts.ts';
import { foreignCertificate, household } from './support.ts';

let world: Awaited<ReturnType<typeof household>>;
beforeEach(async () => {
  world = await household();
});
afterEach(() => world.remove());

const at = (name: string) => join(world.folder, name);
const read = (name: string) => readFile(at(name), 'utf8');
const mode = async (path: string) => (await stat(path)).mode & 0o777;

async function contents(): Promise<Record<string, string>> {
  const names = (await readdir(world.folder)).sort();
  return Object.fromEntries(await Promise.all(names.map(async (name) => [name, await read(name)])));
}

describe('at the first start', () => {
  test('the folder and the keys are accessible to their owner only, and nothing else is created', async () => {
    const certificates = await world.open();
    expect(await readdir(world.folder)).toEqual(['ca.crt', 'ca.key', 'server.crt', 'server.key']);
    expect(await mode(world.folder)).toBe(0o700);
    expect(await mode(at('ca.key'))).toBe(0o600);
    expect(await mode(at('server.key'))).toBe(0o600);
    expect(certificates.problems()).toEqual([]);
    expect(world.lines.join()).not.toContain('PRIVATE KEY');
  });

  test('current() and authority agree with the files', async () => {
    const { current, authority } = await world.open();
    const { key, chain, fingerprint, notAfter, names, source } = current();
    expect(source).toBe('household');
    expect(chain).toBe((await read('server.crt')) + (await read('ca.crt')));
    expect(key).toBe(await read('server.key'));
    const leaf = new X509Certificate(chain);
    expect(leaf.checkPrivateKey(createPrivateKey(key))).toBe(true);
    expect(fingerprint).toBe(leaf.fingerprint256);
    expect(notAfter).toBe(Date.parse(leaf.validTo));
    // Addresses of the whole internet are not for a household's authority to vouch for.
    expect([...names].sort()).toEqual(
      ['localhost', 'nas', 'nas.local', '127.0.0.1', '::1', '192.168.1.20', 'fd00::20'].sort(),
    );
    const ca = new X509Certificate(await read('ca.crt'));
    expect(authority).toEqual({ pem: ca.toString(), fingerprint: ca.fingerprint256, notAfter: Date.parse(ca.validTo) });
  });

  test.each([
    ['NAS.Home.Lan', ['localhost', 'nas.home.lan', 'nas.local'], 'CN=Larder nas.home.lan'],
    ['Anns-Mac.local', ['localhost', 'anns-mac.local'], 'CN=Larder anns-mac.local'],
    ['localhost', ['localhost', 'localhost.local'], 'CN=Larder localhost'],
    ['ann_pc', ['localhost'], 'CN=Larder'],
    ['my nas', ['localhost'], 'CN=Larder'],
    ['', ['localhost'], 'CN=Larder'],
    ['x,O=Bank+CN=y', ['localhost'], 'CN=Larder'],
    ['192.168.1.1', ['localhost'], 'CN=Larder'],
    [
      `${'a'.repeat(63)}.lan`,
      ['localhost', `${'a'.repeat(63)}.lan`, `${'a'.repeat(63)}.local`],
      `CN=Larder ${'a'.repeat(57)}`,
    ],
  ])('host name %j', async (hostname, names, subject) => {
    const certificates = await world.open({ hostname, addresses: () => ['fe80::1%eth0', 'garbage'] });
    expect(certificates.current().names).toEqual([...names, '127.0.0.1', '::1', 'fe80::1']);
    expect(new X509Certificate(certificates.authority.pem).subject).toBe(subject);
  });

  test('a clock that was reset does not create an authority that has expired today', async () => {
    world.now = 0;
    const before = await world.open();
    expect(before.authority.notAfter).toBeGreaterThan(Date.UTC(2044, 0, 1));
    world.now = Date.now();
    expect(await before.refresh()).toBe(true);
    expect(before.current().notAfter).toBeGreaterThan(world.now + 300 * DAY);
  });
});

describe('the authority', () => {
  test('stays the same across starts, and so does the certificate', async () => {
    await world.open();
    const files = await contents();
    await world.open();
    expect(await contents()).toEqual(files);
  });

  test.each([
    ['ca.key is missing', () => rm(at('ca.key'))],
    ['ca.key is damaged', () => writeFile(at('ca.key'), 'nonsense')],
    ['ca.key belongs to another', async () => writeFile(at('ca.key'), await read('server.key'))],
    ['ca.crt is damaged', () => writeFile(at('ca.crt'), 'nonsense')],
    ['ca.crt is empty', () => writeFile(at('ca.crt'), '')],
    ['ca.crt is no authority', async () => writeFile(at('ca.crt'), await read('server.crt'))],
  ])('is never replaced: %s', async (what, damage) => {
    await world.open();
    await damage();
    const files = await contents();
    const error = await world.open().then(
      () => undefined,
      (reason: unknown) => reason,
    );
    expect(error).toBeInstanceOf(Error);
    expect(String(error)).toContain(at(what.split(' ', 1).join()));
    expect(String(error)).toContain('from a backup');
    expect(await contents()).toEqual(files);
  });

  test('is completed with the key that a power cut left', async () => {
    const first = await world.open();
    const key = await read('ca.key');
    await rm(at('ca.crt'));
    const second = await world.open();
    expect(await read('ca.key')).toBe(key);
    expect(second.authority.fingerprint).not.toBe(first.authority.fingerprint);
    // A device that trusts the lost certificate still accepts what the new one signs: same key, same name.
    const leaf = new X509Certificate(second.current().chain);
    expect(leaf.verify(new X509Certificate(first.authority.pem).publicKey)).toBe(true);
  });

  test('works on another computer, which uses only the names it is valid for', async () => {
    const first = await world.open();
    const moved = await world.open({ hostname: 'attic' });
    expect(moved.authority).toEqual(first.authority);
    expect(moved.covers('attic.local')).toBe(true);
    expect(moved.covers('attic')).toBe(false);
    expect(moved.covers('nas')).toBe(false);
    expect(moved.problems()).toEqual([]);
  });

  test('of the owner may have other constraints, which are applied', async () => {
    const dns = (dNSName: string) => new GeneralSubtree({ base: new GeneralName({ dNSName }) });
    const value = new NameConstraints({
      permittedSubtrees: new GeneralSubtrees([dns('local'), dns('.example.org')]),
      excludedSubtrees: new GeneralSubtrees([dns('tv.local')]),
    });
    const constraints = { oid: id_ce_nameConstraints, value: AsnConvert.serialize(value) };
    const issued = await issueAuthority({ commonName: 'Mine', constraints, now: world.now });
    await mkdir(world.folder);
    await writeFile(at('ca.crt'), issued.certificate);
    await writeFile(at('ca.key'), issued.key, { mode: 0o600 });
    const extraNames = ['tv.local', 'a.tv.local', 'radio.local', 'example.org', 'a.example.org', '8.8.8.8'];
    const certificates = await world.open({ extraNames, addresses: () => [] });
    expect(certificates.current().names).toEqual([
      ...['nas.local', '127.0.0.1', '::1', 'radio.local', 'a.example.org', '8.8.8.8'],
    ]);
    expect(certificates.problems().map((problem) => problem.split(' ', 1).join())).toEqual([
      ...['"tv.local"', '"a.tv.local"', '"example.org"'],
    ]);
  });

  test('reports its end, and a clock before its beginning', async () => {
    const certificates = await world.open();
    const end = certificates.authority.notAfter;
    world.now = end - 181 * DAY;
    await certificates.refresh();
    expect(certificates.problems()).toEqual([]);
    world.now = end - 179 * DAY;
    expect(certificates.problems()).toEqual([expect.stringMatching(like('api.tls.authorityExpires'))]);
    world.now = end + SECOND;
    expect(certificates.problems()).toEqual([expect.stringMatching(like('api.tls.authorityExpired'))]);
    world.now = 0;
    expect(certificates.problems()).toEqual([expect.stringMatching(like('api.tls.authorityNotYet'))]);
  });
});

describe('names the owner adds', () => {
  test('are permitted if the authority is created with them', async () => {
    const extraNames = ['Files.Example.org.', 'büro.example', '203.0.113.9', '10.9.9.9'];
    const certificates = await world.open({ extraNames, addresses: () => [] });
    for (const name of ['files.example.org', 'xn--bro-hoa.example', '203.0.113.9', '10.9.9.9']) {
      expect(certificates.covers(name), name).toBe(true);
    }
    expect(certificates.problems()).toEqual([]);
  });

  test('are reported if the authority was created without them', async () => {
    await world.open();
    const certificates = await world.open({
      extraNames: ['bank.example', '8.8.8.8', 'no_name', 'notlocal', 'tv.local'],
    });
    expect(certificates.covers('bank.example')).toBe(false);
    expect(certificates.covers('8.8.8.8')).toBe(false);
    expect(certificates.covers('tv.local')).toBe(true);
    expect(certificates.problems()).toEqual([
      expect.stringMatching(/^"bank\.example".*own\.crt and own\.key/),
      expect.stringMatching(/^"8\.8\.8\.8".*own\.crt and own\.key/),
      t('api.tls.nameInvalid', { name: 'no_name' }),
      expect.stringMatching(/^"notlocal".*own\.crt and own\.key/),
    ]);
  });
});

describe('refresh', () => {
  test('changes nothing when nothing changed', async () => {
    const certificates = await world.open();
    const files = await contents();
    const before = certificates.current();
    world.addresses = [...world.addresses].reverse();
    expect(await certificates.refresh()).toBe(false);
    expect(certificates.current()).toBe(before);
    expect(await contents()).toEqual(files);
  });

  test('issues a certificate for a new address with the same authority, and reports it once', async () => {
    const certificates = await world.open();
    const seen: string[] = [];
    const before = certificates.current();
    certificates.onChange(() => {
      throw new Error('a listener that fails');
    });
    const stop = certificates.onChange(({ fingerprint }) => seen.push(fingerprint));
    expect(certificates.covers('192.168.1.21')).toBe(false);
    world.addresses = ['192.168.1.21'];
    const answers = await Promise.all([certificates.refresh(), certificates.refresh(), certificates.refresh()]);
    expect(answers).toEqual([true, true, true]);
    expect(seen).toEqual([certificates.current().fingerprint]);
    expect(seen).not.toContain(before.fingerprint);
    expect(certificates.covers('192.168.1.21')).toBe(true);
    expect(certificates.covers('192.168.1.20')).toBe(false);
    expect(certificates.current().chain).toBe((await read('server.crt')) + certificates.authority.pem);
    expect(await mode(at('server.key'))).toBe(0o600);
    stop();
    world.addresses = [];
    expect(await certificates.refresh()).toBe(true);
    expect(certificates.covers('192.168.1.21')).toBe(false);
    expect(seen).toHaveLength(1);
  });

  test('renews thirty days before the end, not earlier', async () => {
    const certificates = await world.open();
    const { fingerprint, notAfter } = certificates.current();
    world.now = notAfter - 30 * DAY - SECOND;
    expect(await certificates.refresh()).toBe(false);
    world.now = notAfter - 30 * DAY;
    expect(await certificates.refresh()).toBe(true);
    expect(certificates.current().fingerprint).not.toBe(fingerprint);
    expect(certificates.current().notAfter).toBeGreaterThan(notAfter + 360 * DAY);
  });

  test('renews if the clock is before the beginning', async () => {
    const certificates = await world.open();
    world.now -= 10 * DAY;
    expect(await certificates.refresh()).toBe(true);
    expect(Date.parse(new X509Certificate(certificates.current().chain).validFrom)).toBeLessThan(world.now);
  });
});

describe('the server certificate on the disk', () => {
  test.each([
    ['its key is missing', () => rm(at('server.key'))],
    ['its key is of another', async () => writeFile(at('server.key'), await read('ca.key'))],
    ['it is cut short', () => writeFile(at('server.crt'), '-----BEGIN CERTIFICATE-----\nMIIB')],
    [
      'it is from another authority',
      async () => {
        const other = await foreignCertificate((await world.open()).current().names, world.now);
        await writeFile(at('server.crt'), other.certificate);
        await writeFile(at('server.key'), other.key);
      },
    ],
  ])('is renewed when %s', async (_what, damage) => {
    const first = await world.open();
    await damage();
    const second = await world.open();
    expect(second.authority).toEqual(first.authority);
    expect(second.current().fingerprint).not.toBe(first.current().fingerprint);
    const leaf = new X509Certificate(await read('server.crt'));
    expect(leaf.checkPrivateKey(createPrivateKey(await read('server.key')))).toBe(true);
    expect(leaf.verify(new X509Certificate(first.authority.pem).publicKey)).toBe(true);
  });

  test('loses the access rights that a copy gave to others', async () => {
    await world.open();
    for (const name of ['ca.key', 'server.key']) await chmod(at(name), 0o644);
    await chmod(world.folder, 0o755);
    await world.open();
    expect(await mode(world.folder)).toBe(0o700);
    expect(await mode(at('ca.key'))).toBe(0o600);
    expect(await mode(at('server.key'))).toBe(0o600);
  });

  test('is used if it cannot be stored, which is reported, and stored once it can be', async () => {
    const certificates = await world.open();
    // A folder where the file should go refuses the rename, for root too.
    await rename(at('server.key'), at('server.key.away'));
    await mkdir(at('server.key'));
    world.addresses = ['10.0.0.5'];
    expect(await certificates.refresh()).toBe(true);
    expect(certificates.covers('10.0.0.5')).toBe(true);
    expect(certificates.problems()).toEqual([expect.stringMatching(like('api.tls.notStored'))]);
    expect(await readdir(world.folder)).not.toContain('server.key.new');
    await rm(at('server.key'), { recursive: true });
    expect(await certificates.refresh()).toBe(false);
    expect(certificates.problems()).toEqual([]);
    expect(await read('server.key')).toBe(certificates.current().key);
  });

  test('is written if a crash left an incomplete file', async () => {
    await mkdir(world.folder, { recursive: true });
    await writeFile(at('ca.key.new'), 'half', { mode: 0o644 });
    await world.open();
    expect(await readdir(world.folder)).toEqual(['ca.crt', 'ca.key', 'server.crt', 'server.key']);
    expect(await mode(at('ca.key'))).toBe(0o600);
  });
});
