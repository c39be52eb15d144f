import { AccountProblem, type AccountRecord, type Accounts, OWNER_ID } from '../accounts/accounts.ts';
import { hashPassword, passwordProblem } from '../accounts/passwords.ts';
import type { Sessions } from '../accounts/sessions.ts';
import type { TwoStep } from '../accounts/two-step.ts';
import type { Database, Transaction } from '../database/database.ts';
import type { Actor, Events } from '../lib/events.ts';
import type { Tokens } from '../oauth/tokens.ts';

/** What somebody above an account decides about it; only what is given changes. */
export interface AccountChanges {
  readonly activated?: boolean;
  /** Milliseconds since the epoch; null: never. */
  readonly expiresAt?: number | null;
  readonly requirePasswordChange?: boolean;
  /** Asked for at the next sign-in, where it is not set up; off forgets the key. */
  readonly twoStepEnabled?: boolean;
  readonly password?: string;
}

/** @throws AccountProblem for a value that an account cannot have; then nothing changes */
export type EditAccount = (account: AccountRecord, changes: AccountChanges, by: Actor) => Promise<void>;

export function createEditAccount({
  database,
  accounts,
  sessions,
  tokens,
  twoStep,
  events,
}: {
  database: Database;
  accounts: Accounts;
  sessions: Sessions;
  tokens: Tokens;
  twoStep: TwoStep;
  events: Events;
}): EditAccount {
  return async (account, changes, by) => {
    const { id } = account;
    if (changes.activated === false && id === OWNER_ID) {
      throw new AccountProblem('activated', 'The owner’s account cannot be deactivated.');
    }
    if (changes.expiresAt && id === OWNER_ID) {
      throw new AccountProblem('expirationDate', 'The owner’s account cannot expire.');
    }
    const passwordHash = changes.password === undefined ? null : await hashChecked(changes.password, account.username);
    await database.write(async (tx) => {
      if (passwordHash !== null) await accounts.setPassword(id, passwordHash, { liftLock: false }, tx);
      const columns: [string, number | null | undefined][] = [
        ['expires_at', changes.expiresAt],
        ['require_password_change', toBit(changes.requirePasswordChange)],
        ['two_step_required', toBit(changes.twoStepEnabled)],
      ];
      for (const [column, value] of columns) {
        if (value !== undefined) await tx.run(`UPDATE accounts SET ${column} = ? WHERE id = ?`, [value, id]);
      }
      if (changes.twoStepEnabled === false) await twoStep.disable(id, tx);
      if (changes.activated === true) await activate(id, tx);
      if (changes.activated === false) {
        await tx.run("UPDATE accounts SET activated = 0, deactivated_reason = 'administrator' WHERE id = ?", [id]);
      }
      // Whoever knew the old password, or may not act any more, is out at once.
      if (passwordHash !== null || changes.activated === false) {
        await sessions.endOthers(id, null, tx);
        await tokens.revokeAll(id, null, tx);
      }
      tx.afterCommit(() => tell(account, changes, by));
    });
  };

  async function activate(id: number, tx: Transaction): Promise<void> {
    await tx.run(
      'UPDATE accounts SET activated = 1, deactivated_reason = NULL, failed_login_attempts = 0 WHERE id = ?',
      [id],
    );
  }

  function tell({ id: accountId, username }: AccountRecord, changes: AccountChanges, actor: Actor): void {
    if (changes.activated === true) events.emit('account.activated', { actor, accountId, username });
    if (changes.activated === false)
      events.emit('account.deactivated', { actor, accountId, username, reason: 'administrator' });
    const fields = Object.keys(changes).filter((field) => field !== 'activated');
    if (fields.length > 0) events.emit('account.changed', { actor, accountId, username, fields });
  }
}

function toBit(value: boolean | undefined): number | undefined {
  return value === undefined ? undefined : Number(value);
}

async function hashChecked(password: string, username: string): Promise<string> {
  const problem = passwordProblem(password, username, 10);
  if (problem !== null) throw new AccountProblem('password', problem);
  return hashPassword(password);
}
