import type { Database } from '../database/database.ts';
import type { Clock } from '../lib/clock.ts';
import type { Origin } from '../lib/events.ts';
import { parseScopes, type Scope } from './scopes.ts';
import type { Tokens } from './tokens.ts';

/** An app that may act for an account. Times are milliseconds since the epoch. */
export interface ConnectedApp {
  readonly clientRowId: number;
  readonly clientId: string;
  readonly name: string;
  readonly hasLogo: boolean;
  readonly scopes: readonly Scope[];
  /** When and from where it was allowed last. */
  readonly grantedAt: number;
  readonly grantedFrom: string;
  readonly lastUsedAt: number | null;
  /** In how many places it was allowed: a phone and a tablet are two. */
  readonly places: number;
}

interface AppRow {
  client_row_id: number;
  client_id: string;
  name: string;
  has_logo: number;
  scopes: string;
  granted_at: number;
  granted_from: string;
  last_used_at: number | null;
}

export interface ConnectedApps {
  /** The apps an account has authorized, most recently used first. */
  list(accountId: number): Promise<ConnectedApp[]>;
  /** Takes back everything that an account allowed a client: its tokens are refused at once. */
  revoke(accountId: number, clientRowId: number, reason: string, from: Omit<Origin, 'client'>): Promise<void>;
}

export function createConnectedApps(database: Database, clock: Clock, tokens: Tokens): ConnectedApps {
  return {
    async list(accountId) {
      const rows = await database.all<AppRow>(
        `SELECT a.client_id AS client_row_id, c.client_id, c.name, c.logo IS NOT NULL AS has_logo,
           a.scopes, a.granted_at, a.granted_from, a.last_used_at
         FROM authorizations a JOIN clients c ON c.id = a.client_id
         WHERE a.account_id = ? AND EXISTS (SELECT 1 FROM tokens t WHERE t.authorization_id = a.id AND t.expires_at > ?)
         ORDER BY a.granted_at DESC, a.id DESC`,
        [accountId, clock.now()],
      );
      return connectedAppsOf(rows);
    },

    async revoke(accountId, clientRowId, reason, from) {
      const rows = await database.all<{ id: number }>(
        'SELECT id FROM authorizations WHERE account_id = ? AND client_id = ?',
        [accountId, clientRowId],
      );
      for (const { id } of rows) await tokens.revokeAuthorization(id, reason, from);
    },
  };
}

/** @param rows the latest granted first */
function connectedAppsOf(rows: readonly AppRow[]): ConnectedApp[] {
  const byClient = new Map<number, AppRow[]>();
  for (const row of rows) byClient.set(row.client_row_id, [...(byClient.get(row.client_row_id) ?? []), row]);
  const apps = [...byClient.values()].flatMap((grants) => {
    const [latest] = grants;
    if (latest === undefined) return [];
    const used = grants.map(({ last_used_at: at }) => at).filter((at) => at !== null);
    return {
      clientRowId: latest.client_row_id,
      clientId: latest.client_id,
      name: latest.name,
      hasLogo: latest.has_logo === 1,
      scopes: [...new Set(grants.flatMap(({ scopes }) => parseScopes(scopes) ?? []))],
      grantedAt: latest.granted_at,
      grantedFrom: latest.granted_from,
      lastUsedAt: used.length === 0 ? null : Math.max(...used),
      places: grants.length,
    };
  });
  return apps.sort((a, b) => (b.lastUsedAt ?? b.grantedAt) - (a.lastUsedAt ?? a.grantedAt));
}
