import type { StillProved } from '../accounts/sign-in/proof-validity.ts';
import type { Database } from '../database/database.ts';
import { type Clock, MINUTE } from '../lib/clock.ts';
import { randomToken, tokenHash } from '../lib/random.ts';
import { parseScopes, type Scope } from './scopes.ts';
import type { Tokens } from './tokens.ts';

/** RFC 6749 §4.1.2 allows no more. */
export const CODE_LIFETIME = 10 * MINUTE;

/** What a person has authorized, until the client exchanges the code. */
interface CodeGrant {
  readonly clientRowId: number;
  readonly accountId: number;
  readonly redirectUri: string;
  readonly scopes: readonly Scope[];
  /** RFC 7636, S256; null for a confidential client that sent none. */
  readonly codeChallenge: string | null;
  /** From where the person allowed it. */
  readonly address: string;
}

const USED_AGAIN = 'authorization code used again';

export interface FoundCode extends CodeGrant {
  readonly hash: Buffer;
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
}

export interface AuthorizationCodes {
  /** @returns null when what the person proved holds no longer, such as a session that has ended meanwhile */
  issue(grant: CodeGrant, stillProved: StillProved): Promise<string | null>;
  /** Whether a code marked with `use` has been neither revoked nor used again since. */
  stillTaken(hash: Buffer): StillProved;
  /**
   * @returns null for a code that is unknown, expired or used. A second use is a sign of theft: what the first one got is
   * revoked (RFC 6749 §4.1.2, RFC 9700 §4.5).
   */
  find(code: string): Promise<FoundCode | null>;
  /** Marks it as used. @returns false when another request was faster, which is a second use as well */
  use(hash: Buffer): Promise<boolean>;
  /**
   * Notes what came of it, for the case of a second use.
   * @returns false when there was one already; its authorization is then revoked
   */
  exchanged(hash: Buffer, authorizationId: number): Promise<boolean>;
  purge(): Promise<void>;
}

interface CodeRow {
  hash: Buffer;
  client_id: number;
  account_id: number;
  redirect_uri: string;
  scopes: string;
  code_challenge: string | null;
  address: string;
  expires_at: number;
  used_at: number | null;
  authorization_id: number | null;
}

export function createAuthorizationCodes(database: Database, clock: Clock, tokens: Tokens): AuthorizationCodes {
  async function usedAgain(hash: Buffer): Promise<void> {
    const authorizationId = await database.write(async (tx) => {
      // If the first use is still in progress, `exchanged` finds this.
      await tx.run('UPDATE authorization_codes SET used_at = 0 WHERE hash = ?', [hash]);
      const row = await tx.get<{ authorization_id: number | null }>(
        'SELECT authorization_id FROM authorization_codes WHERE hash = ?',
        [hash],
      );
      return row?.authorization_id ?? null;
    });
    if (authorizationId !== null) await tokens.revokeAuthorization(authorizationId, USED_AGAIN);
  }

  return {
    issue({ clientRowId, accountId, redirectUri, scopes, codeChallenge, address }, stillProved) {
      const code = randomToken();
      return database.write(async (tx) => {
        if (!(await stillProved(tx))) return null;
        await tx.run(
          `INSERT INTO authorization_codes (hash, client_id, account_id, redirect_uri, scopes, code_challenge, address, expires_at)
           VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
          [
            tokenHash(code),
            clientRowId,
            accountId,
            redirectUri,
            scopes.join(' '),
            codeChallenge,
            address,
            clock.now() + CODE_LIFETIME,
          ],
        );
        return code;
      });
    },

    stillTaken: (hash) => async (tx) =>
      (await tx.get('SELECT 1 FROM authorization_codes WHERE hash = ? AND used_at <> 0', [hash])) !== undefined,

    async find(code) {
      const row = await database.get<CodeRow>('SELECT * FROM authorization_codes WHERE hash = ? AND expires_at > ?', [
        tokenHash(code),
        clock.now(),
      ]);
      if (row === undefined) return null;
      if (row.used_at !== null) {
        await usedAgain(row.hash);
        return null;
      }
      return {
        hash: row.hash,
        clientRowId: row.client_id,
        accountId: row.account_id,
        redirectUri: row.redirect_uri,
        scopes: parseScopes(row.scopes) ?? [],
        codeChallenge: row.code_challenge,
        address: row.address,
        expiresAt: row.expires_at,
      };
    },

    async use(hash) {
      const { changes } = await database.write((tx) =>
        tx.run('UPDATE authorization_codes SET used_at = ? WHERE hash = ? AND used_at IS NULL', [clock.now(), hash]),
      );
      if (changes === 0) await usedAgain(hash);
      return changes > 0;
    },

    async exchanged(hash, authorizationId) {
      const { changes } = await database.write((tx) =>
        tx.run('UPDATE authorization_codes SET authorization_id = ? WHERE hash = ? AND used_at <> 0', [
          authorizationId,
          hash,
        ]),
      );
      if (changes === 0) await tokens.revokeAuthorization(authorizationId, USED_AGAIN);
      return changes > 0;
    },

    async purge() {
      await database.write((tx) => tx.run('DELETE FROM authorization_codes WHERE expires_at <= ?', [clock.now()]));
    },
  };
}
