import { z } from 'zod';
import { operationsFor } from '../http/operation.ts';
import { flag, integer, listOf, oneOf, virtualPath } from '../http/parameters.ts';
import type { Principal } from '../oauth/bearer.ts';
import type { Scope } from '../oauth/scopes.ts';
import { ITEM_TYPES, ORDERS, SORTS } from './arrange.ts';
import { browse } from './browse.ts';
import { DETAIL_KEYS } from './details.ts';
import { type BrowseContext, listingSchema } from './listing.ts';

const { json } = operationsFor<Principal, Scope>();

export const listingOperations = (context: BrowseContext) => [
  json({
    path: 'files/browse',
    methods: ['GET', 'POST'],
    scopes: ['list'],
    summary: 'List a folder',
    description:
      'Folders first, in natural order of names. With `start` or `limit`, `data.meta.total` says how many there are. `recursive=1` adds everything below, each folder before what is in it; such a list is sent while it is read, and one that breaks off is not whole.',
    params: z.object({
      path: virtualPath(),
      itemType: oneOf(ITEM_TYPES).default('any'),
      recursive: flag().default(false),
      details: listOf(DETAIL_KEYS).default([]),
      sort: oneOf(SORTS).default('name'),
      order: oneOf(ORDERS).default('asc'),
      start: integer({ min: 0, max: Number.MAX_SAFE_INTEGER }).optional(),
      limit: integer({ min: 1, max: 100_000 }).optional(),
    }),
    data: listingSchema,
    run: ({ params, principal }) => browse(context, principal.account, params.path, params),
  }),
];
