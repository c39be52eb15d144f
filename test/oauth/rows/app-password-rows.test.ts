import type { IncomingMessage } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { blockedFor } from '../../../dist/server/accounts/passwords/password-blocks.js';
import type { ApiError } from '../../../dist/server/http/errors.js';
import { tokenHash } from '../../../dist/server/lib/random.js';
import {
  type AppPasswords,
  authorizationStillThere,
  createAppPasswords,
} from '../../../dist/server/oauth/app-passwords.js';
import { createBearer } from '../../../dist/server/oauth/bearer.js';
import { createProgramAuth } from '../../../dist/server/oauth/program-auth.js';
import type { IssuedTokens } from '../../../dist/server/oauth/tokens.js';
import { eventually } from '../../support/system/eventually.ts';
import { DAY, HOUR, MINUTE, openTokenRows, SECOND, type TokenRows } from './rows-support.ts';

let rows: TokenRows;
let passwords: AppPasswords;
let authenticate: ReturnType<typeof createProgramAuth>;
let failures: string[];
beforeEach(async () => {
  rows = await openTokenRows();
  passwords = createAppPasswords(rows.database, rows.clock, rows.events);
  authenticate = createProgramAuth({ ...rows, appPasswords: passwords, bearer: createBearer(rows) });
  failures = [];
  rows.events.on('login.failed', ({ actor, reason }) =>
    failures.push(`${actor.channel} ${actor.account?.id} ${reason}`),
  );
});
afterEach(() => rows.close());

interface Wanted {
  readonly label?: string;
  readonly expiresAt?: number | null;
  readonly authorizationId?: number | null;
  readonly isReadOnly?: boolean;
  readonly rootUuid?: string | null;
}

const create = ({ label = 'Laptop', expiresAt = null, authorizationId = null, ...grant }: Wanted = {}) =>
  passwords.create({
    actor: { account: { id: 1, username: 'mia' }, channel: 'page', client: null, address: null },
    ...{ label, program: null, authorizationId },
    grant: { scopes: new Set(['list', 'download']), rootUuid: null, isReadOnly: false, expiresAt, ...grant },
    stillProved: authorizationId === null ? async () => true : authorizationStillThere(authorizationId),
  });

async function created(wanted: Wanted = {}): Promise<{ id: number; password: string }> {
  const made = await create(wanted);
  if (typeof made === 'string') throw new Error(made);
  return made;
}

interface Sent {
  readonly address?: string;
  readonly secure?: boolean;
  readonly agent?: string;
}

function request(authorization: string | undefined, { address = '192.0.2.7', secure = true, agent = 'Kodi' }: Sent) {
  const headers = { authorization, 'user-agent': agent };
  return { headers, socket: { remoteAddress: address }, secure } as unknown as IncomingMessage;
}

const basic = (secret: string, name = 'mia') => `Basic ${Buffer.from(`${name}:${secret}`).toString('base64')}`;
const ask = (authorization?: string, sent: Sent = {}, begunAt: number | null = null) =>
  authenticate(request(authorization, sent), begunAt);
/** The code of the answer: ok, or an error. */
const outcome = (asked: Promise<unknown>) =>
  asked.then(
    () => 'ok',
    (error: ApiError) => error.code,
  );
const wrong = (number: number) => `wrong${number}`;

describe('an app password', () => {
  it('has 24 letters and digits in groups of four, and only its SHA-256 is stored', async () => {
    const { id, password } = await created();
    expect(password).toMatch(/^[a-z0-9]{4}(-[a-z0-9]{4}){5}$/);
    const row = await rows.database.get<{ hash: Buffer }>('SELECT * FROM app_passwords WHERE id = ?', [id]);
    expect(row?.hash.equals(tokenHash(password.replaceAll('-', '')))).toBe(true);
    expect(JSON.stringify(row)).not.toContain(password.slice(0, 4));
  });

  it.each([
    ['as it was shown', (text: string) => text],
    ['without hyphens', (text: string) => text.replaceAll('-', '')],
    ['with spaces', (text: string) => ` ${text.replaceAll('-', ' ')} `],
  ])('is accepted %s', async (_what, written) => {
    const { id, password } = await created({ label: 'Kodi', rootUuid: 'a-folder', isReadOnly: true });
    const scopes = new Set(['list', 'download']);
    expect(await ask(basic(written(password)))).toEqual({
      account: await rows.accounts.byId(1),
      channel: 'webdav',
      client: { clientId: `app-password:${id}`, name: 'Kodi' },
      address: '192.0.2.7',
      scopes,
      credential: { id: `app-password:${id}`, scopes, rootUuid: 'a-folder', isReadOnly: true, expiresAt: null },
    });
  });

  it('accepts the user name in any case, and no other', async () => {
    const { password } = await created();
    await rows.addAccount('tom');
    expect(await outcome(ask(basic(password, 'MIA')))).toBe('ok');
    for (const name of ['tom', '', 'nobody']) expect(await outcome(ask(basic(password, name)))).toBe('invalid_token');
  });

  it('replaces the password of the account, which is not accepted', async () => {
    expect(await outcome(ask(basic('hash')))).toBe('invalid_token');
    expect(await outcome(ask(basic('')))).toBe('invalid_token');
  });

  it('ends at once when revoked, also for a request in progress', async () => {
    const { id, password } = await created();
    const begunAt = rows.clock.now();
    expect([await outcome(ask(basic(password))), await outcome(ask(basic(password), {}, begunAt))]).toEqual([
      'ok',
      'ok',
    ]);
    expect(await passwords.remove({ id: 2, username: 'tom' }, id, anybody)).toBe(false);
    expect(await outcome(ask(basic(password)))).toBe('ok');
    expect(await passwords.remove({ id: 1, username: 'mia' }, id, anybody)).toBe(true);
    expect(await outcome(ask(basic(password), {}, begunAt))).toBe('invalid_token');
    expect(await outcome(ask(basic(password)))).toBe('invalid_token');
    expect(await passwords.list(1)).toEqual([]);
  });

  it('expires, but not for requests in progress, and is deleted a day later', async () => {
    const begunAt = rows.clock.now();
    const { password } = await created({ expiresAt: begunAt + HOUR });
    rows.clock.time += HOUR - 1;
    expect(await outcome(ask(basic(password)))).toBe('ok');
    rows.clock.time += 1;
    expect(await outcome(ask(basic(password)))).toBe('invalid_token');
    expect(await outcome(ask(basic(password), {}, begunAt))).toBe('ok');
    expect(await passwords.list(1)).toEqual([]);
    rows.clock.time += DAY - 1;
    await passwords.purge();
    expect(await outcome(ask(basic(password), {}, begunAt))).toBe('ok');
    rows.clock.time += 1;
    await passwords.purge();
    expect(await outcome(ask(basic(password), {}, begunAt))).toBe('invalid_token');
  });

  it.each([
    ["activated = 0, deactivated_reason = 'administrator'", 'account_deactivated'],
    ['expires_at = 1', 'account_expired'],
    ['require_password_change = 1', 'password_change_required'],
  ])('is refused for an account with %s', async (change, code) => {
    const { password } = await created();
    expect(await outcome(ask(basic(password)))).toBe('ok');
    await rows.run(`UPDATE accounts SET ${change} WHERE id = 1`);
    expect(await outcome(ask(basic(password)))).toBe(code);
    expect(await outcome(ask(basic(password), {}, rows.clock.now()))).toBe(code);
  });

  it('is not created with an expired proof, nor beyond one hundred of an account', async () => {
    expect(await create({ authorizationId: 99 })).toBe('not-proved');
    for (let nth = 0; nth < 100; nth += 1) await created();
    expect(await create()).toBe('too-many');
  });

  it('of an app is listed with it, and ends with its authorization', async () => {
    const pair = await authorize();
    const { password } = await created({ authorizationId: pair.authorizationId });
    const own = await created({ label: 'Own' });
    expect((await passwords.list(1)).map(({ label, app }) => [label, app?.name ?? null])).toEqual([
      ['Own', null],
      ['Laptop', 'App'],
    ]);
    expect(await outcome(ask(basic(password)))).toBe('ok');
    await rows.tokens.revokeAuthorization(pair.authorizationId, 'test');
    expect([await outcome(ask(basic(password))), await outcome(ask(basic(own.password)))]).toEqual([
      'invalid_token',
      'ok',
    ]);
  });

  it('of an app ends with the last token of its authorization, to the millisecond', async () => {
    const pair = await authorize();
    const begunAt = rows.clock.now();
    const { password } = await created({ authorizationId: pair.authorizationId });
    const short = await created({ authorizationId: pair.authorizationId, expiresAt: begunAt + DAY });
    rows.clock.time += 30 * DAY - 1;
    expect(await outcome(ask(basic(password)))).toBe('ok');
    expect(await passwords.list(1)).toHaveLength(1);
    expect(await outcome(ask(basic(short.password)))).toBe('invalid_token');
    // The app is in use: its access goes on, and the app password with it.
    const refresh = await rows.tokens.findRefresh(pair.refreshToken);
    if (refresh === null) throw new Error('the refresh token has ended too early');
    await rows.tokens.rotate(refresh, refresh.scopes);
    rows.clock.time += 30 * DAY - 1;
    expect(await outcome(ask(basic(password)))).toBe('ok');
    rows.clock.time += 1;
    expect(await outcome(ask(basic(password)))).toBe('invalid_token');
    expect(await passwords.list(1)).toEqual([]);
    // What was begun before goes on, as with one that expires.
    expect(await outcome(ask(basic(password), {}, rows.clock.now() - 1))).toBe('ok');
    rows.clock.time += DAY;
    await rows.tokens.purge();
    expect(await passwords.find(password)).toBeNull();
  });

  it('of an app does not work while the owner has disabled the app', async () => {
    const { password } = await created(await authorize());
    const own = await created();
    const both = async () => [await outcome(ask(basic(password))), await outcome(ask(basic(own.password)))];
    expect(await both()).toEqual(['ok', 'ok']);
    await rows.run('UPDATE clients SET disabled_at = 1');
    expect(await both()).toEqual(['invalid_token', 'ok']);
    expect(await passwords.list(1)).toHaveLength(2);
    await rows.run('UPDATE clients SET disabled_at = NULL');
    expect(await both()).toEqual(['ok', 'ok']);
  });

  it('stays if its account keeps it, except one of an app that loses its authorization', async () => {
    const [kept, gone] = [await authorize(), await authorize()];
    const all = [await created(), await created(kept), await created(gone), await created()];
    const left = async () => {
      const found = await Promise.all(all.map(({ password }) => passwords.find(password)));
      return found.map((one) => one !== null);
    };
    const { authorizationId } = kept;
    const appPasswords = all.slice(0, 3).map(({ id }) => id);
    await rows.database.write((tx) => rows.tokens.revokeAll(1, { authorizationId, appPasswords }, tx));
    expect(await left()).toEqual([true, true, false, false]);
    await rows.database.write((tx) => rows.tokens.revokeAll(2, {}, tx));
    expect(await left()).toEqual([true, true, false, false]);
    await rows.database.write((tx) => rows.tokens.revokeAll(1, { authorizationId }, tx));
    expect(await left()).toEqual([false, false, false, false]);
  });

  it('records its use once a minute', async () => {
    const { password } = await created();
    const lastUsed = async () => (await passwords.list(1))[0]?.lastUsed;
    expect(await lastUsed()).toBeNull();
    const first = rows.clock.now();
    await ask(basic(password), { address: '192.0.2.9', agent: 'davfs2' });
    expect(await eventually(lastUsed, (seen) => seen !== null)).not.toBeNull();
    rows.clock.time += MINUTE - 1;
    await ask(basic(password), { agent: 'Kodi' });
    expect(await lastUsed()).toEqual({ at: first, address: '192.0.2.9', userAgent: 'davfs2' });
    rows.clock.time += 1;
    await ask(basic(password), { agent: 'Kodi' });
    expect((await eventually(lastUsed, (seen) => seen?.userAgent === 'Kodi'))?.userAgent).toBe('Kodi');
  });
});

describe('the challenge', () => {
  const challenge = async (authorization?: string, sent?: Sent) => {
    const error = (await ask(authorization, sent).catch((thrown) => thrown)) as ApiError;
    return [error.code, error.headers?.['WWW-Authenticate']];
  };
  const BOTH = ['Basic realm="Larder", charset="UTF-8"', 'Bearer'];

  it.each([undefined, 'Basic', 'Basic !', 'Digest a="b"', `Basic ${Buffer.from('mia').toString('base64')}`])(
    'offers both schemes for %j',
    async (authorization) => expect(await challenge(authorization)).toEqual(['invalid_token', BOTH]),
  );

  it('does not ask for a password over plain HTTP, and refuses one', async () => {
    const { password } = await created();
    expect(await challenge(undefined, { secure: false })).toEqual(['invalid_token', 'Bearer']);
    expect(await outcome(ask(basic(password), { secure: false }))).toBe('https_required');
  });

  it('accepts the token of an app in the same header', async () => {
    const { accessToken, authorizationId } = await authorize();
    expect(await ask(`Bearer ${accessToken}`)).toMatchObject({
      channel: 'webdav',
      client: { clientId: 'app', name: 'App' },
      credential: { id: `authorization:${authorizationId}`, rootUuid: null, isReadOnly: false },
    });
    await rows.tokens.revokeAuthorization(authorizationId, 'test');
    expect(await outcome(ask(`Bearer ${accessToken}`, {}, rows.clock.now()))).toBe('invalid_token');
  });
});

describe('wrong app passwords', () => {
  it('delay an address, and never lock the account', async () => {
    for (let nth = 0; nth < 3; nth += 1) expect(await outcome(ask(basic(wrong(nth))))).toBe('invalid_token');
    for (let nth = 3; nth < 30; nth += 1) expect(await outcome(ask(basic(wrong(nth))))).toBe('too_many_requests');
    const account = await rows.accounts.byId(1);
    expect([account?.failedLoginAttempts, account && blockedFor(account, rows.clock.now())]).toEqual([0, 0]);
    expect(failures).toEqual(Array.from({ length: 3 }, () => 'webdav 1 wrong_app_password'));
    // Another address does not wait, and this one does not for long.
    const { password } = await created();
    expect(await outcome(ask(basic(password)))).toBe('too_many_requests');
    expect(await outcome(ask(basic(password), { address: '192.0.2.8' }))).toBe('ok');
    rows.clock.time += 5 * SECOND;
    expect(await outcome(ask(basic(password)))).toBe('ok');
  });

  it('count before they are checked, so that concurrent guesses gain nothing', async () => {
    const all = await Promise.all(Array.from({ length: 50 }, (_, nth) => outcome(ask(basic(wrong(nth))))));
    expect(all.filter((one) => one === 'invalid_token')).toHaveLength(3);
  });

  it('of all user names together delay an address, too', async () => {
    const all: string[] = [];
    for (let nth = 0; nth < 30; nth += 1) all.push(await outcome(ask(basic(wrong(nth), `name${nth}`))));
    expect(all.filter((one) => one === 'invalid_token')).toHaveLength(21);
  });

  it('count once if a program repeats one, one by one or concurrently', async () => {
    for (let nth = 0; nth < 50; nth += 1) {
      const all = await Promise.all([1, 2, 3].map(() => outcome(ask(basic('forgotten')))));
      expect(all).toEqual(['invalid_token', 'invalid_token', 'invalid_token']);
    }
    expect(failures).toHaveLength(1);
    const { password } = await created();
    expect(await outcome(ask(basic(password)))).toBe('ok');
    // From elsewhere it counts again.
    await outcome(ask(basic('forgotten'), { address: '192.0.2.8' }));
    expect(failures).toHaveLength(2);
  });

  it('do not stop a program whose app password was right before', async () => {
    const { password } = await created();
    expect(await outcome(ask(basic(password)))).toBe('ok');
    for (let nth = 0; nth < 30; nth += 1) await outcome(ask(basic(wrong(nth))));
    expect(await outcome(ask(basic(wrong(30))))).toBe('too_many_requests');
    expect(await outcome(ask(basic(password)))).toBe('ok');
  });

  it('are not counted if several first requests of a program are concurrent', async () => {
    const { password } = await created();
    const all = await Promise.all(Array.from({ length: 10 }, () => outcome(ask(basic(password)))));
    expect(new Set(all)).toEqual(new Set(['ok']));
    for (let nth = 0; nth < 3; nth += 1) expect(await outcome(ask(basic(wrong(nth))))).toBe('invalid_token');
  });

  it('count only once if they were valid before', async () => {
    const { id, password } = await created();
    await ask(basic(password));
    await passwords.remove({ id: 1, username: 'mia' }, id, anybody);
    for (let nth = 0; nth < 20; nth += 1) expect(await outcome(ask(basic(password)))).toBe('invalid_token');
    expect(failures).toHaveLength(1);
  });
});

const anybody = { account: null, channel: 'control', client: null, address: null } as const;

const authorize = () =>
  rows.tokens.authorize({
    ...{ accountId: 1, clientRowId: 1, scopes: ['list', 'upload'], channel: 'app', address: '192.0.2.1' },
    stillProved: async () => true,
  }) as Promise<IssuedTokens>;
