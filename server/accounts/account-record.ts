import type { SqlValue } from '../database/database.ts';
import type { AccountType } from './account-type.ts';
import { effectivePermissions, type Permissions, storedPermissions } from './permissions/permissions.ts';

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

export interface AccountRow extends Record<string, SqlValue> {
  id: number;
  type: AccountType;
  username: string;
  name: string;
  last_name: string;
  email: string;
  password_hash: string | null;
  activated: number;
  failed_login_attempts: number;
  blocked_until: number | null;
  home_id: string | null;
  registered_at: number;
  last_login_at: number | null;
  expires_at: number | null;
  require_password_change: number;
  password_changed_at: number | null;
  two_step_key: string | null;
  two_step_since: number | null;
  two_step_required: number;
  permissions: string;
  /** Of the role, through a join; null without one. */
  role_permissions: string | null;
  role_id: number | null;
  owner_id: number | null;
  guest_of: number | null;
  receive_notifications: number;
  phone: string;
  company: string;
  website: string;
  description: string;
  logo_url: string;
  picture_hash: string | null;
}

/** The query for `accountOf`; a condition follows, in which the account is `a`. */
export const SELECT_ACCOUNTS = `SELECT a.*, r.permissions AS role_permissions, picture.hash AS picture_hash FROM accounts a
   LEFT JOIN roles r ON r.id = a.role_id LEFT JOIN account_pictures picture ON picture.account_id = a.id`;

export function accountOf(row: AccountRow): AccountRecord {
  const ownPermissions = storedPermissions(row.permissions);
  const rolePermissions = row.role_permissions === null ? null : storedPermissions(row.role_permissions);
  return {
    id: row.id,
    type: row.type,
    username: row.username,
    name: row.name,
    lastName: row.last_name,
    email: row.email,
    passwordHash: row.password_hash,
    isSwitchedOff: row.activated === 0,
    failedLoginAttempts: row.failed_login_attempts,
    blockedUntil: row.blocked_until,
    homeId: row.home_id,
    registeredAt: row.registered_at,
    lastLoginAt: row.last_login_at,
    expiresAt: row.expires_at,
    requirePasswordChange: row.require_password_change === 1,
    passwordChangedAt: row.password_changed_at,
    twoStepKey: row.two_step_key,
    twoStepSince: row.two_step_since,
    twoStepRequired: row.two_step_required === 1,
    permissions: effectivePermissions(row.type, ownPermissions, rolePermissions),
    ownPermissions,
    roleId: row.role_id,
    ownerId: row.owner_id,
    guestOf: row.guest_of,
    receiveNotifications: row.receive_notifications === 1,
    phone: row.phone,
    company: row.company,
    website: row.website,
    description: row.description,
    logoUrl: row.logo_url,
    pictureHash: row.picture_hash,
  };
}

/** The full name for display. */
export function displayName({ name, lastName }: Pick<AccountRecord, 'name' | 'lastName'>): string {
  return `${name} ${lastName}`.trim();
}
