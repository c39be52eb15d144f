import { z } from 'zod';
import { ownAddress } from '../http/connection/hosts.ts';
import { operationsFor } from '../http/operation.ts';
import { flag, integer, keyedTexts, listOf, oneOf, text, virtualPath } from '../http/request/parameters.ts';
import { type Principal, requireScope } from '../oauth/bearer.ts';
import type { Scope } from '../oauth/scopes.ts';
import { ITEM_TYPES, ORDERS, SORTS } from './arrange.ts';
import { browse } from './browse.ts';
import { DETAIL_KEYS } from './details.ts';
import { type BrowseContext, listingSchema } from './listing.ts';
import { type SearchContext, search } from './search.ts';

const { json } = operationsFor<Principal, Scope>();

/** @param basePath the prefix of the installation */
export const listingOperations = (context: BrowseContext & SearchContext, basePath: string) => [
  json({
    path: 'files/browse',
    methods: ['GET', 'POST'],
    scopes: ['list'],
    summary: 'List a folder',
    description:
      'Folders first, in natural order of names. With `start` or `limit`, `data.meta.total` says how many there are; `limit=0` is no limit. `recursive=1` adds everything below, each folder before what is in it; such a list is sent while it is read, and one that breaks off is not whole.',
    params: z.object({
      path: virtualPath(),
      itemType: oneOf(ITEM_TYPES).default('any').describe('What is listed.'),
      recursive: flag().default(false).describe('With everything below.'),
      details: listOf(DETAIL_KEYS).default([]).describe('What is told of each item beside its name and path.'),
      sort: oneOf(SORTS).default('name').describe('By what it is sorted.'),
      order: oneOf(ORDERS).default('asc').describe('Upwards or downwards.'),
      start: integer({ min: 0, max: Number.MAX_SAFE_INTEGER }).optional().describe('How many are skipped.'),
      limit: integer({ min: 0, max: 100_000 }).optional().describe('How many at most; 0 for all.'),
    }),
    data: listingSchema,
    run: ({ params, principal, request }) =>
      browse(context, principal, params.path, {
        ...params,
        limit: params.limit === 0 ? Number.POSITIVE_INFINITY : params.limit,
        address: `${ownAddress(request)}${basePath}`,
        isStreamed: true,
      }),
  }),

  json({
    path: 'files/search',
    methods: ['POST'],
    scopes: ['list'],
    summary: 'Search files and folders',
    description:
      'Below the folder `path`. `filename`: every word of it is somewhere in the name, in any case and with or without accents; with `*` (any letters) or `?` (one letter) it is a pattern for the whole name. Those called so come first, then those that begin with it. `contents`: files in whose text every word occurs, whole or as the beginning of a word, the best first; not together with anything else. `metatype`: files of a type, by the id that `files/metadata/fields` tells. `meta[<field id>][]`, `meta[tag][]`, `meta[rating][]`, `meta[label][]`, `meta[comment][]`, or `meta[-][]` for any field, tags, rating and label: one of the keywords is somewhere in a text, equals a number, or begins a date such as `2026-07`; it takes the scope `metadata`, too. All criteria have to fit. With more hits than `limit`, `data.meta.truncated` is true; `limit=0` is no limit.',
    params: z.object({
      path: virtualPath(),
      filename: text().optional().describe('Words of the name, or a pattern with * and ?.'),
      keyword: text().optional().describe('Another name of filename, which decides when both are sent.'),
      contents: text().optional().describe('Words of the text; with nothing else.'),
      metatype: integer({ min: 1, max: Number.MAX_SAFE_INTEGER }).optional().describe('A file type, by its id.'),
      meta: keyedTexts().optional().describe('Keywords by field: an id, tag, rating, label, comment, or - for any.'),
      details: listOf(DETAIL_KEYS).default([]).describe('What is told of each item beside its name and path.'),
      limit: integer({ min: 0, max: 10_000 }).default(1_000).describe('How many hits at most; 0 for all.'),
    }),
    data: listingSchema,
    run: async ({ params, principal, request }) => {
      if (params.meta !== undefined && params.meta.size > 0) requireScope(principal, 'metadata');
      return search(context, principal, params.path, {
        ...params,
        filename: params.filename ?? params.keyword,
        limit: params.limit === 0 ? Number.POSITIVE_INFINITY : params.limit,
        address: `${ownAddress(request)}${basePath}`,
      });
    },
  }),
];
