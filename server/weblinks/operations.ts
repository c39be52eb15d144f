import type { IncomingMessage } from 'node:http';
import { z } from 'zod';
import { ownAddress } from '../http/connection/hosts.ts';
import { invalidParameter } from '../http/errors.ts';
import { operationsFor } from '../http/operation.ts';
import { flag, itemName } from '../http/request/parameters.ts';
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
      summary: 'Create a web link',
      description:
        'Anyone with the `url` can open the file or folder without an account; append `&fmode=preview`, `&fmode=open` or `&fmode=download` to choose how. There is one permanent link per person and item: if it exists, it remains unchanged, `status` is `existing` and `options_applied` is false. Change it with files/weblink/edit. `singleDownload` (one download) and `temporary` (15 minutes) create a separate link.\n\n`expiry` is `YYYY-MM-DD HH:MM:SS`. `download_limit` is a number of downloads. The bytes of interrupted downloads add up, and count once they make a complete download. `allow_uploads` turns a folder into a file request, where visitors see only what they sent; with `allow_downloads` they also see the existing contents. A link never grants more than its creator’s permissions, and ends with the item, the creator’s `weblink` permission or the creator’s account.',
      params: z.object({
        ...itemName(),
        singleDownload: flag().default(false).describe('Create a separate link for one download.'),
        temporary: flag().default(false).describe('Create a separate link that expires after 15 minutes.'),
        ...linkOptions,
      }),
      data: z.object({
        status: z.enum(['created', 'existing']),
        url: z.string(),
        isdir: z.boolean(),
        options_applied: z.boolean(),
      }),
      run: async ({ params, principal, request }) => {
        const { path, uuid, ...requested } = params;
        const { link, isDir, isNew } = await makeLink(context, principal, { path, uuid }, requested);
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
        'Changes the options of the permanent link. Omitted options remain unchanged; an empty `password`, `expiry`, `download_limit` or `download_terms` removes that option.',
      params: z.object({
        ...itemName(),
        singleDownload: flag().default(false).describe('Create a separate link for one download.'),
        temporary: flag().default(false).describe('Create a separate link that expires after 15 minutes.'),
        ...linkOptions,
      }),
      data: z.object({ url: z.string(), isdir: z.boolean(), 'weblink-full': linkDetailsSchema }),
      run: async ({ params, principal, request }) => {
        const { path, uuid, singleDownload, temporary, ...requested } = params;
        if (singleDownload)
          throw invalidParameter('singleDownload', t('api.links.separateOnly', { parameter: 'singleDownload' }));
        if (temporary) throw invalidParameter('temporary', t('api.links.separateOnly', { parameter: 'temporary' }));
        const { link, isDir } = await editLink(context, principal, { path, uuid }, requested);
        const details = linkDetails(link, address(request));
        return { url: details.url, isdir: isDir, 'weblink-full': details };
      },
    }),

    json({
      path: 'files/unweblink',
      methods: ['GET', 'POST'],
      scopes: ['weblink'],
      summary: 'Delete web links',
      description:
        'Deletes all of your links to the file or folder; if it is in your home, also links created by others. The reply has the ID of a deleted link: your permanent link, if there was one.',
      params: z.object(itemName()),
      data: z.object({ weblinkid: z.string() }),
      dataAtTop: true,
      run: async ({ params, principal }) => ({ weblinkid: (await removeLinks(context, principal, params)).id }),
    }),
  ];
};
