import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import https from 'node:https';
import { Agent, request as ask } from 'undici';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { HOUR, MINUTE } from '../../../dist/server/lib/clock.js';
import { type Household, OWNER, openHousehold } from '../../support/households/household.ts';
import { MEMBER } from '../../support/households/member.ts';
import { totp } from '../../support/requests/totp.ts';
import { HALF_A_MINUTE, switchOnTwoStep } from '../../support/requests/two-step.ts';
import { like, t } from '../../support/server-texts.ts';
import { send as sendPlain } from '../support.ts';

let household: Household;
let agent: Agent;
let key: string;

beforeEach(async () => {
  household = await openHousehold();
  agent = new Agent({ connect: { ca: household.ca } });
});
afterEach(async () => {
  await agent.destroy();
  await household.close();
});

interface Asked {
  readonly headers?: Record<string, string>;
  readonly body?: unknown;
  readonly port?: number;
  readonly method?: 'GET' | 'POST' | 'PUT';
}

/** As a proxy on this computer passes it on: tests cannot come from another one. */
const ELSEWHERE = { 'x-forwarded-for': '192.0.2.7' };

async function send(path: string, { headers = {}, body, port = household.port, method = 'POST' }: Asked = {}) {
  const response = await ask(`https://127.0.0.1:${port}${path}`, {
    method,
    headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...ELSEWHERE, ...headers },
    body: body === undefined ? null : JSON.stringify(body),
    dispatcher: agent,
  });
  const text = await response.body.text();
  const isJson = String(response.headers['content-type']).startsWith('application/json');
  return { status: response.statusCode, headers: response.headers, text, body: isJson ? JSON.parse(text) : {} };
}

const get = (path: string) => send(path, { method: 'GET' });
const code = () => totp(key, household.clock.now());
const signIn = (changes: Record<string, unknown> = {}, headers: Record<string, string> = {}) =>
  send('/panel/sign-in', { body: { ...OWNER, ...changes }, headers });
const call = (token: string, method = 'status', input: unknown = {}, headers: Record<string, string> = {}) =>
  send(`/panel/control/${method}`, { body: input, headers: { authorization: `Bearer ${token}`, ...headers } });

async function allow(): Promise<void> {
  ({ key } = await switchOnTwoStep(household));
  await household.control('settings.update', { remotePanel: true });
}

async function open(): Promise<string> {
  const reply = await signIn({ otp: code() });
  expect(reply.status, reply.text).toBe(200);
  household.clock.advance(HALF_A_MINUTE);
  return reply.body.token;
}

/** What becomes of a request that no browser sends: under a name that the certificate is not for, or with a whole address. */
function answerTo(path: string, headers: Record<string, string> = {}): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const where = { host: '127.0.0.1', servername: 'localhost', port: household.port, ca: household.ca, agent: false };
    const asked = https.request({ ...where, path, headers: { ...ELSEWHERE, ...headers } }, (response) =>
      resolve(response.resume()),
    );
    asked.on('error', reject);
    asked.end();
  });
}

/** Listens to what is told without asking. Answers when it has begun; `ended` when it is over. */
async function listen(token: string): Promise<{ readonly ended: Promise<void> }> {
  const { statusCode, body } = await ask(`https://127.0.0.1:${household.port}/panel/control-events`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...ELSEWHERE },
    body: '{}',
    dispatcher: agent,
  });
  expect(statusCode).toBe(200);
  body.on('error', () => undefined);
  body.resume();
  return { ended: new Promise((done) => void body.once('close', () => done())) };
}

describe('while the owner has not allowed it', () => {
  it('nothing is reachable, even with valid tokens', async () => {
    for (const path of ['/panel', '/panel/', '/panel/index.html', '/panel/assets/index.js']) {
      const reply = await get(path);
      expect([path, reply.status, reply.body.code]).toEqual([path, 404, 'unknown_endpoint']);
    }
    expect([(await signIn()).status, (await signIn()).body.token]).toEqual([404, undefined]);
    expect((await call('x'.repeat(43))).status).toBe(404);
  });

  it('it is off, and cannot be enabled before the owner uses two-step sign-in', async () => {
    expect((await household.control('settings.get')).remotePanel).toBe(false);
    const allowed = household.control('settings.update', { remotePanel: true });
    await expect(allowed).rejects.toMatchObject({ field: 'remotePanel', message: t('api.control.ownTwoStep') });
    expect((await household.control('settings.get')).remotePanel).toBe(false);
    await allow();
    expect((await household.control('settings.get')).remotePanel).toBe(true);
  });
});

describe('the panel on the network', () => {
  it('is the same page below its own address, with its policy, and serves no other files', async () => {
    await allow();
    const moved = await get('/panel');
    expect([moved.status, moved.headers.location]).toEqual([308, '/panel/']);
    const elsewhere = await answerTo('https://evil.example/panel');
    expect([elsewhere.statusCode, elsewhere.headers.location], 'leads nowhere').toEqual([421, undefined]);
    const page = await get('/panel/');
    expect([page.status, page.headers['cache-control']]).toEqual([200, 'no-store']);
    expect(page.headers['content-security-policy']).toMatch(/default-src 'none'; script-src 'self'; /);
    expect(page.headers['x-frame-options']).toMatch(/deny/i);
    const assets = [...page.text.matchAll(/(?:src|href)="\.(\/assets\/[^"]+)"/g)].map(([, path]) => path ?? '');
    expect(assets.length).toBeGreaterThan(2);
    for (const path of assets) {
      const asset = await get(`/panel${path}`);
      expect([path, asset.status]).toEqual([path, 200]);
      expect(asset.headers['cache-control']).toContain('immutable');
    }
    for (const path of [
      '/panel/nothing',
      '/panel/assets/..%2findex.html',
      '/panel/../package.json',
      '/panel/licences.json',
    ]) {
      expect([path, (await get(path)).status]).toEqual([path, 404]);
    }
  });

  it('is below the prefix of the installation', async () => {
    await household.restart({ basePath: '/files-of-ours' });
    ({ key } = await switchOnTwoStepBelow());
    await household.control('settings.update', { remotePanel: true });
    expect((await get('/files-of-ours/panel')).headers.location).toBe('/files-of-ours/panel/');
    expect((await get('/files-of-ours/panel/')).status).toBe(200);
    expect((await get('/panel/')).status).toBe(404);
  });

  it('opens with password and code, and accepts the same calls as the panel', async () => {
    await allow();
    const first = await signIn();
    expect([first.status, first.body]).toEqual([200, { needs: 'code' }]);
    const token = await open();
    expect((await call(token)).body).toMatchObject({ running: true, hasOwner: true });
    expect((await call(token, 'settings.update', { trashDays: 12 })).body.trashDays).toBe(12);
    expect((await call(token, 'nothing.such')).status).toBe(404);
    expect((await call(token, 'settings.update', { trashDays: -1 })).body.field).toBe('trashDays');
    // The activity says that it was done in the panel, and from where.
    const { entries } = (await household.control('activity.list', { kinds: ['settings.changed'] })) as {
      entries: { channel: string; address: string | null }[];
    };
    expect(entries[0]).toMatchObject({ channel: 'control', address: '127.0.0.1' });
    expect(entries[1]).toMatchObject({ channel: 'control', address: null });
  });

  it('gives reasons only after the right password', async () => {
    await allow();
    await household.control('accounts.add', { ...MEMBER, name: 'Mia' });
    const wrong = await signIn({ password: 'wrong password' });
    expect([wrong.status, wrong.body.error]).toEqual([401, t('signIn.problem.refused')]);
    const nobody = await signIn({ username: 'nobody', password: 'wrong password' });
    expect([nobody.status, nobody.body]).toEqual([wrong.status, wrong.body]);
    const member = await signIn({ username: 'mia', password: 'wrong password' });
    expect([member.status, member.body]).toEqual([wrong.status, wrong.body]);
    const notHers = await signIn(MEMBER);
    expect([notHers.status, notHers.body.token]).toEqual([403, undefined]);
    expect(notHers.body.error).toMatch(like('api.control.ownerOnly'));
    const { entries } = (await household.control('activity.list', { kinds: ['login.failed', 'login.succeeded'] })) as {
      entries: { kind: string; details: unknown }[];
    };
    expect(JSON.stringify(entries[0])).toContain('not_here');
    expect(JSON.stringify(entries[0])).toContain('login.failed');
    const wrongCode = await signIn({ otp: '000000' });
    expect([wrongCode.status, wrongCode.body.field]).toEqual([401, 'otp']);
    // A code works once.
    const otp = code();
    expect((await signIn({ otp })).status).toBe(200);
    expect((await signIn({ otp })).status).toBe(401);
  });

  it('delays guesses, and counts them towards the block of the account', async () => {
    await allow();
    const outcomes = [];
    for (let n = 0; n < 12; n += 1) outcomes.push((await signIn({ password: `wrong ${n}` })).status);
    expect(new Set(outcomes)).toEqual(new Set([401, 429]));
    expect(outcomes.at(-1)).toBe(429);
    household.clock.advance(HOUR);
    expect((await household.control('accounts.get', { username: OWNER.username })).failedLoginAttempts).toBeGreaterThan(
      0,
    );
  });

  it('refuses pages of other origins, other hosts, and requests without HTTPS', async () => {
    await household.restart({ name: 'larder.example' });
    await allow();
    const token = await open();
    expect((await call(token, 'status', {}, { origin: `https://127.0.0.1:${household.port}` })).status).toBe(200);
    for (const origin of ['https://evil.example', 'null', `http://127.0.0.1:${household.port}`]) {
      expect([origin, (await call(token, 'status', {}, { origin })).status]).toEqual([origin, 403]);
      expect([origin, (await signIn({ otp: code() }, { origin })).status]).toEqual([origin, 403]);
    }
    expect((await answerTo('/panel/', { host: 'evil.example' })).statusCode).toBe(421);
    await household.control('settings.update', { httpTesting: true });
    const { httpAddresses } = (await household.control('status')) as { httpAddresses: string[] };
    const port = Number(new URL(String(httpAddresses[0])).port);
    const host = `localhost:${port}`;
    expect((await sendPlain(port, 'GET', '/panel/', { headers: { host } })).status).toBe(404);
    const headers = { host, authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    expect((await sendPlain(port, 'POST', '/panel/control/status', { headers, body: '{}' })).status).toBe(404);
  });

  it('trusts a configured proxy, but no unencrypted request', async () => {
    await allow();
    await household.control('settings.update', { httpTesting: true, trustedProxies: ['127.0.0.1'] });
    const { httpAddresses } = (await household.control('status')) as { httpAddresses: string[] };
    const port = Number(new URL(String(httpAddresses[0])).port);
    const headers = { host: `localhost:${port}`, 'x-forwarded-proto': 'https' };
    expect((await sendPlain(port, 'GET', '/panel/', { headers })).status).toBe(404);
    const over = async (proto: string) =>
      (await send('/panel/', { method: 'GET', headers: { 'x-forwarded-proto': proto } })).status;
    expect([await over('https'), await over('http')]).toEqual([200, 404]);
  });

  it('accepts its own tokens only', async () => {
    await allow();
    const token = await open();
    const { url } = await household.control('panel.link');
    const [, secret = ''] = String(url).split('#open=');
    const headers = { 'content-type': 'application/json', host: '127.0.0.1' };
    const local = await sendPlain(household.controlPort, 'POST', '/control-link', {
      headers,
      body: JSON.stringify({ secret }),
    });
    expect(local.body.token).toMatch(/^[\w-]{43}$/);
    expect((await call(local.body.token)).status).toBe(401);
    const there = { ...headers, authorization: `Bearer ${token}` };
    const crossed = await sendPlain(household.controlPort, 'POST', '/control/status', { headers: there, body: '{}' });
    expect(crossed.status).toBe(401);
    for (const wrong of ['', 'x', `${token}x`]) expect((await call(wrong)).status).toBe(401);
    expect((await send('/panel/control/status', { body: {} })).status).toBe(401);
  });
});

describe('a session of the panel on the network', () => {
  const ends: [string, (token: string) => Promise<unknown>][] = [
    ['signs out', (token) => send('/panel/sign-out', { body: {}, headers: { authorization: `Bearer ${token}` } })],
    [
      'has another password',
      () => household.control('accounts.update', { username: OWNER.username, password: 'another horse battery' }),
    ],
    [
      'has no second step any more',
      () => household.control('accounts.update', { username: 'ann', twoStepEnabled: false }),
    ],
  ];
  it.each(ends)('ends when the owner %s, without further events', async (_when, end) => {
    await allow();
    const [token, other] = [await open(), await open()];
    const { ended } = await listen(token);
    expect((await call(token)).status).toBe(200);
    await end(token);
    expect((await call(token)).status).toBe(401);
    await ended;
    // Whoever signs out stays in elsewhere; the rest is over everywhere.
    expect((await call(other)).status).toBe(_when === 'signs out' ? 200 : 401);
  });

  it('ends when remote access is switched off, and stays ended when it is switched on again', async () => {
    await allow();
    const token = await open();
    const { ended } = await listen(token);
    await household.control('settings.update', { remotePanel: false });
    await ended;
    expect((await call(token)).status).toBe(404);
    await household.control('settings.update', { remotePanel: true });
    expect((await call(token)).status).toBe(401);
  });

  it('ends after a time without activity, and after half a day in any case', async () => {
    await allow();
    const token = await open();
    household.clock.advance(29 * MINUTE);
    expect((await call(token)).status).toBe(200);
    household.clock.advance(31 * MINUTE);
    expect((await call(token)).status).toBe(401);
    const busy = await open();
    for (let passed = 0; passed < 12 * HOUR; passed += 20 * MINUTE) {
      expect((await call(busy)).status).toBe(200);
      household.clock.advance(20 * MINUTE);
    }
    expect((await call(busy)).status).toBe(401);
  });

  it('ends after a time even if the page sends requests by itself', async () => {
    await allow();
    const token = await open();
    for (let passed = 0; passed < 28; passed += 7) {
      household.clock.advance(7 * MINUTE);
      expect((await call(token, 'status', {}, { 'larder-attended': 'no' })).status).toBe(200);
    }
    household.clock.advance(7 * MINUTE);
    expect((await call(token, 'status', {}, { 'larder-attended': 'no' })).status).toBe(401);
  });

  it('cancels requests in progress', async () => {
    await allow();
    const token = await open();
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json', expect: '100-continue' };
    const where = { host: '127.0.0.1', servername: 'localhost', port: household.port, ca: household.ca, agent: false };
    const asked = https.request({ ...where, method: 'POST', path: '/panel/control/settings.update', headers });
    asked.flushHeaders();
    // The body is asked for: who it is was looked at.
    await once(asked, 'continue');
    await household.control('accounts.update', { username: OWNER.username, password: 'another horse battery' });
    asked.end(JSON.stringify({ trashDays: 3 }));
    const [answer] = (await once(asked, 'response')) as [IncomingMessage];
    answer.resume();
    expect(answer.statusCode).toBe(401);
    expect((await household.control('settings.get')).trashDays).not.toBe(3);
  });

  it('does not hold up a stop', async () => {
    await allow();
    const token = await open();
    const { ended } = await listen(token);
    await household.whileStopped(async () => {
      await ended;
    });
    expect((await call(token)).status).toBe(401);
  });
});

/** The same, where the installation has a prefix. */
async function switchOnTwoStepBelow(): Promise<{ key: string }> {
  await household.restart({});
  const switched = await switchOnTwoStep(household);
  await household.restart({ basePath: '/files-of-ours' });
  return switched;
}
