import type { Request, Response } from 'express';
import { z } from 'zod';
import type { Caller } from '../../access/caller.ts';
import { ApiError } from '../../http/errors.ts';
import { checkParameters } from '../../http/request/check-parameters.ts';
import { integer, virtualPath } from '../../http/request/parameters.ts';
import type { RawParameters } from '../../http/request/read-parameters.ts';
import { fileKind } from '../../lib/names/file-types.ts';
import { findThumbnail, sendThumbnail, type ThumbnailContext } from '../../media/thumbnails/send-thumbnail.ts';
import { DEFAULT_SIDE, type PictureSide, pictureShape, pictureSide } from '../../media/thumbnails/sides.ts';
import { confine } from './content-headers.ts';

const requested = z.object({
  path: virtualPath().default([]),
  width: integer({ min: 1, max: 1_000_000 }).default(DEFAULT_SIDE),
});

/**
 * Sends the thumbnail of a file, in the next larger of few sizes. If there is none, it sends the icon of its type.
 * @param most pixels on the longer side
 * @throws ApiError `not_found`, `permission_denied`
 */
export async function sendThumbnailImage(
  context: ThumbnailContext,
  caller: Caller,
  {
    basePath,
    query,
    most = 2_048,
  }: { readonly basePath: string; readonly query: RawParameters; readonly most?: PictureSide },
  request: Request,
  response: Response,
): Promise<void> {
  const { path, width } = checkParameters(requested, query);
  confine(response);
  try {
    const side = pictureSide(Math.min(width, most));
    await sendThumbnail(context, caller, path, { width: side, height: side, fit: 'contain' }, request, response);
  } catch (error) {
    sendIconInstead(error, { basePath, type: fileKind(path.at(-1) ?? '', false).type }, response);
  }
}

/**
 * Sends an icon where there is no thumbnail.
 * @param error that a thumbnail failed with
 * @param type of file
 * @throws the error, if it is another one
 */
export function sendIconInstead(
  error: unknown,
  { basePath, type }: { readonly basePath: string; readonly type: string },
  response: Response,
): void {
  if (!(error instanceof ApiError) || error.code !== 'unsupported_media') throw error;
  response.setHeader('Cache-Control', 'no-store');
  response.redirect(302, `${basePath}/icons/tile/${type}.svg`);
}

/**
 * Whether there is a thumbnail; generates a missing one, because the page is about to show it.
 * @throws ApiError `not_found`, `permission_denied`
 */
export async function isThumbnailThere(
  context: ThumbnailContext,
  caller: Caller,
  path: readonly string[],
  side: PictureSide,
): Promise<boolean> {
  try {
    await findThumbnail(context, caller, path, pictureShape(side, 'webp'));
    return true;
  } catch (error) {
    if (error instanceof ApiError && NOT_NOW.includes(error.code)) return false;
    throw error;
  }
}

/** There is none, or the workers are too busy to make one. */
const NOT_NOW: readonly string[] = ['unsupported_media', 'too_many_requests'];

/** Visual types: a gallery shows them without their names. */
export const SEEN_TYPES: ReadonlySet<string> = new Set(['image', 'raw', 'video']);

/** The uuids of pictures and films among items. */
export function picturedIn(
  items: readonly { readonly type?: string | undefined; readonly uuid?: string | undefined }[],
): string[] {
  return items.flatMap(({ type, uuid }) => (uuid !== undefined && SEEN_TYPES.has(type ?? '') ? [uuid] : []));
}
