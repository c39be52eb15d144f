import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import Bonjour, { type Service } from 'bonjour-service';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { announcedName } from '../../dist/server/tls/names.js';
import { type Household, openHousehold } from '../support/household.ts';

/**
 * Two sockets on loopback in place of a network: what the server sends to everybody goes to a browser of services, and the
 * other way round. Nothing is sent to a group of addresses.
 */
let browser: Bonjour;
let browserSocket: Socket;
let serverPort: number;
let found: ReturnType<Bonjour['find']>[];
let household: Household;
let opened: number;

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
  const reserved = await bound();
  serverPort = reserved.address().port;
  await new Promise<void>((done) => void reserved.close(done));
  browserSocket = await bound();
  browser = new Bonjour({ ...alone, socket: browserSocket, port: serverPort } as object);
  found = ['https', 'larder'].map((type) => browser.find({ type }));
});
afterEach(async () => {
  await household?.close();
  await new Promise<void>((done) => void browser.destroy(done));
});

const services = (): Service[] => found.flatMap((each) => each.services as Service[]);
const names = () => services().map(({ fqdn }) => fqdn);
const open = (host: string) => openHousehold({ config: { host }, network, addresses: () => ['192.0.2.7'] });
const status = async () => (await household.control('status')).addresses as string[];

/** A host name in a certificate cannot be announced where the machine's own is none; then another one is. */
const machine = async () => announcedName((await import('node:os')).hostname());

describe('a Larder that others can reach', () => {
  it('is found on the network by its name, with the port and path that lead to it', async () => {
    household = await open('0.0.0.0');
    await expect.poll(services).toHaveLength(2);
    const host = await machine();
    for (const service of services()) {
      expect(service.host).toBe(host);
      expect(service.port).toBe(household.port);
      expect(service.txt).toEqual({ txtvers: '1', path: '/' });
      expect(service.name).toMatch(new RegExp(`^Larder \\(.*, ${household.port}\\)$`));
    }
    expect(names().map((name) => name.replace(/^.*\)\./, ''))).toEqual(['_https._tcp.local', '_larder._tcp.local']);
    // The name is one that the certificate is for, and where people are shown the addresses.
    expect(household.larder.certificates.covers(host)).toBe(true);
    expect(await status()).toContain(`https://${host}:${household.port}`);
  });

  it('is announced by its new name, and is gone when it stops', async () => {
    household = await open('0.0.0.0');
    await expect.poll(names).toHaveLength(2);
    await household.control('settings.update', { householdName: 'Orchard House' });
    await expect.poll(() => names().every((name) => name.startsWith('Orchard House (')) && names().length).toBe(2);
    await household.whileStopped(async () => {
      await expect.poll(names).toEqual([]);
    });
    await expect.poll(names).toHaveLength(2);
  });

  it('has a name that fits, however long the household calls itself', async () => {
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

  it('is not announced when the owner does not want it, and nobody is shown the name then', async () => {
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

  it('goes on serving where the network cannot be spoken to', async () => {
    const taken = await bound(serverPort);
    try {
      household = await open('0.0.0.0');
      await expect.poll(() => household.logged()).toContain('cannot be announced');
      expect((await household.api.send('GET', '/healthz')).status).toBe(200);
      expect((await status()).join(' ')).not.toContain(await machine());
    } finally {
      await new Promise<void>((done) => void taken.close(done));
    }
  });
});

it('a Larder for this machine alone tells nobody', async () => {
  household = await open(LOCAL);
  expect(opened).toBe(0);
  expect(household.larder.certificates.covers(await machine())).toBe(false);
});
