import type { DatabaseReader, SqlValue } from '../database/database.ts';
import type { AccountRecord } from './account-record.ts';
import type { AccountType } from './account-type.ts';
import { effectivePermissions, storedPermissions } from './permissions/permissions.ts';

/** A row of `accounts` with what belongs to the account in other tables. */
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

type Reader = Pick<DatabaseReader, 'all'>;

/** The accounts with these ids, in any order, without those that are gone. */
export async function accountsByIds(reader: Reader, ids: readonly number[]): Promise<AccountRecord[]> {
  const sql = `${SELECT_ACCOUNTS} WHERE a.id IN (SELECT value FROM json_each(?))`;
  return (await reader.all<AccountRow>(sql, [JSON.stringify(ids)])).map(accountOf);
}

/** The accounts whose home it is, the one that came first before the others. */
export async function accountsOfHome(reader: Reader, homeId: string): Promise<AccountRecord[]> {
  return (await reader.all<AccountRow>(`${SELECT_ACCOUNTS} WHERE a.home_id = ? ORDER BY a.id`, [homeId])).map(
    accountOf,
  );
}

/** Null if the account is gone. */
export async function usernameOf(reader: Reader, accountId: number): Promise<string | null> {
  const [account] = await accountsByIds(reader, [accountId]);
  return account?.username ?? null;
}
