import { generatePassword } from '../accounts/passwords/generate-password.ts';
import type { StillProved } from '../accounts/sign-in/proof-validity.ts';
import type { AccountsTransaction, Database } from '../database/database.ts';
import { type Clock, DAY, MINUTE } from '../lib/clock.ts';
import type { Actor, Events } from '../lib/events.ts';
import { LruCache } from '../lib/lru-cache.ts';
import { tokenHash } from '../lib/random.ts';
import type { CredentialGrant } from './credential-grant.ts';
import { parseScopes, type Scope } from './scopes.ts';

/** What programs that work with files can use; an app password has some of them. */
export const PROGRAM_SCOPES = ['list', 'metadata', 'upload', 'download', 'modify', 'delete'] as const;

/** What an app may have as well, if a person chooses it while connecting the app. */
export const SHARING_SCOPES = ['weblink', 'share'] as const;

/** The characters of an app password without its hyphens: six groups of four. */
const LENGTH = 24;
const LENGTH_IN_GROUPS = LENGTH + LENGTH / 4 - 1;
export const MAX_LABEL = 100;
const MAX_USER_AGENT = 300;
/** Most app passwords of one account. */
export const MAX_APP_PASSWORDS = 100;
/** How long one is remembered after it has run out, for requests that are still in progress. */
const RUN_OUT_KEPT = DAY;
/** How exactly the last use is noted. */
const NOTED_EVERY = MINUTE;
const MAX_NOTED = 10_000;

/** An app password as its owner sees it. Times are milliseconds since the epoch. */
export interface AppPassword extends Pick<CredentialGrant, 'scopes' | 'rootUuid' | 'isReadOnly' | 'expiresAt'> {
  readonly id: number;
  readonly accountId: number;
  readonly label: string;
  /** The program that was chosen on the account page; null for another one. */
  readonly program: string | null;
  readonly createdAt: number;
  /** The app that created it, and its authorization; null where the person did. */
  readonly app: { readonly authorizationId: number; readonly name: string } | null;
  readonly lastUsed: { readonly at: number; readonly address: string; readonly userAgent: string } | null;
  /** When it works no longer: when it expires, or with the last token of the app that created it. Infinity if never. */
  readonly endsAt: number;
}

interface NewAppPassword {
  readonly actor: Actor & { readonly account: NonNullable<Actor['account']> };
  readonly label: string;
  readonly program: string | null;
  readonly grant: Pick<CredentialGrant, 'scopes' | 'rootUuid' | 'isReadOnly' | 'expiresAt'>;
  /** Of the app that creates it. */
  readonly authorizationId: number | null;
  readonly stillProved: StillProved;
  /** What is written with it, in the same transaction. */
  readonly alongside?: (tx: AccountsTransaction) => Promise<void>;
}

export interface AppPasswords {
  /**
   * @returns the password in groups, only this time; why there is none otherwise: its proof holds no longer, or the account has
   * too many
   */
  create(
    requested: NewAppPassword,
  ): Promise<{ readonly id: number; readonly password: string } | 'not-proved' | 'too-many'>;
  /** Those of an account that have not ended, the latest first. */
  list(accountId: number): Promise<AppPassword[]>;
  /**
   * @param secret spaces and hyphens in it do not count
   * @returns null for one that is unknown, or whose app is disabled; one that has ended is known for a day, with its `endsAt`
   */
  find(secret: string): Promise<AppPassword | null>;
  /** @returns false when the account has no such app password */
  remove(account: { readonly id: number; readonly username: string }, id: number, actor: Actor): Promise<boolean>;
  /** Notes a use, at most once a minute; of a request that waits for nothing. */
  noteUse(id: number, from: { readonly address: string | null; readonly userAgent: string }): void;
  /** Forgets what has expired. */
  purge(): Promise<void>;
}

interface Row {
  id: number;
  account_id: number;
  label: string;
  program: string | null;
  scopes: string;
  root_uuid: string | null;
  read_only: number;
  created_at: number;
  expires_at: number | null;
  authorization_id: number | null;
  app: string | null;
  last_used_at: number | null;
  last_address: string | null;
  last_user_agent: string | null;
  authorization_ends_at: number | null;
}

const SELECT = `SELECT p.id, p.account_id, p.label, p.program, p.scopes, p.root_uuid, p.read_only, p.created_at, p.expires_at,
    p.authorization_id, c.name AS app, p.last_used_at, p.last_address, p.last_user_agent,
    (SELECT max(t.expires_at) FROM tokens t WHERE t.authorization_id = p.authorization_id) AS authorization_ends_at
  FROM app_passwords p LEFT JOIN authorizations a ON a.id = p.authorization_id LEFT JOIN clients c ON c.id = a.client_id`;

export function createAppPasswords(database: Database, clock: Clock, events: Events): AppPasswords {
  const noted = new LruCache<number>(MAX_NOTED);

  return {
    create({ actor, label, program, grant, authorizationId, stillProved, alongside }) {
      const password = generatePassword(LENGTH_IN_GROUPS);
      const { account } = actor;
      return database.write(async (tx) => {
        if (!(await stillProved(tx))) return 'not-proved';
        if ((await countOf(tx, account.id)) >= MAX_APP_PASSWORDS) return 'too-many';
        const { lastId: id } = await tx.run(
          `INSERT INTO app_passwords (account_id, label, program, hash, scopes, root_uuid, read_only, created_at, expires_at,
             authorization_id) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
          [
            ...[account.id, label, program, tokenHash(plain(password)), [...grant.scopes].join(' '), grant.rootUuid],
            ...[grant.isReadOnly ? 1 : 0, clock.now(), grant.expiresAt, authorizationId],
          ],
        );
        await alongside?.(tx);
        tx.afterCommit(() => events.emit('app-password.created', { actor, label, isReadOnly: grant.isReadOnly }));
        return { id, password };
      });
    },

    async list(accountId) {
      const rows = await database.all<Row>(`${SELECT} WHERE p.account_id = ? ORDER BY p.created_at DESC, p.id DESC`, [
        accountId,
      ]);
      const now = clock.now();
      return rows.map(recordOf).filter(({ endsAt }) => endsAt > now);
    },

    async find(secret) {
      const text = plain(secret);
      if (text.length !== LENGTH) return null;
      const row = await database.get<Row>(`${SELECT} WHERE p.hash = ? AND c.disabled_at IS NULL`, [tokenHash(text)]);
      return row === undefined ? null : recordOf(row);
    },

    remove: ({ id: accountId, username }, id, actor) =>
      database.write(async (tx) => {
        const [removed] = await tx.all<{ label: string }>(
          'DELETE FROM app_passwords WHERE id = ? AND account_id = ? RETURNING label',
          [id, accountId],
        );
        if (removed === undefined) return false;
        tx.afterCommit(() => events.emit('app-password.removed', { actor, label: removed.label, username }));
        return true;
      }),

    noteUse(id, { address, userAgent }) {
      const now = clock.now();
      const key = String(id);
      if (now - (noted.get(key) ?? 0) < NOTED_EVERY) return;
      noted.set(key, now);
      // What is cached of app passwords does not include their last use. After a power cut it may be a minute off.
      const statement = {
        sql: 'UPDATE app_passwords SET last_used_at = ?, last_address = ?, last_user_agent = ? WHERE id = ?',
        params: [now, address ?? '', userAgent.slice(0, MAX_USER_AGENT), id],
      };
      database.activity.writeOne(() => statement).catch(() => noted.delete(key));
    },

    async purge() {
      await database.write((tx) =>
        tx.run('DELETE FROM app_passwords WHERE expires_at <= ?', [clock.now() - RUN_OUT_KEPT]),
      );
    },
  };
}

/** The authorization of the app that creates an app password has not been revoked. */
export function authorizationStillThere(authorizationId: number): StillProved {
  return async (tx) => (await tx.get('SELECT 1 FROM authorizations WHERE id = ?', [authorizationId])) !== undefined;
}

async function countOf(tx: AccountsTransaction, accountId: number): Promise<number> {
  const sql = 'SELECT count(*) AS count FROM app_passwords WHERE account_id = ?';
  return (await tx.get<{ count: number }>(sql, [accountId]))?.count ?? 0;
}

/** People type it in groups or without. */
function plain(secret: string): string {
  return secret.replace(/[\s-]/g, '');
}

function recordOf(row: Row): AppPassword {
  const { authorization_id: authorizationId, app, last_used_at: at } = row;
  return {
    id: row.id,
    accountId: row.account_id,
    label: row.label,
    program: row.program,
    scopes: new Set<Scope>(parseScopes(row.scopes) ?? []),
    rootUuid: row.root_uuid,
    isReadOnly: row.read_only === 1,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    app: authorizationId === null ? null : { authorizationId, name: app ?? '' },
    endsAt: Math.min(
      row.expires_at ?? Number.POSITIVE_INFINITY,
      // An authorization without a token has ended, too.
      authorizationId === null ? Number.POSITIVE_INFINITY : (row.authorization_ends_at ?? 0),
    ),
    lastUsed: at === null ? null : { at, address: row.last_address ?? '', userAgent: row.last_user_agent ?? '' },
  };
}
