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
      username: text().describe('Username: letters, digits, spaces and _ - @ . only. Must be unique.'),
      name: text().describe('First name.'),
      last_name: text().describe('Last name.'),
      password: text().describe('Password.'),
      two_step_enabled: flag().describe('Requires two-step sign-in.'),
      owner: id().describe('ID of the independent administrator who owns the account.'),
      activated: flag().describe('Can sign in.'),
      expiration_date: orNothing(datetime()).describe('Expiration: YYYY-MM-DD HH:MM:SS.'),
      require_password_change: flag().describe('Must change the password at the next sign-in.'),
      email: text().describe('Email address.'),
      receive_notifications: flag().describe('Receives email notifications.'),
      phone: text().describe('Phone number.'),
      company: text().describe('Company.'),
      website: text().describe('Website.'),
      description: text().describe('Note.'),
      logo_url: text().describe('URL of a logo.'),
    },
    { error: () => t('api.administration.data') },
  )
  .partial();

const perms = z
  .object(
    {
      role: id().describe('Role ID; the permissions of the role apply instead of the account’s own.'),
      admin_type: orNothing(permissionChoice('admin_type')).describe(
        'simple, or indep for an independent administrator, who has accounts of their own.',
      ),
      admin_users: flag().describe('Can manage accounts.'),
      admin_roles: flag().describe('Can manage roles.'),
      admin_notifications: flag().describe('Stored without effect; only the owner manages notifications.'),
      admin_logs: flag().describe('Stored without effect; only the owner can see the activity log.'),
      admin_metadata: flag().describe('Stored without effect; only the owner defines metadata.'),
      admin_max_users: limit().describe('Maximum number of accounts the administrator can add; 0 means no limit.'),
      admin_over: orNothing(permissionText('admin_over')).describe(
        'Accounts that the administrator manages: -ALL-, or u<id> and g<id> separated by commas.',
      ),
      admin_homefolder_template: orNothing(permissionText('admin_homefolder_template')).describe(
        'Location template for home folders of added accounts.',
      ),
      homefolder: orNothing(text()).describe(
        'Absolute path of an existing folder on the server, with forward slashes.',
      ),
      space_quota_max: limit().describe('Storage quota in megabytes; 0 means no limit.'),
      readonly: flag().describe('Read-only account.'),
      upload: flag().describe('Can upload files.'),
      upload_max_size: limit().describe('Maximum upload size in megabytes; 0 means no limit.'),
      upload_limit_types: orNothing(permissionText('upload_limit_types')).describe(
        'File extensions allowed for upload, separated by commas; empty means all.',
      ),
      download: flag().describe('Can download files.'),
      download_folders: flag().describe('Can download folders.'),
      read_comments: flag().describe('Can read comments.'),
      write_comments: flag().describe('Can write comments.'),
      email: flag().describe('Can send email invitations to guests.'),
      weblink: flag().describe('Can create web links.'),
      share: flag().describe('Can share files and folders.'),
      share_guests: flag().describe('Can share with guests.'),
      metadata: flag().describe('Can view and change metadata.'),
      file_history: flag().describe('Can view earlier versions.'),
      change_pass: flag().describe('Can change their password.'),
      edit_profile: flag().describe('Can change their profile.'),
      users_may_see: orNothing(permissionText('users_may_see')).describe(
        'Accounts the user can see and share with: -ALL-, or u<id> and g<id> separated by commas.',
      ),
    },
    { error: () => t('api.administration.perms') },
  )
  .partial();

export const accountParameters = z.object({
  data: data.optional(),
  perms: perms.optional(),
  groups: textList().optional().describe('Names of the account’s groups.'),
  create_home_folder: flag().default(false).describe('Create the home folder if it does not exist.'),
  generate_password: flag().default(false).describe('Generate a password and return it in the reply.'),
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
