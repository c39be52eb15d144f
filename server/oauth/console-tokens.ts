import type { Database } from '../database/database.ts';
import { type Clock, MINUTE } from '../lib/clock.ts';
import { randomToken, tokenHash } from '../lib/random.ts';
import type { Scope } from './scopes.ts';

/**
 * The client by which the owner tries operations from the control panel. It is no app: no door finds it, it is in no list, and
 * it can neither be given a secret nor be used to sign in. What its tokens do is told as having come by the panel.
 */
export const CONSOLE_CLIENT_ID = 'larder-console';

const NAME = 'Control panel console';

/** Milliseconds. It is for one request that follows at once, and expires even if it is not revoked. */
const LIFETIME = MINUTE;

export interface ConsoleToken {
  readonly accessToken: string;
  /** Takes it back; nothing of it is left. */
  revoke(): Promise<void>;
}

export interface ConsoleTokens {
  /** An access token of the account with exactly these scopes, without a refresh token. */
  issue(grant: { accountId: number; scopes: readonly Scope[] }): Promise<ConsoleToken>;
}

/**
 * Nobody allowed anything and nobody takes anything back here, so neither is told: whoever has a token issued says what was
 * done with it.
 */
export function createConsoleTokens(database: Database, clock: Clock): ConsoleTokens {
  return {
    async issue({ accountId, scopes }) {
      const accessToken = randomToken();
      const now = clock.now();
      const authorizationId = await database.write(async (tx) => {
        await tx.run(
          `INSERT INTO clients (client_id, name, secret_hash, redirect_uris, grants, created_at)
           VALUES (?, ?, NULL, '[]', '[]', ?) ON CONFLICT (client_id) DO NOTHING`,
          [CONSOLE_CLIENT_ID, NAME, now],
        );
        const { lastId } = await tx.run(
          `INSERT INTO authorizations (account_id, client_id, scopes, granted_at, granted_from)
           SELECT ?, id, ?, ?, '' FROM clients WHERE client_id = ?`,
          [accountId, scopes.join(' '), now, CONSOLE_CLIENT_ID],
        );
        await tx.run('INSERT INTO tokens (hash, kind, authorization_id, scopes, expires_at) VALUES (?, ?, ?, ?, ?)', [
          tokenHash(accessToken),
          'access',
          lastId,
          scopes.join(' '),
          now + LIFETIME,
        ]);
        return lastId;
      });
      return {
        accessToken,
        revoke: () =>
          database.write(async (tx) => {
            await tx.run('DELETE FROM authorizations WHERE id = ?', [authorizationId]);
          }),
      };
    },
  };
}
