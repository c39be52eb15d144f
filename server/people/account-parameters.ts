import { z } from 'zod';
import { permissionsSchema } from '../accounts/permissions.ts';
import { datetime, flag, integer, orNothing, text, textList } from '../http/parameters.ts';
import type { AccountChanges } from './account-changes.ts';

/** §2.8 as parameters: `data[...]`, `perms[...]`, `groups[]` and two switches. */

const id = () => orNothing(integer({ min: 1, max: 2 ** 31 }));
const limit = () => orNothing(integer({ min: 0, max: 1_000_000_000 }));

const data = z
  .object(
    {
      username: text(),
      name: text(),
      last_name: text(),
      password: text(),
      two_step_enabled: flag(),
      owner: id(),
      activated: flag(),
      expiration_date: orNothing(datetime()),
      require_password_change: flag(),
      email: text(),
      receive_notifications: flag(),
      phone: text(),
      company: text(),
      website: text(),
      description: text(),
      logo_url: text(),
    },
    { error: 'is a list of attributes, such as data[name]=Ann' },
  )
  .partial();

const perms = z
  .object(
    {
      role: id(),
      admin_type: orNothing(permissionChoice('admin_type')),
      admin_users: flag(),
      admin_roles: flag(),
      admin_notifications: flag(),
      admin_logs: flag(),
      admin_metadata: flag(),
      admin_max_users: limit(),
      admin_over: orNothing(permissionText('admin_over')),
      admin_homefolder_template: orNothing(permissionText('admin_homefolder_template')),
      homefolder: orNothing(text()),
      space_quota_max: limit(),
      readonly: flag(),
      upload: flag(),
      upload_max_size: limit(),
      upload_limit_types: orNothing(permissionText('upload_limit_types')),
      download: flag(),
      download_folders: flag(),
      read_comments: flag(),
      write_comments: flag(),
      email: flag(),
      weblink: flag(),
      share: flag(),
      share_guests: flag(),
      metadata: flag(),
      file_history: flag(),
      change_pass: flag(),
      edit_profile: flag(),
      users_may_see: orNothing(permissionText('users_may_see')),
    },
    { error: 'is a list of permissions, such as perms[upload]=1' },
  )
  .partial();

export const accountParameters = z.object({
  data: data.optional(),
  perms: perms.optional(),
  groups: textList().optional(),
  create_home_folder: flag().default(false),
  generate_password: flag().default(false),
});

/** Which parameter a field of an account comes from. */
export const PARAMETER_OF: Readonly<Record<string, string>> = {
  username: 'data[username]',
  name: 'data[name]',
  lastName: 'data[last_name]',
  password: 'data[password]',
  ownerId: 'data[owner]',
  activated: 'data[activated]',
  expiresAt: 'data[expiration_date]',
  email: 'data[email]',
  phone: 'data[phone]',
  company: 'data[company]',
  website: 'data[website]',
  description: 'data[description]',
  logoUrl: 'data[logo_url]',
  roleId: 'perms[role]',
  homeFolder: 'perms[homefolder]',
  homefolder: 'perms[homefolder]',
  permissions: 'perms',
  groups: 'groups',
};

/** What the parameters say, in the words of the service. What was not sent is not there. */
export function changesIn({
  data: given = {},
  perms: { role, homefolder, ...permissions } = {},
  groups,
  create_home_folder: createHomeFolder,
  generate_password: generatePassword,
}: Omit<z.output<typeof accountParameters>, never>): AccountChanges {
  // Sent empty, a permission goes back to its default.
  const set = Object.entries(permissions).filter(([, value]) => value !== undefined);
  const partial = permissionsSchema.partial().parse(Object.fromEntries(set.filter(([, value]) => value !== null)));
  const reset = permissionsSchema.parse({});
  const back = Object.fromEntries(
    set.filter(([, value]) => value === null).map(([name]) => [name, reset[name as keyof typeof reset]]),
  );
  const sent = Object.fromEntries(set.map(([name]) => [name, true]));
  const changed = Object.fromEntries(Object.entries({ ...partial, ...back }).filter(([name]) => name in sent));
  return withoutUndefined({
    username: given.username,
    name: given.name,
    lastName: given.last_name,
    password: given.password,
    twoStepEnabled: given.two_step_enabled,
    ownerId: given.owner,
    activated: given.activated,
    expiresAt: given.expiration_date,
    requirePasswordChange: given.require_password_change,
    email: given.email,
    receiveNotifications: given.receive_notifications,
    phone: given.phone,
    company: given.company,
    website: given.website,
    description: given.description,
    logoUrl: given.logo_url,
    roleId: role,
    homeFolder: homefolder,
    groups,
    permissions: set.length === 0 ? undefined : changed,
    createHomeFolder: createHomeFolder || undefined,
    generatePassword: generatePassword || undefined,
  });
}

function withoutUndefined(
  values: { [Name in keyof AccountChanges]: AccountChanges[Name] | undefined },
): AccountChanges {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}

/** A text that the schema of permissions has to take. */
function permissionText(name: 'admin_over' | 'admin_homefolder_template' | 'upload_limit_types' | 'users_may_see') {
  return text().refine((value) => permissionsSchema.shape[name].safeParse(value).success, {
    error:
      name === 'admin_over' || name === 'users_may_see'
        ? 'is "-ALL-", or a comma list of u<id> and g<id>'
        : 'is too long',
  });
}

function permissionChoice(name: 'admin_type') {
  return text().refine((value) => permissionsSchema.shape[name].safeParse(value).success, {
    error: 'is none of: simple, indep',
  });
}

/** §2.8 as admin-users/info shows it: every field under its own name. */
export const accountReply = z.object({
  id: z.int(),
  type: z.enum(['superuser', 'user', 'guest']),
  username: z.string(),
  name: z.string(),
  last_name: z.string(),
  two_step_enabled: z.boolean(),
  owner: z.int().nullable(),
  activated: z.boolean(),
  expiration_date: z.string().nullable(),
  require_password_change: z.boolean(),
  email: z.string(),
  receive_notifications: z.boolean(),
  phone: z.string(),
  company: z.string(),
  website: z.string(),
  description: z.string(),
  logo_url: z.string(),
  perms: permissionsSchema.extend({ role: z.int().nullable(), homefolder: z.string() }),
  groups: z.array(z.string()),
  registration_date: z.string(),
  last_login_date: z.string().nullable(),
  failed_login_attempts: z.int(),
  space_quota_current: z.number(),
});
