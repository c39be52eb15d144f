import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { FoundCode } from '../../../dist/server/oauth/authorization-codes.js';
import type { IssuedTokens } from '../../../dist/server/oauth/tokens.js';
import { MINUTE, openTokenRows, type TokenRows } from './rows-support.ts';

let rows: TokenRows;
beforeEach(async () => {
  rows = await openTokenRows();
});
afterEach(() => rows.close());

const GRANT = {
  clientRowId: 1,
  accountId: 1,
  redirectUri: 'https://app.example/callback',
  scopes: ['list', 'upload'],
  codeChallenge: 'challenge',
  address: '192.0.2.1',
} as const;
const proved = async () => true;
const issue = async () => (await rows.codes.issue(GRANT, proved)) ?? '';
const find = (code: string) => rows.codes.find(code) as Promise<FoundCode>;

/** What a client gets for a code that was taken. */
async function authorize({ hash }: FoundCode): Promise<IssuedTokens> {
  const stillProved = rows.codes.stillTaken(hash);
  const pair = await rows.tokens.authorize({ ...GRANT, channel: 'app', stillProved });
  if (pair === null) throw new Error('nothing is given for it');
  return pair;
}

const USED_AGAIN = 'revoked: authorization code used again';

describe('an authorization code', () => {
  it('returns its request until it is used, for ten minutes', async () => {
    const code = await issue();
    const found = await find(code);
    expect(found).toEqual({ ...GRANT, hash: expect.any(Buffer), expiresAt: rows.clock.now() + 10 * MINUTE });
    rows.clock.time += 10 * MINUTE - 1;
    expect(await find(code)).toEqual(found);
    rows.clock.time += 1;
    expect(await find(code)).toBeNull();
    expect(await find('another')).toBeNull();
  });

  it('is not issued if the sign-in is no longer valid', async () => {
    expect(await rows.codes.issue(GRANT, async () => false)).toBeNull();
    expect(await rows.count('authorization_codes')).toBe(0);
  });

  it('can be used once', async () => {
    const found = await find(await issue());
    const { stillTaken, use } = rows.codes;
    const isTaken = () => rows.database.write((tx) => stillTaken(found.hash)(tx));
    expect(await isTaken()).toBe(false);
    expect([await use(found.hash), await isTaken()]).toEqual([true, true]);
    expect([await use(found.hash), await isTaken()]).toEqual([false, false]);
  });

  it('that is used again revokes the tokens of the first use', async () => {
    const code = await issue();
    const found = await find(code);
    await rows.codes.use(found.hash);
    const { authorizationId } = await authorize(found);
    expect(await rows.codes.exchanged(found.hash, authorizationId)).toBe(true);
    expect([rows.told, await rows.count('authorizations')]).toEqual([['granted'], 1]);
    expect(await find(code)).toBeNull();
    expect([rows.told, await rows.count('authorizations')]).toEqual([['granted', USED_AGAIN], 0]);
  });

  it('that is used again before the first use has an authorization prevents it', async () => {
    const code = await issue();
    const found = await find(code);
    await rows.codes.use(found.hash);
    expect(await find(code)).toBeNull();
    await expect(authorize(found)).rejects.toThrow(/nothing is given/);
    expect(rows.told).toEqual([]);
  });

  it('that is used again before the first use is recorded revokes its tokens', async () => {
    const found = await find(await issue());
    await rows.codes.use(found.hash);
    const { authorizationId } = await authorize(found);
    expect(await rows.codes.use(found.hash)).toBe(false);
    expect(await rows.count('authorizations')).toBe(1);
    expect(await rows.codes.exchanged(found.hash, authorizationId)).toBe(false);
    expect([rows.told, await rows.count('authorizations')]).toEqual([['granted', USED_AGAIN], 0]);
  });

  it('does not affect other codes', async () => {
    const [one, other] = [await find(await issue()), await find(await issue())];
    await rows.codes.use(one.hash);
    expect(await rows.codes.use(other.hash)).toBe(true);
    const { authorizationId } = await authorize(one);
    await rows.codes.exchanged(one.hash, authorizationId);
    expect(await rows.codes.use(other.hash)).toBe(false);
    expect(await rows.count('authorizations')).toBe(1);
  });

  it('is deleted once it has expired', async () => {
    await issue();
    rows.clock.time += 10 * MINUTE - 1;
    await issue();
    await rows.codes.purge();
    expect(await rows.count('authorization_codes')).toBe(2);
    rows.clock.time += 1;
    await rows.codes.purge();
    expect(await rows.count('authorization_codes')).toBe(1);
  });
});
