import { z } from 'zod';
import type { AccountCaller } from '../access/caller.ts';
import type { ItemName } from '../access/item-name.ts';
import type { ItemTarget } from '../access/item-target.ts';
import type { ItemsContext } from '../files/context.ts';
import { withItem } from '../files/with-file.ts';
import { ApiError } from '../http/errors.ts';
import { operationsFor } from '../http/operation.ts';
import { itemName } from '../http/request/parameters.ts';
import { t } from '../messages/messages.ts';
import type { Principal } from '../oauth/bearer.ts';
import type { Scope } from '../oauth/scopes.ts';
import type { Stars } from './stars.ts';

const { json } = operationsFor<Principal, Scope>();

type StarsContext = ItemsContext;

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
  const isNew = await setStar(context, stars, caller, named, true);
  if (!isNew) throw new ApiError('already_starred', t('api.stars.already'));
}

/** @throws ApiError `not_starred`, `not_found`, `invalid_path` */
export async function unstarItem(
  context: StarsContext,
  stars: Stars,
  caller: AccountCaller,
  named: ItemName,
): Promise<void> {
  const wasThere = await setStar(context, stars, caller, named, false);
  if (!wasThere) throw new ApiError('not_starred', t('api.stars.notStarred'));
}

/**
 * @param check called with the path locked, before anything changes
 * @returns false if nothing changes
 * @throws ApiError `not_found`; `invalid_path` for the home itself, and for lists
 */
export async function setStar(
  context: StarsContext,
  stars: Pick<Stars, 'add' | 'remove'>,
  caller: AccountCaller,
  named: ItemName,
  isStarred: boolean,
  check: (target: ItemTarget) => Promise<void> = async () => undefined,
): Promise<boolean> {
  const target = await context.access.resolveItem(caller, named, isStarred ? 'files/star' : 'files/unstar');
  if (target.segments.length === 0) {
    throw new ApiError('invalid_path', t('api.stars.home'));
  }
  return withItem(context, target, async ({ item }) => {
    await check(target);
    return isStarred ? stars.add(caller.account.id, item.id) : stars.remove(caller.account.id, item.id);
  });
}
