import type { Statement } from '../table.ts';
import { field, permitted } from './references.ts';

const LIFETIMES = 'test/oauth/refresh.test.ts: expires after 30 days, and an access token after 60 minutes (§8)';
const SIZE = 'test/api/uploads/upload-limits.test.ts: %s: accepts 2 MB and not a byte more';

export const limits: readonly Statement[] = [
  { id: '8.1', says: 'Access token lifetime: 60 minutes.', proof: [LIFETIMES] },
  {
    id: '8.2',
    says: 'expires_in is 3600 seconds.',
    proof: [
      'test/oauth/token-endpoint.test.ts: contains the pair, at %s',
      'test/oauth/token-endpoint.test.ts: has the same form for a refresh',
    ],
  },
  { id: '8.3', says: 'Refresh token lifetime: 30 days.', proof: [LIFETIMES] },
  {
    id: '8.4',
    says: 'Temporary web link (temporary): valid 15 minutes.',
    proof: ['test/api/weblinks/weblinks.test.ts: opens a temporary link for 15 minutes, to the millisecond'],
  },
  {
    id: '8.5',
    says: 'Single-download web link: valid for one download.',
    proof: [
      'test/api/weblinks/weblinks-counting.test.ts: allows only one of a hundred concurrent visitors to use a single-download link',
      'test/api/weblinks/weblinks-counting.test.ts: allows only one of a hundred visitors to use it in ranges, too',
    ],
  },
  {
    id: '8.6',
    says: 'Per-user upload size: perms[upload_max_size].',
    proof: [`${SIZE} › announced`, `${SIZE} › in chunks`, `${SIZE} › as a form`, `${SIZE} › in pieces`],
  },
  {
    id: '8.7',
    says: 'perms[upload_max_size]: default 0, which is no limit.',
    proof: [field('perms[upload_max_size]'), permitted('files/upload, a new file of 1 MB and a byte')],
  },
  {
    id: '8.8',
    says: 'Per-user quota: perms[space_quota_max].',
    proof: [
      'test/api/uploads/quota.test.ts: accepts the last byte and no more, and reports the usage',
      'test/api/accounts/admin-users-homes.test.ts: follow the template of a role at creation; a role replaces the permissions of an account',
    ],
  },
  {
    id: '8.9',
    says: 'perms[space_quota_max]: default 0, which is no limit.',
    proof: [field('perms[space_quota_max]'), permitted('files/upload, a new file of 1 MB and a byte')],
  },
  {
    id: '8.10',
    says: 'Allowed upload types: perms[upload_limit_types], comma-delimited extensions.',
    proof: [
      permitted('files/upload, a picture'),
      'test/api/uploads/upload-limits.test.ts: names the file and the allowed types',
    ],
  },
];
