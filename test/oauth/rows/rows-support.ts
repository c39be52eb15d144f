import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Accounts, createAccounts } from '../../../dist/server/accounts/accounts.js';
import type { Database } from '../../../dist/server/database/database.js';
import { createEvents, type Events, type LarderEvents } from '../../../dist/server/lib/events.js';
import { type AuthorizationCodes, createAuthorizationCodes } from '../../../dist/server/oauth/authorization-codes.js';
import { createTokens, type Tokens } from '../../../dist/server/oauth/tokens.js';
import { openMigrated } from '../../support/households/household-template.ts';

export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** A clock that stands still until a test moves it. */
export class StandingClock {
  time = 1_700_000_000_000;

  now(): number {
    return this.time;
  }
}

/** Tokens, codes and accounts on a database of their own, without a server around them. Account 1 and client 1 are there. */
export interface TokenRows {
  readonly database: Database;
  readonly clock: StandingClock;
  readonly events: Events;
  readonly accounts: Accounts;
  readonly tokens: Tokens;
  readonly codes: AuthorizationCodes;
  /** Names of the events about authorizations, and the reasons that were given. */
  readonly told: string[];
  addAccount(username: string): Promise<number>;
  count(table: 'authorizations' | 'authorization_codes' | 'sessions' | 'tokens'): Promise<number>;
  run(sql: string, ...params: (string | number | null)[]): Promise<unknown>;
  close(): Promise<void>;
}

export async function openTokenRows(): Promise<TokenRows> {
  const folder = await mkdtemp(join(tmpdir(), 'larder-tokens-'));
  const database = await openMigrated(join(folder, 'larder.sqlite'), join(folder, 'backups'));
  const clock = new StandingClock();
  const events = createEvents((error) => {
    throw error;
  });
  const told: string[] = [];
  const tell =
    (name: string) => (event: LarderEvents['authorization.granted'] | LarderEvents['authorization.revoked']) =>
      told.push('reason' in event ? `${name}: ${event.reason}` : name);
  events.on('authorization.granted', tell('granted'));
  events.on('authorization.revoked', tell('revoked'));
  const tokens = createTokens(database, clock, events);
  const rows: TokenRows = {
    database,
    clock,
    events,
    told,
    tokens,
    accounts: createAccounts(database, clock, events),
    codes: createAuthorizationCodes(database, clock, tokens),
    async addAccount(username) {
      const sql = `INSERT INTO accounts (type, username, username_fold, name, registered_at, password_hash)
        VALUES ('user', ?1, ?1, 'Mia', 0, 'hash')`;
      return (await database.write((tx) => tx.run(sql, [username]))).lastId;
    },
    async count(table) {
      return (await database.get<{ count: number }>(`SELECT count(*) AS count FROM ${table}`))?.count ?? 0;
    },
    run: (sql, ...params) => database.write((tx) => tx.run(sql, params)),
    async close() {
      await database.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
  await rows.addAccount('mia');
  await addClient(rows, 'app');
  return rows;
}

export function addClient({ run }: Pick<TokenRows, 'run'>, clientId: string): Promise<unknown> {
  return run(
    `INSERT INTO clients (client_id, name, redirect_uris, grants, created_at) VALUES (?, 'App', '[]', '[]', 0)`,
    clientId,
  );
}
