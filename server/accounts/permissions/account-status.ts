import type { AccountRecord } from '../account-record.ts';
import type { DeactivationReason } from '../account-type.ts';

type Asked = Pick<AccountRecord, 'requirePasswordChange' | 'twoStepRequired' | 'twoStepKey'>;
type Standing = Pick<AccountRecord, 'isSwitchedOff' | 'expiresAt'>;

/**
 * Why an account may not act, whatever it holds: an administrator said so, or its time is over. Wrong passwords are no
 * reason here: somebody else's guessing keeps nobody out of what they are in already.
 * @param now milliseconds since the epoch
 */
export function blockReason({ isSwitchedOff, expiresAt }: Standing, now: number): 'deactivated' | 'expired' | null {
  if (isSwitchedOff) return 'deactivated';
  return expiresAt !== null && expiresAt <= now ? 'expired' : null;
}

/**
 * Why an account is deactivated (§3): by an administrator until one activates it, or by wrong passwords for a while. The
 * owner's account never is: wrong passwords make strangers wait there. null for an activated account.
 * @param now milliseconds since the epoch
 */
export function deactivationOf(
  { type, isSwitchedOff, blockedUntil }: Pick<AccountRecord, 'type' | 'isSwitchedOff' | 'blockedUntil'>,
  now: number,
): DeactivationReason | null {
  if (isSwitchedOff) return 'administrator';
  return type !== 'superuser' && (blockedUntil ?? 0) > now ? 'wrong_passwords' : null;
}

/** Whether somebody who has signed in may use pages: what is asked for since then is done at the next sign-in. */
export function mayStay(account: Standing & Asked, now: number): boolean {
  if (blockReason(account, now) !== null || account.requirePasswordChange) return false;
  return !account.twoStepRequired || account.twoStepKey !== null;
}

/**
 * Who may open the control panel from other devices: the one whose Larder it is, with two-step sign-in. There is nothing here
 * that the panel cannot do.
 */
export function mayOpenPanel({ type, twoStepKey }: Pick<AccountRecord, 'type' | 'twoStepKey'>): boolean {
  return type === 'superuser' && twoStepKey !== null;
}
