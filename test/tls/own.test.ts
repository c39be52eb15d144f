import { createPrivateKey } from 'node:crypto';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { DAY, SECOND } from '../../dist/server/lib/clock.js';
import { like } from '../support/server-texts.ts';
import { foreignCertificate, handshake, household, serving } from './support.ts';

let world: Awaited<ReturnType<typeof household>>;
beforeEach(async () => {
  world = await household();
});
afterEach(() => world.remove());

const at = (name: string) => join(world.folder, name);

async function putOwn(names: readonly string[], now = world.now) {
  const own = await foreignCertificate(names, now);
  await writeFile(at('own.crt'), own.certificate);
  await writeFile(at('own.key'), own.key);
  return own;
}

describe('a certificate of the owner', () => {
  test('is used while it exists, and never changed', async () => {
    const certificates = await world.open();
    const before = certificates.current();
    const own = await putOwn(['files.example.org']);
    expect(await certificates.refresh()).toBe(true);
    expect(certificates.current()).toMatchObject({
      source: 'own',
      chain: own.certificate,
      key: own.key,
      names: ['files.example.org'],
    });
    expect(certificates.covers('files.example.org')).toBe(true);
    expect(certificates.covers('nas.local')).toBe(false);
    expect(certificates.problems()).toEqual([]);
    expect(await certificates.refresh()).toBe(false);
    expect(await readFile(at('own.crt'), 'utf8')).toBe(own.certificate);
    expect(await readFile(at('own.key'), 'utf8')).toBe(own.key);

    const renewed = await putOwn(['files.example.org']);
    expect(await certificates.refresh()).toBe(true);
    expect(certificates.current().chain).toBe(renewed.certificate);

    await rm(at('own.crt'));
    await rm(at('own.key'));
    expect(await certificates.refresh()).toBe(true);
    expect(certificates.current()).toEqual(before);
  });

  test('is used from the start, with its whole chain as it is', async () => {
    await world.open();
    const own = await putOwn(['files.example.org']);
    const chain = `${own.certificate}# comment of the provider\n${own.issuer}`;
    await writeFile(at('own.crt'), chain);
    const certificates = await world.open();
    expect(certificates.current()).toMatchObject({ source: 'own', chain });
    await serving(certificates.current(), async (port) => {
      const client = { host: '127.0.0.1', port, servername: 'files.example.org' };
      expect(await handshake({ ...client, ca: own.issuer })).toBe('ok');
      expect(await handshake({ ...client, ca: certificates.authority.pem })).toBe('SELF_SIGNED_CERT_IN_CHAIN');
    });
  });

  test.each([
    ['own.crt is not a certificate', () => writeFile(at('own.crt'), 'nonsense')],
    ['own.key is not an unencrypted private key', () => writeFile(at('own.key'), 'nonsense')],
    ['own.key is not an unencrypted private key', lockKey],
    ['own.key does not belong', async () => writeFile(at('own.key'), await readFile(at('server.key')))],
    ['own.key is missing', () => rm(at('own.key'))],
    ['own.crt is missing', () => rm(at('own.crt'))],
    ['TLS rejects it', async () => writeFile(at('own.crt'), `${await readFile(at('own.crt'), 'utf8')}${BROKEN}`)],
  ])('is reported, and the certificate of the household used instead: %s', async (reason, damage) => {
    const certificates = await world.open();
    const before = certificates.current();
    await putOwn(['files.example.org']);
    await damage();
    expect(await certificates.refresh()).toBe(false);
    expect(certificates.current()).toBe(before);
    expect(certificates.problems()).toEqual([expect.stringContaining(`not used: ${reason}`)]);
    const restarted = await world.open();
    expect(restarted.current()).toEqual(before);
    expect(restarted.problems()).toEqual(certificates.problems());
  });

  test('is used within its validity only, and its end reported', async () => {
    const certificates = await world.open();
    await putOwn(['files.example.org'], world.now + 5 * DAY);
    expect(await certificates.refresh()).toBe(false);
    expect(certificates.problems()).toEqual([expect.stringMatching(like('api.tls.ownNotYet'))]);
    world.now += 5 * DAY;
    expect(await certificates.refresh()).toBe(true);
    const { notAfter, source } = certificates.current();
    expect(source).toBe('own');
    world.now = notAfter - 31 * DAY;
    expect(certificates.problems()).toEqual([]);
    world.now = notAfter - 29 * DAY;
    expect(certificates.problems()).toEqual([expect.stringMatching(like('api.tls.ownExpires'))]);
    world.now = notAfter + SECOND;
    expect(certificates.problems()).toEqual([expect.stringMatching(like('api.tls.ownHasExpired'))]);
    expect(await certificates.refresh()).toBe(true);
    expect(certificates.current().source).toBe('household');
    expect(certificates.current().notAfter).toBeGreaterThan(world.now);
    expect(certificates.problems()).toEqual([expect.stringMatching(like('api.tls.ownExpired'))]);
  });

  test('is reported if it lacks a configured name', async () => {
    await world.open();
    await putOwn(['files.example.org']);
    const certificates = await world.open({ extraNames: ['files.example.org', 'photos.example.org'] });
    expect(certificates.problems()).toEqual([expect.stringMatching(/^"photos\.example\.org".*own certificate/)]);
  });
});

describe('covers', () => {
  test('accepts the names of the certificate in any spelling', async () => {
    const certificates = await world.open();
    for (const host of ['localhost', 'LOCALHOST', 'Nas.Local', 'nas.local.', '127.0.0.1', '192.168.1.20']) {
      expect(certificates.covers(host), host).toBe(true);
    }
    for (const host of ['::1', '0:0:0:0:0:0:0:1', 'fd00::20', 'FD00::20', 'fd00:0::0020']) {
      expect(certificates.covers(host), host).toBe(true);
    }
    for (const host of ['nas.local.evil.example', 'x.nas.local', '127.0.0.2', '::2', '::ffff:127.0.0.1']) {
      expect(certificates.covers(host), host).toBe(false);
    }
  });

  test('accepts wildcards of an own certificate, for one whole label', async () => {
    const certificates = await world.open();
    await putOwn(['*.home.example', 'w*.part.example', '192.168.7.7']);
    await certificates.refresh();
    for (const host of ['files.home.example', 'FILES.Home.Example', '192.168.7.7']) {
      expect(certificates.covers(host), host).toBe(true);
    }
    for (const host of ['home.example', 'a.b.home.example', '.home.example', '*.home.example', 'www.part.example']) {
      expect(certificates.covers(host), host).toBe(false);
    }
  });

  test('does not list names that only a wildcard covers, unless configured', async () => {
    const certificates = await world.open({ extraNames: ['files.home.example', 'Photos.Home.Example'] });
    await putOwn(['*.home.example', 'nas.home.example', '192.168.7.7']);
    await certificates.refresh();
    for (const host of [
      'nas.home.example',
      'NAS.Home.Example',
      'files.home.example',
      'photos.home.example',
      '192.168.7.7',
    ])
      expect(certificates.isNamed(host), host).toBe(true);
    for (const host of ['mail.home.example', '*.home.example', 'home.example', '192.168.7.8', '', '%'])
      expect(certificates.isNamed(host), host).toBe(false);
    expect(certificates.covers('mail.home.example')).toBe(true);
  });

  test('returns false for garbage and never throws', async () => {
    const certificates = await world.open();
    const garbage = ['', '.', '..', '.local', '*', '*.local', 'nas.local\0', '\0', ' nas', 'nas ', 'nas:443', '[::1]'];
    garbage.push('a'.repeat(100_000), 'ｎａｓ', '💥', '::1]', '1.2.3', '%', 'localhost%0', 'nas/..', '__proto__');
    for (const host of garbage) expect(certificates.covers(host), JSON.stringify(host)).toBe(false);
    for (const host of [undefined, null, 7, {}, []]) expect(certificates.covers(host as unknown as string)).toBe(false);
    for (const host of garbage) expect(certificates.isNamed(host), JSON.stringify(host)).toBe(false);
  });

  test('is correct for any number of names', async () => {
    const certificates = await world.open();
    for (let index = 0; index < 2_000; index += 1) expect(certificates.covers(`h${index}.local`)).toBe(false);
    expect(certificates.covers('nas.local')).toBe(true);
    expect(certificates.covers('nas.local')).toBe(true);
  });
});

const BROKEN = '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n';

async function lockKey(): Promise<void> {
  const key = createPrivateKey(await readFile(at('own.key'), 'utf8'));
  const locked = key.export({ type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'secret' });
  await writeFile(at('own.key'), locked);
}
