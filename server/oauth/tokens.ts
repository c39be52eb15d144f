import type { StillProved } from '../accounts/sign-in/proof-validity.ts';
import type { AccountsTransaction, Database } from '../database/database.ts';
import { type Clock, DAY, HOUR, MINUTE, SECOND } from '../lib/clock.ts';
import { type Actor, type Channel, type Events, LARDER, type Origin } from '../lib/events.ts';
import { LruCache } from '../lib/lru-cache.ts';
import { randomToken, tokenHash } from '../lib/random.ts';
import { parseScopes, type Scope } from './scopes.ts';

/** §8. */
export const ACCESS_TOKEN_LIFETIME = HOUR;
export const REFRESH_TOKEN_LIFETIME = 30 * DAY;
/** How long an exchanged refresh token still yields a pair: a lost reply, or two requests at once. */
const REFRESH_GRACE = 60 * SECOND;

/** How long a token is remembered after it has run out, for what was begun with it and is still in progress. */
const RUN_OUT_KEPT = DAY;

/** How exactly the last use of an authorization is noted. */
const NOTED_EVERY = MINUTE;
const MAX_NOTED = 10_000;

export interface IssuedTokens {
  readonly authorizationId: number;
  accessToken: string;
  refreshToken: string;
  scopes: readonly Scope[];
}

interface AccessGrant {
  authorizationId: number;
  accountId: number;
  client: { readonly clientId: string; readonly name: string };
  scopes: ReadonlySet<Scope>;
  /** Milliseconds since the epoch. */
  expiresAt: number;
}

export interface RefreshGrant {
  hash: Buffer;
  authorizationId: number;
  accountId: number;
  clientRowId: number;
  scopes: Scope[];
}

export interface KeptCredentials {
  readonly authorizationId?: number | undefined;
  /** Ids of app passwords, or all. One that an app created ends with the authorization of the app in any case. */
  readonly appPasswords?: readonly number[] | 'all';
}

export interface Tokens {
  /**
   * A new authorization of `clientRowId` by the account, and its first pair.
   * @returns null when what it is given for holds no longer, such as a password that was changed while it was checked
   */
  authorize(grant: {
    accountId: number;
    clientRowId: number;
    scopes: readonly Scope[];
    /** The endpoint and address from which the person authorized it. */
    channel: Channel;
    address: string;
    stillProved: StillProved;
  }): Promise<IssuedTokens | null>;
  /** @returns null for a token that is unknown or revoked; an expired one is known for another day, with its `expiresAt` */
  findAccess(token: string): Promise<AccessGrant | null>;
  /**
   * @returns null for a refresh token that is unknown, expired or revoked. One that was exchanged longer ago than the
   * grace period, or whose successor was exchanged already, counts as stolen: its whole authorization is revoked
   * (RFC 9700 §4.14.2). So is one that ended with its generation, longer ago than the grace period.
   */
  findRefresh(token: string): Promise<RefreshGrant | null>;
  /**
   * Exchanges a refresh token for a new pair (RFC 6749 §6). `scopes` may narrow the access token, not the next refresh token.
   * Other pairs of the same generation, which came of exchanging the same token twice, end with it.
   * @returns null when the token has ended meanwhile
   */
  rotate(refresh: RefreshGrant, scopes: readonly Scope[]): Promise<IssuedTokens | null>;
  /** Notes that an authorization is in use, to the minute; of a request that waits for nothing. */
  noteUse(authorizationId: number): void;
  /** Whether the account has granted the client all of these scopes and not revoked them. */
  isAuthorized(accountId: number, clientRowId: number, scopes: readonly Scope[]): Promise<boolean>;
  /** The authorization that a token of either kind belongs to, if the client is its own. */
  authorizationOf(token: string, clientRowId: number): Promise<number | null>;
  /** @param from the server itself unless given @returns whether there was such an authorization */
  revokeAuthorization(authorizationId: number, reason: string, from?: Omit<Origin, 'client'>): Promise<boolean>;
  /** Revokes everything that an account has authorized, pending codes, and its app passwords, except what is kept. */
  revokeAll(accountId: number, keep: KeptCredentials, tx: AccountsTransaction): Promise<void>;
  /** Forgets what has expired. */
  purge(): Promise<void>;
}

interface TokenRow {
  hash: Buffer;
  authorization_id: number;
  account_id: number;
  client_row_id: number;
  client_id: string;
  client_name: string;
  scopes: string;
  replaced_at: number | null;
  ended_at: number | null;
  expires_at: number;
}

const FIND = `SELECT t.hash, t.authorization_id, t.scopes, t.replaced_at, t.ended_at, t.expires_at, a.account_id, a.client_id AS client_row_id, c.client_id, c.name AS client_name
  FROM tokens t JOIN authorizations a ON a.id = t.authorization_id JOIN clients c ON c.id = a.client_id
  WHERE t.hash = ? AND t.kind = ? AND t.expires_at > ? AND c.disabled_at IS NULL`;

/** Whether a pair that an exchange of this refresh token gave was exchanged itself: the token belongs to the past then. */
const SUCCESSOR_EXCHANGED = "SELECT 1 FROM tokens WHERE parent = ? AND kind = 'refresh' AND replaced_at IS NOT NULL";

export function createTokens(database: Database, clock: Clock, events: Events): Tokens {
  async function issue(
    tx: AccountsTransaction,
    authorizationId: number,
    access: readonly Scope[],
    refresh: readonly Scope[],
    parent: Buffer | null,
  ): Promise<IssuedTokens> {
    const accessToken = randomToken();
    const refreshToken = randomToken();
    const pair = tokenHash(refreshToken);
    const now = clock.now();
    const insert = `INSERT INTO tokens (hash, kind, authorization_id, scopes, expires_at, parent, pair)
      VALUES (?, ?, ?, ?, ?, ?, ?)`;
    await tx.run(insert, [
      tokenHash(accessToken),
      'access',
      authorizationId,
      access.join(' '),
      now + ACCESS_TOKEN_LIFETIME,
      parent,
      pair,
    ]);
    await tx.run(insert, [
      pair,
      'refresh',
      authorizationId,
      refresh.join(' '),
      now + REFRESH_TOKEN_LIFETIME,
      parent,
      pair,
    ]);
    return { authorizationId, accessToken, refreshToken, scopes: access };
  }

  const noted = new LruCache<number>(MAX_NOTED);

  const revokeAuthorization: Tokens['revokeAuthorization'] = (authorizationId, reason, from = LARDER) =>
    database.write(async (tx) => {
      const actor = await partiesTo(tx, authorizationId, from);
      await tx.run('DELETE FROM authorizations WHERE id = ?', [authorizationId]);
      // Another request may have been faster.
      if (actor === null) return false;
      tx.afterCommit(() => events.emit('authorization.revoked', { actor, authorizationId, reason }));
      return true;
    });

  return {
    authorize: ({ accountId, clientRowId, scopes, channel, address, stillProved }) =>
      database.write(async (tx) => {
        if (!(await stillProved(tx))) return null;
        // The app may have been removed or disabled meanwhile.
        const { lastId, changes } = await tx.run(
          `INSERT INTO authorizations (account_id, client_id, scopes, granted_at, granted_from)
           SELECT ?, id, ?, ?, ? FROM clients WHERE id = ? AND disabled_at IS NULL`,
          [accountId, scopes.join(' '), clock.now(), address, clientRowId],
        );
        if (changes === 0) return null;
        const actor = await partiesTo(tx, lastId, { channel, address });
        if (actor !== null) {
          tx.afterCommit(() => events.emit('authorization.granted', { actor, authorizationId: lastId, scopes }));
        }
        return issue(tx, lastId, scopes, scopes, null);
      }),

    async findAccess(token) {
      const row = await database.get<TokenRow>(FIND, [tokenHash(token), 'access', clock.now() - RUN_OUT_KEPT]);
      if (row === undefined) return null;
      return {
        authorizationId: row.authorization_id,
        accountId: row.account_id,
        client: { clientId: row.client_id, name: row.client_name },
        scopes: new Set(parseScopes(row.scopes) ?? []),
        expiresAt: row.expires_at,
      };
    },

    async findRefresh(token) {
      const row = await database.get<TokenRow>(FIND, [tokenHash(token), 'refresh', clock.now()]);
      if (row === undefined) return null;
      // A clock that was set back makes no token new again.
      const isLate = row.replaced_at !== null && Math.abs(clock.now() - row.replaced_at) > REFRESH_GRACE;
      if (isLate || (await database.get(SUCCESSOR_EXCHANGED, [row.hash])) !== undefined) {
        await revokeAuthorization(row.authorization_id, 'refresh token used again');
        return null;
      }
      if (row.ended_at !== null) {
        // Two concurrent requests may both be slightly late. Later than that, two clients hold tokens of one generation.
        if (Math.abs(clock.now() - row.ended_at) > REFRESH_GRACE) {
          await revokeAuthorization(row.authorization_id, 'refresh token used again');
        }
        return null;
      }
      return {
        hash: row.hash,
        authorizationId: row.authorization_id,
        accountId: row.account_id,
        clientRowId: row.client_row_id,
        scopes: parseScopes(row.scopes) ?? [],
      };
    },

    rotate: (refresh, scopes) =>
      database.write(async (tx) => {
        if ((await tx.get(SUCCESSOR_EXCHANGED, [refresh.hash])) !== undefined) return null;
        const [exchanged] = await tx.all<{ parent: Buffer | null }>(
          'UPDATE tokens SET replaced_at = coalesce(replaced_at, ?) WHERE hash = ? AND ended_at IS NULL RETURNING parent',
          [clock.now(), refresh.hash],
        );
        if (exchanged === undefined) return null;
        if (exchanged.parent !== null) {
          const siblings = [exchanged.parent, refresh.hash];
          await tx.run("DELETE FROM tokens WHERE parent = ? AND pair <> ? AND kind = 'access'", siblings);
          await tx.run('UPDATE tokens SET ended_at = coalesce(ended_at, ?) WHERE parent = ? AND pair <> ?', [
            clock.now(),
            ...siblings,
          ]);
        }
        return issue(tx, refresh.authorizationId, scopes, refresh.scopes, refresh.hash);
      }),

    noteUse(authorizationId) {
      const now = clock.now();
      const key = String(authorizationId);
      if (now - (noted.get(key) ?? 0) < NOTED_EVERY) return;
      noted.set(key, now);
      // No cached read of tokens depends on it. After a power cut it may be a minute off.
      const statement = {
        sql: 'UPDATE authorizations SET last_used_at = ? WHERE id = ?',
        params: [now, authorizationId],
      };
      database.activity.writeOne(() => statement).catch(() => noted.delete(key));
    },

    async authorizationOf(token, clientRowId) {
      const row = await database.get<{ id: number }>(
        'SELECT a.id FROM tokens t JOIN authorizations a ON a.id = t.authorization_id WHERE t.hash = ? AND a.client_id = ?',
        [tokenHash(token), clientRowId],
      );
      return row?.id ?? null;
    },

    async isAuthorized(accountId, clientRowId, scopes) {
      const rows = await database.all<{ scopes: string }>(
        'SELECT scopes FROM authorizations WHERE account_id = ? AND client_id = ?',
        [accountId, clientRowId],
      );
      return rows.some((row) => {
        const allowed = new Set(parseScopes(row.scopes) ?? []);
        return scopes.every((scope) => allowed.has(scope));
      });
    },

    revokeAuthorization,

    async revokeAll(accountId, { authorizationId = 0, appPasswords = [] }, tx) {
      await tx.run('DELETE FROM authorization_codes WHERE account_id = ?', [accountId]);
      await tx.run('DELETE FROM authorizations WHERE account_id = ? AND id <> ?', [accountId, authorizationId]);
      if (appPasswords === 'all') return;
      await tx.run('DELETE FROM app_passwords WHERE account_id = ? AND id NOT IN (SELECT value FROM json_each(?))', [
        accountId,
        JSON.stringify(appPasswords),
      ]);
    },

    async purge() {
      await database.write(async (tx) => {
        await tx.run('DELETE FROM tokens WHERE expires_at <= ?', [clock.now() - RUN_OUT_KEPT]);
        await tx.run('DELETE FROM authorizations WHERE id NOT IN (SELECT authorization_id FROM tokens)');
      });
    },
  };
}

/** The account and the client of an authorization. @returns null if it does not exist */
async function partiesTo(
  tx: AccountsTransaction,
  authorizationId: number,
  { channel, address }: Omit<Origin, 'client'>,
): Promise<Actor | null> {
  const row = await tx.get<{ id: number; username: string; client_id: string; name: string }>(
    `SELECT accounts.id, username, clients.client_id, clients.name FROM authorizations a
     JOIN accounts ON accounts.id = a.account_id JOIN clients ON clients.id = a.client_id WHERE a.id = ?`,
    [authorizationId],
  );
  if (row === undefined) return null;
  const { id, username, client_id: clientId, name } = row;
  return { account: { id, username }, client: { clientId, name }, channel, address };
}
