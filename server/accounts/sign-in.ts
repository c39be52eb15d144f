import type { Database } from '../database/database.ts';
import { type Clock, SECOND } from '../lib/clock.ts';
import { actorOf, type Events, LARDER, type Origin } from '../lib/events.ts';
import { KeyedQueue } from '../lib/keyed-queue.ts';
import type { Settings } from '../settings/settings.ts';
import { closedDoor } from './account-standing.ts';
import type { AccountRecord, Accounts } from './accounts.ts';
import { verifyPassword } from './passwords.ts';
import { SignInWaits } from './sign-in-waits.ts';
import type { TwoStep } from './two-step.ts';
import { foldUsername } from './usernames.ts';

/** What somebody has shown so far on the way in: the right password of an account, and maybe a code. */
export interface Proof {
  readonly accountId: number;
  /** Of the password that was shown: with another password set meanwhile, it proves nothing any more. */
  readonly passwordHash: string;
  readonly codeShown: boolean;
}

/** Why a try did not prove what it had to. */
export type NotProved =
  /** Unknown name and wrong password alike. */
  | { outcome: 'refused' }
  /** Too soon after a wrong try from this address. Nothing was looked at. */
  | { outcome: 'wait'; seconds: number }
  /** Said only after the right password, or to somebody who is signed in. */
  | { outcome: 'deactivated' }
  | { outcome: 'code-needed'; proof: Proof }
  /** A wrong code, or one that was used before. It counts like a wrong password. */
  | { outcome: 'code-wrong'; proof: Proof };

export type SignInResult =
  | { outcome: 'signed-in'; account: AccountRecord }
  | NotProved
  | { outcome: 'expired' }
  /** An administrator asks for these; `proof` is for `proceed` once they are done. */
  | { outcome: 'two-step-needed' | 'password-change-needed'; proof: Proof };

/** Everything was right, but this door is not for this account. */
export interface NotHere {
  outcome: 'not-here';
  account: AccountRecord;
}
type MayEnter = (account: AccountRecord) => boolean;
const everybody: MayEnter = () => true;

export interface Shown {
  readonly password: string;
  /** A code of two-step sign-in; empty when none was given. */
  readonly otp: string;
  /** Where the try comes from. */
  readonly from: Origin;
}

export interface SignIn {
  /** One try to sign in, counted over all doors together (§3, §5.3). */
  attempt(username: string, shown: Shown): Promise<SignInResult>;
  /** The same at a door that is not for everybody: whoever has proved to be somebody else has not signed in. */
  attemptWhere(mayEnter: MayEnter, username: string, shown: Shown): Promise<SignInResult | NotHere>;
  /** Goes on where an attempt stopped: with the code, or after what was asked for. */
  proceed(proof: Proof, shown: Pick<Shown, 'otp' | 'from'>): Promise<SignInResult>;
  /** Whether somebody who is signed in proves to be the person, before something grave. Counted with the attempts. */
  confirm(account: AccountRecord, shown: Shown): Promise<{ outcome: 'confirmed'; proof: Proof } | NotProved>;
}

export function createSignIn({
  database,
  accounts,
  twoStep,
  settings,
  clock,
  events,
}: {
  database: Database;
  accounts: Accounts;
  twoStep: TwoStep;
  settings: Settings;
  clock: Clock;
  events: Events;
}): SignIn {
  const waits = new SignInWaits(clock);
  // One try at a time for a name: guesses sent together are counted one after the other.
  const queue = new KeyedQueue();

  function waitFor(name: string, { address }: Origin): { outcome: 'wait'; seconds: number } | null {
    const wait = waits.remaining(name, address ?? '');
    return wait > 0 ? { outcome: 'wait', seconds: Math.ceil(wait / SECOND) } : null;
  }

  async function checkPassword(name: string, account: AccountRecord | null, { password, from }: Shown) {
    if ((await verifyPassword(password, account?.passwordHash ?? null)) && account?.passwordHash) {
      return { account, proof: { accountId: account.id, passwordHash: account.passwordHash, codeShown: false } };
    }
    await countWrong({ name, account, from, reason: 'wrong_password' });
    return null;
  }

  /** @returns null when no code is needed, or this one is right */
  async function checkCode(
    account: AccountRecord,
    proof: Proof,
    { otp, from }: Pick<Shown, 'otp' | 'from'>,
  ): Promise<NotProved | null> {
    if (account.twoStepKey === null || proof.codeShown) return null;
    if (otp === '') return { outcome: 'code-needed', proof };
    if (await twoStep.redeem(account, otp)) return null;
    await countWrong({ name: foldUsername(account.username), account, from, reason: 'wrong_code' });
    return { outcome: 'code-wrong', proof };
  }

  async function countWrong({
    name,
    account,
    from,
    reason,
  }: {
    name: string;
    account: AccountRecord | null;
    from: Origin;
    reason: 'wrong_password' | 'wrong_code';
  }): Promise<void> {
    waits.wrong(name, from.address ?? '');
    events.emit('login.failed', { actor: actorOf(from, account), reason });
    if (account === null) return;
    const limit = settings.values.wrongPasswordLimit;
    const deactivated = await database.write(async (tx) => {
      await tx.run('UPDATE accounts SET failed_login_attempts = failed_login_attempts + 1 WHERE id = ?', [account.id]);
      const { changes } = await tx.run(
        `UPDATE accounts SET activated = 0, deactivated_reason = 'wrong_passwords'
         WHERE id = ? AND activated = 1 AND failed_login_attempts >= ?`,
        [account.id, limit],
      );
      return changes > 0;
    });
    if (!deactivated) return;
    const { id: accountId, username } = account;
    events.emit('account.deactivated', { actor: LARDER, accountId, username, reason: 'wrong_passwords' });
  }

  /** Everything behind the password, in the order in which a person can do something about it. */
  async function afterPassword(
    account: AccountRecord,
    proof: Proof,
    shown: Pick<Shown, 'otp' | 'from'>,
    mayEnter: MayEnter,
  ): Promise<SignInResult | NotHere> {
    const shut = closedDoor(account, clock.now());
    if (shut !== null) {
      events.emit('login.failed', { actor: actorOf(shown.from, account), reason: shut });
      return { outcome: shut };
    }
    const notProved = await checkCode(account, proof, shown);
    if (notProved !== null) return notProved;
    const proved = { ...proof, codeShown: account.twoStepKey !== null };
    if (account.twoStepRequired && account.twoStepKey === null) return { outcome: 'two-step-needed', proof: proved };
    if (account.requirePasswordChange) return { outcome: 'password-change-needed', proof: proved };
    if (!mayEnter(account)) {
      events.emit('login.failed', { actor: actorOf(shown.from, account), reason: 'not_here' });
      return { outcome: 'not-here', account };
    }
    waits.forget(foldUsername(account.username), shown.from.address ?? '');
    await database.write((tx) =>
      tx.run('UPDATE accounts SET failed_login_attempts = 0, last_login_at = ? WHERE id = ?', [
        clock.now(),
        account.id,
      ]),
    );
    events.emit('login.succeeded', { actor: actorOf(shown.from, account) });
    return { outcome: 'signed-in', account };
  }

  function attemptWhere(mayEnter: MayEnter, username: string, shown: Shown): Promise<SignInResult | NotHere> {
    const name = foldUsername(username);
    return queue.run(name, async () => {
      const wait = waitFor(name, shown.from);
      if (wait !== null) return wait;
      const found = await checkPassword(name, await accounts.byUsername(name), shown);
      return found === null ? { outcome: 'refused' } : afterPassword(found.account, found.proof, shown, mayEnter);
    });
  }

  return {
    attempt: (username, shown) => attemptWhere(everybody, username, shown) as Promise<SignInResult>,
    attemptWhere,

    async proceed(proof, shown) {
      const name = foldUsername((await accounts.byId(proof.accountId))?.username ?? '');
      return queue.run(name, async () => {
        const wait = shown.otp === '' ? null : waitFor(name, shown.from);
        if (wait !== null) return wait;
        const account = await accounts.byId(proof.accountId);
        if (account === null || account.passwordHash !== proof.passwordHash) return { outcome: 'refused' };
        return afterPassword(account, proof, shown, everybody) as Promise<SignInResult>;
      });
    },

    confirm: ({ id, username }, shown) => {
      const name = foldUsername(username);
      return queue.run(name, async () => {
        const account = await accounts.byId(id);
        // Whoever holds a session or a token of it must not go on guessing when the door is shut for everybody else.
        if (account === null || !account.activated) return { outcome: 'deactivated' };
        const wait = waitFor(name, shown.from);
        if (wait !== null) return wait;
        const found = await checkPassword(name, account, shown);
        if (found === null) return { outcome: 'refused' };
        const notProved = await checkCode(account, found.proof, shown);
        if (notProved !== null) return notProved;
        waits.forget(name, shown.from.address ?? '');
        await database.write((tx) => tx.run('UPDATE accounts SET failed_login_attempts = 0 WHERE id = ?', [id]));
        return { outcome: 'confirmed', proof: { ...found.proof, codeShown: account.twoStepKey !== null } };
      });
    },
  };
}
