import type { Database } from '../../database/database.ts';
import { type Clock, HOUR } from '../../lib/clock.ts';
import { randomToken, tokenHash } from '../../lib/random.ts';
import type { AccountRecord } from '../account-record.ts';
import { type AccountRow, accountOf, SELECT_ACCOUNTS } from '../account-rows.ts';

/** Links in mails to reset a forgotten password. */
export interface PasswordResets {
  /** @returns the token of a link; null when the account requested too many within the last hour */
  begin(accountId: number): Promise<string | null>;
  /** @returns the account of a link; null when it was used, is too old, or never existed */
  find(token: string): Promise<AccountRecord | null>;
  purge(): Promise<void>;
}

const RESET_LIFETIME = HOUR;
const MAX_PENDING = 3;

export function createPasswordResets(database: Database, clock: Clock): PasswordResets {
  return {
    begin(accountId) {
      const token = randomToken();
      const now = clock.now();
      return database.write(async (tx) => {
        const sql = 'SELECT count(*) AS count FROM password_resets WHERE account_id = ? AND created_at > ?';
        const begun = await tx.get<{ count: number }>(sql, [accountId, now - HOUR]);
        if ((begun?.count ?? 0) >= MAX_PENDING) return null;
        await tx.run('INSERT INTO password_resets (hash, account_id, created_at, expires_at) VALUES (?, ?, ?, ?)', [
          tokenHash(token),
          accountId,
          now,
          now + RESET_LIFETIME,
        ]);
        return token;
      });
    },

    async find(token) {
      const row = await database.get<AccountRow>(
        `${SELECT_ACCOUNTS} JOIN password_resets p ON p.account_id = a.id WHERE p.hash = ? AND p.expires_at > ?`,
        [tokenHash(token), clock.now()],
      );
      return row === undefined ? null : accountOf(row);
    },

    async purge() {
      await database.write((tx) => tx.run('DELETE FROM password_resets WHERE expires_at <= ?', [clock.now()]));
    },
  };
}
