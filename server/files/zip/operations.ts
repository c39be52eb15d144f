import { z } from 'zod';
import { missingParameter } from '../../http/errors.ts';
import { operationsFor } from '../../http/operation.ts';
import { text, virtualPath, virtualPaths } from '../../http/request/parameters.ts';
import type { Principal } from '../../oauth/bearer.ts';
import type { Scope } from '../../oauth/scopes.ts';
import type { FilesContext } from '../context.ts';
import { extractArchive } from './extract.ts';
import { zipItems } from './zip-items.ts';

const { json } = operationsFor<Principal, Scope>();

/** Most paths per request. */
const MAX_ITEMS = 900;

export const archiveOperations = (context: FilesContext) => [
  json({
    path: 'files/extract',
    methods: ['POST'],
    scopes: ['modify'],
    summary: 'Unpack a ZIP archive',
    description:
      '`path` is the archive, `extractTo` the folder that its content goes to (`target` is taken too). Everything appears in one step, or nothing does: as a folder with the name of the archive, without its extension; when everything in the archive stands in one folder, or is one file, as that folder or file. A name that is taken gets " (2)" and so on: nothing that is there is replaced or added to. `path` in the reply is what appeared, `items` how many files and folders were in the archive.\n\nAt most 2 GB, 100,000 files and folders, and 100 times the packed size. What is no ZIP archive is `unsupported_media`, what is damaged `corrupt_file`; encrypted archives and those with links, paths that lead out, names that no new file may have, or the same name twice are `unsafe_archive`, with `details.reason` and, where it can be said, `details.entry`. Types and quota of the account hold for everything in it; `upload_max_size` does not.',
    params: z.object({
      path: virtualPath(),
      extractTo: virtualPath().optional().describe('The folder that the content goes to.'),
      target: virtualPath().optional().describe('Another name of extractTo.'),
    }),
    data: z.object({ items: z.int().nonnegative(), path: z.string() }),
    run: ({ params, principal }) => {
      const extractTo = params.extractTo ?? params.target;
      if (extractTo === undefined) throw missingParameter('extractTo');
      return extractArchive(context, principal, params.path, extractTo);
    },
  }),

  json({
    path: 'files/zip',
    methods: ['POST'],
    scopes: ['download', 'upload'],
    summary: 'Make a ZIP archive of files and folders',
    description:
      '`paths[]` is what goes into it, `target` the folder that it is put in, `archiveName` its name, to which `.zip` is added where that is missing. Items of one name get " (2)" and so on in the archive. Contents are stored as they are, not packed: photos, music and films would not get smaller. The archive appears when it is whole, and never takes the place of another file. What goes meanwhile is left out.',
    params: z.object({
      paths: virtualPaths(MAX_ITEMS).describe('What goes into it: virtual paths.'),
      target: virtualPath().describe('The folder that the archive is put in.'),
      archiveName: text().describe('What it is called; .zip is added.'),
    }),
    data: z.object({ path: z.string() }),
    run: async ({ params, principal }) => ({
      path: await zipItems(context, principal, params.paths, params.target, params.archiveName),
    }),
  }),
];
