import type { Database } from '../../database/database.ts';
import { addressGroup } from '../../http/connection/client-address.ts';
import { ApiError } from '../../http/errors.ts';
import { type Clock, SECOND } from '../../lib/clock.ts';
import { KeyedQueue } from '../../lib/concurrency/keyed-queue.ts';
import { actorOf, type Events, LARDER, type Origin } from '../../lib/events.ts';
import { tokenHash } from '../../lib/random.ts';
import { t } from '../../messages/messages.ts';
import type { Settings } from '../../settings/settings.ts';
import { type AccountRecord, type Accounts, OWNER_ID } from '../accounts.ts';
import { blockedFor, createPasswordBlocks } from '../passwords/password-blocks.ts';
import { verifyPassword } from '../passwords/passwords.ts';
import { blockReason } from '../permissions/account-status.ts';
import { foldUsername } from '../usernames.ts';
import type { Devices } from './devices.ts';
import { FOR_AN_ADDRESS, SignInWaits } from './sign-in-waits.ts';
import type { TwoStep } from './two-step.ts';

/** What a sign-in has proved so far: the right password of an account, and maybe a code. */
export interface Proof {
  readonly accountId: number;
  /** Of the password that was checked: after a change of password, the proof is no longer valid. */
  readonly passwordHash: string;
  readonly codeShown: boolean;
}

/** Why a try was not successful. */
export type NotProved =
  /** Unknown name or wrong password; any password while wrong ones block unknown browsers and apps. */
  | { outcome: 'refused' }
  /** Too soon after wrong tries from this address or at the owner's account. Nothing was checked. */
  | { outcome: 'wait'; seconds: number }
  /** Returned only after the right password, or to a signed-in account. */
  | { outcome: 'deactivated' }
  | { outcome: 'code-needed'; proof: Proof }
  /** A wrong code, or one that was used before. It counts like a wrong password. */
  | { outcome: 'code-wrong'; proof: Proof };

export type SignInResult =
  | { outcome: 'signed-in'; account: AccountRecord }
  | NotProved
  | { outcome: 'expired' }
  /** Required by an administrator; `proof` is for `proceed` once it is done. */
  | { outcome: 'two-step-needed' | 'password-change-needed'; proof: Proof };

/** Everything was right, but this account may not use this entry point. */
interface AbsentUser {
  outcome: 'not-here';
  account: AccountRecord;
}
type MayEnter = (account: AccountRecord) => boolean;
const everybody: MayEnter = () => true;

interface Shown {
  readonly password: string;
  /** A code of two-step sign-in; empty if none was given. */
  readonly otp: string;
  /** Where the try comes from. */
  readonly from: Origin;
  /** The content of a browser's device cookie; null for apps, and for browsers without one. */
  readonly device: string | null;
  /**
   * Whether it is a try in the control panel on this computer. The owner has a budget of their own there, which guesses from the network
   * cannot spend.
   */
  readonly isHere?: boolean;
}

/** A try: the name, its account if there is one, and whether the browser has signed in to it before. */
interface Attempt {
  readonly name: string;
  readonly account: AccountRecord | null;
  readonly from: Origin;
  /** The cookie of a known device; null for strangers. */
  readonly knownDevice: string | null;
  readonly isHere: boolean;
  /** What wrong tries are counted by: the address, or this computer. */
  readonly counted: string;
}

/** Not an address, so that no address shares its count. */
const HERE = 'this computer';

export interface SignIn {
  /** One try to sign in, counted over all entry points together (§3, §5.3). */
  attempt(username: string, shown: Shown): Promise<SignInResult>;
  /** The same at an entry point for some accounts only: others are not signed in. */
  attemptWhere(mayEnter: MayEnter, username: string, shown: Shown): Promise<SignInResult | AbsentUser>;
  /** Continues an attempt: with the code, or after the required step. */
  proceed(proof: Proof, shown: Pick<Shown, 'otp' | 'from' | 'device'>): Promise<SignInResult>;
  /** Confirms the identity of a signed-in account before a sensitive change. Counts as an attempt. */
  confirm(account: AccountRecord, shown: Shown): Promise<{ outcome: 'confirmed'; proof: Proof } | NotProved>;
}

/** Most tries at one name that wait for each other. */
const MAX_WAITING = 50;

function tooMany(): ApiError {
  return new ApiError('too_many_requests', t('api.passwords.busy'), {
    headers: { 'Retry-After': '5' },
  });
}

export function createSignIn({
  database,
  accounts,
  devices,
  twoStep,
  settings,
  clock,
  events,
}: {
  database: Database;
  accounts: Accounts;
  devices: Devices;
  twoStep: TwoStep;
  settings: Settings;
  clock: Clock;
  events: Events;
}): SignIn {
  const waits = new SignInWaits(clock);
  const addressWaits = new SignInWaits(clock, FOR_AN_ADDRESS);
  const blocks = createPasswordBlocks(database, clock);
  // One try at a time per name: guesses sent together are counted one after the other.
  const queue = new KeyedQueue();

  /** Known devices do not queue behind the guesses of strangers. */
  async function inTurn<T>(name: string, shown: Pick<Shown, 'device' | 'isHere'>, work: () => Promise<T>): Promise<T> {
    const account = shown.device === null ? null : await accounts.byUsername(name);
    const isKnown = account !== null && (await devices.isKnown(account.id, shown.device));
    if (isKnown) return queue.run(`${name}\n${tokenHash(shown.device ?? '').toString('base64')}`, work);
    const line = shown.isHere === true ? `${name}\n${HERE}` : name;
    if (queue.waiting(line) >= MAX_WAITING) throw tooMany();
    return queue.run(line, work);
  }

  async function attemptOf(
    name: string,
    account: AccountRecord | null,
    { from, device, isHere: isSentHere = false }: Pick<Shown, 'from' | 'device' | 'isHere'>,
  ): Promise<Attempt> {
    const isHere = isSentHere && account?.id === OWNER_ID;
    const isKnown = account !== null && (await devices.isKnown(account.id, device));
    const counted = isHere ? HERE : (from.address ?? '');
    return { name, account, from, knownDevice: isKnown ? device : null, isHere, counted };
  }

  /** Nothing is checked during this time, so that a right password cannot be recognized. */
  function waitFor(attempt: Attempt): { outcome: 'wait'; seconds: number } | null {
    const { name, account, knownDevice, isHere, counted } = attempt;
    const ofAddress = Math.max(waits.remaining(name, counted), addressWaits.remaining('', counted));
    // The owner's account is never deactivated, so that there is always a way in. Strangers wait instead.
    const ofOwner = account?.id === OWNER_ID && !isHere ? blockedFor(account, clock.now()) : 0;
    const wait = knownDevice === null ? Math.max(ofAddress, ofOwner) : 0;
    return wait > 0 ? { outcome: 'wait', seconds: Math.ceil(wait / SECOND) } : null;
  }

  /** Known devices queue only behind themselves. */
  function queuedAs({ knownDevice, counted }: Attempt): string {
    return knownDevice === null ? addressGroup(counted) : `device ${tokenHash(knownDevice).toString('base64')}`;
  }

  /** Whether wrong passwords block this try: it is refused like a wrong password, after the same time. */
  function mustRefuse({ account, knownDevice, isHere }: Attempt): boolean {
    return account !== null && knownDevice === null && !isHere && blockedFor(account, clock.now()) > 0;
  }

  async function checkPassword(attempt: Attempt, password: string) {
    const { account, counted: address } = attempt;
    // Counted before the check, so that concurrent tries cannot exceed the limit of their address.
    addressWaits.wrong('', address);
    const isRight = await verifyPassword(password, account?.passwordHash ?? null, queuedAs(attempt)).catch((error) => {
      addressWaits.takeBack('', address);
      throw error;
    });
    if (isRight && account?.passwordHash && !mustRefuse(attempt)) {
      addressWaits.takeBack('', address);
      return { account, proof: { accountId: account.id, passwordHash: account.passwordHash, codeShown: false } };
    }
    await countWrong(attempt, 'wrong_password');
    return null;
  }

  /** @returns null when no code is needed, or this one is right */
  async function checkCode(attempt: Attempt, proof: Proof, otp: string): Promise<NotProved | null> {
    const { account } = attempt;
    if (account === null || account.twoStepKey === null || proof.codeShown) return null;
    if (otp === '') return { outcome: 'code-needed', proof };
    if (await twoStep.redeem(account, otp)) return null;
    await countWrong(attempt, 'wrong_code');
    return { outcome: 'code-wrong', proof };
  }

  async function countWrong(
    { name, account, from, knownDevice, isHere, counted }: Attempt,
    reason: 'wrong_password' | 'wrong_code',
  ): Promise<void> {
    waits.wrong(name, counted);
    if (reason === 'wrong_code') addressWaits.wrong('', counted);
    events.emit('login.failed', { actor: actorOf(from, account), reason });
    if (account === null || isHere) return;
    const { wrongPasswordLimit } = settings.values;
    if (knownDevice !== null) await devices.noteWrong(account.id, knownDevice, wrongPasswordLimit);
    const isBlocked = await blocks.noteWrong(account.id, wrongPasswordLimit);
    if (!isBlocked || account.id === OWNER_ID) return;
    const { id: accountId, username } = account;
    events.emit('account.deactivated', { actor: LARDER, accountId, username, reason: 'wrong_passwords' });
  }

  /** The checks after the password, in the order in which a person can resolve them. */
  async function afterPassword(
    attempt: Attempt & { readonly account: AccountRecord },
    proof: Proof,
    otp: string,
    mayEnter: MayEnter,
  ): Promise<SignInResult | AbsentUser> {
    const { account, from, name, counted } = attempt;
    const shut = blockReason(account, clock.now());
    if (shut !== null) {
      events.emit('login.failed', { actor: actorOf(from, account), reason: shut });
      return { outcome: shut };
    }
    const notProved = await checkCode(attempt, proof, otp);
    if (notProved !== null) return notProved;
    const proved = { ...proof, codeShown: account.twoStepKey !== null };
    if (account.twoStepRequired && account.twoStepKey === null) return { outcome: 'two-step-needed', proof: proved };
    if (account.requirePasswordChange) return { outcome: 'password-change-needed', proof: proved };
    if (!mayEnter(account)) {
      events.emit('login.failed', { actor: actorOf(from, account), reason: 'not_here' });
      return { outcome: 'not-here', account };
    }
    waits.forget(name, counted);
    await blocks.noteRight(account.id);
    await database.write((tx) =>
      tx.run('UPDATE accounts SET last_login_at = ? WHERE id = ?', [clock.now(), account.id]),
    );
    events.emit('login.succeeded', { actor: actorOf(from, account) });
    return { outcome: 'signed-in', account };
  }

  function attemptWhere(mayEnter: MayEnter, username: string, shown: Shown): Promise<SignInResult | AbsentUser> {
    const name = foldUsername(username);
    return inTurn(name, shown, async () => {
      const attempt = await attemptOf(name, await accounts.byUsername(name), shown);
      const wait = waitFor(attempt);
      if (wait !== null) return wait;
      const found = await checkPassword(attempt, shown.password);
      if (found === null) return { outcome: 'refused' };
      return afterPassword({ ...attempt, account: found.account }, found.proof, shown.otp, mayEnter);
    });
  }

  return {
    attempt: (username, shown) => attemptWhere(everybody, username, shown) as Promise<SignInResult>,
    attemptWhere,

    async proceed(proof, shown) {
      const name = foldUsername((await accounts.byId(proof.accountId))?.username ?? '');
      return inTurn(name, shown, async () => {
        const account = await accounts.byId(proof.accountId);
        if (account === null || account.passwordHash !== proof.passwordHash) return { outcome: 'refused' };
        const attempt = { ...(await attemptOf(name, account, shown)), account };
        const wait = shown.otp === '' ? null : waitFor(attempt);
        if (wait !== null) return wait;
        if (mustRefuse(attempt)) return { outcome: 'refused' };
        return afterPassword(attempt, proof, shown.otp, everybody) as Promise<SignInResult>;
      });
    },

    confirm: ({ id, username }, shown) => {
      const name = foldUsername(username);
      return inTurn(name, shown, async () => {
        const account = await accounts.byId(id);
        if (account === null) return { outcome: 'deactivated' };
        const attempt = await attemptOf(name, account, shown);
        const wait = waitFor(attempt);
        if (wait !== null) return wait;
        // Holders of a session or token must not be able to guess where everyone else has to wait.
        if (mustRefuse(attempt)) {
          return { outcome: 'wait', seconds: Math.ceil(blockedFor(account, clock.now()) / SECOND) };
        }
        const found = await checkPassword(attempt, shown.password);
        if (found === null) return { outcome: 'refused' };
        const notProved = await checkCode(attempt, found.proof, shown.otp);
        if (notProved !== null) return notProved;
        waits.forget(name, shown.from.address ?? '');
        await blocks.noteRight(id);
        return { outcome: 'confirmed', proof: { ...found.proof, codeShown: account.twoStepKey !== null } };
      });
    },
  };
}
