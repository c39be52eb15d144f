import type { AccountRecord, Accounts } from '../accounts/accounts.ts';
import { AccountProblem } from '../accounts/accounts.ts';
import { hashPassword, passwordProblem, verifyPassword } from '../accounts/passwords/passwords.ts';
import type { Sessions } from '../accounts/sign-in/sessions.ts';
import type { Database } from '../database/database.ts';
import { addressGroup } from '../http/connection/client-address.ts';
import { actorOf, type Events, type Origin } from '../lib/events.ts';
import { t } from '../messages/messages.ts';
import type { Tokens } from '../oauth/tokens.ts';
import type { Settings } from '../settings/settings.ts';

export interface PasswordChange {
  readonly account: AccountRecord;
  readonly password: string;
  /** The one session and the one authorization that stay: those that the change is made with. */
  readonly keep?: { readonly sessionId?: number; readonly authorizationId?: number };
  /** Whether it opens an account that wrong passwords had shut. */
  readonly liftLock?: boolean;
  readonly from: Origin;
}

/**
 * Sets another password and ends everything that the old one began: whoever knew it is out, at once.
 * @returns the hash of the new one
 * @throws AccountProblem when the new password may not be chosen, is the one there is, or another change came first
 */
export type ChangePassword = (change: PasswordChange) => Promise<string>;

export function createChangePassword({
  database,
  accounts,
  sessions,
  tokens,
  events,
  settings,
}: {
  database: Database;
  accounts: Accounts;
  sessions: Sessions;
  tokens: Tokens;
  events: Events;
  settings: Settings;
}): ChangePassword {
  return async ({ account, password, keep = {}, liftLock = false, from }) => {
    const problem = passwordProblem(password, account.username, settings.values.passwordMinLength);
    if (problem !== null) throw new AccountProblem('new_password', problem);
    const group = addressGroup(from.address);
    if (await verifyPassword(password, account.passwordHash, group)) {
      throw new AccountProblem('new_password', t('api.passwords.same'));
    }
    const passwordHash = await hashPassword(password, group);
    // What was proved, by the old password or by a link, holds for the password that was there: of many at once, one sets it.
    const instead = account.passwordHash;
    const isSet = await database.write(async (tx) => {
      if (!(await accounts.setPassword(account.id, passwordHash, { liftLock, instead }, tx))) return false;
      await sessions.endOthers(account.id, keep.sessionId ?? null, tx);
      await tokens.revokeAll(account.id, keep.authorizationId ?? null, tx);
      tx.afterCommit(() =>
        events.emit('password.changed', { actor: actorOf(from, account), username: account.username }),
      );
      return true;
    });
    if (isSet) return passwordHash;
    // A button that was pressed twice: it is as it was wanted.
    const now = (await accounts.byId(account.id))?.passwordHash ?? null;
    if (now !== null && (await verifyPassword(password, now, group))) return now;
    throw new AccountProblem('new_password', t('api.passwords.changedMeanwhile'));
  };
}
