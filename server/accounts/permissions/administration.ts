import type { AccountType } from '../account-type.ts';
import {
  ALL,
  DEFAULT_PERMISSIONS,
  isAdministrator,
  type Permission,
  type Permissions,
  typesIn,
} from './permissions.ts';

/** An administrator, as far as the rules need. */
export interface Administrator {
  readonly id: number;
  readonly type: AccountType;
  readonly permissions: Permissions;
}

/** An administered account. */
export interface Subject {
  readonly id: number;
  readonly type: AccountType;
  /** The independent administrator whom the account belongs to. */
  readonly ownerId: number | null;
  readonly groupIds: readonly number[];
  readonly permissions: Permissions;
}

/** Administrative permissions: only the superuser may give them. */
const ADMINISTRATIVE: ReadonlySet<Permission> = new Set<Permission>([
  'admin_type',
  'admin_users',
  'admin_roles',
  'admin_notifications',
  'admin_logs',
  'admin_metadata',
  'admin_max_users',
  'admin_over',
  'admin_homefolder_template',
]);

/** Whether an account may manage any accounts at all. */
export function managesUsers(admin: Administrator): boolean {
  return admin.type === 'superuser' || (isAdministrator(admin) && admin.permissions.admin_users);
}

/**
 * Whether an account is within an administrator's reach: others are not even visible. Only the superuser reaches the superuser,
 * other administrators and themselves.
 */
export function reaches(admin: Administrator, subject: Subject): boolean {
  if (admin.type === 'superuser') return true;
  if (!managesUsers(admin) || subject.id === admin.id || isAdministrator(subject)) return false;
  if (admin.permissions.admin_type === 'indep') return subject.ownerId === admin.id;
  const { admin_over: over } = admin.permissions;
  if (over === ALL) return true;
  const named = new Set(over.split(','));
  return named.has(`u${subject.id}`) || subject.groupIds.some((id) => named.has(`g${id}`));
}

/** An account that others may know of or not. */
interface Seen extends Subject {
  /** For a guest: the account that invited them. */
  readonly guestOf: number | null;
}

/**
 * Whether an account may know of another (`users_may_see`). A guest and the inviting account know of each other; apart from their
 * administrators, nobody else knows of a guest, nor a guest of anybody else.
 */
export function sees(caller: Administrator & Pick<Seen, 'guestOf'>, other: Seen): boolean {
  if (caller.id === other.id || caller.guestOf === other.id || other.guestOf === caller.id) return true;
  if (reaches(caller, other)) return true;
  if (caller.type === 'guest' || other.type === 'guest') return false;
  return seesNamed(caller, [`u${other.id}`, ...other.groupIds.map((id) => `g${id}`)]);
}

/** The same for a group. @param ownIds the groups of the caller */
export function seesGroup(caller: Administrator, groupId: number, ownIds: readonly number[]): boolean {
  if (caller.type === 'guest') return false;
  return caller.type === 'superuser' || ownIds.includes(groupId) || seesNamed(caller, [`g${groupId}`]);
}

function seesNamed({ permissions }: Administrator, names: readonly string[]): boolean {
  const seen = permissions.users_may_see.split(',');
  return [ALL, ...names].some((name) => seen.includes(name));
}

/**
 * The first permission that an administrator would give without having it.
 * @param before the present permissions of the account; none for a new one
 * @returns null when all are allowed
 */
export function tooMuch(admin: Administrator, given: Permissions, before: Permissions | null): Permission | null {
  if (admin.type === 'superuser') return null;
  for (const permission of Object.keys(given) as Permission[]) {
    const value = given[permission];
    if (before !== null && before[permission] === value) continue;
    if (ADMINISTRATIVE.has(permission)) {
      if (value !== DEFAULT_PERMISSIONS[permission]) return permission;
    } else if (exceeds(permission, value, admin.permissions)) return permission;
  }
  return null;
}

/** The permissions of a new account by default: the defaults, limited to those of the administrator. */
export function defaultsFrom(admin: Administrator): Permissions {
  if (admin.type === 'superuser') return DEFAULT_PERMISSIONS;
  const own = admin.permissions;
  const given = Object.entries(DEFAULT_PERMISSIONS).map(([name, value]) => {
    const permission = name as Permission;
    const isTooMuch = !ADMINISTRATIVE.has(permission) && exceeds(permission, value, own);
    return [permission, isTooMuch ? own[permission] : value];
  });
  return Object.fromEntries(given) as Permissions;
}

function exceeds(permission: Permission, value: Permissions[Permission], own: Permissions): boolean {
  switch (permission) {
    case 'readonly':
      return own.readonly && value === false;
    case 'space_quota_max':
    case 'upload_max_size':
      return own[permission] > 0 && (value === 0 || Number(value) > own[permission]);
    case 'upload_limit_types':
      return own.upload_limit_types !== '' && !isPart(typesIn(String(value)), typesIn(own.upload_limit_types));
    case 'users_may_see':
      return (
        own.users_may_see !== ALL && (value === ALL || !isPart(named(String(value)), named(own.users_may_see), true))
      );
    default:
      return value === true && own[permission] !== true;
  }
}

/** @param mayBeEmpty whether an empty list is a subset of any; for file types it means all of them */
function isPart(part: readonly string[], whole: readonly string[], mayBeEmpty = false): boolean {
  return (mayBeEmpty || part.length > 0) && part.every((entry) => whole.includes(entry));
}

function named(list: string): string[] {
  return list.split(',').filter((entry) => entry !== '');
}
