import type { AccountRecord, Accounts } from '../accounts/accounts.ts';
import { AccountProblem } from '../accounts/accounts.ts';
import { hashPassword, passwordProblem, verifyPassword } from '../accounts/passwords/passwords.ts';
import type { Sessions } from '../accounts/sign-in/sessions.ts';
import type { Database } from '../database/database.ts';
import { addressGroup } from '../http/connection/client-address.ts';
import { actorOf, type Events, type Origin } from '../lib/events.ts';
import { t } from '../messages/messages.ts';
import type { KeptCredentials, Tokens } from '../oauth/tokens.ts';
import type { Settings } from '../settings/settings.ts';

interface PasswordChange {
  readonly account: AccountRecord;
  readonly password: string;
  /** The session and the authorization that stay: those of the request. Of app passwords, those that the person has chosen. */
  readonly keep?: KeptCredentials & { readonly sessionId?: number | undefined };
  /** Whether it lifts a block by wrong passwords. */
  readonly liftLock?: boolean;
  readonly from: Origin;
}

/**
 * Sets a new password and ends everything issued for the old one, so that anyone who knew it loses access at once.
 * @returns the hash of the new one
 * @throws AccountProblem when the new password is not acceptable, equals the old one, or another change came first
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
    // The proof, by the old password or a link, is valid for the stored password only: of concurrent changes, one succeeds.
    const instead = account.passwordHash;
    const isSet = await database.write(async (tx) => {
      if (!(await accounts.setPassword(account.id, passwordHash, { liftLock, instead }, tx))) return false;
      await sessions.endOthers(account.id, keep.sessionId ?? null, tx);
      await tokens.revokeAll(account.id, keep, tx);
      tx.afterCommit(() =>
        events.emit('password.changed', { actor: actorOf(from, account), username: account.username }),
      );
      return true;
    });
    if (isSet) return passwordHash;
    // The form was sent twice: the password is the requested one already.
    const now = (await accounts.byId(account.id))?.passwordHash ?? null;
    if (now !== null && (await verifyPassword(password, now, group))) return now;
    throw new AccountProblem('new_password', t('api.passwords.changedMeanwhile'));
  };
}
