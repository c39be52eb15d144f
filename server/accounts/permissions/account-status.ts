import type { AccountRecord } from '../account-record.ts';
import type { DeactivationReason } from '../account-type.ts';

type Requirements = Pick<AccountRecord, 'requirePasswordChange' | 'twoStepRequired' | 'twoStepKey'>;
type Standing = Pick<AccountRecord, 'isSwitchedOff' | 'expiresAt'>;

/**
 * Why an account may not act at all: an administrator deactivated it, or it has expired. Wrong passwords are not a reason here,
 * so that guessing by others does not end existing sessions.
 * @param now milliseconds since the epoch
 */
export function blockReason({ isSwitchedOff, expiresAt }: Standing, now: number): 'deactivated' | 'expired' | null {
  if (isSwitchedOff) return 'deactivated';
  return expiresAt !== null && expiresAt <= now ? 'expired' : null;
}

/**
 * Why an account is deactivated (§3): by an administrator until one activates it, or temporarily by wrong passwords. The owner's
 * account never is: there, wrong passwords only make strangers wait. Null for an active account.
 * @param now milliseconds since the epoch
 */
export function deactivationOf(
  { type, isSwitchedOff, blockedUntil }: Pick<AccountRecord, 'type' | 'isSwitchedOff' | 'blockedUntil'>,
  now: number,
): DeactivationReason | null {
  if (isSwitchedOff) return 'administrator';
  return type !== 'superuser' && (blockedUntil ?? 0) > now ? 'wrong_passwords' : null;
}

/** Whether a signed-in account may use pages: requirements set since then apply at the next sign-in. */
export function mayStay(account: Standing & Requirements, now: number): boolean {
  if (blockReason(account, now) !== null || account.requirePasswordChange) return false;
  return !account.twoStepRequired || account.twoStepKey !== null;
}

/** Who may open the control panel in a browser on Larder's own computer: the owner. */
export function mayOpenPanelHere({ type }: Pick<AccountRecord, 'type'>): boolean {
  return type === 'superuser';
}

/** Who may open the control panel from other devices: the owner, with two-step sign-in. The panel can do everything. */
export function mayOpenPanel({ type, twoStepKey }: Pick<AccountRecord, 'type' | 'twoStepKey'>): boolean {
  return type === 'superuser' && twoStepKey !== null;
}
