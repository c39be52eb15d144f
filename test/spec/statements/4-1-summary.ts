import type { Statement } from '../table.ts';
import { operation } from './references.ts';

const OPERATIONS = 'test/spec/operations.test.ts: $what';
const WORKS = `${OPERATIONS} works with its scope alone, by its methods, in query and form`;
const REFUSED = `${OPERATIONS} is refused without its scope, with a text and a code`;

export const beforeSummary: readonly Statement[] = [
  {
    id: '4.0.1',
    says: 'All API methods are under {base_url}/api.php/.',
    proof: [WORKS, 'test/api/requests.test.ts: gets for %s %.40s: %i %s › /API.PHP/files/browse?path=/'],
  },
  {
    id: '4.0.2',
    says: 'They require Authorization: Bearer <ACCESS_TOKEN>.',
    proof: [`${OPERATIONS} is refused without a token, and by other methods`],
  },
  { id: '4.0.3', says: 'They require the scope listed.', proof: [REFUSED, WORKS] },
  {
    id: '4.0.4',
    says: 'Request parameters may be sent as a query string or form body where GET/POST is allowed.',
    proof: [
      WORKS,
      'test/api/requests.test.ts: accepts parameters from query, form, multipart and JSON; the body takes precedence',
    ],
  },
  { id: '4.0.5', says: 'Replies are JSON unless stated.', proof: [WORKS] },
  { id: '4.0.6', says: 'success: boolean, true on success.', proof: [WORKS, REFUSED] },
  { id: '4.0.7', says: 'error: false, or a text description on failure.', proof: [WORKS, REFUSED] },
  { id: '4.0.8', says: 'data: object, present for information-returning operations.', proof: [WORKS] },
  {
    id: '4.0.9',
    says: 'code: string, machine-readable error code, present on some failures.',
    proof: [REFUSED, 'test/spec/accounts.test.ts: a user name that is taken: the answer of the document'],
  },
];

/** The rows of the table: the operation, its methods, its path, and the scopes that it needs. */
const ROWS = [
  ['Account info', 'GET or POST', '/api.php/account/info', 'profile (optional: email)'],
  ['Browse', 'GET or POST', '/api.php/files/browse/', 'list'],
  ['Metadata', 'GET or POST', '/api.php/files/metadata/', 'metadata'],
  ['Search', 'POST', '/api.php/files/search/', 'list'],
  ['Create folder', 'POST or GET', '/api.php/files/createfolder/', 'upload'],
  ['Upload', 'PUT or POST', '/api.php/files/upload/', 'upload'],
  ['Download', 'GET or POST', '/api.php/files/download/', 'download'],
  ['Thumbnail', 'GET or POST', '/api.php/files/thumbnail/', 'download'],
  ['Rename', 'GET or POST', '/api.php/files/rename/', 'modify'],
  ['Move', 'POST', '/api.php/files/move/', 'download + upload'],
  ['Extract', 'POST', '/api.php/files/extract/', 'modify'],
  ['Delete', 'GET or POST', '/api.php/files/delete/', 'delete'],
  ['Star', 'GET or POST', '/api.php/files/star/', 'modify'],
  ['Unstar', 'GET or POST', '/api.php/files/unstar/', 'modify'],
  ['Create web link', 'GET or POST', '/api.php/files/weblink/', 'weblink'],
  ['Remove web link', 'GET or POST', '/api.php/files/unweblink/', 'weblink'],
  ['Share', 'GET or POST', '/api.php/files/share/', 'share'],
  ['Unshare', 'GET or POST', '/api.php/files/unshare/', 'share'],
  ['Admin: user info', 'POST', '/api.php/admin-users/info', 'admin'],
  ['Admin: add user', 'POST', '/api.php/admin-users/add', 'admin'],
  ['Admin: edit user', 'POST', '/api.php/admin-users/edit', 'admin'],
  ['Admin: delete users', 'POST', '/api.php/admin-users/delete', 'admin'],
] as const;

export const operations: readonly Statement[] = [
  ...ROWS.map(([what, methods, path, scope], index) => ({
    id: `4.1.${index + 1}`,
    says: `${what}: ${methods} ${path}, scope ${scope}.`,
    proof: operation(what),
  })),
  {
    id: '4.1.23',
    says: 'Account info: the scope email is optional.',
    proof: [
      'test/oauth/bearer.test.ts: returns the e-mail address with its scope only (§2.4)',
      'test/api/requests.test.ts: answers account/info at the top level and in data, all strings, with the e-mail only by its scope',
    ],
  },
  {
    id: '4.1.24',
    says: 'The replies of metadata, search, createfolder, upload, rename, move, extract, delete, star, unstar, share, unshare, and admin-users info, edit and delete have the common envelope.',
    proof: [
      ...['Metadata', 'Search', 'Create folder', 'Upload', 'Rename', 'Move', 'Extract', 'Delete', 'Star', 'Unstar'],
      ...['Share', 'Unshare', 'Admin: user info', 'Admin: edit user', 'Admin: delete users'],
    ].map((what) => `${WORKS} › ${what}`),
  },
];
