import { z } from 'zod';
import { operationsFor } from '../../http/operation.ts';
import { virtualPath } from '../../http/request/parameters.ts';
import type { Principal } from '../../oauth/bearer.ts';
import type { Scope } from '../../oauth/scopes.ts';
import type { FilesContext } from '../context.ts';
import { lockFile, unlockFile } from './locks.ts';

const { json } = operationsFor<Principal, Scope>();

export const lockOperations = (context: FilesContext) => [
  json({
    path: 'files/lock',
    methods: ['GET', 'POST'],
    scopes: ['modify'],
    summary: 'Lock a file',
    description:
      'Nobody else can overwrite, rename, move or delete it then, or the folders it is in; reading goes on. The lock goes with the file when that is renamed or moved, and ends when it is deleted. `locked` says in `details` by whom, where that may be known.',
    params: z.object({ path: virtualPath() }),
    data: z.object({}),
    run: async ({ params, principal }) => {
      await lockFile(context, principal, params.path);
      return {};
    },
  }),

  json({
    path: 'files/unlock',
    methods: ['GET', 'POST'],
    scopes: ['modify'],
    summary: 'Unlock a file',
    description: 'One’s own lock; that of somebody else in one’s own home, or in that of an account one administers.',
    params: z.object({ path: virtualPath() }),
    data: z.object({}),
    run: async ({ params, principal }) => {
      await unlockFile(context, principal, params.path);
      return {};
    },
  }),
];
