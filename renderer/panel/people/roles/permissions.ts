import type { Account } from '../account.ts';

export type Permissions = Account['permissions'];

/**
 * The effective switches of §2.8, by subject. The API also stores `admin_notifications`, `admin_logs` and `admin_metadata`, which
 * have no effect: those areas are the owner's.
 */
export const PERMISSION_GROUPS = {
  files: ['upload', 'download', 'download_folders', 'file_history', 'metadata', 'readonly'],
  sharing: ['weblink', 'share', 'share_guests', 'email', 'read_comments', 'write_comments'],
  account: ['change_pass', 'edit_profile'],
  administration: ['admin_users', 'admin_roles'],
} as const;

export type PermissionGroup = keyof typeof PERMISSION_GROUPS;

/** `readonly` restricts, so it does not count as allowed. */
export function countAllowed(group: PermissionGroup, permissions: Permissions): { count: number; of: number } {
  const names = PERMISSION_GROUPS[group].filter((name) => name !== 'readonly');
  return { count: names.filter((name) => permissions[name] === true).length, of: names.length };
}

/** For a new role: the defaults of §2.8. */
export const DEFAULTS: Permissions = {
  ...Object.fromEntries(Object.values(PERMISSION_GROUPS).flatMap((names) => names.map((name) => [name, true]))),
  readonly: false,
  ...Object.fromEntries(PERMISSION_GROUPS.administration.map((name) => [name, false])),
  admin_type: null,
  users_may_see: '-ALL-',
};
