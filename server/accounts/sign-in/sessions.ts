import type { AccountsTransaction, Database } from '../../database/database.ts';
import { type Clock, DAY, MINUTE } from '../../lib/clock.ts';
import { randomToken, tokenHash } from '../../lib/random.ts';
import type { Settings } from '../../settings/settings.ts';
import type { AccountRecord, Accounts } from '../accounts.ts';
import { mayStay } from '../permissions/account-status.ts';
import type { StillProved } from './proof-validity.ts';

/** A signed-in browser. */
export interface Session {
  readonly id: number;
  readonly account: AccountRecord;
}

/** A session as its owner sees it. Times are milliseconds since the epoch. */
export interface SessionView {
  readonly id: number;
  readonly kept: boolean;
  readonly createdAt: number;
  readonly lastSeenAt: number;
  readonly address: string;
  /** The User-Agent header. */
  readonly browser: string;
}

interface NewSession {
  readonly accountId: number;
  readonly kept: boolean;
  readonly address: string;
  readonly browser: string;
  readonly stillProved: StillProved;
}

export interface Sessions {
  /**
   * @returns the content of the cookie: 256 random bits, never stored; null when the proof is no longer valid, for example
   * because the password changed meanwhile
   */
  begin(session: NewSession): Promise<string | null>;
  /** The session that something was issued to. @returns null like `find` */
  byId(id: number): Promise<Session | null>;
  /**
   * For a request in progress: the account of a session that has not ended, however long it has been idle.
   * @returns null when it has ended, or the account may not act
   */
  liveAccount(id: number): Promise<AccountRecord | null>;
  /** @returns null for a session that is unknown, has been idle for too long, or is of an account that may not act */
  find(token: string): Promise<Session | null>;
  /** An account's sessions that have not been idle for too long, latest first. */
  list(accountId: number): Promise<SessionView[]>;
  end(id: number): Promise<void>;
  /** @returns false when the account has no such session */
  endOf(accountId: number, id: number): Promise<boolean>;
  /** All sessions of an account but one. */
  endOthers(accountId: number, keepId: number | null, within?: AccountsTransaction): Promise<void>;
  /** Deletes sessions that have been idle for too long. */
  purge(): Promise<void>;
}

/** How long "keep me signed in" lasts without a visit. */
export const RETAINED_FOR = 90 * DAY;
/** The precision with which the last visit is stored. */
const NOTED_EVERY = MINUTE;
const MAX_BROWSER = 300;

interface SessionRow {
  id: number;
  account_id: number;
  kept: number;
  created_at: number;
  last_seen_at: number;
  address: string;
  browser: string;
}

export function createSessions({
  database,
  accounts,
  settings,
  clock,
}: {
  database: Database;
  accounts: Accounts;
  settings: Settings;
  clock: Clock;
}): Sessions {
  const idleSince = (kept: boolean) => clock.now() - (kept ? RETAINED_FOR : settings.values.sessionMinutes * MINUTE);

  async function openSession(row: SessionRow | undefined): Promise<Session | null> {
    if (row === undefined || row.last_seen_at <= idleSince(row.kept === 1)) return null;
    const account = await accounts.byId(row.account_id);
    return account === null || !mayStay(account, clock.now()) ? null : { id: row.id, account };
  }

  return {
    begin({ accountId, kept, address, browser, stillProved }) {
      const token = randomToken();
      const now = clock.now();
      return database.write(async (tx) => {
        if (!(await stillProved(tx))) return null;
        await tx.run(
          'INSERT INTO sessions (hash, account_id, kept, created_at, last_seen_at, address, browser) VALUES (?, ?, ?, ?, ?, ?, ?)',
          [tokenHash(token), accountId, kept ? 1 : 0, now, now, address, browser.slice(0, MAX_BROWSER)],
        );
        return token;
      });
    },

    async find(token) {
      const row = await database.get<SessionRow>('SELECT * FROM sessions WHERE hash = ?', [tokenHash(token)]);
      const session = await openSession(row);
      if (session !== null && row !== undefined && clock.now() - row.last_seen_at >= NOTED_EVERY) {
        await database.write((tx) =>
          tx.run('UPDATE sessions SET last_seen_at = ? WHERE id = ?', [clock.now(), row.id]),
        );
      }
      return session;
    },

    async liveAccount(id) {
      const row = await database.get<SessionRow>('SELECT * FROM sessions WHERE id = ?', [id]);
      const account = row === undefined ? null : await accounts.byId(row.account_id);
      return account !== null && mayStay(account, clock.now()) ? account : null;
    },

    byId: async (id) => openSession(await database.get<SessionRow>('SELECT * FROM sessions WHERE id = ?', [id])),

    async list(accountId) {
      const rows = await database.all<SessionRow>(
        'SELECT * FROM sessions WHERE account_id = ? ORDER BY last_seen_at DESC, id DESC',
        [accountId],
      );
      return rows
        .filter((row) => row.last_seen_at > idleSince(row.kept === 1))
        .map((row) => ({
          id: row.id,
          kept: row.kept === 1,
          createdAt: row.created_at,
          lastSeenAt: row.last_seen_at,
          address: row.address,
          browser: row.browser,
        }));
    },

    async end(id) {
      await database.write((tx) => tx.run('DELETE FROM sessions WHERE id = ?', [id]));
    },

    async endOf(accountId, id) {
      const sql = 'DELETE FROM sessions WHERE id = ? AND account_id = ?';
      const { changes } = await database.write((tx) => tx.run(sql, [id, accountId]));
      return changes > 0;
    },

    async endOthers(accountId, keepId, within) {
      const work = (tx: AccountsTransaction) =>
        tx.run('DELETE FROM sessions WHERE account_id = ? AND id <> ?', [accountId, keepId ?? 0]);
      await (within === undefined ? database.write(work) : work(within));
    },

    async purge() {
      await database.write((tx) =>
        tx.run('DELETE FROM sessions WHERE last_seen_at <= CASE kept WHEN 1 THEN ? ELSE ? END', [
          // Idle sessions are refused at once; their rows stay for another day, for requests in progress.
          idleSince(true) - DAY,
          idleSince(false) - DAY,
        ]),
      );
    },
  };
}
