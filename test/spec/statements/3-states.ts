import type { Statement } from '../table.ts';

const SIGN_IN = 'test/oauth/sign-in/sign-in.test.ts';
const DELETE = 'test/api/files/delete.test.ts';
const LINKS = 'test/api/weblinks/weblinks.test.ts';
const SHARING = 'test/api/sharing/sharing.test.ts';
const STARS = 'test/api/listing/lists.test.ts';
const LIFETIMES = 'test/oauth/refresh.test.ts: expires after 30 days, and an access token after 60 minutes (§8)';
const LINK_STANDS = `${LINKS}: makes one permanent link, and returns it when it is requested again`;

export const states: readonly Statement[] = [
  {
    id: '3.1',
    says: 'A user account is activated or deactivated (activated).',
    proof: [
      'test/api/accounts/admin-users.test.ts: deactivates at once, even during a download',
      `${SIGN_IN}: keeps issued tokens valid, and refreshing`,
    ],
  },
  { id: '3.2', says: 'A web link reports created or existing.', proof: [LINK_STANDS] },
  {
    id: '3.3',
    says: 'A deleted item is in the trash or permanently removed.',
    proof: [`${DELETE}: treats permanent=0 like the default, and deletes permanently with 1`],
  },
  {
    id: '3.4',
    says: 'User active; password-flow token requests with a wrong password, too many: user deactivated.',
    proof: [
      `${SIGN_IN}: happens at the fifth`,
      `${SIGN_IN}: counts consecutive ones: a right one resets the count`,
      'test/spec/access.test.ts: shut the account for the regular sign-in as well',
    ],
  },
  {
    id: '3.5',
    says: 'The same protection as regular login.',
    proof: [
      'test/oauth/sign-in/browser-sessions.test.ts: show one message for all wrong passwords, keep the name, and count with the password grant',
    ],
  },
  {
    id: '3.6',
    says: 'The account can no longer log in.',
    proof: [
      `${SIGN_IN}: refuses a right password with the reply for a wrong one while deactivated`,
      'test/spec/access.test.ts: shut the account for the regular sign-in as well',
    ],
  },
  {
    id: '3.7',
    says: 'Item present; files/delete, permanent is absent: item in trash.',
    proof: [
      `${DELETE}: moves an item with its contents to the trash`,
      'test/api/files/trash.test.ts: is a top-level entry and lists deleted items, newest first',
    ],
  },
  {
    id: '3.8',
    says: 'Item present; files/delete, permanent is 0: item in trash.',
    proof: [`${DELETE}: treats permanent=0 like the default, and deletes permanently with 1`],
  },
  {
    id: '3.9',
    says: 'Item present; files/delete, permanent is 1: item permanently removed.',
    proof: [
      `${DELETE}: treats permanent=0 like the default, and deletes permanently with 1`,
      `${DELETE}: deletes permanently, with the versions, and never follows a link out of the tree`,
    ],
  },
  {
    id: '3.10',
    says: 'Item not starred; files/star: item starred. Appears under /STARRED.',
    proof: [
      `${STARS}: are put on files and folders, and listed: folders first, in natural order`,
      `${STARS}: are separate for each account`,
    ],
  },
  {
    id: '3.11',
    says: 'Item starred; files/unstar: item not starred.',
    proof: [`${STARS}: report whether one exists already`, `${STARS}: are separate for each account`],
  },
  {
    id: '3.12',
    says: 'Item without link; files/weblink, link options valid: item has web link; reply status created.',
    proof: [LINK_STANDS, `${LINKS}: report links by the three details, and list linked items under /LINKS`],
  },
  {
    id: '3.13',
    says: 'Link options that are not valid make no link.',
    proof: [
      `${LINKS}: refuses %s, and makes nothing › an expiry that is over`,
      `${LINKS}: refuses %s, and makes nothing › uploads to a file`,
    ],
  },
  {
    id: '3.14',
    says: 'Item with link; files/weblink, link already exists: unchanged; reply status existing.',
    proof: [LINK_STANDS],
  },
  {
    id: '3.15',
    says: 'Item with link; files/unweblink: item without link. Reply holds weblinkid.',
    proof: [`${LINKS}: ends all links of the item, and returns the id of the permanent one`],
  },
  {
    id: '3.16',
    says: 'Item not shared; files/share, valid target uid: item shared.',
    proof: [
      `${SHARING}: shares a folder with a user, who finds it and its contents`,
      `${SHARING}: is marked for its owner: /SHARES, isShared`,
    ],
  },
  {
    id: '3.17',
    says: 'Item not shared; files/share, valid target gid: item shared.',
    proof: [`${SHARING}: shares with a group: new members get it, former members lose it`],
  },
  {
    id: '3.18',
    says: 'Item not shared; files/share, valid target name + email: item shared.',
    proof: [
      'test/api/sharing/sharing-guests.test.ts: is created with a name and an address, with a private link that is shown once',
      'test/api/sharing/sharing-guests.test.ts: sees only items shared with them, in an app and on pages',
    ],
  },
  {
    id: '3.19',
    says: 'Without a valid target nothing is shared.',
    proof: [`${SHARING}: refuses %j and shares nothing`],
  },
  {
    id: '3.20',
    says: 'Item shared; files/share, same target again: share settings updated. No error is returned.',
    proof: [`${SHARING}: changes an existing share, and keeps omitted properties (§3, §8.5)`],
  },
  {
    id: '3.21',
    says: 'Item shared; files/unshare, uid or gid was a share target: share removed for that user or group.',
    proof: [`${SHARING}: ends a share for that user or group only`],
  },
  {
    id: '3.22',
    says: 'Item shared; files/unshare, target was not shared with: unchanged; an error reply is returned.',
    proof: [`${SHARING}: fails if nothing is shared with the user or group (§3, §8.4)`],
  },
  { id: '3.23', says: 'Access token valid; 60 minutes pass: access token expired.', proof: [LIFETIMES] },
  {
    id: '3.24',
    says: 'A refresh request yields a new one.',
    proof: [LIFETIMES, 'test/oauth/refresh.test.ts: returns a new pair'],
  },
  { id: '3.25', says: 'Refresh token valid; 30 days pass: refresh token expired.', proof: [LIFETIMES] },
];
