import { z } from 'zod';
import { permissionsSchema } from '../accounts/permissions/permissions.ts';
import {
  datetime,
  flag,
  integer,
  orNothing,
  type ParameterProblem,
  text,
  textList,
} from '../http/request/parameters.ts';
import { t } from '../messages/messages.ts';
import type { AccountChanges } from './account-changes.ts';

/** §2.8 as parameters: `data[...]`, `perms[...]`, `groups[]` and two switches. */

const id = () => orNothing(integer({ min: 1, max: 2 ** 31 }));
const limit = () => orNothing(integer({ min: 0, max: 1_000_000_000 }));

const data = z
  .object(
    {
      username: text().describe('Letters, digits, spaces and _ - @ . and unique.'),
      name: text().describe('The first name.'),
      last_name: text().describe('The last name.'),
      password: text().describe('A password to sign in with.'),
      two_step_enabled: flag().describe('Has to sign in in two steps.'),
      owner: id().describe('The id of the independent administrator whose account it is.'),
      activated: flag().describe('May sign in.'),
      expiration_date: orNothing(datetime()).describe('When it ends: YYYY-MM-DD HH:MM:SS.'),
      require_password_change: flag().describe('Has to choose a new password first.'),
      email: text().describe('The e-mail address.'),
      receive_notifications: flag().describe('Gets mails about what happens.'),
      phone: text().describe('A telephone number.'),
      company: text().describe('A company.'),
      website: text().describe('A website.'),
      description: text().describe('A note.'),
      logo_url: text().describe('The address of a logo.'),
    },
    { error: () => t('api.administration.data') },
  )
  .partial();

const perms = z
  .object(
    {
      role: id().describe('The id of a role: its permissions hold.'),
      admin_type: orNothing(permissionChoice('admin_type')).describe(
        'simple, or indep for an administrator with people of their own.',
      ),
      admin_users: flag().describe('Looks after accounts.'),
      admin_roles: flag().describe('Looks after roles.'),
      admin_notifications: flag().describe('Stored, without effect: the owner manages notifications.'),
      admin_logs: flag().describe('Stored, without effect: only the owner sees the activity.'),
      admin_metadata: flag().describe('Stored, without effect: the owner defines metadata.'),
      admin_max_users: limit().describe('How many accounts an administrator may add; 0: any number.'),
      admin_over: orNothing(permissionText('admin_over')).describe(
        'Whom an administrator looks after: -ALL-, or a comma list of u<id> and g<id>.',
      ),
      admin_homefolder_template: orNothing(permissionText('admin_homefolder_template')).describe(
        'Where homes of the accounts that are added are.',
      ),
      homefolder: orNothing(text()).describe(
        'The absolute path of a folder of the server that is there, with forward slashes.',
      ),
      space_quota_max: limit().describe('Megabytes of files; 0: any.'),
      readonly: flag().describe('Changes nothing.'),
      upload: flag().describe('May upload.'),
      upload_max_size: limit().describe('Megabytes of one file; 0: any.'),
      upload_limit_types: orNothing(permissionText('upload_limit_types')).describe(
        'Extensions that may be uploaded, comma-delimited; empty: all.',
      ),
      download: flag().describe('May download.'),
      download_folders: flag().describe('May download folders.'),
      read_comments: flag().describe('May read comments.'),
      write_comments: flag().describe('May write comments.'),
      email: flag().describe('May have guests invited by e-mail.'),
      weblink: flag().describe('May make web links.'),
      share: flag().describe('May share.'),
      share_guests: flag().describe('May share with guests.'),
      metadata: flag().describe('May see and change metadata.'),
      file_history: flag().describe('May see earlier versions.'),
      change_pass: flag().describe('May change the password.'),
      edit_profile: flag().describe('May change the profile.'),
      users_may_see: orNothing(permissionText('users_may_see')).describe(
        'Whom one may see and share with: -ALL-, or a comma list of u<id> and g<id>.',
      ),
    },
    { error: () => t('api.administration.perms') },
  )
  .partial();

export const accountParameters = z.object({
  data: data.optional(),
  perms: perms.optional(),
  groups: textList().optional().describe('The names of the groups it is in.'),
  create_home_folder: flag().default(false).describe('Makes the home folder where it is missing.'),
  generate_password: flag().default(false).describe('Makes a password, which is in the reply.'),
});

/** The parameter of an account's field. */
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

/** The parameters in the terms of the service. Omitted ones are absent. */
export function changesIn({
  data: given = {},
  perms: { role, homefolder, ...permissions } = {},
  groups,
  create_home_folder: createHomeFolder,
  generate_password: generatePassword,
}: Omit<z.output<typeof accountParameters>, never>): AccountChanges {
  // A permission sent empty is reset to its default.
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

/** A text that is validated by the schema of permissions. */
function permissionText(name: 'admin_over' | 'admin_homefolder_template' | 'upload_limit_types' | 'users_may_see') {
  return text().refine((value) => permissionsSchema.shape[name].safeParse(value).success, {
    params: {
      describe: (parameter) =>
        name === 'admin_over' || name === 'users_may_see'
          ? t('api.permissions.people', { name: parameter })
          : t('api.parameters.tooLarge', { parameter }),
    } satisfies ParameterProblem,
  });
}

function permissionChoice(name: 'admin_type') {
  return text().refine((value) => permissionsSchema.shape[name].safeParse(value).success, {
    params: {
      describe: (parameter) => t('api.parameters.oneOf', { parameter, values: 'simple, indep' }),
    } satisfies ParameterProblem,
  });
}

/** §2.8, the reply of admin-users/info: every field under its own name. */
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
