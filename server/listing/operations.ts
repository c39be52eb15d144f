import { z } from 'zod';
import { ownAddress } from '../http/connection/hosts.ts';
import { operationsFor } from '../http/operation.ts';
import { flag, integer, itemName, keyedTexts, listOf, oneOf, records, text } from '../http/request/parameters.ts';
import { type Principal, requireScope } from '../oauth/bearer.ts';
import type { Scope } from '../oauth/scopes.ts';
import { ITEM_TYPES, ORDERS, SORTS } from './arrange.ts';
import { browseReply } from './browse/browse.ts';
import { DETAIL_KEYS } from './details.ts';
import { itemInfo, itemInfoSchema } from './info.ts';
import { knownFileSchema, MAX_KNOWN, missingOf } from './known.ts';
import { type BrowseContext, listingSchema } from './listing.ts';
import type { ListingBodies } from './listing-bodies.ts';
import { type ReceiptContext, receiptFor, receiptSchema } from './receipt.ts';
import { search } from './search.ts';

const { json } = operationsFor<Principal, Scope>();

/** @param basePath the prefix of the installation */
export const listingOperations = (
  context: BrowseContext & ReceiptContext & Parameters<typeof itemInfo>[0] & { readonly bodies: ListingBodies },
  basePath: string,
) => [
  json({
    path: 'files/browse',
    methods: ['GET', 'POST'],
    scopes: ['list'],
    summary: 'List a folder',
    description:
      'Folders come first, in natural order of names. With `start` or `limit`, `data.meta.total` is the total number of items; `limit=0` means no limit. `recursive=1` includes all descendants, each folder before its contents. A recursive list is streamed; if it breaks off, it is incomplete.',
    params: z.object({
      ...itemName(),
      itemType: oneOf(ITEM_TYPES).default('any').describe('Type of items to list.'),
      recursive: flag().default(false).describe('Whether to include all descendants.'),
      details: listOf(DETAIL_KEYS).default([]).describe('Extra fields for each item.'),
      sort: oneOf(SORTS).default('name').describe('Sort key.'),
      order: oneOf(ORDERS).default('asc').describe('Sort direction.'),
      hidden: flag()
        .default(true)
        .describe('Whether to include files that operating systems store for themselves, such as .DS_Store.'),
      start: integer({ min: 0, max: Number.MAX_SAFE_INTEGER }).optional().describe('Number of items to skip.'),
      limit: integer({ min: 0, max: 100_000 }).optional().describe('Maximum number of items; 0 means no limit.'),
    }),
    data: listingSchema,
    run: ({ params, principal, request }) =>
      browseReply(context, principal, params, {
        ...params,
        limit: params.limit === 0 ? Number.POSITIVE_INFINITY : params.limit,
        address: `${ownAddress(request)}${basePath}`,
      }),
  }),

  json({
    path: 'files/info',
    methods: ['GET', 'POST'],
    scopes: ['list'],
    summary: 'Get one file or folder',
    description:
      'The same fields as in `files/browse`, without listing the folder. The item is named by `path`, by `uuid`, or by both if they name the same item. An item that several shares contain is reached in the own home first, then through the oldest share.',
    params: z.object({
      ...itemName(),
      details: listOf(DETAIL_KEYS).default([]).describe('Extra fields.'),
    }),
    data: itemInfoSchema,
    run: ({ params: { details, ...named }, principal, request }) =>
      itemInfo(context, principal, named, { details, address: `${ownAddress(request)}${basePath}` }),
  }),

  json({
    path: 'files/search',
    methods: ['POST'],
    scopes: ['list'],
    summary: 'Search files and folders',
    description:
      'Searches below the folder `path`. All criteria must match.\n\n- `filename`: every word must occur in the name; case and accents are ignored. With `*` (any characters) or `?` (one character) it is a pattern for the complete name. Exact matches come first, then names that begin with it.\n- `contents`: every word must occur in the text of the file, as a word or the beginning of one. Best matches come first. Cannot be combined with other criteria.\n- `metatype`: the ID of a file type from `files/metadata/fields`.\n- `meta[<field id>][]`, `meta[tag][]`, `meta[rating][]`, `meta[label][]`, `meta[comment][]`, or `meta[-][]` for any field, tag, rating or label: one of the keywords must occur in a text, equal a number or begin a date such as `2026-07`. Also requires the scope `metadata`.\n\nIf more items match than `limit` allows, `data.meta.truncated` is true; `limit=0` means no limit.',
    params: z.object({
      ...itemName(),
      filename: text().optional().describe('Words of the name, or a pattern with * and ?.'),
      keyword: text().optional().describe('Alias of filename, which takes precedence.'),
      contents: text().optional().describe('Words of the text. Cannot be combined with other criteria.'),
      metatype: integer({ min: 1, max: Number.MAX_SAFE_INTEGER }).optional().describe('File type ID.'),
      meta: keyedTexts()
        .optional()
        .describe('Keywords by field: a field ID, tag, rating, label, comment, or - for any.'),
      details: listOf(DETAIL_KEYS).default([]).describe('Extra fields for each item.'),
      limit: integer({ min: 0, max: 10_000 }).default(1_000).describe('Maximum number of matches; 0 means no limit.'),
    }),
    data: listingSchema,
    run: async ({ params, principal, request }) => {
      if (params.meta !== undefined && params.meta.size > 0) requireScope(principal, 'metadata');
      return search(context, principal, params, {
        ...params,
        filename: params.filename ?? params.keyword,
        limit: params.limit === 0 ? Number.POSITIVE_INFINITY : params.limit,
        address: `${ownAddress(request)}${basePath}`,
      });
    },
  }),

  json({
    path: 'files/known',
    methods: ['POST'],
    scopes: ['list', 'download'],
    summary: 'Ask which files are missing',
    description:
      'For apps that send photos or backups: returns the files that still have to be sent. A file is not missing if a file of the same size and SHA-256 is anywhere below the folder `path`, under any name. A file on the disk whose SHA-256 is not known yet counts as missing.',
    params: z.object({
      ...itemName(),
      items: records(knownFileSchema, MAX_KNOWN).describe('Files of the app: `name`, `size` in bytes, and `sha256`.'),
    }),
    data: z.object({ missing: z.array(knownFileSchema).describe('Those of `items` that are not there, unchanged.') }),
    run: async ({ params: { items, ...named }, principal }) => ({
      missing: await missingOf(context, principal, named, items),
    }),
  }),

  json({
    path: 'files/receipt',
    methods: ['POST'],
    scopes: ['list', 'download'],
    summary: 'Ask which files are safe to delete elsewhere',
    description:
      'For apps that send photos, before a person deletes them from the device. For each file, returns whether a file of the same size and SHA-256 is on the disk now, anywhere below the folder `path`, and whether a completed backup on another physical disk contains that file, with a copy that was read again and is equal. What is not certain is not confirmed.',
    params: z.object({
      ...itemName(),
      items: records(knownFileSchema, MAX_KNOWN).describe('Files of the app: `name`, `size` in bytes, and `sha256`.'),
    }),
    data: z.object({ items: z.array(receiptSchema).describe('One for each of `items`, in the same order.') }),
    run: async ({ params: { items, ...named }, principal }) => ({
      items: await receiptFor(context, principal, named, items),
    }),
  }),
];
