import type { AccountRecord } from './account-record.ts';

type Asked = Pick<AccountRecord, 'requirePasswordChange' | 'twoStepRequired' | 'twoStepKey'>;
type Standing = Pick<AccountRecord, 'activated' | 'deactivatedReason' | 'expiresAt'>;

/**
 * Why an account may not act, whatever it holds: an administrator said so, or its time is over. Wrong passwords are no
 * reason here: somebody else's guessing keeps nobody out of what they are in already.
 * @param now milliseconds since the epoch
 */
export function shutOut({ deactivatedReason, expiresAt }: Standing, now: number): 'deactivated' | 'expired' | null {
  if (deactivatedReason === 'administrator') return 'deactivated';
  return expiresAt !== null && expiresAt <= now ? 'expired' : null;
}

/** Why nobody may sign in to an account: the same, or wrong passwords. */
export function closedDoor(account: Standing, now: number): 'deactivated' | 'expired' | null {
  return account.activated ? shutOut(account, now) : 'deactivated';
}

/** Whether somebody who has signed in may use pages: what is asked for since then is done at the next sign-in. */
export function mayStay(account: Standing & Asked, now: number): boolean {
  if (shutOut(account, now) !== null || account.requirePasswordChange) return false;
  return !account.twoStepRequired || account.twoStepKey !== null;
}

/**
 * Who may open the control panel from other devices: the one whose Larder it is, with two-step sign-in. There is nothing here
 * that the panel cannot do.
 */
export function mayOpenPanel({ type, twoStepKey }: Pick<AccountRecord, 'type' | 'twoStepKey'>): boolean {
  return type === 'superuser' && twoStepKey !== null;
}
