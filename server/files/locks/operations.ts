import { z } from 'zod';
import { operationsFor } from '../../http/operation.ts';
import { itemName } from '../../http/request/parameters.ts';
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
      'Others can still read the file, but cannot overwrite, rename, move or delete it or its parent folders; the owner of the home can delete them. The lock follows the file when it is renamed or moved, and ends when it is deleted. The error `locked` has the lock holder in `details` if the caller may know it.',
    params: z.object(itemName()),
    data: z.object({}),
    run: async ({ params, principal }) => {
      await lockFile(context, principal, params);
      return {};
    },
  }),

  json({
    path: 'files/unlock',
    methods: ['GET', 'POST'],
    scopes: ['modify'],
    summary: 'Unlock a file',
    description: 'Removes your own lock; home owners and administrators can remove others’.',
    params: z.object(itemName()),
    data: z.object({}),
    run: async ({ params, principal }) => {
      await unlockFile(context, principal, params);
      return {};
    },
  }),
];
