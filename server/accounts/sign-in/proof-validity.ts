import type { AccountsTransaction } from '../../database/database.ts';
import { tokenHash } from '../../lib/random.ts';
import type { AccountRecord } from '../account-record.ts';

/**
 * Whether a proof is still valid, checked within the transaction that issues something for it. Checking a password takes a while:
 * if it is changed meanwhile, nothing may be issued for the old one.
 */
export type StillProved = (tx: Pick<AccountsTransaction, 'get'>) => Promise<boolean>;

/** The account still has the password and second factor that were checked, and was not deactivated by an administrator. */
export function sameCredentials({
  id,
  passwordHash,
  twoStepKey,
}: Pick<AccountRecord, 'id' | 'passwordHash' | 'twoStepKey'>): StillProved {
  return holds('SELECT 1 FROM accounts WHERE id = ? AND password_hash IS ? AND two_step_key IS ? AND activated = 1', [
    id,
    passwordHash,
    twoStepKey,
  ]);
}

/** The browser session of the page has not ended. */
export function sessionStillOpen(sessionId: number): StillProved {
  return holds('SELECT 1 FROM sessions WHERE id = ?', [sessionId]);
}

/** The private link of a guest has not been replaced. @param token of the link */
export function guestLinkStillOpen(accountId: number, token: string): StillProved {
  return holds(
    `SELECT 1 FROM guest_links JOIN accounts ON accounts.id = account_id
     WHERE account_id = ? AND token_hash = ? AND activated = 1`,
    [accountId, tokenHash(token)],
  );
}

function holds(sql: string, params: readonly (string | number | Buffer | null)[]): StillProved {
  return async (tx) => (await tx.get(sql, [...params])) !== undefined;
}
