import { z } from 'zod';
import { missingParameter } from '../http/errors.ts';
import { operationsFor } from '../http/operation.ts';
import { virtualPath } from '../http/parameters.ts';
import type { Principal } from '../oauth/bearer.ts';
import type { Scope } from '../oauth/scopes.ts';
import type { FilesContext } from './context.ts';
import { extractArchive } from './extract.ts';

const { json } = operationsFor<Principal, Scope>();

export const archiveOperations = (context: FilesContext) => [
  json({
    path: 'files/extract',
    methods: ['POST'],
    scopes: ['modify'],
    summary: 'Unpack a ZIP archive',
    description:
      '`path` is the archive, `extractTo` the folder that its content goes to (`target` is taken too). Everything appears in one step, or nothing does: as a folder with the name of the archive, without its extension; when everything in the archive stands in one folder, or is one file, as that folder or file. A name that is taken gets " (2)" and so on: nothing that is there is replaced or added to. `path` in the reply is what appeared, `items` how many files and folders were in the archive.\n\nAt most 2 GB, 100,000 files and folders, and 100 times the packed size. What is no ZIP archive is `unsupported_media`, what is damaged `corrupt_file`; encrypted archives and those with links, paths that lead out, names that no new file may have, or the same name twice are `unsafe_archive`, with `details.reason` and, where it can be said, `details.entry`. Types and quota of the account hold for everything in it; `upload_max_size` does not.',
    params: z.object({ path: virtualPath(), extractTo: virtualPath().optional(), target: virtualPath().optional() }),
    data: z.object({ items: z.int().nonnegative(), path: z.string() }),
    run: ({ params, principal }) => {
      const extractTo = params.extractTo ?? params.target;
      if (extractTo === undefined) throw missingParameter('extractTo');
      return extractArchive(context, principal, params.path, extractTo);
    },
  }),
];
