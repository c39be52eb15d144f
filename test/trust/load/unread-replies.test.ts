import { once } from 'node:events';
import type { Socket } from 'node:net';
import { type ConnectionOptions, connect as connectTls } from 'node:tls';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { open, type Wire } from '../wire/wire.ts';
import { stateOf } from './process-state.ts';
import { type Attacked, attacked, MEGABYTE, post, send } from './slow-clients.ts';

const isLinux = process.platform === 'linux';
/** The largest script of the product: 1.3 MB, for everybody, without signing in. */
const SCRIPT = '/assets/viewer/pdf.worker.min.mjs';
const held: Socket[] = [];
let at: Attacked;

afterAll(async () => {
  for (const socket of held) socket.destroy();
  await at.installation.remove();
});

const get = (path: string, more = '') => `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n${more}\r\n`;

/** Asks, sees that the answer begins, and reads no further. */
async function askAndStop(request: string): Promise<void> {
  const socket = await open(at.wire);
  held.push(socket);
  send(socket, request);
  await once(socket, 'readable');
}

/** A connection from another address of this machine. */
async function openFrom(localAddress: string, { port, ca }: Wire): Promise<Socket> {
  const socket = connectTls({
    port,
    host: '127.0.0.1',
    localAddress,
    ...(ca === null ? {} : { ca }),
  } as ConnectionOptions);
  socket.on('error', () => undefined);
  held.push(socket);
  await once(socket, 'secureConnect');
  return socket;
}

describe.runIf(isLinux)('clients that do not read replies', () => {
  beforeAll(async () => {
    at = await attacked();
  });

  it('take less than 100 MB of memory on 300 connections that request a script of 1.3 MB', async () => {
    // The script is read and packed once.
    const { status, bytes } = await at.api.send('GET', SCRIPT, { headers: { 'accept-encoding': 'identity' } });
    expect(status).toBe(200);
    expect(bytes.length).toBeGreaterThan(MEGABYTE);
    const before = await stateOf(at.installation.pid);
    for (let n = 0; n < 300; n += 1) await askAndStop(get(SCRIPT, 'Accept-Encoding: identity\r\n'));
    const { memory } = await stateOf(at.installation.pid);
    expect(memory - before.memory).toBeLessThan(100 * MEGABYTE);
    // Somebody who reads gets all of it meanwhile.
    const again = await at.api.send('GET', SCRIPT, { headers: { 'accept-encoding': 'identity' } });
    expect(again.bytes.equals(bytes)).toBe(true);
    for (const socket of held.splice(0)) socket.destroy();
  });
});

describe.runIf(isLinux)('a server with room for 100 connections', () => {
  const BODY = 'grant_type=password';
  const unfinished = (more = '') => `${post('/oauth2/token/', BODY.length, more)}${BODY.slice(0, 5)}`;

  /** Begins a request whose body does not end. */
  async function begin(socket: Socket, more = ''): Promise<Socket> {
    send(socket, unfinished(more));
    return socket;
  }

  beforeAll(async () => {
    await at.installation.remove();
    at = await attacked(400);
  });

  it('closes the oldest unfinished request of the address with most connections, not those of others', async () => {
    const others: Socket[] = [];
    for (let n = 0; n < 3; n += 1) others.push(await begin(await openFrom('127.0.0.3', at.wire)));
    const attackers: Socket[] = [];
    for (let n = 0; n < 150; n += 1) attackers.push(await begin(await openFrom('127.0.0.2', at.wire)));
    // One connection each, while a request is under way on all that there are.
    for (let n = 0; n < 5; n += 1) expect((await at.api.get('account/info')).status).toBe(200);
    await expect.poll(() => attackers.filter(({ destroyed }) => !destroyed).length).toBeLessThan(100);
    // The oldest have gone, the newest are there.
    expect(attackers.slice(0, 40).every(({ destroyed }) => destroyed)).toBe(true);
    expect(attackers.slice(-40).every(({ destroyed }) => !destroyed)).toBe(true);
    for (const socket of others) {
      const answer = once(socket, 'data');
      send(socket, BODY.slice(5));
      expect(String((await answer)[0])).toMatch(/^HTTP\/1\.1 40[01] /);
    }
    for (const socket of held.splice(0)) socket.destroy();
  });

  it('limits a visitor behind a configured proxy to a quarter of them, and disconnects no others behind it', async () => {
    await at.installation.control('settings.update', { trustedProxies: ['127.0.0.1'] });
    const from = (address: string) => `X-Forwarded-For: ${address}\r\n`;
    const others: Socket[] = [];
    for (let n = 0; n < 30; n += 1) {
      others.push(await begin(await openFrom('127.0.0.1', at.wire), from(`198.51.100.${n + 1}`)));
    }
    const attackers: Socket[] = [];
    for (let n = 0; n < 60; n += 1) {
      // All of one IPv6 network.
      attackers.push(await begin(await openFrom('127.0.0.1', at.wire), from(`2001:db8:1:2::${n + 1}`)));
    }
    await expect.poll(() => attackers.filter(({ destroyed }) => !destroyed).length).toBeLessThanOrEqual(25);
    expect(others.every(({ destroyed }) => !destroyed)).toBe(true);
  });
});
