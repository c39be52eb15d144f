import type { SqlValue } from '../database/database.ts';

export type AccountType = 'superuser' | 'user' | 'guest';
export type DeactivationReason = 'wrong_passwords' | 'administrator';

/** An account as it was read. Times are milliseconds since the epoch. */
export interface AccountRecord {
  readonly id: number;
  readonly type: AccountType;
  readonly username: string;
  readonly name: string;
  readonly lastName: string;
  readonly email: string;
  readonly passwordHash: string | null;
  readonly activated: boolean;
  readonly deactivatedReason: DeactivationReason | null;
  readonly failedLoginAttempts: number;
  readonly homeId: string | null;
  readonly registeredAt: number;
  readonly lastLoginAt: number | null;
  /** From when on the account may not act; null: never. */
  readonly expiresAt: number | null;
  readonly requirePasswordChange: boolean;
  readonly passwordChangedAt: number | null;
  /** The key that codes are computed from (RFC 6238), in base32; null while two-step sign-in is off. */
  readonly twoStepKey: string | null;
  readonly twoStepSince: number | null;
  /** Whether an administrator asks for two-step sign-in: it is set up at the next sign-in. */
  readonly twoStepRequired: boolean;
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
  deactivated_reason: DeactivationReason | null;
  failed_login_attempts: number;
  home_id: string | null;
  registered_at: number;
  last_login_at: number | null;
  expires_at: number | null;
  require_password_change: number;
  password_changed_at: number | null;
  two_step_key: string | null;
  two_step_since: number | null;
  two_step_required: number;
}

export function accountOf(row: AccountRow): AccountRecord {
  return {
    id: row.id,
    type: row.type,
    username: row.username,
    name: row.name,
    lastName: row.last_name,
    email: row.email,
    passwordHash: row.password_hash,
    activated: row.activated === 1,
    deactivatedReason: row.deactivated_reason,
    failedLoginAttempts: row.failed_login_attempts,
    homeId: row.home_id,
    registeredAt: row.registered_at,
    lastLoginAt: row.last_login_at,
    expiresAt: row.expires_at,
    requirePasswordChange: row.require_password_change === 1,
    passwordChangedAt: row.password_changed_at,
    twoStepKey: row.two_step_key,
    twoStepSince: row.two_step_since,
    twoStepRequired: row.two_step_required === 1,
  };
}
