import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DAY, MINUTE, SECOND } from '../../dist/server/lib/clock.js';
import { type Household, openHousehold } from '../support/households/household.ts';
import { appOf, expectFailure, pairOf } from './support.ts';

let household: Household;
let app: ReturnType<typeof appOf>;

beforeAll(async () => {
  household = await openHousehold();
  app = appOf(household);
});
afterAll(() => household.close());

describe('RFC 6749 §6: refreshing', () => {
  it('returns a new pair', async () => {
    const first = await app.signIn({ scope: 'profile list' });
    const second = pairOf(await app.refresh(first.refresh));
    expect(new Set([first.access, first.refresh, second.access, second.refresh]).size).toBe(4);
    expect(second.scope).toBe('profile list');
    expect(await app.use(second.access)).toBe(200);
    expect(await app.use(first.access), 'the access token lives on until it expires').toBe(200);
  });

  it('narrows the access token and keeps the full scope for the next refresh', async () => {
    const first = await app.signIn({ scope: 'profile list upload' });
    const narrow = pairOf(await app.refresh(first.refresh, { scope: 'list list' }));
    expect(narrow.scope).toBe('list');
    expect(await app.use(narrow.access)).toBe(403);
    expect(await app.use(narrow.access, 'files/browse', { path: '/' })).toBe(200);
    const full = pairOf(await app.refresh(narrow.refresh));
    expect(full.scope).toBe('profile list upload');
    expect(await app.use(full.access)).toBe(200);
  });

  it.each(['profile list', 'delete', 'list nope', ' ', 'LIST'])('refuses the scope "%s" for "list"', async (scope) => {
    const { refresh } = await app.signIn({ scope: 'list' });
    expectFailure(await app.refresh(refresh, { scope }), 400, 'invalid_scope');
    expect(pairOf(await app.refresh(refresh)).scope, 'and spends nothing').toBe('list');
  });

  it.each([
    ['unknown', 'x'.repeat(43)],
    ['not even text', '\0\u00ff'],
    ['a pattern', '%'],
  ])('refuses a token that is %s', async (_name, token) => {
    const reply = await app.refresh(token);
    expect(['invalid_grant', 'invalid_request']).toContain(reply.body.error);
    expectFailure(reply, 400, reply.body.error);
  });

  it('refuses a missing token, an access token, and the token of another client', async () => {
    const pair = await app.signIn();
    expectFailure(await app.refresh(''), 400, 'invalid_request');
    expectFailure(await app.refresh(pair.access), 400, 'invalid_grant');
    const { clientId, clientSecret } = await household.control('clients.add', { name: 'Other' });
    const other = appOf(household, { client_id: String(clientId), client_secret: String(clientSecret) });
    expectFailure(await other.refresh(pair.refresh), 400, 'invalid_grant');
    pairOf(await app.refresh(pair.refresh));
  });

  it('returns a new pair for the old token within 60 seconds, also at the same moment', async () => {
    const first = await app.signIn();
    const pairs = await Promise.all(Array.from({ length: 5 }, () => app.refresh(first.refresh).then(pairOf)));
    expect(new Set(pairs.map(({ refresh }) => refresh)).size).toBe(5);
    household.clock.advance(55 * SECOND);
    pairs.push(pairOf(await app.refresh(first.refresh)));
    for (const { access } of pairs) expect(await app.use(access)).toBe(200);
  });

  it('continues with one generation: of 20 pairs for one token a single chain stays valid', async () => {
    const first = await app.signIn();
    const pairs = await Promise.all(Array.from({ length: 20 }, () => app.refresh(first.refresh).then(pairOf)));
    const replies = await Promise.all(pairs.map(({ refresh }) => app.refresh(refresh)));
    const lasting = replies.filter(({ status }) => status === 200);
    expect(lasting).toHaveLength(1);
    const used = pairs[replies.findIndex(({ status }) => status === 200)];
    for (const pair of pairs) {
      expect(await app.use(pair.access), 'the access token ends with its pair').toBe(pair === used ? 200 : 401);
    }
    // At the same moment that is no sign of theft: the one chain goes on.
    for (const pair of pairs.filter((one) => one !== used)) {
      expectFailure(await app.refresh(pair.refresh), 400, 'invalid_grant');
    }
    pairOf(await app.refresh(lasting.map(pairOf)[0]?.refresh ?? ''));
  });

  it('treats a token that ended with its generation as stolen if it is used later', async () => {
    const first = await app.signIn();
    const [victim, thief] = [pairOf(await app.refresh(first.refresh)), pairOf(await app.refresh(first.refresh))];
    const next = pairOf(await app.refresh(thief.refresh));
    household.clock.advance(2 * MINUTE);
    expect(await app.use(next.access)).toBe(200);
    expectFailure(await app.refresh(victim.refresh), 400, 'invalid_grant');
    expectFailure(await app.refresh(next.refresh), 400, 'invalid_grant');
    expect(await app.use(next.access)).toBe(401);
  });

  it('does not revive an exchanged token if the clock is set back', async () => {
    const first = await app.signIn();
    const second = pairOf(await app.refresh(first.refresh));
    household.clock.advance(-24 * 60 * MINUTE);
    expectFailure(await app.refresh(first.refresh), 400, 'invalid_grant');
    expectFailure(await app.refresh(second.refresh), 400, 'invalid_grant');
    household.clock.advance(24 * 60 * MINUTE);
  });

  it('treats the old token as stolen, also within 60 seconds, once its successor was exchanged', async () => {
    const first = await app.signIn();
    const second = pairOf(await app.refresh(first.refresh));
    const third = pairOf(await app.refresh(second.refresh));
    expectFailure(await app.refresh(first.refresh), 400, 'invalid_grant');
    expectFailure(await app.refresh(third.refresh), 400, 'invalid_grant');
    expect(await app.use(third.access)).toBe(401);
  });

  it('keeps one generation if the old token and its successor are used at the same moment', async () => {
    for (let round = 0; round < 10; round += 1) {
      const first = await app.signIn();
      const second = pairOf(await app.refresh(first.refresh));
      const [late, third] = await Promise.all([app.refresh(first.refresh), app.refresh(second.refresh)]);
      const live = [late, third].filter(({ status }) => status === 200).map(pairOf);
      const lasting = (await Promise.all(live.map(({ refresh }) => app.refresh(refresh)))).filter(
        ({ status }) => status === 200,
      );
      expect(lasting.length).toBeLessThanOrEqual(1);
    }
  });

  it('counts the 60 seconds from the first use', async () => {
    const first = await app.signIn();
    pairOf(await app.refresh(first.refresh));
    household.clock.advance(40 * SECOND);
    pairOf(await app.refresh(first.refresh));
    household.clock.advance(40 * SECOND);
    expectFailure(await app.refresh(first.refresh), 400, 'invalid_grant');
  });

  it('revokes the whole authorization, and no other, if the old token is used later (RFC 9700 §4.14.2)', async () => {
    const first = await app.signIn();
    const other = await app.signIn();
    const second = pairOf(await app.refresh(first.refresh));
    const third = pairOf(await app.refresh(second.refresh));
    household.clock.advance(61 * SECOND);
    expect(await app.use(third.access)).toBe(200);
    expectFailure(await app.refresh(first.refresh), 400, 'invalid_grant');
    for (const { access, refresh } of [first, second, third]) {
      expect(await app.use(access)).toBe(401);
      expectFailure(await app.refresh(refresh), 400, 'invalid_grant');
    }
    expect(await app.use(other.access)).toBe(200);
    pairOf(await app.refresh(other.refresh));
  });

  it('expires after 30 days, and an access token after 60 minutes (§8)', async () => {
    const pair = await app.signIn();
    household.clock.advance(60 * MINUTE - 5 * SECOND);
    expect(await app.use(pair.access)).toBe(200);
    household.clock.advance(6 * SECOND);
    expect(await app.use(pair.access)).toBe(401);
    household.clock.advance(30 * DAY - 61 * MINUTE);
    const next = pairOf(await app.refresh(pair.refresh));
    household.clock.advance(30 * DAY + SECOND);
    expectFailure(await app.refresh(next.refresh), 400, 'invalid_grant');
  });

  it('keeps every pair across a restart', async () => {
    const pair = await app.signIn();
    await household.restart();
    expect(await app.use(pair.access)).toBe(200);
    pairOf(await app.refresh(pair.refresh));
  });
});
