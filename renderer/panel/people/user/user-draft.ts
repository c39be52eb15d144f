import type { Input } from '../../../../server/control/contract/contract.ts';
import type { Account } from '../account.ts';
import type { Permissions } from '../roles/permissions.ts';

/** The edited properties of a person, as in the fields. */
export interface Draft {
  readonly username: string;
  readonly name: string;
  readonly lastName: string;
  readonly email: string;
  readonly phone: string;
  readonly company: string;
  readonly website: string;
  readonly description: string;
  readonly logoUrl: string;
  readonly receiveNotifications: boolean;
  readonly activated: boolean;
  /** In the format of a date and time field, local time; empty: never. */
  readonly expires: string;
  readonly requirePasswordChange: boolean;
  readonly twoStepEnabled: boolean;
  readonly roleId: number | null;
  readonly groups: readonly string[];
  readonly permissions: Permissions;
}

const TEXTS = [
  'username',
  'name',
  'lastName',
  'email',
  'phone',
  'company',
  'website',
  'description',
  'logoUrl',
  'expires',
] as const;

/** Fields that show their own errors. */
export const FIELDS_OF_FORM: ReadonlySet<string> = new Set([...TEXTS, 'newUsername', 'expirationDate', 'groups']);

export function draftOf(account: Account): Draft {
  return {
    username: account.username,
    name: account.name,
    lastName: account.lastName,
    email: account.email,
    phone: account.phone,
    company: account.company,
    website: account.website,
    description: account.description,
    logoUrl: account.logoUrl,
    receiveNotifications: account.receiveNotifications,
    activated: account.activated,
    expires: account.expirationDate === null ? '' : localMinute(new Date(account.expirationDate)),
    requirePasswordChange: account.requirePasswordChange,
    twoStepEnabled: account.twoStepEnabled,
    roleId: account.roleId,
    groups: account.groups,
    permissions: account.ownPermissions,
  };
}

/** `2026-11-22T18:30`, in the viewer's time zone. */
function localMinute(date: Date): string {
  const two = (value: number) => String(value).padStart(2, '0');
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  return `${day}T${two(date.getHours())}:${two(date.getMinutes())}`;
}

const isSame = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);

/** The number of changed fields; each permission counts. */
export function changedCount(before: Draft, draft: Draft): number {
  const fields = (Object.keys(before) as (keyof Draft)[]).filter((name) => name !== 'permissions');
  const permissions = Object.keys({ ...before.permissions, ...draft.permissions });
  return (
    fields.filter((name) => !isSame(before[name], draft[name])).length +
    permissions.filter((name) => !isSame(before.permissions[name], draft.permissions[name])).length
  );
}

/** Only changed fields, so that concurrent changes of others stay. */
export function inputOf(before: Draft, draft: Draft): Omit<Input<'accounts.update'>, 'id'> {
  const { username, expires, permissions, groups, ...plain } = draft;
  const changed = Object.entries(plain).filter(([name, value]) => !isSame(value, before[name as keyof Draft]));
  const perms = Object.entries(permissions).filter(([name, value]) => !isSame(value, before.permissions[name]));
  return {
    ...Object.fromEntries(changed),
    ...(username === before.username ? {} : { newUsername: username }),
    ...(expires === before.expires ? {} : { expirationDate: expires === '' ? null : new Date(expires).toISOString() }),
    ...(isSame(groups, before.groups) ? {} : { groups: [...groups] }),
    ...(perms.length === 0 ? {} : { permissions: Object.fromEntries(perms) }),
  };
}
