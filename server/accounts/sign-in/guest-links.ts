import type { AccountsTransaction, Database } from '../../database/database.ts';
import { type Clock, DAY } from '../../lib/clock.ts';
import { randomToken, tokenHash } from '../../lib/random.ts';
import type { AccountRecord } from '../account-record.ts';
import { type AccountRow, accountOf, SELECT_ACCOUNTS } from '../account-rows.ts';

/** The private links of guests, which sign in their holder. Each guest has one at a time, and only its hash is stored. */
export interface GuestLinks {
  /** Makes a new one, and ends the previous one. @returns the token of the link, only this time */
  renew(tx: AccountsTransaction, accountId: number): Promise<{ token: string; expiresAt: number }>;
  /** Whether there is one that still works. */
  isOpen(accountId: number, within?: Pick<AccountsTransaction, 'get'>): Promise<boolean>;
  /** @returns the guest of a link; null when it has ended, or never existed */
  find(token: string): Promise<AccountRecord | null>;
  /** Records a visit of the guest. */
  noteVisit(accountId: number): Promise<void>;
}

export function createGuestLinks(database: Database, clock: Clock, keptDays: () => number): GuestLinks {
  return {
    async renew(tx, accountId) {
      const token = randomToken();
      const now = clock.now();
      const expiresAt = now + keptDays() * DAY;
      await tx.run(
        'INSERT OR REPLACE INTO guest_links (account_id, token_hash, created_at, expires_at) VALUES (?, ?, ?, ?)',
        [accountId, tokenHash(token), now, expiresAt],
      );
      return { token, expiresAt };
    },

    async isOpen(accountId, within = database) {
      const sql = 'SELECT 1 FROM guest_links WHERE account_id = ? AND expires_at > ?';
      return (await within.get(sql, [accountId, clock.now()])) !== undefined;
    },

    async find(token) {
      const row = await database.get<AccountRow>(
        `${SELECT_ACCOUNTS} JOIN guest_links l ON l.account_id = a.id WHERE l.token_hash = ? AND l.expires_at > ?`,
        [tokenHash(token), clock.now()],
      );
      return row === undefined ? null : accountOf(row);
    },

    async noteVisit(accountId) {
      await database.write((tx) =>
        tx.run('UPDATE accounts SET last_login_at = ? WHERE id = ?', [clock.now(), accountId]),
      );
    },
  };
}
