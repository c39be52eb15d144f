import type { Statement } from '../table.ts';
import { field, permitted, shared, typed } from './references.ts';

const ADMIN = 'test/api/accounts/admin-users.test.ts';
const HOMES = 'test/api/accounts/admin-users-homes.test.ts';
const RIGHTS = 'test/api/accounts/administrators.test.ts';
const SECURITY = 'test/oauth/sign-in/account-security.test.ts';
const ACCOUNTS = 'test/spec/accounts.test.ts';
const EVERY_FIELD = `${ADMIN}: adds with every field of §2.8, and returns every one under its own name`;
const NEEDED = `${ADMIN}: requires a user name and a name; returns 409 for a name in use, also in another case or with similar letters`;
const REFUSED = `${ADMIN}: refuses %s=%j, and leaves nothing behind`;
const CHARACTER = `${ACCOUNTS}: may have %j within`;
const HOME_FOLDER = `${ACCOUNTS}: is the absolute path of a folder that is there, with forward slashes`;
const OWN_ACCOUNT = `${RIGHTS}: change_pass and edit_profile`;
const FLAGS =
  'test/spec/parameters.test.ts: files/share: every flag by itself, on and off, and nothing else of the rest';
const SHARING = 'test/api/sharing/sharing.test.ts';

export const sharePermissions: readonly Statement[] = [
  {
    id: '2.7.1',
    says: 'anonymous: boolean flag.',
    proof: [FLAGS, 'test/api/sharing/sharing-further.test.ts: can become a named one at once, and vice versa'],
  },
  { id: '2.7.2', says: 'upload: boolean flag.', proof: [FLAGS, shared('files/upload, a new file')] },
  { id: '2.7.3', says: 'download: boolean flag.', proof: [FLAGS, shared('files/download, a file')] },
  { id: '2.7.4', says: 'comment: boolean flag.', proof: [shared('files/comments/add, to the folder')] },
  { id: '2.7.5', says: 'read_comments: boolean flag.', proof: [shared('files/comments/list, of a file')] },
  { id: '2.7.6', says: 'alter: boolean flag.', proof: [FLAGS, shared('files/rename, a file')] },
  {
    id: '2.7.7',
    says: 'share: boolean flag.',
    proof: [shared('files/share, further'), 'test/api/sharing/sharing-further.test.ts: is refused without that right'],
  },
  {
    id: '2.7.8',
    says: 'These are boolean flags.',
    proof: ['anonymous', 'upload', 'download', 'comment', 'read_comments', 'alter', 'share'].map(typed),
  },
  {
    id: '2.7.9',
    says: 'alias (string) is an alternative name for the shared folder.',
    proof: [`${SHARING}: shows an alias instead of the name, everywhere`],
  },
];

/** Fields that say nothing more than their type and default; by name, what else shows that they do something. */
const NAMED = (id: number, parameter: string, says: string, ...proof: string[]): Statement => ({
  id: `2.8.${id}`,
  says: `${parameter}: ${says}`,
  proof: [field(parameter), ...proof],
});

const data: readonly Statement[] = [
  { id: '2.8.1', says: 'Parameters data[...] are account attributes.', proof: [EVERY_FIELD] },
  { id: '2.8.2', says: 'data[username]: string. Required.', proof: [NEEDED, EVERY_FIELD] },
  {
    id: '2.8.3',
    says: 'Underscores, dashes, @, dots and spaces are allowed as special characters in data[username].',
    proof: ['_', '-', '@', '.', ' '].map((character) => `${CHARACTER} › ${character}`),
  },
  {
    id: '2.8.4',
    says: 'Only these are.',
    proof: [`${ACCOUNTS}: may have no other character of a keyboard`, `${REFUSED} › <b>x</b>`],
  },
  { id: '2.8.5', says: 'data[username] must be unique.', proof: [NEEDED] },
  { id: '2.8.6', says: 'data[name]: string. Required.', proof: [NEEDED, EVERY_FIELD] },
  NAMED(7, 'data[last_name]', 'string, no default, optional.'),
  {
    id: '2.8.8',
    says: 'data[password]: string, no default, optional.',
    proof: [
      `${ACCOUNTS}: data[password] signs in, and is not told`,
      `${ADMIN}: generates a password that satisfies the policy and works; an account without one cannot sign in`,
      `${REFUSED} › short`,
    ],
  },
  NAMED(
    9,
    'data[two_step_enabled]',
    'boolean, default 0.',
    'test/oauth/sign-in/two-step.test.ts: required by the owner, it is set up during the sign-in, and the password grant works only after that',
  ),
  NAMED(
    10,
    'data[owner]',
    'integer, default NULL. Can be the ID of the parent independent admin user.',
    `${REFUSED} › 999999`,
    `${RIGHTS}: by an independent administrator has its own accounts and groups`,
  ),
  NAMED(11, 'data[activated]', 'boolean, default 1.', `${ADMIN}: deactivates at once, even during a download`),
  NAMED(
    12,
    'data[expiration_date]',
    'datetime YYYY-MM-DD HH:MM:SS, default NULL.',
    `${REFUSED} › 2031-02-30 00:00:00`,
    `${SECURITY}: ends with tokens, sessions and sign-in, and is told only after the right password`,
  ),
  NAMED(
    13,
    'data[require_password_change]',
    'boolean, default 0.',
    `${SECURITY}: happens during the sign-in, with the same rules`,
    `${SECURITY}: blocks the password grant, and tokens for everything except changing it`,
  ),
  NAMED(14, 'data[email]', 'string, no default.', `${REFUSED} › no address`),
  NAMED(
    15,
    'data[receive_notifications]',
    'boolean, default 0.',
    'test/api/sharing/sharing-mail.test.ts: is sent to recipients who want mails, with an address of the household',
  ),
  NAMED(16, 'data[phone]', 'string, no default, optional.'),
  NAMED(17, 'data[company]', 'string, no default, optional.'),
  NAMED(18, 'data[website]', 'string, no default, optional.'),
  NAMED(19, 'data[description]', 'string, no default, optional.'),
  NAMED(20, 'data[logo_url]', 'string, no default, optional.'),
];

const administration: readonly Statement[] = [
  NAMED(21, 'perms[role]', 'integer, default NULL. Role ID.', `${REFUSED} › 424242`),
  {
    id: '2.8.22',
    says: 'When a role is given, the home folder is set automatically.',
    proof: [`${HOMES}: follow the template of a role at creation; a role replaces the permissions of an account`],
  },
  NAMED(
    23,
    'perms[admin_type]',
    'string, default NULL: simple or indep.',
    `${ACCOUNTS}: perms[admin_type] is simple or indep, and nothing else`,
    `${RIGHTS}: of a group allows managing and adding its members, and seeing nobody else`,
    `${RIGHTS}: by an independent administrator has its own accounts and groups`,
  ),
  NAMED(
    24,
    'perms[admin_users]',
    'boolean, default 0.',
    `${RIGHTS}: requires the rights in addition to the scope, and the scope is not granted without them`,
  ),
  NAMED(25, 'perms[admin_roles]', 'boolean, default 0.'),
  NAMED(26, 'perms[admin_notifications]', 'boolean, default 0.'),
  NAMED(27, 'perms[admin_logs]', 'boolean, default 0.'),
  NAMED(28, 'perms[admin_metadata]', 'boolean, default 0.'),
  NAMED(
    29,
    'perms[admin_max_users]',
    'boolean, default 0.',
    `${RIGHTS}: of a group allows managing and adding its members, and seeing nobody else`,
  ),
  NAMED(
    30,
    'perms[admin_over]',
    '-ALL- when the admin can manage all other users.',
    `${RIGHTS}: cannot grant rights the administrator lacks, or create administrators`,
    `${RIGHTS}: UIDS are distinct ids, never of the caller or the superuser`,
  ),
  NAMED(31, 'perms[admin_homefolder_template]', 'string, no default.'),
  {
    id: '2.8.32',
    says: 'perms[homefolder]: absolute path of an existing folder in the server file system.',
    proof: [HOME_FOLDER, `${REFUSED} › relative`],
  },
  {
    id: '2.8.33',
    says: 'perms[homefolder]: always use forward slashes, also on Windows servers.',
    proof: [
      HOME_FOLDER,
      'test/unit/people/home-path.test.ts: on %s %j is %j › D:/Photos/ann',
      'test/unit/people/home-path.test.ts: is shown with forward slashes',
    ],
  },
];

const permissions: readonly Statement[] = [
  NAMED(
    34,
    'perms[space_quota_max]',
    'integer, default 0.',
    'test/api/uploads/quota.test.ts: accepts the last byte and no more, and reports the usage',
  ),
  NAMED(
    35,
    'perms[readonly]',
    'boolean, default 0.',
    permitted('files/delete, a file'),
    permitted('files/rename, a file, which keeps its type'),
  ),
  NAMED(36, 'perms[upload]', 'boolean, default 1.', permitted('files/upload, a new file of 1 MB and a byte')),
  NAMED(
    37,
    'perms[upload_max_size]',
    'integer, default 0.',
    'test/api/uploads/upload-limits.test.ts: %s: accepts 2 MB and not a byte more › announced',
  ),
  NAMED(
    38,
    'perms[upload_limit_types]',
    'string, no default. Comma-delimited list of file extensions.',
    permitted('files/upload, a picture'),
    'test/api/uploads/upload-limits.test.ts: names the file and the allowed types',
  ),
  NAMED(39, 'perms[download]', 'boolean, default 1.', permitted('files/download, a file')),
  NAMED(40, 'perms[download_folders]', 'boolean, default 1.', permitted('files/download, a folder')),
  NAMED(41, 'perms[read_comments]', 'boolean, default 1.', permitted('files/comments/list, of a file')),
  NAMED(42, 'perms[write_comments]', 'boolean, default 1.', permitted('files/comments/add, to a file')),
  NAMED(
    43,
    'perms[email]',
    'boolean, default 1.',
    'test/api/sharing/sharing-mail.test.ts: is not sent for someone who may not send links by mail',
  ),
  NAMED(44, 'perms[weblink]', 'boolean, default 1.', permitted('files/weblink, to a file')),
  NAMED(45, 'perms[share]', 'boolean, default 1.', permitted('files/unshare')),
  NAMED(
    46,
    'perms[share_guests]',
    'boolean, default 1.',
    'test/api/sharing/sharing-guests.test.ts: reveals nothing without the permission for guests: the reply is always the same',
  ),
  NAMED(47, 'perms[metadata]', 'boolean, default 1.', permitted('files/metadata, of a file')),
  NAMED(48, 'perms[file_history]', 'boolean, default 1.', permitted('files/versions/list, of a file')),
  NAMED(49, 'perms[change_pass]', 'boolean, default 1.', OWN_ACCOUNT),
  NAMED(50, 'perms[edit_profile]', 'boolean, default 1.', OWN_ACCOUNT),
  NAMED(
    51,
    'perms[users_may_see]',
    'string, default -ALL-.',
    `${SHARING}: refuses accounts that the sharer may not see`,
  ),
];

const others: readonly Statement[] = [
  {
    id: '2.8.52',
    says: 'groups: array of group names.',
    proof: [
      `${ACCOUNTS}: groups: names of groups, by add and by edit, which are made where they are not there`,
      EVERY_FIELD,
    ],
  },
  {
    id: '2.8.53',
    says: 'create_home_folder: boolean.',
    proof: [
      `${ADMIN}: a new account with a home can use it`,
      `${ADMIN}: uses the defaults of §2.8 for omitted fields, and no home`,
      `${ACCOUNTS}: %s is a switch, and nothing else › create_home_folder`,
    ],
  },
  {
    id: '2.8.54',
    says: 'generate_password: boolean.',
    proof: [
      `${ADMIN}: generates a password that satisfies the policy and works; an account without one cannot sign in`,
      `${ACCOUNTS}: %s is a switch, and nothing else › generate_password`,
    ],
  },
];

export const userAccount: readonly Statement[] = [...data, ...administration, ...permissions, ...others];
