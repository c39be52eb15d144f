import { z } from 'zod';
import { missingParameter } from '../../http/errors.ts';
import { operationsFor } from '../../http/operation.ts';
import { itemName, text, virtualPath, virtualPaths } from '../../http/request/parameters.ts';
import type { Principal } from '../../oauth/bearer.ts';
import type { Scope } from '../../oauth/scopes.ts';
import type { ArchiveContext } from './context.ts';
import { extractArchive } from './extract.ts';
import { zipItems } from './zip-items.ts';

const { json } = operationsFor<Principal, Scope>();

/** Most paths per request. */
const MAX_ITEMS = 900;

export const archiveOperations = (context: ArchiveContext) => [
  json({
    path: 'files/extract',
    methods: ['POST'],
    scopes: ['modify'],
    summary: 'Extract a ZIP archive',
    description:
      'Extracts the archive `path` to the folder `extractTo`, completely or not at all. The result is a folder named after the archive, without its extension; if the archive contains only one folder or file, the result is that folder or file. If the name is in use, " (2)" and so on is added; existing items are never replaced or merged. The reply has the `path` of the result and the number of files and folders in the archive as `items`.\n\nThe contents are limited to 2 GB, 100,000 files and folders, and 100 times the compressed size. Fails with `unsupported_media` if the file is not a ZIP archive, and with `corrupt_file` if it is damaged. Encrypted archives and archives with links, paths outside of the archive, invalid names or duplicate names fail with `unsafe_archive`, with `details.reason` and, if known, `details.entry`. The type limits and the quota of the account apply to the contents; `upload_max_size` does not.',
    params: z.object({
      ...itemName(),
      extractTo: virtualPath().optional().describe('Destination folder.'),
      target: virtualPath().optional().describe('Alias of extractTo.'),
    }),
    data: z.object({ items: z.int().nonnegative(), path: z.string() }),
    run: ({ params, principal }) => {
      const extractTo = params.extractTo ?? params.target;
      if (extractTo === undefined) throw missingParameter('extractTo');
      return extractArchive(context, principal, params, extractTo);
    },
  }),

  json({
    path: 'files/zip',
    methods: ['POST'],
    scopes: ['download', 'upload'],
    summary: 'Create a ZIP archive of files and folders',
    description:
      'Creates the archive `archiveName` from `paths[]` in the folder `target`. `.zip` is added to the name if missing. Items with the same name get " (2)" and so on in the archive. Contents are stored without compression, because photos, music and videos are compressed already. The archive appears when it is complete and never replaces an existing file. Items that are removed in the meantime are omitted.',
    params: z.object({
      paths: virtualPaths(MAX_ITEMS).describe('Virtual paths of the items to add.'),
      target: virtualPath().describe('Destination folder.'),
      archiveName: text().describe('Name of the archive; .zip is added if missing.'),
    }),
    data: z.object({ path: z.string() }),
    run: async ({ params, principal }) => ({
      path: await zipItems(context, principal, params.paths, params.target, params.archiveName),
    }),
  }),
];
