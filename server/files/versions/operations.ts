import { z } from 'zod';
import { operationsFor } from '../../http/operation.ts';
import { versionNumber, virtualPath } from '../../http/request/parameters.ts';
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
    summary: 'List the contents that a file has and had',
    description: 'The newest first, which is the present one. `by` is null when another program brought it.',
    params: z.object({ path: virtualPath() }),
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
      const versions = await listVersions(context, principal, params.path);
      return {
        versions: versions.map(({ version, size, mtime, by }) => ({ version, size, mdate: isoSeconds(mtime), by })),
      };
    },
  }),

  json({
    path: 'files/versions/restore',
    methods: ['GET', 'POST'],
    scopes: ['modify'],
    summary: 'Make an old content of a file the present one',
    description: 'The present one becomes a version, and the old one stays in the list. `version` is the new number.',
    params: z.object({
      path: virtualPath(),
      version: versionNumber().describe('Its number, as files/versions/list tells it.'),
    }),
    data: z.object({ path: z.string(), version: z.int().positive() }),
    run: ({ params, principal }) => restoreVersion(context, principal, params.path, params.version),
  }),

  json({
    path: 'files/versions/delete',
    methods: ['GET', 'POST'],
    scopes: ['delete'],
    summary: 'Remove an old content of a file for good',
    params: z.object({
      path: virtualPath(),
      version: versionNumber().describe('Its number, as files/versions/list tells it.'),
    }),
    data: z.object({}),
    run: async ({ params, principal }) => {
      await deleteVersion(context, principal, params.path, params.version);
      return {};
    },
  }),
];
