import { randomBytes, X509Certificate } from 'node:crypto';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { connect, type PeerCertificate } from 'node:tls';
import { Agent, request } from 'undici';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { SECOND } from '../../dist/server/lib/clock.js';
import { type Household, openHousehold } from '../support/households/household.ts';

let household: Household;
afterEach(async () => {
  await household.close();
  vi.useRealTimers();
});

/** Households that are opened from here on look at the networks only when the test says so. */
const holdLooks = () => vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
const look = () => vi.advanceTimersByTime(5 * SECOND);

/** @param ca null to take any certificate: one that a test's clock made in the future */
function peer(
  port: number,
  ca: string | null,
): Promise<{ certificate: PeerCertificate; close: () => void; open: () => boolean }> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', ...(ca === null ? { rejectUnauthorized: false } : { ca }) }, () =>
      resolve({
        certificate: socket.getPeerCertificate(),
        close: () => socket.destroy(),
        open: () => !socket.destroyed,
      }),
    );
    socket.once('error', reject);
  });
}

describe('the certificate of a running server', () => {
  it('follows the addresses of the machine without a restart, and existing connections continue', async () => {
    let addresses = ['192.168.1.20'];
    holdLooks();
    household = await openHousehold({ addresses: () => addresses });
    const before = await peer(household.port, household.ca);
    expect(before.certificate.subjectaltname).toContain('IP Address:192.168.1.20');
    const told: (readonly string[])[] = [];
    household.larder.onAddresses((now) => told.push(now));
    addresses = ['192.168.1.77'];
    const named = async () => {
      look();
      const { certificate, close } = await peer(household.port, household.ca);
      close();
      return certificate.subjectaltname;
    };
    await expect.poll(named).toContain('IP Address:192.168.1.77');
    const after = await peer(household.port, household.ca);
    expect(after.certificate.subjectaltname).not.toContain('192.168.1.20');
    expect(before.open()).toBe(true);
    for (const { close } of [before, after]) close();
    const status = await household.control('status');
    expect(status.fingerprint).toBe(after.certificate.fingerprint256);
    // It listens on this computer alone: where it is reached does not change with the network.
    expect(told).toEqual([]);
    expect(status.addresses).toEqual([`https://localhost:${household.port}`]);
  });

  it('follows the addresses after they could not be read for a moment', async () => {
    let addresses = (): readonly string[] => ['192.168.1.20'];
    holdLooks();
    household = await openHousehold({ addresses: () => addresses() });
    addresses = () => {
      throw new Error('no networks');
    };
    await expect.poll(() => look() && household.logged()).toContain('failed to check the networks');
    addresses = () => ['192.168.1.77'];
    const named = async () => {
      look();
      const { certificate, close } = await peer(household.port, household.ca);
      close();
      return certificate.subjectaltname;
    };
    await expect.poll(named).toContain('IP Address:192.168.1.77');
  });

  it('is renewed before it expires, by the same authority', async () => {
    household = await openHousehold();
    const before = await peer(household.port, household.ca);
    household.clock.advance(380 * 86_400_000);
    expect(await household.larder.certificates.refresh()).toBe(true);
    const after = await peer(household.port, null);
    expect(after.certificate.fingerprint256).not.toBe(before.certificate.fingerprint256);
    expect(new X509Certificate(after.certificate.raw).verify(new X509Certificate(household.ca).publicKey)).toBe(true);
    for (const { close } of [before, after]) close();
  });

  it('is verified by the certificate of GET /ca.crt', async () => {
    household = await openHousehold();
    const reply = await household.api.send('GET', '/ca.crt');
    expect([reply.status, reply.headers['content-type']]).toEqual([200, 'application/x-x509-ca-cert']);
    expect(reply.text).toBe(await readFile(join(household.folder, '.larder', 'tls', 'ca.crt'), 'utf8'));
    (await peer(household.port, reply.text)).close();
  });
});

describe('a stop', () => {
  it('lets an upload and a download in progress finish, accepts nothing new, and unlocks the folder', async () => {
    household = await openHousehold({ config: { grace: 10_000 } });
    const api = await household.signIn();
    expect((await api.get('account/info')).status).toBe(200);
    const content = randomBytes(8_000_000);
    await writeFile(join(household.home, 'down.bin'), content);
    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    async function* slowly() {
      yield content.subarray(0, 100_000);
      await held;
      yield content.subarray(100_000);
    }
    const upload = api.put({ path: '/ROOT/HOME/up.bin' }, slowly() as never, {
      'content-length': String(content.length),
    });
    await expect.poll(async () => (await readdir(join(household.folder, '.larder', 'incoming'))).length).toBe(1);
    const download = await request(`${api.base}/api.php/files/download?path=/ROOT/HOME/down.bin`, {
      headers: { authorization: `Bearer ${api.token_}` },
      dispatcher: new Agent({ connect: { ca: household.ca } }),
    });
    const stopping = household.larder.close();
    const late = household.api.get('account/info').then(
      ({ status }) => status,
      () => 'refused',
    );
    expect([503, 'refused']).toContain(await late);
    release();
    expect((await upload).status).toBe(201);
    expect(content.equals(Buffer.from(await download.body.arrayBuffer()))).toBe(true);
    await stopping;
    expect(content.equals(await readFile(join(household.home, 'up.bin')))).toBe(true);
    await household.restart();
  });

  it('closes a plain HTTP port that is just being opened', async () => {
    const listeners = () => process.getActiveResourcesInfo().filter((name) => name === 'TCPServerWrap').length;
    const before = listeners();
    household = await openHousehold();
    await household.control('settings.update', { httpTesting: true });
    await household.larder.close();
    await expect.poll(listeners).toBe(before);
  });

  it('aborts transfers that do not finish in time, and leaves none of their data', async () => {
    household = await openHousehold({ config: { grace: 200 } });
    const api = await household.signIn();
    expect((await api.get('account/info')).status).toBe(200);
    async function* endless() {
      yield Buffer.alloc(1000);
      await new Promise(() => undefined);
    }
    const upload = api.put({ path: '/ROOT/HOME/never.bin' }, endless() as never, { 'content-length': '5000' });
    const failed = expect(upload).rejects.toThrow();
    await expect.poll(async () => (await readdir(join(household.folder, '.larder', 'incoming'))).length).toBe(1);
    await household.larder.close();
    await failed;
    await household.restart();
    expect(await readdir(household.home)).toEqual(['.larder-home']);
    expect(await readdir(join(household.folder, '.larder', 'incoming'))).toEqual([]);
  });
});
