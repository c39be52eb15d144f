import type { Statement } from '../table.ts';
import { operation } from './references.ts';

const works = (...whats: string[]): readonly string[] => whats.flatMap((what) => operation(what).slice(0, 1));
const CLIENTS =
  'test/panel/api.test.ts: are added with id and secret shown once, edited, switched off and on, and removed';
const SETTINGS =
  'test/panel/api.test.ts: take effect when they are saved, and every page warns of plain HTTP until it is disabled';
const OFF = 'test/spec/access.test.ts: is off until the owner enables it, after the set-up as before it';
const PLAIN = 'test/api/requests.test.ts: over plain HTTP gets https_required, as JSON, and a page in a browser';
const TESTING =
  'test/spec/access.test.ts: answers over plain HTTP while that is allowed for testing, and not before and after';

export const document: readonly Statement[] = [
  {
    id: '0.1',
    says: 'Every API path is relative to {base_url}, the address of the installation, including any installation prefix.',
    proof: [
      'test/api/requests.test.ts: below a prefix works if one is configured',
      'test/api/weblinks/weblinks-prefix.test.ts: a link leads to pages below the prefix of the installation, at every step',
    ],
  },
  {
    id: '0.2',
    says: 'The OAuth 2.0 endpoints live under {base_url}/oauth2/.',
    proof: [
      'test/oauth/token-endpoint.test.ts: contains the pair, at %s › /oauth2/token/',
      'test/api/requests.test.ts: below a prefix works if one is configured',
      'test/oauth/revocation.test.ts: §3.1: is located before the prefix of an installation',
    ],
  },
  {
    id: '0.3',
    says: 'The API methods live under {base_url}/api.php/.',
    proof: [
      'test/spec/operations.test.ts: $what works with its scope alone, by its methods, in query and form',
      'test/api/requests.test.ts: below a prefix works if one is configured',
    ],
  },
];

export const service: readonly Statement[] = [
  {
    id: '1.1',
    says: 'Authenticate with OAuth 2.0 (authorization code flow, password flow, refresh).',
    proof: [
      'test/oauth/authorization-code.test.ts: leads from the app through sign-in and consent to a token, with the state unchanged',
      'test/oauth/token-endpoint.test.ts: contains the pair, at %s › /oauth2/token/',
      'test/oauth/refresh.test.ts: returns a new pair',
    ],
  },
  { id: '1.2', says: 'Read account information.', proof: works('Account info') },
  {
    id: '1.3',
    says: 'Browse, search and read metadata of files and folders.',
    proof: [
      ...works('Browse', 'Search', 'Metadata'),
      'test/api/metadata/metadata.test.ts: returns those of a folder, too, and of a share under its alias',
    ],
  },
  { id: '1.4', says: 'Create folders.', proof: works('Create folder') },
  { id: '1.5', says: 'Upload, download and fetch thumbnails.', proof: works('Upload', 'Download', 'Thumbnail') },
  {
    id: '1.6',
    says: 'Rename, move, extract archives, delete, star and unstar.',
    proof: works('Rename', 'Move', 'Extract', 'Delete', 'Star', 'Unstar'),
  },
  {
    id: '1.7',
    says: 'Create and remove public web links.',
    proof: [
      ...works('Create web link', 'Remove web link'),
      'test/api/weblinks/weblinks.test.ts: opens until its expiry, and afterwards only reports that it has ended',
    ],
  },
  {
    id: '1.8',
    says: 'Share with and unshare from users and groups.',
    proof: [...works('Share', 'Unshare'), 'test/api/sharing/sharing.test.ts: ends a share for that user or group only'],
  },
  {
    id: '1.9',
    says: 'Manage user accounts as an administrator (info, add, edit, delete).',
    proof: works('Admin: user info', 'Admin: add user', 'Admin: edit user', 'Admin: delete users'),
  },
  { id: '1.10', says: 'The API is off until a superuser enables it.', proof: [OFF] },
  {
    id: '1.11',
    says: 'Control panel, section API, checkbox Enable API, then Save changes.',
    proof: [SETTINGS, 'test/panel/first-run.test.ts: leads to an overview that shows warnings and switches the API'],
  },
  {
    id: '1.12',
    says: 'The API is served over HTTPS only. Plain HTTP connections are refused.',
    proof: [PLAIN, TESTING],
  },
  { id: '1.13', says: 'A control-panel option under API can allow plain HTTP.', proof: [SETTINGS, TESTING] },
  {
    id: '1.14',
    says: 'It is for testing only and removes the security of the API. It must not be used in production.',
    proof: [SETTINGS, 'test/cli/serve.test.ts: prints a warning at every start while it is on'],
  },
  {
    id: '1.15',
    says: 'Each client application is registered by a superuser in control panel, API > Clients, with the Add button.',
    proof: [CLIENTS],
  },
  { id: '1.16', says: 'Registration produces a client id and a client secret.', proof: [CLIENTS] },
  {
    id: '1.17',
    says: 'The client has a list of allowed redirect URIs.',
    proof: [
      CLIENTS,
      'test/control/methods.test.ts: changes what is given and leaves the rest, and the secret only when told to',
    ],
  },
  {
    id: '1.18',
    says: 'A default client id exists for the mobile apps.',
    proof: [
      'test/control/methods.test.ts: shows the secret once, and stores and lists none',
      'test/oauth/authorization-code.test.ts: a public client without PKCE, while the default mobile client with PKCE continues',
      'test/oauth/disabled-client.test.ts: the default mobile client is not added a second time after a restart',
    ],
  },
  {
    id: '1.19',
    says: 'A separate client per application is recommended.',
    proof: [],
    why: 'It is a recommendation to those who register apps; that there can be many is what 1.15 says.',
  },
  {
    id: '1.20',
    says: 'Users can list the authorizations they gave to apps in Account Settings.',
    proof: ['test/pages/account.test.ts: shows the account, the space used, and the apps that have access'],
  },
  {
    id: '1.21',
    says: 'and revoke them there at any time.',
    proof: ['test/pages/account.test.ts: revokes an app, whose token is then refused at once'],
  },
  {
    id: '1.22',
    says: 'A sandbox (online demo) exists for testing.',
    proof: ['test/cli/sandbox.test.ts: the sandbox prints commands that work, and removes its folder when it stops'],
  },
];
