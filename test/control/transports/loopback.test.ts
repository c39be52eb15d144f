import { createHmac } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import type http from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { HOUR, MINUTE, SECOND } from '../../../dist/server/lib/clock.js';
import { t } from '../../../dist/server/messages/messages.js';
import { type Household, OWNER, openHousehold } from '../../support/households/household.ts';
import { send } from '../support.ts';

let household: Household;

beforeAll(async () => {
  household = await openHousehold();
});
afterAll(() => household.close());

const JSON_TYPE = { 'content-type': 'application/json' };

async function newSecret(): Promise<string> {
  const { url } = await household.control('panel.link');
  const secret = /^http:\/\/127\.0\.0\.1:(\d+)\/#open=([\w-]{43})$/.exec(String(url));
  expect(Number(secret?.[1])).toBe(household.controlPort);
  return secret?.[2] ?? '';
}

const post = (path: string, body: unknown, headers: http.OutgoingHttpHeaders = {}) =>
  send(household.controlPort, 'POST', path, { headers: { ...JSON_TYPE, ...headers }, body: JSON.stringify(body) });

const exchange = (secret: string, headers: http.OutgoingHttpHeaders = {}) => post('/control-link', { secret }, headers);

async function newToken(): Promise<string> {
  const reply = await exchange(await newSecret());
  expect(reply.status, reply.text).toBe(200);
  return reply.body.token;
}

const status = (token: string, headers: http.OutgoingHttpHeaders = {}) =>
  post('/control/status', {}, { authorization: `Bearer ${token}`, ...headers });

const port = () => household.controlPort;

describe('Host and Origin', () => {
  it.each([
    'evil.example',
    'evil.example:8444',
    'localhost.evil.example',
    '127.0.0.1.evil.example',
    'localhost@evil.example',
    'evil.example#localhost',
    '192.168.1.20',
    '10.0.0.1:8444',
    '0.0.0.0',
    '[::]',
    '[::ffff:127.0.0.1]',
    '2130706433',
    '127.1',
    'localhost, evil.example',
  ])('refuses the Host "%s", also for pages, and does not use up the link', async (host) => {
    const token = await newToken();
    const secret = await newSecret();
    for (const reply of [
      await send(port(), 'GET', '/', { headers: { host } }),
      await status(token, { host }),
      await exchange(secret, { host }),
      await post('/control-challenge', { nonce: 'n'.repeat(32) }, { host }),
    ]) {
      expect(reply.status).toBe(403);
      expect(reply.text).not.toContain('token');
      expect(reply.text).not.toContain('<html');
    }
    expect((await exchange(secret)).status).toBe(200);
  });

  it.each(['localhost', 'LOCALHOST', '127.0.0.1', '127.8.8.8', '[::1]'])('accepts %s with any port', async (name) => {
    const token = await newToken();
    for (const host of [name, `${name}:1`, `${name}:9999`]) {
      expect((await status(token, { host })).status, host).toBe(200);
      expect((await status(token, { host, origin: `http://${host}` })).status, host).toBe(200);
    }
  });

  it.each([
    ['another site', 'http://evil.example'],
    ['the own name on another port', () => `http://127.0.0.1:${port() + 1}`],
    ['the own name without a port', 'http://127.0.0.1'],
    ['another loopback name', () => `http://localhost:${port()}`],
    ['https', () => `https://127.0.0.1:${port()}`],
    ['no origin at all', 'null'],
    ['an empty one', ''],
    ['a site that only begins so', () => `http://127.0.0.1:${port()}.evil.example`],
  ])('refuses the Origin of %s, and does not use up the link', async (_name, origin) => {
    const headers = { host: `127.0.0.1:${port()}`, origin: typeof origin === 'string' ? origin : origin() };
    const token = await newToken();
    const secret = await newSecret();
    const replies = [await status(token, headers), await exchange(secret, headers)];
    for (const reply of replies) {
      expect(reply.status).toBe(403);
      expect(reply.body.code).toBe('not_allowed');
      expect(reply.headers).not.toHaveProperty('access-control-allow-origin');
    }
    expect((await exchange(secret)).status).toBe(200);
  });

  it('refuses preflight requests', async () => {
    const reply = await send(port(), 'OPTIONS', '/control/status', {
      headers: { 'access-control-request-method': 'POST', 'access-control-request-headers': 'authorization' },
    });
    expect(reply.status).toBe(405);
    expect(Object.keys(reply.headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
  });

  it('listens on loopback only', async () => {
    const { host } = { host: '127.0.0.1' };
    expect((await status(await newToken(), { host })).status).toBe(200);
    const control = JSON.parse(await readFile(join(household.folder, '.larder', 'control.json'), 'utf8'));
    expect(control.port).toBe(port());
    expect((await stat(join(household.folder, '.larder', 'control.json'))).mode & 0o777).toBe(0o600);
  });
});

describe('the token', () => {
  it.each([
    ['none', {}],
    ['an unknown one', { authorization: `Bearer ${'x'.repeat(43)}` }],
    ['an empty one', { authorization: 'Bearer ' }],
    ['Basic', { authorization: `Basic ${Buffer.from(`${OWNER.username}:${OWNER.password}`).toString('base64')}` }],
    ['a property of every object', { authorization: 'Bearer constructor' }],
  ])('is required for every method: %s', async (_name, headers) => {
    for (const method of ['status', 'settings.get', 'clients.add', 'setup', 'nope']) {
      const reply = await post(`/control/${method}`, { name: 'x' }, headers);
      expect([reply.status, reply.body.code]).toEqual([401, 'not_allowed']);
      expect(reply.text).not.toContain(household.folder);
    }
  });

  it('is not accepted in the address, the body or a cookie, nor one of the API', async () => {
    const token = await newToken();
    expect((await post(`/control/status?token=${token}`, {})).status).toBe(401);
    expect((await post('/control/status', { token })).status).toBe(401);
    expect((await post('/control/status', {}, { cookie: `token=${token}; larder-control=${token}` })).status).toBe(401);
    const api = await household.signIn();
    expect((await status(String(api.token_))).status).toBe(401);
    const foreign = await household.api.send('GET', '/api.php/account/info', {
      headers: { authorization: `Bearer ${token}` },
    });
    expect(foreign.status).toBe(401);
  });

  it('allows calls, which return results or errors', async () => {
    const token = await newToken();
    // The scan, and everything that writes to the disk, may change the answer between two questions.
    await expect
      .poll(async () => {
        const reply = await status(token);
        expect(reply.headers['cache-control']).toBe('no-store');
        const own = await household.control('status');
        return JSON.stringify(reply.body) === JSON.stringify(own) ? null : [reply.body, own];
      })
      .toBeNull();
    const authorization = { authorization: `Bearer ${token}` };
    const table: [string, unknown, number, string][] = [
      ['nope', {}, 404, 'unknown_method'],
      ['constructor', {}, 404, 'unknown_method'],
      ['status', { surplus: 1 }, 400, 'invalid_input'],
      ['setup', { owner: 'bob', password: 'another long one' }, 409, 'not_allowed'],
      ['clients.remove', { clientId: 'nobody' }, 409, 'refused'],
      ['settings.update', { wrongPasswordLimit: 1 }, 400, 'invalid_input'],
    ];
    for (const [method, input, code, name] of table) {
      const failure = await post(`/control/${method}`, input, authorization);
      expect([failure.status, failure.body.code], method).toEqual([code, name]);
      expect(failure.body.error).toMatch(/\.$|: /);
    }
  });

  it('accepts JSON only, so that forms of foreign pages have no effect', async () => {
    const headers = { authorization: `Bearer ${await newToken()}` };
    const body = JSON.stringify({ wrongPasswordLimit: 50 });
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data', undefined]) {
      const reply = await send(port(), 'POST', '/control/settings.update', {
        headers: { ...headers, ...(type === undefined ? {} : { 'content-type': type }) },
        body,
      });
      expect(reply.status, type).toBe(400);
    }
    for (const broken of ['{', '"text"', '[]', 'null', `{"a":"${'x'.repeat(2 * 1024 * 1024)}"}`]) {
      const reply = await send(port(), 'POST', '/control/settings.update', {
        headers: { ...headers, ...JSON_TYPE },
        body: broken,
      });
      expect(reply.status).toBe(400);
    }
    expect(await household.control('settings.get')).toMatchObject({ wrongPasswordLimit: 5 });
  });

  it('names the limit of this transport if an input is too large', async () => {
    const authorization = `Bearer ${await newToken()}`;
    const reply = await post('/control/settings.update', { a: 'x'.repeat(2 * 1024 * 1024) }, { authorization });
    const size = t('sizes.megabytes', { amount: 2 });
    expect([reply.status, reply.body]).toEqual([
      400,
      { code: 'invalid_input', error: t('api.requests.bodyTooLarge', { size }) },
    ]);
  });

  it('expires after 12 hours without use', async () => {
    const token = await newToken();
    for (let i = 0; i < 3; i += 1) {
      household.clock.advance(11 * HOUR);
      expect((await status(token)).status).toBe(200);
    }
    household.clock.advance(12 * HOUR + SECOND);
    expect((await status(token)).status).toBe(401);
  });

  it('is not displaced by others while it is used', async () => {
    const token = await newToken();
    for (let i = 0; i < 220; i += 1) {
      await newToken();
      if (i % 50 === 0) expect((await status(token)).status).toBe(200);
    }
    expect((await status(token)).status).toBe(200);
  });

  it('ends with the server', async () => {
    const token = await newToken();
    const secret = await newSecret();
    await household.restart();
    expect((await status(token)).status).toBe(401);
    expect((await exchange(secret)).status).toBe(401);
  });
});

describe('the link', () => {
  it('opens once', async () => {
    const secret = await newSecret();
    const replies = await Promise.all([exchange(secret), exchange(secret), exchange(secret)]);
    expect(replies.map((reply) => reply.status).sort()).toEqual([200, 401, 401]);
    expect((await exchange(secret)).status).toBe(401);
  });

  it('is valid for ten minutes', async () => {
    const [early, late] = [await newSecret(), await newSecret()];
    household.clock.advance(10 * MINUTE - 5 * SECOND);
    expect((await exchange(early)).status).toBe(200);
    household.clock.advance(6 * SECOND);
    expect((await exchange(late)).status).toBe(401);
  });

  it('is not used up by wrong or malformed attempts, nor by opening the page', async () => {
    const secret = await newSecret();
    await exchange(`${secret.slice(0, -1)}_`);
    await exchange(secret, { 'content-type': 'text/plain' });
    await post('/control-link', { secret, surplus: 1 });
    await send(port(), 'GET', `/control-link?secret=${secret}`);
    await send(port(), 'GET', `/#open=${secret}`);
    await send(port(), 'PUT', '/control-link', { headers: JSON_TYPE, body: JSON.stringify({ secret }) });
    expect((await exchange(secret)).status).toBe(200);
    expect(household.logged()).not.toContain(secret);
  });

  it.each([{}, { secret: 5 }, { secret: ['a'] }, { secret: 'x'.repeat(201) }, [], null])('refuses %j', async (body) => {
    expect((await post('/control-link', body)).status).toBe(400);
  });
});

const panelAssets = () =>
  readdirSync(new URL('../../../dist/renderer/assets', import.meta.url)).map((name) => `/assets/${name}`);

describe('the pages', () => {
  it('reveal nothing about the installation without a token', async () => {
    await household.control('settings.update', { householdName: 'Very Private' });
    for (const path of ['/', '/index.html', ...panelAssets(), '/nothing', '/control/status', '/.larder/control.json']) {
      const reply = await send(port(), 'GET', path);
      for (const fact of [
        household.folder,
        OWNER.username,
        household.clientId,
        'Very Private',
        String(household.port),
      ]) {
        expect(reply.text.includes(`"${fact}`) || reply.text.includes(`>${fact}`), `${path} ${fact}`).toBe(false);
      }
      expect(reply.headers['content-security-policy'] ?? 'frame-ancestors').toContain('frame-ancestors');
      expect(reply.headers['x-frame-options']).toBe('DENY');
      expect(reply.headers).not.toHaveProperty('set-cookie');
    }
    for (const path of ['/', ...panelAssets()]) expect((await send(port(), 'GET', path)).status, path).toBe(200);
    expect((await send(port(), 'GET', '/nothing')).status).toBe(404);
    expect((await send(port(), 'GET', '/control/status')).status).toBe(404);
    expect((await send(port(), 'GET', '/../../package.json')).status).toBe(404);
    expect((await send(port(), 'GET', '/assets/../../package.json')).status).toBe(404);
  });
});

describe('challenge and response', () => {
  const NONCE = 'a nonce of the command line';
  const keyOf = async () =>
    JSON.parse(await readFile(join(household.folder, '.larder', 'control.json'), 'utf8')).key as string;
  const proof = (key: string, role: string, nonce: string) =>
    createHmac('sha256', key).update(`${role}:${nonce}`).digest('base64url');
  const challenge = async () =>
    (await post('/control-challenge', { nonce: NONCE })).body as { proof: string; nonce: string };
  const answer = (nonce: string, shown: string) => post('/control-session', { nonce, proof: shown });

  it('open a session once with the right key', async () => {
    const key = await keyOf();
    const given = await challenge();
    expect(given.proof).toBe(proof(key, 'server', NONCE));
    const reply = await answer(given.nonce, proof(key, 'client', given.nonce));
    expect(reply.status).toBe(200);
    expect((await status(reply.body.token)).status).toBe(200);
    expect((await answer(given.nonce, proof(key, 'client', given.nonce))).status, 'replayed').toBe(401);
  });

  it('refuse a wrong proof, and then its nonce', async () => {
    const key = await keyOf();
    for (const wrong of ['', 'x', 'x'.repeat(43), proof('another key', 'client', NONCE)]) {
      const { nonce } = await challenge();
      expect((await answer(nonce, wrong)).status).toBe(401);
      expect((await answer(nonce, proof(key, 'client', nonce))).status).toBe(401);
    }
  });

  it('refuse the proof of the server itself', async () => {
    const first = await challenge();
    const reflected = (await post('/control-challenge', { nonce: first.nonce })).body as { proof: string };
    expect((await answer(first.nonce, reflected.proof)).status).toBe(401);
    const asClient = (await post('/control-challenge', { nonce: `client:${first.nonce}` })).body as { proof: string };
    const again = await challenge();
    expect((await answer(again.nonce, asClient.proof)).status).toBe(401);
  });

  it('refuse unknown nonces, and those older than a minute', async () => {
    const key = await keyOf();
    expect((await answer(NONCE, proof(key, 'client', NONCE))).status).toBe(401);
    const { nonce } = await challenge();
    household.clock.advance(MINUTE + SECOND);
    expect((await answer(nonce, proof(key, 'client', nonce))).status).toBe(401);
  });

  it('accept no other name for a session: the token of a link is no key', async () => {
    const token = await newToken();
    const { nonce } = await challenge();
    expect((await answer(nonce, proof(token, 'client', nonce))).status).toBe(401);
    expect((await post('/control-challenge', { nonce: 'short' })).status).toBe(400);
  });
});
