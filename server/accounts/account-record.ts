import type { AccountType } from './account-type.ts';
import type { Permissions } from './permissions/permissions.ts';

/** An account as it was read. Times are milliseconds since the epoch. */
export interface AccountRecord {
  readonly id: number;
  readonly type: AccountType;
  readonly username: string;
  readonly name: string;
  readonly lastName: string;
  readonly email: string;
  readonly passwordHash: string | null;
  /** Whether an administrator has deactivated it. Wrong passwords do so temporarily: see `deactivationOf`. */
  readonly isSwitchedOff: boolean;
  readonly failedLoginAttempts: number;
  /** Until when wrong passwords block unknown browsers and apps; it may be in the past. */
  readonly blockedUntil: number | null;
  readonly homeId: string | null;
  readonly registeredAt: number;
  readonly lastLoginAt: number | null;
  /** When the account expires; null: never. */
  readonly expiresAt: number | null;
  readonly requirePasswordChange: boolean;
  readonly passwordChangedAt: number | null;
  /** The key that codes are computed from (RFC 6238), in base32; null while two-step sign-in is off. */
  readonly twoStepKey: string | null;
  readonly twoStepSince: number | null;
  /** Whether an administrator requires two-step sign-in: it is set up at the next sign-in. */
  readonly twoStepRequired: boolean;
  /** The effective permissions: the account's own, or those of its role. */
  readonly permissions: Permissions;
  readonly ownPermissions: Permissions;
  readonly roleId: number | null;
  /** The independent administrator whom the account belongs to. */
  readonly ownerId: number | null;
  /** For a guest: the account that invited them. */
  readonly guestOf: number | null;
  readonly receiveNotifications: boolean;
  readonly phone: string;
  readonly company: string;
  readonly website: string;
  readonly description: string;
  readonly logoUrl: string;
  /** Of the picture, for its address; null without one. */
  readonly pictureHash: string | null;
}

/** The full name for display. */
export function displayName({ name, lastName }: Pick<AccountRecord, 'name' | 'lastName'>): string {
  return `${name} ${lastName}`.trim();
}
