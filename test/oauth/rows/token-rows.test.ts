import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { IssuedTokens, RefreshGrant } from '../../../dist/server/oauth/tokens.js';
import { addClient, DAY, HOUR, MINUTE, openTokenRows, SECOND, type TokenRows } from './rows-support.ts';

let rows: TokenRows;
beforeEach(async () => {
  rows = await openTokenRows();
});
afterEach(() => rows.close());

const grant = {
  accountId: 1,
  clientRowId: 1,
  scopes: ['list', 'upload'],
  channel: 'app',
  address: '192.0.2.1',
} as const;
const authorize = (changes: object = {}) =>
  rows.tokens.authorize({ ...grant, stillProved: async () => true, ...changes }) as Promise<IssuedTokens>;
const refresh = ({ refreshToken }: Pick<IssuedTokens, 'refreshToken'>) =>
  rows.tokens.findRefresh(refreshToken) as Promise<RefreshGrant>;
const access = ({ accessToken }: Pick<IssuedTokens, 'accessToken'>) => rows.tokens.findAccess(accessToken);
/** Exchanges a refresh token, and fails when it is none. */
async function exchange(pair: Pick<IssuedTokens, 'refreshToken'>, scopes = grant.scopes): Promise<IssuedTokens> {
  const next = await rows.tokens.rotate(await refresh(pair), scopes);
  if (next === null) throw new Error('it cannot be exchanged');
  return next;
}

const REUSED = 'revoked: refresh token used again';

describe('an authorization', () => {
  it('issues a pair with account, lifetime and scopes', async () => {
    const pair = await authorize();
    expect(pair.scopes).toEqual(['list', 'upload']);
    expect(await access(pair)).toEqual({
      authorizationId: pair.authorizationId,
      accountId: 1,
      client: { clientId: 'app', name: 'App' },
      scopes: new Set(['list', 'upload']),
      expiresAt: rows.clock.now() + HOUR,
    });
    expect(await refresh(pair)).toMatchObject({ accountId: 1, clientRowId: 1, scopes: ['list', 'upload'] });
    expect(rows.told).toEqual(['granted']);
  });

  it('is not issued if the sign-in is no longer valid', async () => {
    expect(await authorize({ stillProved: async () => false })).toBeNull();
    expect([await rows.count('authorizations'), await rows.count('tokens'), rows.told]).toEqual([0, 0, []]);
  });

  it.each([
    ['removed', 'DELETE FROM clients'],
    ['switched off', 'UPDATE clients SET disabled_at = 1'],
  ])('is not issued to a client that was %s meanwhile', async (_how, sql) => {
    await rows.run(sql);
    expect(await authorize()).toBeNull();
    expect([await rows.count('authorizations'), await rows.count('tokens')]).toEqual([0, 0]);
  });

  it('is stored with all of its scopes, for its account and its client', async () => {
    await authorize();
    const { isAuthorized } = rows.tokens;
    expect(await isAuthorized(1, 1, ['list'])).toBe(true);
    expect(await isAuthorized(1, 1, ['list', 'upload'])).toBe(true);
    expect(await isAuthorized(1, 1, ['list', 'delete'])).toBe(false);
    expect(await isAuthorized(2, 1, ['list'])).toBe(false);
    expect(await isAuthorized(1, 2, ['list'])).toBe(false);
  });

  it('records its use once a minute', async () => {
    const { authorizationId } = await authorize();
    const lastUse = async () => {
      await rows.run('SELECT 1');
      const sql = 'SELECT last_used_at AS at FROM authorizations WHERE id = ?';
      return (await rows.database.get<{ at: number | null }>(sql, [authorizationId]))?.at;
    };
    const first = rows.clock.now();
    rows.tokens.noteUse(authorizationId);
    expect(await lastUse()).toBe(first);
    rows.clock.time += MINUTE - 1;
    rows.tokens.noteUse(authorizationId);
    expect(await lastUse()).toBe(first);
    rows.clock.time += 1;
    rows.tokens.noteUse(authorizationId);
    expect(await lastUse()).toBe(first + MINUTE);
  });

  it('ends with all of its tokens, once', async () => {
    const [pair, other] = [await authorize(), await authorize()];
    const { revokeAuthorization } = rows.tokens;
    expect(await revokeAuthorization(pair.authorizationId, 'by the owner')).toBe(true);
    expect([await access(pair), await refresh(pair)]).toEqual([null, null]);
    expect(await access(other)).not.toBeNull();
    expect(await revokeAuthorization(pair.authorizationId, 'again')).toBe(false);
    expect(rows.told).toEqual(['granted', 'granted', 'revoked: by the owner']);
  });

  it('records who ended it', async () => {
    const { authorizationId } = await authorize();
    const actors: unknown[] = [];
    rows.events.on('authorization.revoked', ({ actor }) => actors.push(actor));
    await rows.tokens.revokeAuthorization(authorizationId, 'x', { channel: 'page', address: '192.0.2.2' });
    const client = { clientId: 'app', name: 'App' };
    expect(actors).toEqual([{ account: { id: 1, username: 'mia' }, client, channel: 'page', address: '192.0.2.2' }]);
  });

  it('is found by either token, for its own client only', async () => {
    const pair = await authorize();
    const { authorizationOf } = rows.tokens;
    expect(await authorizationOf(pair.accessToken, 1)).toBe(pair.authorizationId);
    expect(await authorizationOf(pair.refreshToken, 1)).toBe(pair.authorizationId);
    await addClient(rows, 'other');
    expect(await authorizationOf(pair.accessToken, 2)).toBeNull();
    expect(await authorizationOf('unknown', 1)).toBeNull();
  });
});

describe('a token', () => {
  it('is refused in place of the other kind', async () => {
    const { accessToken, refreshToken } = await authorize();
    expect(await rows.tokens.findAccess(refreshToken)).toBeNull();
    expect(await rows.tokens.findRefresh(accessToken)).toBeNull();
  });

  it('is refused while its client is disabled', async () => {
    const pair = await authorize();
    await rows.run('UPDATE clients SET disabled_at = 1');
    expect([await access(pair), await refresh(pair)]).toEqual([null, null]);
    await rows.run('UPDATE clients SET disabled_at = NULL');
    expect(await access(pair)).not.toBeNull();
  });

  it('that has expired is kept for a day, with its time', async () => {
    const pair = await authorize();
    rows.clock.time += HOUR + DAY - 1;
    expect((await access(pair))?.expiresAt).toBe(rows.clock.now() - DAY + 1);
    rows.clock.time += 1;
    expect(await access(pair)).toBeNull();
  });

  it('for refreshing expires after 30 days', async () => {
    const pair = await authorize();
    rows.clock.time += 30 * DAY - 1;
    expect(await refresh(pair)).not.toBeNull();
    rows.clock.time += 1;
    expect(await refresh(pair)).toBeNull();
  });
});

describe('a refresh token', () => {
  it('yields a narrower access token, and a refresh token with all scopes', async () => {
    const next = await exchange(await authorize(), ['list'] as never);
    expect((await access(next))?.scopes).toEqual(new Set(['list']));
    expect((await refresh(next)).scopes).toEqual(['list', 'upload']);
  });

  it('yields another pair within a minute, and is treated as stolen after that', async () => {
    const pair = await authorize();
    await exchange(pair);
    rows.clock.time += 60 * SECOND;
    expect(await refresh(pair)).not.toBeNull();
    expect(rows.told).toEqual(['granted']);
    rows.clock.time += 1;
    expect(await refresh(pair)).toBeNull();
    expect([rows.told.at(-1), await rows.count('tokens')]).toEqual([REUSED, 0]);
  });

  it('is not revived if the clock is set back', async () => {
    const pair = await authorize();
    await exchange(pair);
    rows.clock.time -= 61 * SECOND;
    expect(await refresh(pair)).toBeNull();
    expect(rows.told.at(-1)).toBe(REUSED);
  });

  it('counts from its first exchange', async () => {
    const pair = await authorize();
    await exchange(pair);
    rows.clock.time += 40 * SECOND;
    await exchange(pair);
    rows.clock.time += 40 * SECOND;
    expect(await refresh(pair)).toBeNull();
    expect(rows.told.at(-1)).toBe(REUSED);
  });

  it('is treated as stolen once its successor was exchanged', async () => {
    const pair = await authorize();
    await exchange(await exchange(pair));
    expect(await refresh(pair)).toBeNull();
    expect([rows.told.at(-1), await rows.count('authorizations')]).toEqual([REUSED, 0]);
  });

  it('is not exchanged if its successor was exchanged meanwhile', async () => {
    const pair = await authorize();
    const found = await refresh(pair);
    await exchange(await exchange(pair));
    expect(await rows.tokens.rotate(found, grant.scopes)).toBeNull();
  });

  it('is not exchanged if it has ended meanwhile', async () => {
    const first = await authorize();
    const [one, other] = [await exchange(first), await exchange(first)];
    const found = await refresh(other);
    await exchange(one);
    expect(await rows.tokens.rotate(found, grant.scopes)).toBeNull();
    const revoked = await refresh(await authorize());
    await rows.tokens.revokeAuthorization(revoked.authorizationId, 'x');
    expect(await rows.tokens.rotate(revoked, grant.scopes)).toBeNull();
  });

  it('ends the other pairs of its generation, with their access tokens at once', async () => {
    const first = await authorize();
    const [one, other] = [await exchange(first), await exchange(first)];
    await exchange(one);
    expect([await access(other), await access(one)]).toEqual([null, expect.objectContaining({ accountId: 1 })]);
    // Two requests at once: nothing is wrong yet.
    rows.clock.time += 60 * SECOND;
    expect(await refresh(other)).toBeNull();
    expect(rows.told).toEqual(['granted']);
    rows.clock.time += 1;
    expect(await refresh(other)).toBeNull();
    expect(rows.told.at(-1)).toBe(REUSED);
  });

  it('that has ended is not accepted if the clock is set back', async () => {
    const first = await authorize();
    const [one, other] = [await exchange(first), await exchange(first)];
    await exchange(one);
    rows.clock.time -= 61 * SECOND;
    expect(await refresh(other)).toBeNull();
    expect(rows.told.at(-1)).toBe(REUSED);
  });

  it('keeps the time at which its generation ended', async () => {
    const first = await authorize();
    const [one, other] = [await exchange(first), await exchange(first)];
    await exchange(one);
    rows.clock.time += 40 * SECOND;
    await exchange(one);
    rows.clock.time += 40 * SECOND;
    expect(await refresh(other)).toBeNull();
    expect(rows.told.at(-1)).toBe(REUSED);
  });

  it('does not affect authorizations of others', async () => {
    const mine = await authorize();
    const others = await authorize();
    await exchange(await exchange(mine));
    expect(await refresh(mine)).toBeNull();
    expect([await access(mine), (await access(others))?.accountId]).toEqual([null, 1]);
  });
});

describe('revoking everything', () => {
  it('keeps one authorization and other accounts, and no unused code', async () => {
    const accountId = await rows.addAccount('tom');
    const [gone, left, others] = [await authorize(), await authorize(), await authorize({ accountId })];
    const code = { clientRowId: 1, redirectUri: 'https://app.example/', scopes: grant.scopes, codeChallenge: null };
    const proved = async () => true;
    const mine = await rows.codes.issue({ ...code, accountId: 1, address: '' }, proved);
    const theirs = await rows.codes.issue({ ...code, accountId, address: '' }, proved);
    await rows.database.write((tx) => rows.tokens.revokeAll(1, { authorizationId: left.authorizationId }, tx));
    expect([await access(gone), await access(left), await access(others)]).toEqual([
      null,
      expect.objectContaining({ accountId: 1 }),
      expect.objectContaining({ accountId }),
    ]);
    expect([await rows.codes.find(mine ?? ''), (await rows.codes.find(theirs ?? ''))?.accountId]).toEqual([
      null,
      accountId,
    ]);
    await rows.database.write((tx) => rows.tokens.revokeAll(1, {}, tx));
    expect([await access(left), (await access(others))?.accountId]).toEqual([null, accountId]);
  });

  it('includes a code being exchanged, which yields no tokens', async () => {
    const code = { clientRowId: 1, redirectUri: 'https://app.example/', scopes: grant.scopes, codeChallenge: null };
    const issued = await rows.codes.issue({ ...code, accountId: 1, address: '' }, async () => true);
    const found = await rows.codes.find(issued ?? '');
    if (found === null) throw new Error('there is no code');
    expect(await rows.codes.use(found.hash)).toBe(true);
    await rows.database.write((tx) => rows.tokens.revokeAll(1, {}, tx));
    expect(await authorize({ stillProved: rows.codes.stillTaken(found.hash) })).toBeNull();
    expect(await rows.count('authorizations')).toBe(0);
  });
});

describe('the purge', () => {
  it('deletes tokens a day after they have expired, and authorizations with their last token', async () => {
    const old = await authorize();
    rows.clock.time += 30 * DAY;
    const pair = await authorize();
    await rows.tokens.purge();
    expect([await rows.count('authorizations'), await rows.count('tokens')]).toEqual([2, 3]);
    rows.clock.time += DAY - 1;
    await rows.tokens.purge();
    expect(await rows.count('tokens')).toBe(3);
    rows.clock.time += 1;
    await rows.tokens.purge();
    expect([await rows.count('authorizations'), await rows.count('tokens')]).toEqual([1, 2]);
    expect(await rows.tokens.authorizationOf(pair.refreshToken, 1)).toBe(pair.authorizationId);
    expect(await rows.tokens.authorizationOf(old.refreshToken, 1)).toBeNull();
    rows.clock.time += HOUR;
    await rows.tokens.purge();
    expect(await rows.count('tokens')).toBe(1);
  });
});
