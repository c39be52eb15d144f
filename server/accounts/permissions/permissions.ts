import { z } from 'zod';
import { FieldProblem } from '../../lib/errors/field-problem.ts';
import { t } from '../../messages/messages.ts';
import type { AccountType } from '../account-type.ts';

const on = z.boolean().default(true);
const off = z.boolean().default(false);
const limit = z.int().min(0).default(0);

/** `-ALL-`, or a comma-separated list of `u<id>` and `g<id>`; empty: nobody. */
const people = z.string().refine((text) => text === '' || text === ALL || /^[ug]\d+(?:,[ug]\d+)*$/.test(text));

export const ALL = '-ALL-';

/**
 * The permissions of an account (§2.8), by the document's names and with its defaults. Sizes are in megabytes of 1,048,576 bytes;
 * a limit of 0 means unlimited.
 */
export const permissionsSchema = z.object({
  admin_type: z.enum(['simple', 'indep']).nullable().default(null),
  admin_users: off,
  admin_roles: off,
  admin_notifications: off,
  admin_logs: off,
  admin_metadata: off,
  /** How many accounts an administrator may add; 0: unlimited. */
  admin_max_users: limit,
  admin_over: people.default(''),
  admin_homefolder_template: z.string().max(1_000).default(''),
  space_quota_max: limit,
  readonly: off,
  upload: on,
  upload_max_size: limit,
  /** Extensions without dots, comma-delimited; empty: all. */
  upload_limit_types: z.string().max(2_000).default(''),
  download: on,
  download_folders: on,
  read_comments: on,
  write_comments: on,
  email: on,
  weblink: on,
  share: on,
  share_guests: on,
  metadata: on,
  file_history: on,
  change_pass: on,
  edit_profile: on,
  users_may_see: people.default(ALL),
});

export type Permissions = Readonly<z.output<typeof permissionsSchema>>;
export type Permission = keyof Permissions;

export const DEFAULT_PERMISSIONS: Permissions = Object.freeze(permissionsSchema.parse({}));

/** The owner may do everything. */
export const ALL_PERMISSIONS: Permissions = Object.freeze({
  ...DEFAULT_PERMISSIONS,
  admin_users: true,
  admin_roles: true,
  admin_notifications: true,
  admin_logs: true,
  admin_metadata: true,
  admin_over: ALL,
});

/** Parses stored permissions: missing ones have their default. */
export function storedPermissions(json: string): Permissions {
  return Object.freeze(permissionsSchema.parse(JSON.parse(json)));
}

/** The effective permissions of an account: a role replaces its own permissions as a whole. */
export function effectivePermissions(type: AccountType, own: Permissions, role: Permissions | null): Permissions {
  if (type === 'superuser') return ALL_PERMISSIONS;
  return role ?? own;
}

/** Whether the account administers anything: the scope `admin` is for these. */
export function isAdministrator({ type, permissions }: { type: AccountType; permissions: Permissions }): boolean {
  return type === 'superuser' || (type === 'user' && permissions.admin_type !== null);
}

/**
 * Validates given permissions.
 * @returns only those that were given
 * @throws FieldProblem `permissions.<name>` for an invalid value or unknown name
 */
export function checkedPermissions(given: Readonly<Record<string, unknown>>): Partial<Permissions> {
  const named = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
  const checked = permissionsSchema.strict().safeParse(named);
  if (!checked.success) {
    const issue = checked.error.issues[0];
    const isUnknown = issue?.code === 'unrecognized_keys';
    const name = (isUnknown ? issue.keys[0] : issue?.path.join('.')) ?? '';
    const message = isUnknown
      ? t('api.permissions.unknown', { name })
      : issue?.code === 'custom'
        ? t('api.permissions.people', { name })
        : t('api.permissions.invalid', { name });
    throw new FieldProblem(`permissions.${name}`, message);
  }
  return Object.fromEntries(Object.entries(checked.data).filter(([name]) => name in named));
}

/** As stored: only those that differ from the default. @throws FieldProblem like `checkedPermissions` */
export function sparsePermissions(given: Partial<Permissions>): string {
  const entries = Object.entries(checkedPermissions(given));
  const differing = entries.filter(([name, value]) => value !== DEFAULT_PERMISSIONS[name as Permission]);
  return JSON.stringify(Object.fromEntries(differing));
}

/** The extensions in a list such as `upload_limit_types`, in lower case and without dots. */
export function typesIn(list: string): readonly string[] {
  return list
    .split(',')
    .map((entry) =>
      entry
        .trim()
        .toLowerCase()
        .replace(/^\*?\.+/, ''),
    )
    .filter((entry) => entry !== '');
}
