import { z } from 'zod';
import type { Asker } from '../access/access.ts';
import { permit } from '../access/rights.ts';
import { onStorage } from '../access/storage-failure.ts';
import { itemFound } from '../catalogue/find.ts';
import type { FilesContext } from '../files/context.ts';
import { ApiError } from '../http/errors.ts';
import { operationsFor } from '../http/operation.ts';
import { virtualPath } from '../http/parameters.ts';
import type { Principal } from '../oauth/bearer.ts';
import type { Scope } from '../oauth/scopes.ts';
import type { Stars } from './stars.ts';

const { json } = operationsFor<Principal, Scope>();

export const starOperations = (context: Pick<FilesContext, 'access' | 'disk' | 'database'>, stars: Stars) => [
  json({
    path: 'files/star',
    methods: ['GET', 'POST'],
    scopes: ['modify'],
    summary: 'Star a file or folder',
    description:
      'It is listed under `/STARRED` then, wherever it goes. A star is the mark of one person; nobody else sees it.',
    params: z.object({ path: virtualPath() }),
    data: z.object({}),
    run: async ({ params, principal }) => {
      permit(principal.account, 'files/star');
      const isNew = await stars.add(principal.account.id, await itemIdAt(context, principal, params.path));
      if (!isNew) throw new ApiError('already_starred', 'This is starred already.');
      return {};
    },
  }),

  json({
    path: 'files/unstar',
    methods: ['GET', 'POST'],
    scopes: ['modify'],
    summary: 'Take a star away',
    params: z.object({ path: virtualPath() }),
    data: z.object({}),
    run: async ({ params, principal }) => {
      permit(principal.account, 'files/unstar');
      const wasThere = await stars.remove(principal.account.id, await itemIdAt(context, principal, params.path));
      if (!wasThere) throw new ApiError('not_starred', 'This is not starred.');
      return {};
    },
  }),
];

/** @throws ApiError `not_found`; `invalid_path` for the home itself, and for lists */
async function itemIdAt(
  { access, disk, database }: Pick<FilesContext, 'access' | 'disk' | 'database'>,
  { account }: Asker,
  path: readonly string[],
): Promise<number> {
  const { home, segments } = await access.resolveItem(account, path);
  if (segments.length === 0) throw new ApiError('invalid_path', 'The home itself is always at hand: it takes no star.');
  return onStorage(async () => {
    const found = await disk.run('stat', { place: home.place, segments });
    return (await itemFound(database, home.id, found)).id;
  });
}
