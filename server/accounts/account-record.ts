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
  };
}
