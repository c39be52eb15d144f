import { z } from 'zod';
import { operationsFor } from '../../http/operation.ts';
import { itemName, versionNumber } from '../../http/request/parameters.ts';
import { CONDITION_HEADERS, CONDITIONS, preconditionsOf } from '../../http/request/preconditions.ts';
import { isoSeconds } from '../../lib/datetime.ts';
import type { Principal } from '../../oauth/bearer.ts';
import type { Scope } from '../../oauth/scopes.ts';
import type { FilesContext } from '../context.ts';
import { deleteVersion, listVersions, restoreVersion } from './versions.ts';

const { json } = operationsFor<Principal, Scope>();

export const versionOperations = (context: FilesContext) => [
  json({
    path: 'files/versions/list',
    methods: ['GET', 'POST'],
    scopes: ['list'],
    summary: 'List the versions of a file',
    description:
      'Newest first; the first one is the current version. In a share, only contents since the share began. `by` is null if the author is unknown, such as for changes by another program.',
    params: z.object(itemName()),
    data: z.object({
      versions: z.array(
        z.object({
          version: z.int().positive(),
          size: z.int().nonnegative(),
          mdate: z.string(),
          by: z.string().nullable(),
        }),
      ),
    }),
    run: async ({ params, principal }) => {
      const versions = await listVersions(context, principal, params);
      return {
        versions: versions.map(({ version, size, mtime, by }) => ({ version, size, mdate: isoSeconds(mtime), by })),
      };
    },
  }),

  json({
    path: 'files/versions/restore',
    methods: ['GET', 'POST'],
    scopes: ['modify'],
    summary: 'Restore an earlier version',
    description: `The current content becomes an earlier version, and the restored version remains in the list. \`version\` in the reply is the new version number. ${CONDITIONS}`,
    honours: CONDITION_HEADERS,
    params: z.object({
      ...itemName(),
      version: versionNumber().describe('Version number from files/versions/list.'),
    }),
    data: z.object({ path: z.string(), version: z.int().positive() }),
    run: ({ params, principal, request }) =>
      restoreVersion(context, principal, params, params.version, preconditionsOf(request.headers)),
  }),

  json({
    path: 'files/versions/delete',
    methods: ['GET', 'POST'],
    scopes: ['delete'],
    summary: 'Delete an earlier version permanently',
    params: z.object({
      ...itemName(),
      version: versionNumber().describe('Version number from files/versions/list.'),
    }),
    data: z.object({}),
    run: async ({ params, principal }) => {
      await deleteVersion(context, principal, params, params.version);
      return {};
    },
  }),
];
