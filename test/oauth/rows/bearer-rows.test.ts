import type { IncomingMessage } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ApiError } from '../../../dist/server/http/errors.js';
import { createBearer, requireScope } from '../../../dist/server/oauth/bearer.js';
import { CONSOLE_CLIENT_ID } from '../../../dist/server/oauth/console-tokens.js';
import type { Scope } from '../../../dist/server/oauth/scopes.js';
import type { IssuedTokens } from '../../../dist/server/oauth/tokens.js';
import { HOUR, openTokenRows, type TokenRows } from './rows-support.ts';

let rows: TokenRows;
let authenticate: ReturnType<typeof createBearer>;
let pair: IssuedTokens;
const SCOPES = ['list', 'upload'] as const;
beforeEach(async () => {
  rows = await openTokenRows();
  authenticate = createBearer(rows);
  pair = await authorize();
});
afterEach(() => rows.close());

const authorize = () =>
  rows.tokens.authorize({
    ...{ accountId: 1, clientRowId: 1, scopes: SCOPES, channel: 'app', address: '192.0.2.1' },
    stillProved: async () => true,
  }) as Promise<IssuedTokens>;

function request(authorization: string | undefined): IncomingMessage {
  return { headers: { authorization }, socket: { remoteAddress: '192.0.2.7' } } as unknown as IncomingMessage;
}

const ask = (authorization: string | undefined = `Bearer ${pair.accessToken}`, scopes: readonly Scope[] = []) =>
  authenticate(request(authorization), { scopes });

/** What an app is told. */
const refusal = async (asked: Promise<unknown>) => {
  const error = (await asked.catch((thrown) => thrown)) as ApiError;
  return [error.code, error.status, error.headers?.['WWW-Authenticate']];
};
const INVALID = ['invalid_token', 401, 'Bearer error="invalid_token"'];

describe('an access token', () => {
  it('identifies the account, the app and the address', async () => {
    expect(await ask()).toEqual({
      account: await rows.accounts.byId(1),
      authorizationId: pair.authorizationId,
      channel: 'app',
      client: { clientId: 'app', name: 'App' },
      address: '192.0.2.7',
      scopes: new Set(SCOPES),
      credential: {
        id: `authorization:${pair.authorizationId}`,
        scopes: new Set(SCOPES),
        rootUuid: null,
        isReadOnly: false,
        expiresAt: null,
      },
    });
  });

  it('of the API console counts as the owner’s panel', async () => {
    await rows.run('UPDATE clients SET client_id = ?', CONSOLE_CLIENT_ID);
    expect((await ask()).channel).toBe('control');
  });

  it.each(['bearer', 'BEARER', 'Bearer  '])('is accepted with %j, too', async (scheme) => {
    expect((await ask(`${scheme} ${pair.accessToken}`)).account.id).toBe(1);
  });

  it.each(['', 'Bearer', 'Bearer ', 'Basic x', 'Bearer a b', 'xBearer token', 'Bearer to=ken', 'Bearer tökén'])(
    'is not found in %j',
    async (header) => expect(await refusal(ask(header))).toEqual(INVALID),
  );

  it('is refused with anything before or after it', async () => {
    expect(await refusal(ask(`x Bearer ${pair.accessToken}`))).toEqual(INVALID);
    expect(await refusal(ask(`Bearer ${pair.accessToken} x`))).toEqual(INVALID);
  });

  it('is refused if it is unknown', async () => {
    expect(await refusal(ask(`Bearer ${'A'.repeat(pair.accessToken.length)}`))).toEqual(INVALID);
  });

  it('is refused if its account no longer exists', async () => {
    await rows.run('DELETE FROM accounts WHERE id = ?', 1);
    expect(await refusal(ask())).toEqual(INVALID);
  });

  it('is requested without an error if it is missing', async () => {
    expect(await refusal(authenticate(request(undefined), { scopes: [] }))).toEqual(['invalid_token', 401, 'Bearer']);
    const error = await authenticate(request(undefined), { scopes: [] }).catch((thrown) => thrown);
    expect(error.details).toEqual({ parameter: 'access_token' });
  });

  it('expires after an hour, but not for requests in progress', async () => {
    const begun = rows.clock.now();
    rows.clock.time += HOUR - 1;
    await ask();
    rows.clock.time += 1;
    expect(await refusal(ask())).toEqual(INVALID);
    const header = request(`Bearer ${pair.accessToken}`);
    expect((await authenticate(header, { scopes: [] }, begun)).account.id).toBe(1);
    expect(await refusal(authenticate(header, { scopes: [] }, rows.clock.now()))).toEqual(INVALID);
  });

  it('ends at once when revoked, also for requests in progress', async () => {
    const begun = rows.clock.now();
    await ask();
    await rows.tokens.revokeAuthorization(pair.authorizationId, 'x');
    expect(await refusal(ask())).toEqual(INVALID);
    const header = request(`Bearer ${pair.accessToken}`);
    expect(await refusal(authenticate(header, { scopes: [] }, begun))).toEqual(INVALID);
  });

  it('is cached until something is written', async () => {
    const asked: string[] = [];
    const { tokens } = rows;
    const counting = createBearer({
      ...rows,
      tokens: { ...tokens, findAccess: (token) => tokens.findAccess(token).finally(() => asked.push(token)) },
    });
    const header = request(`Bearer ${pair.accessToken}`);
    for (let count = 0; count < 3; count += 1) await counting(header, { scopes: [] });
    expect(asked).toHaveLength(1);
    await rows.run('UPDATE accounts SET name = name');
    await counting(header, { scopes: [] });
    expect(asked).toHaveLength(2);
  });

  it('records its use', async () => {
    await ask();
    await rows.run('SELECT 1');
    expect(await rows.database.get('SELECT last_used_at AS at FROM authorizations')).toEqual({ at: rows.clock.now() });
  });
});

describe('an account that is not active', () => {
  it.each([
    ['activated = 0', 'account_deactivated'],
    ['expires_at = 1', 'account_expired'],
    ['require_password_change = 1', 'password_change_required'],
  ])('is refused with a valid token: %s', async (change, code) => {
    await ask();
    await rows.run(`UPDATE accounts SET ${change}`);
    expect((await refusal(ask()))[0]).toBe(code);
  });

  it('can set a required new password', async () => {
    await rows.run('UPDATE accounts SET require_password_change = 1');
    const header = request(`Bearer ${pair.accessToken}`);
    expect((await authenticate(header, { scopes: [], changesPassword: true })).account.id).toBe(1);
    await rows.run('UPDATE accounts SET activated = 0');
    expect((await refusal(authenticate(header, { scopes: [], changesPassword: true })))[0]).toBe('account_deactivated');
  });
});

describe('a scope', () => {
  it('is required, each of several', async () => {
    await ask(undefined, ['list', 'upload']);
    expect(await refusal(ask(undefined, ['list', 'delete', 'share']))).toEqual([
      'insufficient_scope',
      403,
      'Bearer error="insufficient_scope", scope="list delete share"',
    ]);
    const error = await ask(undefined, ['list', 'delete', 'share']).catch((thrown) => thrown);
    expect(error.details).toEqual({ scope: 'delete share' });
  });

  it('can be required by a parameter of an operation', async () => {
    const principal = await ask();
    requireScope(principal, 'list');
    expect(() => requireScope(principal, 'delete')).toThrow(expect.objectContaining({ code: 'insufficient_scope' }));
  });
});
