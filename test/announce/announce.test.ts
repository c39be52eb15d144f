import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import Bonjour, { type Service } from 'bonjour-service';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createAnnouncer } from '../../dist/server/announce/announcer.js';
import { HOUR, SECOND } from '../../dist/server/lib/clock.js';
import { createLog } from '../../dist/server/lib/log/log.js';
import { listenedAt } from '../../dist/server/tls/lan-addresses.js';
import { announcedName } from '../../dist/server/tls/names.js';
import { type Household, openHousehold } from '../support/households/household.ts';
import { listenerEnded } from '../support/system/close-server.ts';
import { foreignCertificate } from '../tls/support.ts';

/**
 * Two loopback sockets instead of a network: multicast packets of the server go to a service browser, and vice versa. Nothing is
 * sent to a multicast group.
 */
let browser: Bonjour;
let browserSocket: Socket;
let serverPort: number;
let found: ReturnType<Bonjour['find']>[];
let household: Household;
let opened: number;
let machineAddresses: readonly string[];

const LOCAL = '127.0.0.1';
const alone = { bind: false, multicast: false, ip: LOCAL };

async function bound(port = 0): Promise<Socket> {
  const socket = createSocket('udp4');
  socket.bind(port, LOCAL);
  await once(socket, 'listening');
  return socket;
}

function network() {
  opened += 1;
  const socket = createSocket('udp4');
  socket.bind(serverPort, LOCAL);
  return { ...alone, socket, port: browserSocket.address().port };
}

beforeEach(async () => {
  opened = 0;
  machineAddresses = ['192.0.2.7'];
  const reserved = await bound();
  serverPort = reserved.address().port;
  await new Promise<void>((done) => void reserved.close(done));
  browserSocket = await bound();
  browser = new Bonjour({ ...alone, socket: browserSocket, port: serverPort } as object);
  found = ['https', 'larder'].map((type) => browser.find({ type }));
});
afterEach(async () => {
  await household?.close();
  vi.useRealTimers();
  await new Promise<void>((done) => void browser.destroy(done));
  await listenerEnded();
});

const services = (): Service[] => found.flatMap((each) => each.services as Service[]);
const names = () => services().map(({ fqdn }) => fqdn);
const open = (host: string) => openHousehold({ config: { host }, network, addresses: () => machineAddresses });
/** Households that are opened from here on look at the networks only when the test says so. */
const holdLooks = () => vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
const look = () => vi.advanceTimersByTime(5 * SECOND);
const status = async () => (await household.control('status')).addresses as string[];

/** The certificate's host name cannot be announced if the machine has no valid one; then another name is used. */
const machine = async () => announcedName((await import('node:os')).hostname());

describe('a server that is reachable from the network', () => {
  it('is announced by its name, with its port and path', async () => {
    household = await open('0.0.0.0');
    await expect.poll(services).toHaveLength(2);
    const host = await machine();
    for (const service of services()) {
      expect(service.host).toBe(host);
      expect(service.port).toBe(household.port);
      // Without the other addresses of the machine that runs the test.
      expect(service.addresses).toEqual(['192.0.2.7']);
      expect(service.txt).toEqual({ txtvers: '1', path: '/' });
      expect(service.name).toMatch(new RegExp(`^Larder \\(.*, ${household.port}\\)$`));
    }
    expect(names().map((name) => name.replace(/^.*\)\./, ''))).toEqual(['_https._tcp.local', '_larder._tcp.local']);
    // The certificate covers the name, and it is shown with the addresses.
    expect(household.larder.certificates.covers(host)).toBe(true);
    expect(await status()).toContain(`https://${host}:${household.port}`);
  });

  it('is announced by its new name, and withdrawn when it stops', async () => {
    household = await open('0.0.0.0');
    await expect.poll(names).toHaveLength(2);
    await household.control('settings.update', { householdName: 'Orchard House' });
    await expect.poll(() => names().every((name) => name.startsWith('Orchard House (')) && names().length).toBe(2);
    await household.whileStopped(async () => {
      await expect.poll(names).toEqual([]);
    });
    await expect.poll(names).toHaveLength(2);
  });

  it('shortens the names of households that are too long for an announcement', async () => {
    household = await open('0.0.0.0');
    await household.control('settings.update', { householdName: 'Ärzte-WG '.repeat(6) });
    await expect.poll(() => names().some((name) => name.startsWith('Ärzte'))).toBe(true);
    const [label = ''] =
      names()
        .find((name) => name.startsWith('Ärzte'))
        ?.split('._https') ?? [];
    expect(Buffer.byteLength(label)).toBeLessThanOrEqual(63);
    expect(label).toMatch(/\)$/);
  });

  it('is not announced when the owner disables it, and then shows no announced name', async () => {
    household = await open('0.0.0.0');
    await expect.poll(names).toHaveLength(2);
    await household.control('settings.update', { announce: false });
    await expect.poll(names).toEqual([]);
    expect((await status()).join(' ')).not.toContain(await machine());
    await household.restart();
    expect(opened, 'since then').toBe(1);
    await household.control('settings.update', { announce: true });
    await expect.poll(names).toHaveLength(2);
  });

  it('is announced at its new address after a change of network, and not without an address', async () => {
    holdLooks();
    household = await open('::');
    await expect.poll(services).toHaveLength(2);
    machineAddresses = ['2001:db8::7', '198.51.100.7'];
    const told = () => {
      look();
      return services().map(({ addresses = [] }) => [...addresses].sort());
    };
    await expect.poll(told).toEqual([[...machineAddresses].sort(), [...machineAddresses].sort()]);
    machineAddresses = ['2001:db8::7'];
    await expect.poll(() => look() && names()).toEqual([]);
    expect((await status()).join(' ')).not.toContain(await machine());
  });

  it('announces every address it listens on', async () => {
    machineAddresses = ['192.0.2.7', LOCAL, '198.51.100.7'];
    household = await open('0.0.0.0');
    await expect.poll(services).toHaveLength(2);
    for (const { addresses } of services()) expect(addresses?.toSorted()).toEqual([...machineAddresses].sort());
  });

  it('is announced again after the machine has slept', async () => {
    holdLooks();
    household = await open('0.0.0.0');
    await expect.poll(() => opened).toBe(1);
    household.clock.advance(HOUR);
    await expect.poll(() => look() && opened).toBe(2);
    await expect.poll(names).toHaveLength(2);
  });

  it('has a readable name for every name of a household', async () => {
    household = await open('0.0.0.0');
    const family = '\u{1f468}\u200d\u{1f469}\u200d\u{1f467}';
    await household.control('settings.update', { householdName: `a\u202eb\r\nc.d ${family}` });
    await expect.poll(() => names().some((name) => name.startsWith(`a b c-d ${family}`))).toBe(true);
    expect(announcedName('x'.repeat(63))).toBe('larder.local');
  });

  it('is withdrawn once it has stopped, and ignores later announcements', async () => {
    const announcer = createAnnouncer({ log: createLog('error', process.stdout), network });
    const what = { household: 'Late', host: 'larder-late.local', port: 1234, basePath: '', addresses: ['192.0.2.7'] };
    await announcer.follow(what);
    expect(announcer.isAnnounced()).toBe(true);
    const closing = announcer.close();
    await announcer.follow({ ...what, household: 'Later' });
    await closing;
    expect([announcer.isAnnounced(), opened]).toEqual([false, 1]);
    household = await open(LOCAL);
  });

  it('answers a question once, even if a packet contains it several times', async () => {
    household = await open('0.0.0.0');
    await expect.poll(services).toHaveLength(2);
    const caller = await bound();
    let answers = 0;
    browserSocket.on('message', (packet) => {
      // Only for the requested name; unsolicited packets contain others, too.
      if (packet.includes('_services') && packet.readUInt16BE(6) === 2) answers += 1;
    });
    const name = Buffer.from('\x09_services\x07_dns-sd\x04_udp\x05local\0', 'latin1');
    const header = Buffer.from([0, 0, 0, 0, 0, 20, 0, 0, 0, 0, 0, 0]);
    const kind = Buffer.from([0, 12, 0, 1]);
    const again = Buffer.from([0xc0, 12, ...kind]);
    caller.send(Buffer.concat([header, name, kind, ...Array(19).fill(again)]), serverPort, LOCAL);
    await expect.poll(() => answers).toBe(1);
    // When this is answered, everything sent before has been processed.
    header[5] = 1;
    caller.send(Buffer.concat([header, name, kind]), serverPort, LOCAL);
    await expect.poll(() => answers).toBe(2);
    await new Promise<void>((done) => void caller.close(done));
  });

  it('is not announced by a name that the owner’s certificate does not cover', async () => {
    household = await open('0.0.0.0');
    await expect.poll(names).toHaveLength(2);
    const own = await foreignCertificate(['files.example.org'], household.clock.now());
    const at = (name: string) => join(household.folder, '.larder', 'tls', name);
    await writeFile(at('own.crt'), own.certificate);
    await writeFile(at('own.key'), own.key);
    expect(await household.larder.certificates.refresh()).toBe(true);
    await expect.poll(names).toEqual([]);
    await Promise.all([rm(at('own.crt')), rm(at('own.key'))]);
    await household.larder.certificates.refresh();
    await expect.poll(names).toHaveLength(2);
  });

  it('continues to serve when it cannot use the network', async () => {
    const taken = await bound(serverPort);
    try {
      household = await open('0.0.0.0');
      await expect.poll(() => household.logged()).toContain('cannot be announced');
      expect((await household.api.send('GET', '/healthz')).status).toBe(200);
      expect((await status()).join(' ')).not.toContain(await machine());
    } finally {
      await new Promise<void>((done) => void taken.close(done));
    }
    // As soon as there is a reason to check again.
    await household.control('settings.update', { announce: true });
    await expect.poll(names).toHaveLength(2);
  });
});

it('a listener on one address is not reachable at another', () => {
  const addresses = ['192.0.2.7', '198.51.100.7', '2001:db8::7'];
  expect(listenedAt('192.0.2.7', addresses)).toEqual(['192.0.2.7']);
  expect(listenedAt('192.0.2.8', addresses)).toEqual([]);
  expect(listenedAt('0.0.0.0', addresses)).toEqual(addresses.slice(0, 2));
  expect(listenedAt('::', addresses)).toEqual(addresses);
});

it('a server for this computer only is not announced', async () => {
  household = await open(LOCAL);
  expect(opened).toBe(0);
  expect(household.larder.certificates.covers(await machine())).toBe(false);
});
