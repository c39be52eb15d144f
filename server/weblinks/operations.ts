import type { IncomingMessage } from 'node:http';
import { z } from 'zod';
import { ownAddress } from '../http/connection/hosts.ts';
import { invalidParameter } from '../http/errors.ts';
import { operationsFor } from '../http/operation.ts';
import { flag, virtualPath } from '../http/request/parameters.ts';
import { t } from '../messages/messages.ts';
import type { Principal } from '../oauth/bearer.ts';
import type { Scope } from '../oauth/scopes.ts';
import type { WeblinksContext } from './context.ts';
import { linkDetails, linkDetailsSchema, linkPath } from './link-details.ts';
import { linkOptions } from './link-options.ts';
import { editLink, makeLink, removeLinks } from './make-link.ts';

const { json } = operationsFor<Principal, Scope>();

/** @param basePath the prefix of the installation */
export const weblinkOperations = (context: WeblinksContext, basePath: string) => {
  const address = (request: IncomingMessage) => `${ownAddress(request)}${basePath}`;
  return [
    json({
      path: 'files/weblink',
      methods: ['GET', 'POST'],
      scopes: ['weblink'],
      summary: 'Make a public web link',
      description:
        'Whoever has the `url` can open the file or folder without an account; `&fmode=preview`, `open` or `download` says how. Of each item everybody has one link that stands: where it is there already, `status` is `existing`, nothing changes, and `options_applied` is false; files/weblink/edit changes it. `singleDownload` (one download) and `temporary` (15 minutes) make a new link of their own.\n\n`expiry` is `YYYY-MM-DD HH:MM:SS`, `download_limit` a number of downloads; a download that breaks is given back. `allow_uploads` makes a folder a file request, in which visitors see only what they sent; with `allow_downloads` they see what is there, too. A link opens no more than its maker may do, and ends with the item, the permission `weblink`, and the account.',
      params: z.object({
        path: virtualPath(),
        singleDownload: flag().default(false).describe('A link of its own, for one download.'),
        temporary: flag().default(false).describe('A link of its own, for 15 minutes.'),
        ...linkOptions,
      }),
      data: z.object({
        status: z.enum(['created', 'existing']),
        url: z.string(),
        isdir: z.boolean(),
        options_applied: z.boolean(),
      }),
      run: async ({ params, principal, request }) => {
        const { path, ...wanted } = params;
        const { link, isDir, isNew } = await makeLink(context, principal, path, wanted);
        const url = `${address(request)}${linkPath(link)}`;
        return {
          status: isNew ? ('created' as const) : ('existing' as const),
          url,
          isdir: isDir,
          options_applied: isNew,
        };
      },
    }),

    json({
      path: 'files/weblink/edit',
      methods: ['GET', 'POST'],
      scopes: ['weblink'],
      summary: 'Change a web link',
      description:
        'The options of files/weblink, for the link that stands. What is left out stays; an empty `password`, `expiry`, `download_limit` or `download_terms` takes it away.',
      params: z.object({
        path: virtualPath(),
        singleDownload: flag().default(false).describe('A link of its own, for one download.'),
        temporary: flag().default(false).describe('A link of its own, for 15 minutes.'),
        ...linkOptions,
      }),
      data: z.object({ url: z.string(), isdir: z.boolean(), 'weblink-full': linkDetailsSchema }),
      run: async ({ params, principal, request }) => {
        const { path, singleDownload, temporary, ...wanted } = params;
        if (singleDownload)
          throw invalidParameter('singleDownload', t('api.links.separateOnly', { parameter: 'singleDownload' }));
        if (temporary) throw invalidParameter('temporary', t('api.links.separateOnly', { parameter: 'temporary' }));
        const { link, isDir } = await editLink(context, principal, path, wanted);
        const details = linkDetails(link, address(request));
        return { url: details.url, isdir: isDir, 'weblink-full': details };
      },
    }),

    json({
      path: 'files/unweblink',
      methods: ['GET', 'POST'],
      scopes: ['weblink'],
      summary: 'Remove web links',
      description:
        'All of one’s own on the file or folder; of one’s own files and folders those that others made, too. The reply has the id of the one that stood.',
      params: z.object({ path: virtualPath() }),
      data: z.object({ weblinkid: z.string() }),
      dataAtTop: true,
      run: async ({ params, principal }) => ({ weblinkid: (await removeLinks(context, principal, params.path)).id }),
    }),
  ];
};
