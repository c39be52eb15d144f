import { z } from 'zod';
import { DOWNLOAD_HEADERS, operationsFor } from '../../http/operation.ts';
import { integer, itemName, oneOf } from '../../http/request/parameters.ts';
import type { Principal } from '../../oauth/bearer.ts';
import type { Scope } from '../../oauth/scopes.ts';
import { MAX_SIDE, THUMBNAIL_FITS } from '../../workers/thumbnails/jobs.ts';
import { sendThumbnail, type ThumbnailContext } from './send-thumbnail.ts';
import { DEFAULT_SIDE } from './sides.ts';

const { content } = operationsFor<Principal, Scope>();

export const thumbnailOperations = (context: ThumbnailContext) => [
  content({
    path: 'files/thumbnail',
    methods: ['GET', 'HEAD', 'POST'],
    scopes: ['download'],
    summary: 'Get a thumbnail of a file',
    description:
      'Supports images, SVG, raw photos, videos (if ffmpeg is installed), PDF, and files with a cover: music, books, comics and office documents. `contain` fits the complete image into `width` × `height` pixels; `cover` fills that size and crops to the centre. Images are never enlarged. The thumbnail is a JPEG, or a WebP if `Accept` names `image/webp`, with an `ETag`; it is upright, in sRGB and without camera metadata. Fails with `unsupported_media` if the file has no thumbnail.',
    statuses: [200, 206, 304],
    honours: DOWNLOAD_HEADERS,
    params: z.object({
      ...itemName(),
      width: integer({ min: 1, max: MAX_SIDE }).default(DEFAULT_SIDE).describe('Maximum width in pixels.'),
      height: integer({ min: 1, max: MAX_SIDE }).default(DEFAULT_SIDE).describe('Maximum height in pixels.'),
      g: oneOf(THUMBNAIL_FITS).default('contain').describe('Show the complete image, or crop it to the centre.'),
    }),
    run: ({ params: { width, height, g: fit, ...named }, principal, request, response }) =>
      sendThumbnail(context, principal, named, { width, height, fit }, request, response),
  }),
];
