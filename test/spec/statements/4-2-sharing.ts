import type { Statement } from '../table.ts';
import { needs, option, typed } from './references.ts';

const LINKS = 'test/api/weblinks/weblinks.test.ts';
const COUNTING = 'test/api/weblinks/weblinks-counting.test.ts';
const GATES = 'test/api/weblinks/weblinks-gates.test.ts';
const REQUESTS = 'test/api/weblinks/weblinks-requests.test.ts';
const MAIL = 'test/api/weblinks/weblinks-mail.test.ts';
const GUARD = 'test/pages/links/links-guard.test.ts';
const SHARING = 'test/api/sharing/sharing.test.ts';
const FURTHER = 'test/api/sharing/sharing-further.test.ts';
const GUESTS = 'test/api/sharing/sharing-guests.test.ts';
const ADMIN = 'test/api/accounts/admin-users.test.ts';
const RIGHTS = 'test/api/accounts/administrators.test.ts';
const ACCOUNTS = 'test/spec/accounts.test.ts';
const PARAMETERS = 'test/spec/parameters.test.ts';

const BESIDE = `${LINKS}: makes new single-download and temporary links beside the permanent one`;
const REFUSED_LINK = `${LINKS}: refuses %s, and makes nothing`;
const STANDS = `${LINKS}: makes one permanent link, and returns it when it is requested again`;
const REFUSED_SHARE = `${SHARING}: refuses %j and shares nothing`;
const FLAGS = `${PARAMETERS}: files/share: every flag by itself, on and off, and nothing else of the rest`;
const MATRIX =
  'test/api/sharing/sharing-matrix.test.ts: %s, %s > a recipient: with the required rights and without each of them';
const NOT_SHARED = `${SHARING}: fails if nothing is shared with the user or group (§3, §8.4)`;
const COMMENTS =
  'test/spec/weblinks.test.ts: comments are shown where the link shows them, and named where it names them';
const UNNAMED_COMMENTS = `${GUARD}: does not show its author if the link hides names`;

const webLinks: readonly Statement[] = [
  {
    id: '4.2.40',
    says: 'files/weblink path: string; file or folder.',
    proof: [needs('files/weblink'), STANDS],
  },
  {
    id: '4.2.41',
    says: 'singleDownload: boolean. Returns a link valid for one download.',
    proof: [
      typed('singleDownload'),
      `${COUNTING}: allows only one of a hundred concurrent visitors to use a single-download link`,
      `${COUNTING}: does not count HEAD, pages, robots that follow links, or cached content`,
    ],
  },
  { id: '4.2.42', says: 'It does not affect previously created links on the item.', proof: [BESIDE] },
  {
    id: '4.2.43',
    says: 'temporary: boolean. Returns a link valid for 15 minutes.',
    proof: [typed('temporary'), `${LINKS}: opens a temporary link for 15 minutes, to the millisecond`],
  },
  { id: '4.2.44', says: 'It does not affect previously created links on the item.', proof: [BESIDE] },
  {
    id: '4.2.45',
    says: 'password: string.',
    proof: [
      option('password'),
      `${GATES}: is required before anything is revealed, at every address of the link`,
      `${GATES}: authorizes only the browser in which it was entered, until it is changed`,
    ],
  },
  {
    id: '4.2.46',
    says: 'expiry: datetime, format YYYY-MM-DD HH:MM:SS.',
    proof: [
      option('expiry'),
      typed('expiry'),
      `${PARAMETERS}: files/weblink: expiry is YYYY-MM-DD HH:MM:SS, in and out`,
      `${LINKS}: opens until its expiry, and afterwards only reports that it has ended`,
    ],
  },
  {
    id: '4.2.47',
    says: 'download_limit: integer.',
    proof: [
      option('download_limit'),
      typed('download_limit'),
      `${COUNTING}: counts to the limit exactly, on every path`,
    ],
  },
  {
    id: '4.2.48',
    says: 'allow_uploads: boolean, folders only.',
    proof: [option('allow_uploads'), typed('allow_uploads'), `${REFUSED_LINK} › uploads to a file`],
  },
  {
    id: '4.2.49',
    says: 'allow_uploads enables a file request.',
    proof: [
      `${REQUESTS}: stores files under unused names, and never changes existing ones`,
      `${REQUESTS}: reveals to its visitor neither existing files nor those of others`,
    ],
  },
  {
    id: '4.2.50',
    says: 'allow_downloads: boolean, folders only.',
    proof: [
      option('allow_downloads'),
      typed('allow_downloads'),
      `${REFUSED_LINK} › a file request with downloads of a file`,
    ],
  },
  {
    id: '4.2.51',
    says: 'allow_downloads enables a file request that also allows downloading existing files.',
    proof: [
      `${MAIL}: notifies the maker of a link in one mail, only if wanted`,
      option('allow_downloads'),
      'test/pages/links/link-send.test.ts: stores files in the open folder, and allows viewing and downloading them',
    ],
  },
  {
    id: '4.2.52',
    says: 'force_save: boolean. Prompts the browser to save instead of opening.',
    proof: [
      option('force_save'),
      typed('force_save'),
      `${GATES}: inline where that is safe, and as a download where the link requires it`,
    ],
  },
  { id: '4.2.53', says: 'show_comments: boolean.', proof: [option('show_comments'), typed('show_comments'), COMMENTS] },
  {
    id: '4.2.54',
    says: 'show_comments_names: boolean.',
    proof: [option('show_comments_names'), typed('show_comments_names'), COMMENTS, UNNAMED_COMMENTS],
  },
  {
    id: '4.2.55',
    says: 'show_metadata: boolean.',
    proof: [option('show_metadata'), typed('show_metadata'), `${GATES}: with details only if the link shows them`],
  },
  {
    id: '4.2.56',
    says: 'notify: boolean.',
    proof: [option('notify'), typed('notify'), `${MAIL}: notifies the maker of a link in one mail, only if wanted`],
  },
  {
    id: '4.2.57',
    says: 'download_terms: string.',
    proof: [option('download_terms'), `${GATES}: must be accepted first in each browser, and again after a change`],
  },
  {
    id: '4.2.58',
    says: 'require_login: boolean. Only logged-in users can open the link.',
    proof: [
      option('require_login'),
      typed('require_login'),
      `${GATES}: asks visitors to sign in, returns to the link, and opens for nobody else`,
    ],
  },
  { id: '4.2.59', says: 'files/weblink reply: success, error, data {status, url, isdir}.', proof: [STANDS] },
  {
    id: '4.2.60',
    says: 'files/unweblink path (string). Reply: success (true) and weblinkid.',
    proof: [needs('files/unweblink'), `${LINKS}: ends all links of the item, and returns the id of the permanent one`],
  },
];

const shares: readonly Statement[] = [
  {
    id: '4.2.61',
    says: 'files/share path: string, required. File or folder.',
    proof: [
      needs('files/share'),
      `${SHARING}: shares a folder with a user, who finds it and its contents`,
      `${SHARING}: shares a file, which is read and overwritten under the path of the share`,
    ],
  },
  {
    id: '4.2.62',
    says: 'files/share uid: integer, required if no gid and no name + email. User to share with.',
    proof: [
      `${PARAMETERS}: %s: %s is nothing like "%s" › uid`,
      needs('files/share'),
      `${SHARING}: shares a folder with a user, who finds it and its contents`,
    ],
  },
  {
    id: '4.2.63',
    says: 'files/share gid: integer, required if no uid and no name + email. Group to share with.',
    proof: [typed('gid'), `${SHARING}: shares with a group: new members get it, former members lose it`],
  },
  {
    id: '4.2.64',
    says: 'files/share name: string, required if no gid and no uid. Guest user name to add and share with.',
    proof: [
      `${GUESTS}: is created with a name and an address, with a private link that is shown once`,
      `${REFUSED_SHARE} › gran@example.net`,
    ],
  },
  {
    id: '4.2.65',
    says: 'files/share email: string, required if no gid and no uid. Guest e-mail address.',
    proof: [
      `${GUESTS}: is created with a name and an address, with a private link that is shown once`,
      `${REFUSED_SHARE} › Gran`,
      `${REFUSED_SHARE} › gran`,
    ],
  },
  {
    id: '4.2.66',
    says: 'anonymous: boolean, not required. Share anonymously.',
    proof: [
      FLAGS,
      typed('anonymous'),
      `${FURTHER}: is listed separately in /ROOT/SHARED, without an owner`,
      `${FURTHER}: never reveals the name of its owner`,
    ],
  },
  {
    id: '4.2.67',
    says: 'upload, download, comment, read_comments, alter, share: boolean, not required. Permissions granted.',
    proof: [
      FLAGS,
      ...['upload', 'download', 'comment', 'read_comments', 'alter', 'share'].map(typed),
      `${MATRIX} › files/upload, over a file`,
      `${MATRIX} › files/comments/add, to the folder`,
      `${MATRIX} › files/comments/list, of a file`,
      `${MATRIX} › files/share, further`,
    ],
  },
  {
    id: '4.2.68',
    says: 'alias: string, not required. Alias for the shared folder name.',
    proof: [`${SHARING}: shows an alias instead of the name, everywhere`],
  },
  {
    id: '4.2.69',
    says: 'alias: not applicable to files.',
    proof: [`${SHARING}: refuses oneself, an alias of a file, the home, lists, and missing items`],
  },
  {
    id: '4.2.70',
    says: 'Sharing an already shared item updates the share without error.',
    proof: [`${SHARING}: changes an existing share, and keeps omitted properties (§3, §8.5)`],
  },
  {
    id: '4.2.71',
    says: 'files/unshare path (string, required).',
    proof: [needs('files/unshare'), `${SHARING}: ends a share for that user or group only`],
  },
  {
    id: '4.2.72',
    says: 'files/unshare uid (integer, required if no gid), gid (integer, required if no uid).',
    proof: [
      NOT_SHARED,
      typed('files/unshare'),
      needs('files/unshare'),
      `${SHARING}: ends a share for that user or group only`,
    ],
  },
  {
    id: '4.2.73',
    says: 'An error is returned when the item was not shared with that user or group.',
    proof: [NOT_SHARED],
  },
];

const people: readonly Statement[] = [
  {
    id: '4.2.74',
    says: 'admin-users/info: UID (integer, required if uname is absent), uname (string, required if UID is absent).',
    proof: [
      `${ADMIN}: adds with every field of §2.8, and returns every one under its own name`,
      `${ACCOUNTS}: %s: whom it is about › info`,
      `${ACCOUNTS}: %s: an id is a number › info`,
    ],
  },
  {
    id: '4.2.75',
    says: 'admin-users/add: parameters as in 2.8.',
    proof: [
      `${ADMIN}: adds with every field of §2.8, and returns every one under its own name`,
      `${ACCOUNTS}: %s, %s: has its default, and what add and edit say`,
    ],
  },
  {
    id: '4.2.76',
    says: 'data[username] and data[name] are required.',
    proof: [
      `${ADMIN}: requires a user name and a name; returns 409 for a name in use, also in another case or with similar letters`,
    ],
  },
  {
    id: '4.2.77',
    says: 'generate_password=1 makes the service assign a random password that matches the password policy.',
    proof: [
      `${ADMIN}: generates a password that satisfies the policy and works; an account without one cannot sign in`,
    ],
  },
  {
    id: '4.2.78',
    says: 'create_home_folder=1 creates the home folder if it does not exist.',
    proof: [
      `${ADMIN}: a new account with a home can use it`,
      `${ACCOUNTS}: is made with create_home_folder=1 where it is not there`,
    ],
  },
  {
    id: '4.2.79',
    says: 'Success reply: data.generated_password (string) and data.uid (string, new user ID).',
    proof: [
      `${ADMIN}: generates a password that satisfies the policy and works; an account without one cannot sign in`,
    ],
  },
  {
    id: '4.2.80',
    says: 'Failure example: success false, error text, code username_in_use when the username is not unique.',
    proof: [`${ACCOUNTS}: a user name that is taken: the answer of the document`],
  },
  {
    id: '4.2.81',
    says: 'admin-users/edit: all parameters of add.',
    proof: [
      `${ACCOUNTS}: %s, %s: has its default, and what add and edit say`,
      `${ACCOUNTS}: groups: names of groups, by add and by edit, which are made where they are not there`,
      `${ADMIN}: changes only what is sent; an empty value resets to the default`,
    ],
  },
  {
    id: '4.2.82',
    says: 'admin-users/edit: plus UID (integer, required).',
    proof: [`${ACCOUNTS}: %s: whom it is about › edit`, `${ACCOUNTS}: %s: an id is a number › edit`],
  },
  {
    id: '4.2.83',
    says: 'admin-users/edit: generate_password (boolean, optional). A generated plain-text password is included in the reply.',
    proof: [`${ADMIN}: a new password ends existing tokens, and a generated one is in the reply`],
  },
  {
    id: '4.2.84',
    says: 'admin-users/delete: UIDS (array of integers, required).',
    proof: [
      `${RIGHTS}: UIDS are distinct ids, never of the caller or the superuser`,
      'test/spec/operations.test.ts: $what works with its scope alone, by its methods, in query and form › Admin: delete users',
    ],
  },
  {
    id: '4.2.85',
    says: 'deleteHomeFolder (boolean, optional): when included, the users’ home folders are also deleted.',
    proof: [
      'test/api/accounts/admin-users-homes.test.ts: of deleted accounts are kept or moved to the trash of the data folder',
    ],
  },
];

export const sharingParameters: readonly Statement[] = [...webLinks, ...shares, ...people];
