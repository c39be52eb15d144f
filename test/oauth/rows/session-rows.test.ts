import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  guestLinkStillOpen,
  type StillProved,
  sameCredentials,
  sessionStillOpen,
} from '../../../dist/server/accounts/sign-in/proof-validity.js';
import { createSessions, type Sessions } from '../../../dist/server/accounts/sign-in/sessions.js';
import { tokenHash } from '../../../dist/server/lib/random.js';
import { DAY, MINUTE, openTokenRows, type TokenRows } from './rows-support.ts';

let rows: TokenRows;
let sessions: Sessions;
beforeEach(async () => {
  rows = await openTokenRows();
  const { database, accounts, clock } = rows;
  sessions = createSessions({ database, accounts, clock, settings: { values: { sessionMinutes: 30 } } as never });
});
afterEach(() => rows.close());

const NEW = { accountId: 1, kept: false, address: '192.0.2.1', browser: 'Firefox', stillProved: async () => true };
const begin = async (changes: object = {}) => (await sessions.begin({ ...NEW, ...changes })) ?? '';
const lastSeen = async () => (await sessions.list(1)).map(({ lastSeenAt }) => lastSeenAt);

describe('a session', () => {
  it('is found by its token, and by its id', async () => {
    const token = await begin({ browser: 'x'.repeat(400) });
    const session = await sessions.find(token);
    expect(session).toMatchObject({ id: 1, account: { id: 1, username: 'mia' } });
    expect(await sessions.byId(1)).toEqual(session);
    expect([await sessions.find('another'), await sessions.byId(2)]).toEqual([null, null]);
    const now = rows.clock.now();
    expect(await sessions.list(1)).toEqual([
      { id: 1, kept: false, createdAt: now, lastSeenAt: now, address: '192.0.2.1', browser: 'x'.repeat(300) },
    ]);
  });

  it('is not started if the sign-in is no longer valid', async () => {
    expect(await sessions.begin({ ...NEW, stillProved: async () => false })).toBeNull();
    expect(await rows.count('sessions')).toBe(0);
  });

  it.each([
    [false, 30 * MINUTE],
    [true, 90 * DAY],
  ])('ends after inactivity; kept signed in: %s', async (kept, time) => {
    const token = await begin({ kept });
    rows.clock.time += time - 1;
    expect([await sessions.byId(1), await sessions.list(1)]).toEqual([
      expect.objectContaining({ id: 1 }),
      [expect.objectContaining({ id: 1, kept })],
    ]);
    rows.clock.time += 1;
    expect([await sessions.byId(1), await sessions.find(token), await sessions.list(1)]).toEqual([null, null, []]);
    // What is in progress goes on.
    expect(await sessions.liveAccount(1)).toMatchObject({ id: 1 });
  });

  it('is extended by every visit, recorded to the minute', async () => {
    const token = await begin();
    const began = rows.clock.now();
    rows.clock.time += MINUTE - 1;
    await sessions.find(token);
    expect(await lastSeen()).toEqual([began]);
    rows.clock.time += 1;
    await sessions.find(token);
    expect(await lastSeen()).toEqual([began + MINUTE]);
    rows.clock.time += 29 * MINUTE;
    expect(await sessions.find(token)).not.toBeNull();
    rows.clock.time += 29 * MINUTE;
    expect(await sessions.find(token)).not.toBeNull();
  });

  it('is refused while its account is not active', async () => {
    const token = await begin();
    for (const [shut, open] of [
      ['activated = 0', 'activated = 1'],
      ['expires_at = 1', 'expires_at = NULL'],
      ['require_password_change = 1', 'require_password_change = 0'],
    ]) {
      await rows.run(`UPDATE accounts SET ${shut}`);
      expect([await sessions.find(token), await sessions.byId(1), await sessions.liveAccount(1)]).toEqual([
        null,
        null,
        null,
      ]);
      await rows.run(`UPDATE accounts SET ${open}`);
      expect(await sessions.find(token)).not.toBeNull();
    }
    expect(await sessions.liveAccount(2)).toBeNull();
  });

  it('can be ended without affecting others', async () => {
    await rows.addAccount('tom');
    for (const accountId of [1, 1, 1, 2]) await begin({ accountId });
    await sessions.end(1);
    expect(await sessions.endOf(2, 2)).toBe(false);
    expect(await sessions.endOf(1, 1)).toBe(false);
    expect(await sessions.endOf(1, 2)).toBe(true);
    expect((await sessions.list(1)).map(({ id }) => id)).toEqual([3]);
    await begin();
    await sessions.endOthers(1, 3);
    expect((await sessions.list(1)).map(({ id }) => id)).toEqual([3]);
    await rows.database.write((tx) => sessions.endOthers(1, null, tx));
    expect([(await sessions.list(1)).length, (await sessions.list(2)).length]).toEqual([0, 1]);
  });

  it('is listed by last use, newest first', async () => {
    const first = await begin();
    await begin();
    rows.clock.time += MINUTE;
    await sessions.find(first);
    await begin();
    expect((await sessions.list(1)).map(({ id }) => id)).toEqual([3, 1, 2]);
  });

  it('is deleted a day after it has ended', async () => {
    await begin();
    await begin({ kept: true });
    rows.clock.time += 30 * MINUTE + DAY - 1;
    await sessions.purge();
    expect(await rows.count('sessions')).toBe(2);
    rows.clock.time += 1;
    await sessions.purge();
    expect(await rows.count('sessions')).toBe(1);
    rows.clock.time += 90 * DAY - 30 * MINUTE - 1;
    await sessions.purge();
    expect(await rows.count('sessions')).toBe(1);
    rows.clock.time += 1;
    await sessions.purge();
    expect(await rows.count('sessions')).toBe(0);
  });
});

describe('the proof of a sign-in', () => {
  const holds = (proof: StillProved) => rows.database.write((tx) => proof(tx));

  it('is valid with the same password and second step of an active account', async () => {
    const proof = sameCredentials({ id: 1, passwordHash: 'hash', twoStepKey: null });
    expect(await holds(proof)).toBe(true);
    for (const [change, back] of [
      ["password_hash = 'new'", "password_hash = 'hash'"],
      ['password_hash = NULL', "password_hash = 'hash'"],
      ["two_step_key = 'key'", 'two_step_key = NULL'],
      ['activated = 0', 'activated = 1'],
    ]) {
      await rows.run(`UPDATE accounts SET ${change}`);
      expect(await holds(proof), change).toBe(false);
      await rows.run(`UPDATE accounts SET ${back}`);
    }
    expect(await holds(proof)).toBe(true);
    expect(await holds(sameCredentials({ id: 2, passwordHash: 'hash', twoStepKey: null }))).toBe(false);
  });

  it('is valid while the session exists', async () => {
    await begin();
    expect(await holds(sessionStillOpen(1))).toBe(true);
    await sessions.end(1);
    expect(await holds(sessionStillOpen(1))).toBe(false);
  });

  it('is valid while the link of a guest is the same and the guest is active', async () => {
    const set = `INSERT OR REPLACE INTO guest_links (account_id, token_hash, created_at, expires_at) VALUES (1, ?, 0, 0)`;
    const link = (token: string) => rows.database.write((tx) => tx.run(set, [tokenHash(token)]));
    await link('first');
    const proof = guestLinkStillOpen(1, 'first');
    expect([await holds(proof), await holds(guestLinkStillOpen(2, 'first'))]).toEqual([true, false]);
    await rows.run('UPDATE accounts SET activated = 0');
    expect(await holds(proof)).toBe(false);
    await rows.run('UPDATE accounts SET activated = 1');
    await link('second');
    expect(await holds(proof)).toBe(false);
  });
});
