import { rm, writeFile } from 'node:fs/promises';
import https from 'node:https';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { createOutsideAddress } from '../../dist/server/http/connection/outside-address.js';
import { householdConstraints } from '../../dist/server/tls/household-constraints.js';
import { issueAuthority, issueServer } from '../../dist/server/tls/issue.js';
import { type Household, openHousehold } from '../support/households/household.ts';

/** An authority that everyone trusts, as far as the household under test knows. */
let authority: Awaited<ReturnType<typeof issueAuthority>>;
let household: Household;
/** A proxy with a certificate of that authority for `localhost`, in front of the household. */
let proxy: https.Server;
let proxied: string;

beforeAll(async () => {
  const now = Date.now();
  authority = await issueAuthority({ commonName: 'Everyone', constraints: householdConstraints('localhost', []), now });
  household = await openHousehold({ publicAuthorities: [authority.certificate] });
  // The household itself is not called `localhost`, so that the name is known only once it is the household's address.
  const own = await issueServer({ names: ['127.0.0.1'], authority, now: household.clock.now() });
  await writeFile(tls('own.crt'), own.certificate, { mode: 0o600 });
  await writeFile(tls('own.key'), own.key, { mode: 0o600 });
  await household.larder.certificates.refresh();
  const { certificate, key } = await issueServer({ names: ['localhost'], authority, now });
  proxy = https.createServer({ cert: certificate, key }, (request, response) => {
    const to = { host: '127.0.0.1', port: household.port, rejectUnauthorized: false, agent: false };
    const passed = https.request({ ...to, path: request.url, headers: request.headers }, (reply) => {
      response.writeHead(reply.statusCode ?? 502, reply.headers);
      reply.pipe(response);
    });
    passed.on('error', () => response.destroy());
    passed.end();
  });
  proxied = await listen(proxy);
});
afterAll(async () => {
  proxy?.closeAllConnections();
  await new Promise<void>((done) => proxy?.close(() => done()));
  await household?.close();
});
beforeEach(() => household.control('settings.update', { baseUrl: '' }));

const tls = (name: string) => join(household.folder, '.larder', 'tls', name);

async function listen(server: https.Server): Promise<string> {
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return `https://localhost:${(server.address() as AddressInfo).port}`;
}

const check = (address: string) => household.control('outside.check', { address });
const isConfirmed = async () => (await household.control('settings.get')).baseUrlConfirmed;

/** The status of a request with this host. */
function statusFor(host: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const to = { host: '127.0.0.1', port: household.port, path: '/healthz', rejectUnauthorized: false, agent: false };
    https
      .get({ ...to, headers: { host } }, (reply) => {
        reply.resume();
        resolve(reply.statusCode);
      })
      .on('error', reject);
  });
}

it('accepts an address once it was reached there with a valid certificate', async () => {
  expect(await statusFor('localhost')).toBe(421);
  // Before it is saved, a check changes nothing.
  expect(await check(proxied)).toEqual({ verdict: 'reached', reason: '' });
  expect([await isConfirmed(), await statusFor('localhost')]).toEqual([false, 421]);

  await household.control('settings.update', { baseUrl: proxied });
  expect([await isConfirmed(), await statusFor('localhost')]).toEqual([false, 421]);
  expect(await check(proxied)).toEqual({ verdict: 'reached', reason: '' });
  expect([await isConfirmed(), await statusFor('localhost')]).toEqual([true, 200]);

  await household.control('settings.update', { baseUrl: proxied, householdName: 'Orchard House' });
  expect(await isConfirmed()).toBe(true);
  await household.control('settings.update', { baseUrl: `${proxied}/other` });
  expect([await isConfirmed(), await statusFor('localhost')]).toEqual([false, 421]);
});

it('accepts an address that the owner confirms', async () => {
  await household.control('settings.update', { baseUrl: 'https://localhost:9' });
  expect(await statusFor('localhost')).toBe(421);
  await household.control('settings.update', { baseUrlConfirmed: true });
  expect(await statusFor('localhost')).toBe(200);
  await household.restart();
  expect(await statusFor('localhost')).toBe(200);
});

it('reports which addresses do not lead to this server, and why', async () => {
  const { certificate, key } = await issueServer({ names: ['localhost'], authority, now: Date.now() });
  const other = https.createServer({ cert: certificate, key }, (_request, response) => response.end('Welcome'));
  const address = await listen(other);
  expect(await check(address)).toEqual({ verdict: 'other', reason: '' });
  await new Promise<void>((done) => other.close(() => done()));
  expect(await check(address)).toMatchObject({
    verdict: 'unreachable',
    reason: expect.stringContaining('ECONNREFUSED'),
  });

  // It ends the connection without a word of HTTP.
  const silent = createServer((socket) => socket.destroy());
  await new Promise<void>((done) => silent.listen(0, '127.0.0.1', done));
  const { port } = silent.address() as AddressInfo;
  expect(await check(`https://localhost:${port}`)).toMatchObject({ verdict: 'unreachable' });
  await new Promise<void>((done) => silent.close(() => done()));
});

it('reports that visitors get a warning', async () => {
  await rm(tls('own.crt'));
  await rm(tls('own.key'));
  await household.larder.certificates.refresh();
  const direct = `https://localhost:${household.port}`;
  await household.control('settings.update', { baseUrl: direct });
  expect(await check(direct)).toMatchObject({ verdict: 'warned', reason: expect.stringMatching(/certificate/) });
  expect(await isConfirmed()).toBe(false);
});

it.each(['', 'files.example', 'http://localhost', 'https://localhost/?a=b'])('refuses to check %j', async (address) => {
  await expect(check(address)).rejects.toMatchObject({ code: expect.stringMatching(/invalid_input|refused/) });
});

it('accepts a host during its check only at the path of the check', async () => {
  const own = createOutsideAddress({
    settings: () => ({ baseUrl: '', baseUrlConfirmed: false }),
    basePath: '',
    authorities: [authority.certificate],
  });
  const { certificate, key } = await issueServer({ names: ['localhost'], authority, now: Date.now() });
  const seen: unknown[] = [];
  const server = https.createServer({ cert: certificate, key }, (request, response) => {
    const { url = '' } = request;
    seen.push(
      own.isKnownHost('localhost', url),
      own.isKnownHost('localhost', '/files/'),
      own.isKnownHost('other', url),
    );
    response.end(url.split('/').at(-1));
  });
  expect(await own.check(await listen(server))).toEqual({ verdict: 'reached' });
  expect(seen).toEqual([true, false, false]);
  await new Promise<void>((done) => server.close(() => done()));
});
