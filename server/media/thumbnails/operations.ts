import { z } from 'zod';
import { DOWNLOAD_HEADERS, operationsFor } from '../../http/operation.ts';
import { integer, oneOf, virtualPath } from '../../http/request/parameters.ts';
import type { Principal } from '../../oauth/bearer.ts';
import type { Scope } from '../../oauth/scopes.ts';
import { MAX_SIDE, THUMBNAIL_FITS } from '../../workers/thumbnails/jobs.ts';
import { sendThumbnail, type ThumbnailContext } from './send-thumbnail.ts';
import { DEFAULT_SIDE } from './thumbnails.ts';

const { content } = operationsFor<Principal, Scope>();

export const thumbnailOperations = (context: ThumbnailContext) => [
  content({
    path: 'files/thumbnail',
    methods: ['GET', 'HEAD', 'POST'],
    scopes: ['download'],
    summary: 'A small picture of a file',
    description:
      'Of pictures, drawings, raw photos, videos (where ffmpeg is installed), PDF, and what has a cover: music, books, comics and office documents. `contain` shows all of it within `width` × `height` pixels, `cover` its middle, filling all of them; nothing is enlarged. Upright, in sRGB, and without anything that the camera wrote: a JPEG, or a WebP when `Accept` names `image/webp`, with an `ETag`. `unsupported_media` when the file has none.',
    statuses: [200, 206, 304],
    honours: DOWNLOAD_HEADERS,
    params: z.object({
      path: virtualPath(),
      width: integer({ min: 1, max: MAX_SIDE }).default(DEFAULT_SIDE).describe('Pixels at most.'),
      height: integer({ min: 1, max: MAX_SIDE }).default(DEFAULT_SIDE).describe('Pixels at most.'),
      g: oneOf(THUMBNAIL_FITS).default('contain').describe('All of it, or its middle.'),
    }),
    run: ({ params: { path, width, height, g: fit }, principal, request, response }) =>
      sendThumbnail(context, principal, path, { width, height, fit }, request, response),
  }),
];
