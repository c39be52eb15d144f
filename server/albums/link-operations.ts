import type { IncomingMessage } from 'node:http';
import { z } from 'zod';
import { ownAddress } from '../http/connection/hosts.ts';
import { operationsFor } from '../http/operation.ts';
import { flag, text } from '../http/request/parameters.ts';
import type { Principal } from '../oauth/bearer.ts';
import type { Scope } from '../oauth/scopes.ts';
import type { WeblinksContext } from '../weblinks/context.ts';
import { linkDetails, linkDetailsSchema, linkPath } from '../weblinks/link-details.ts';
import { linkOptions } from '../weblinks/link-options.ts';
import { albumLinks, lastingAlbumLink, linkAlbum, removeAlbumLinks } from './link-album.ts';
import type { Lookup } from './visible-albums.ts';

const { json } = operationsFor<Principal, Scope>();

const album = text().describe('The uuid of an album of the account.');
/** An album takes no files of visitors. */
const { allow_uploads: _uploads, allow_downloads: _downloads, ...albumLinkOptions } = linkOptions;

/** @param basePath the prefix of the installation */
export const albumLinkOperations = (context: Lookup, weblinks: WeblinksContext, basePath: string) => {
  const address = (request: IncomingMessage) => `${ownAddress(request)}${basePath}`;
  return [
    json({
      path: 'albums/link',
      methods: ['POST'],
      scopes: ['weblink'],
      summary: 'Create a web link to an album',
      description:
        'Anyone with the `url` sees the photos and films of the album that its owner added from the own home, at most 1,000, and what is added later. The album must be a list of the account. If it has a link that works, without `expiry` and `download_limit`, that one remains unchanged: `status` is `existing` and `options_applied` is false. `singleDownload` (one download), `temporary` (15 minutes), `expiry` and `download_limit` create a link of their own.',
      params: z.object({
        album,
        singleDownload: flag().default(false).describe('Create a separate link for one download.'),
        temporary: flag().default(false).describe('Create a separate link that expires after 15 minutes.'),
        ...albumLinkOptions,
      }),
      data: z.object({
        status: z.enum(['created', 'existing']),
        url: z.string(),
        options_applied: z.boolean(),
      }),
      run: async ({ params: { album: name, ...requested }, principal, request }) => {
        const isOwn = [requested.singleDownload, requested.temporary, requested.expiry, requested.download_limit];
        const known = isOwn.some(Boolean) ? null : await lastingAlbumLink(context, weblinks, principal, name);
        const link = known ?? (await linkAlbum(context, weblinks, principal, name, requested, 'albums/link'));
        return {
          status: known === null ? ('created' as const) : ('existing' as const),
          url: `${address(request)}${linkPath(link)}`,
          options_applied: known === null,
        };
      },
    }),

    json({
      path: 'albums/links',
      methods: ['GET', 'POST'],
      scopes: ['weblink'],
      summary: 'List the web links to an album',
      description: 'The links of the account to its album, the newest first, also those that have ended.',
      params: z.object({ album }),
      data: z.object({ links: z.array(linkDetailsSchema) }),
      run: async ({ params, principal, request }) => {
        const links = await albumLinks(context, weblinks, principal, params.album, 'albums/links');
        return { links: links.map((link) => linkDetails(link, address(request))) };
      },
    }),

    json({
      path: 'albums/unlink',
      methods: ['POST'],
      scopes: ['weblink'],
      summary: 'Delete web links to an album',
      description: 'Deletes the link `id` of the account to its album; without `id`, all of them.',
      params: z.object({ album, id: text().optional().describe('The ID of a link, as in its address.') }),
      data: z.object({ removed: z.array(z.string()).describe('The IDs of the deleted links.') }),
      run: async ({ params, principal }) => ({
        removed: await removeAlbumLinks(context, weblinks, principal, params.album, params.id),
      }),
    }),
  ];
};
