import type { Database, SqlValue } from '../database/database.ts';
import { parseScopes, type Scope } from './scopes.ts';

/** What an account has authorized an app to do. Times are milliseconds since the epoch. */
interface AuthorizationView {
  readonly id: number;
  readonly accountId: number;
  readonly username: string;
  readonly clientId: string;
  readonly client: string;
  readonly scopes: readonly Scope[];
  readonly grantedAt: number;
  readonly grantedFrom: string;
  readonly lastUsedAt: number | null;
}

export interface Authorizations {
  /** All, or those of an account, or for a client; the latest first. */
  list(which: { accountId?: number | undefined; clientId?: string | undefined }): Promise<AuthorizationView[]>;
}

interface Row {
  id: number;
  account_id: number;
  username: string;
  client_id: string;
  client: string;
  scopes: string;
  granted_at: number;
  granted_from: string;
  last_used_at: number | null;
}

export function createAuthorizations(database: Database): Authorizations {
  return {
    async list({ accountId, clientId }) {
      const where = [
        ...(accountId === undefined ? [] : ['a.account_id = ?']),
        ...(clientId === undefined ? [] : ['c.client_id = ?']),
      ];
      const params: SqlValue[] = [accountId, clientId].filter((value) => value !== undefined);
      const rows = await database.all<Row>(
        `SELECT a.id, a.account_id, accounts.username, c.client_id, c.name AS client, a.scopes, a.granted_at,
           a.granted_from, a.last_used_at
         FROM authorizations a JOIN clients c ON c.id = a.client_id JOIN accounts ON accounts.id = a.account_id
         ${where.length === 0 ? '' : `WHERE ${where.join(' AND ')}`} ORDER BY a.granted_at DESC, a.id DESC`,
        params,
      );
      return rows.map((row) => ({
        id: row.id,
        accountId: row.account_id,
        username: row.username,
        clientId: row.client_id,
        client: row.client,
        scopes: parseScopes(row.scopes) ?? [],
        grantedAt: row.granted_at,
        grantedFrom: row.granted_from,
        lastUsedAt: row.last_used_at,
      }));
    },
  };
}
