import { z } from 'zod';
import type { AccountCaller } from '../access/caller.ts';
import type { ItemName } from '../access/item-name.ts';
import type { FileAction } from '../access/rights.ts';
import type { FilesContext } from '../files/context.ts';
import { withItem } from '../files/with-file.ts';
import { ApiError } from '../http/errors.ts';
import { operationsFor } from '../http/operation.ts';
import { itemName } from '../http/request/parameters.ts';
import { t } from '../messages/messages.ts';
import type { Principal } from '../oauth/bearer.ts';
import type { Scope } from '../oauth/scopes.ts';
import type { Stars } from './stars.ts';

const { json } = operationsFor<Principal, Scope>();

type StarsContext = Pick<FilesContext, 'access' | 'catalogue' | 'disk' | 'database' | 'pathLocks'>;

export const starOperations = (context: StarsContext, stars: Stars) => [
  json({
    path: 'files/star',
    methods: ['GET', 'POST'],
    scopes: ['modify'],
    summary: 'Star a file or folder',
    description:
      'Starred items are listed under `/STARRED`, even after they are moved. Stars are visible only to the account that added them.',
    params: z.object(itemName()),
    data: z.object({}),
    run: async ({ params, principal }) => {
      await starItem(context, stars, principal, params);
      return {};
    },
  }),

  json({
    path: 'files/unstar',
    methods: ['GET', 'POST'],
    scopes: ['modify'],
    summary: 'Remove a star',
    params: z.object(itemName()),
    data: z.object({}),
    run: async ({ params, principal }) => {
      await unstarItem(context, stars, principal, params);
      return {};
    },
  }),
];

/** @throws ApiError `already_starred`, `not_found`, `invalid_path` */
export async function starItem(
  context: StarsContext,
  stars: Stars,
  caller: AccountCaller,
  named: ItemName,
): Promise<void> {
  const isNew = await withStarred(context, caller, named, 'files/star', (id) => stars.add(caller.account.id, id));
  if (!isNew) throw new ApiError('already_starred', t('api.stars.already'));
}

/** @throws ApiError `not_starred`, `not_found`, `invalid_path` */
export async function unstarItem(
  context: StarsContext,
  stars: Stars,
  caller: AccountCaller,
  named: ItemName,
): Promise<void> {
  const wasThere = await withStarred(context, caller, named, 'files/unstar', (id) =>
    stars.remove(caller.account.id, id),
  );
  if (!wasThere) throw new ApiError('not_starred', t('api.stars.notStarred'));
}

/** @throws ApiError `not_found`; `invalid_path` for the home itself, and for lists */
async function withStarred<T>(
  context: StarsContext,
  caller: AccountCaller,
  named: ItemName,
  action: FileAction,
  work: (itemId: number) => Promise<T>,
): Promise<T> {
  const target = await context.access.resolveItem(caller, named, action);
  if (target.segments.length === 0) {
    throw new ApiError('invalid_path', t('api.stars.home'));
  }
  return withItem(context, target, ({ item }) => work(item.id));
}
