import type { Database } from '../database/database.ts';
import { type Clock, MINUTE, SECOND } from '../lib/clock.ts';
import { actorOf, type Events, LARDER, type Origin } from '../lib/events.ts';
import { KeyedQueue } from '../lib/keyed-queue.ts';
import { tokenHash } from '../lib/random.ts';
import type { Settings } from '../settings/settings.ts';
import type { AccountRecord, Accounts } from './accounts.ts';
import { verifyPassword } from './passwords.ts';
import { foldUsername } from './usernames.ts';

export type SignInResult =
  | { outcome: 'signed-in'; account: AccountRecord }
  /** Unknown name and wrong password alike. */
  | { outcome: 'refused' }
  /** Too soon after a wrong try from this address. The password was not looked at. */
  | { outcome: 'wait'; seconds: number }
  /** Said only after the right password. */
  | { outcome: 'deactivated' };

export interface SignIn {
  /** One try to sign in, counted over all doors together (§3, §5.3). */
  attempt(username: string, password: string, from: Origin): Promise<SignInResult>;
}

const FREE_TRIES = 2;
const FIRST_WAIT = 5 * SECOND;
const LONGEST_WAIT = 15 * MINUTE;
const FORGET_AFTER = 60 * MINUTE;
const REMEMBERED = 10_000;

export function createSignIn({
  database,
  accounts,
  settings,
  clock,
  events,
}: {
  database: Database;
  accounts: Accounts;
  settings: Settings;
  clock: Clock;
  events: Events;
}): SignIn {
  const waits = new Waits(clock);
  const queue = new KeyedQueue();

  async function look(username: string, password: string, from: Origin): Promise<SignInResult> {
    const address = from.address ?? '';
    const wait = waits.remaining(username, address);
    if (wait > 0) return { outcome: 'wait', seconds: Math.ceil(wait / SECOND) };
    const account = await accounts.byUsername(username);
    if (!(await verifyPassword(password, account?.passwordHash ?? null)) || account === null) {
      waits.wrong(username, address);
      if (account !== null) await countWrong(account);
      events.emit('login.failed', { actor: actorOf(from, account), reason: 'wrong_password' });
      return { outcome: 'refused' };
    }
    waits.forget(username, address);
    if (!account.activated) {
      events.emit('login.failed', { actor: actorOf(from, account), reason: 'deactivated' });
      return { outcome: 'deactivated' };
    }
    await database.write((tx) =>
      tx.run('UPDATE accounts SET failed_login_attempts = 0, last_login_at = ? WHERE id = ?', [
        clock.now(),
        account.id,
      ]),
    );
    events.emit('login.succeeded', { actor: actorOf(from, account) });
    return { outcome: 'signed-in', account };
  }

  async function countWrong(account: AccountRecord): Promise<void> {
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

  return {
    // One try at a time for a name: guesses sent together are counted one after the other.
    attempt: (username, password, from) =>
      queue.run(foldUsername(username), () => look(foldUsername(username), password, from)),
  };
}

/** How long an address waits for a name. Kept for names that do not exist too: waiting tells nothing. */
class Waits {
  readonly #clock: Clock;
  readonly #tries = new Map<string, { count: number; last: number }>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Milliseconds until the next try counts; 0 when it may be made now. */
  remaining(name: string, address: string): number {
    const tries = this.#tries.get(key(name, address));
    if (tries === undefined || tries.count <= FREE_TRIES) return 0;
    const wait = Math.min(FIRST_WAIT * 2 ** (tries.count - FREE_TRIES - 1), LONGEST_WAIT);
    return Math.max(0, tries.last + wait - this.#clock.now());
  }

  wrong(name: string, address: string): void {
    const now = this.#clock.now();
    const before = this.#tries.get(key(name, address));
    const count = before === undefined || now - before.last > FORGET_AFTER ? 1 : before.count + 1;
    this.#tries.delete(key(name, address));
    this.#tries.set(key(name, address), { count, last: now });
    for (const oldest of this.#tries.keys()) {
      if (this.#tries.size <= REMEMBERED) break;
      this.#tries.delete(oldest);
    }
  }

  forget(name: string, address: string): void {
    this.#tries.delete(key(name, address));
  }
}

/** A hash: a name is whatever somebody sent, up to a whole megabyte of it. */
function key(name: string, address: string): string {
  return tokenHash(`${name}\n${address}`).toString('base64');
}
