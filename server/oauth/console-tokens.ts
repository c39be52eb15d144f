import type { Database } from '../database/database.ts';
import { type Clock, MINUTE } from '../lib/clock.ts';
import { randomToken, tokenHash } from '../lib/random.ts';
import type { Scope } from './scopes.ts';

/**
 * The client with which the owner tries operations from the control panel. It is not an app: no endpoint accepts it, it is not
 * listed, and it can neither get a secret nor be used to sign in. Actions with its tokens are recorded as coming from the panel.
 */
export const CONSOLE_CLIENT_ID = 'larder-console';

const NAME = 'Control panel console';

/** Milliseconds. It is for one request that follows at once, and expires even if it is not revoked. */
const LIFETIME = MINUTE;

interface ConsoleToken {
  readonly accessToken: string;
  /** Takes it back; nothing of it is left. */
  revoke(): Promise<void>;
}

export interface ConsoleTokens {
  /** An access token of the account with exactly these scopes, without a refresh token. */
  issue(grant: { accountId: number; scopes: readonly Scope[] }): Promise<ConsoleToken>;
}

/** No consent is given or revoked here, so no event is emitted: the caller records the use of the token. */
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
