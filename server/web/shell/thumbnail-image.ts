import type { Request, Response } from 'express';
import { z } from 'zod';
import type { Caller } from '../../access/caller.ts';
import { ApiError } from '../../http/errors.ts';
import { checkParameters } from '../../http/request/check-parameters.ts';
import { oneOf, virtualPath } from '../../http/request/parameters.ts';
import type { RawParameters } from '../../http/request/read-parameters.ts';
import { fileKind } from '../../lib/names/file-types.ts';
import { findThumbnail, sendThumbnail, type ThumbnailContext } from '../../media/thumbnails/send-thumbnail.ts';
import { DEFAULT_SIDE } from '../../media/thumbnails/thumbnails.ts';
import { confine } from './content-headers.ts';

/** Pixels per side: in a gallery, and in place of formats that browsers cannot display. */
const SIDES = { small: DEFAULT_SIDE, large: 1_600 } as const;
export type ThumbnailSize = keyof typeof SIDES;

const wanted = z.object({ path: virtualPath().default([]), size: oneOf(['small', 'large']).default('small') });

/**
 * Sends the thumbnail of a file. If there is none, it sends the icon of its type.
 * @throws ApiError `not_found`, `permission_denied`
 */
export async function sendThumbnailImage(
  context: ThumbnailContext,
  caller: Caller,
  { basePath, query }: { readonly basePath: string; readonly query: RawParameters },
  request: Request,
  response: Response,
): Promise<void> {
  const { path, size } = checkParameters(wanted, query);
  confine(response);
  try {
    const side = SIDES[size];
    await sendThumbnail(context, caller, path, { width: side, height: side, fit: 'contain' }, request, response);
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'unsupported_media') throw error;
    response.setHeader('Cache-Control', 'no-store');
    response.redirect(302, `${basePath}/icons/tile/${fileKind(path.at(-1) ?? '', false).type}.svg`);
  }
}

/**
 * Whether there is a thumbnail; generates a missing one, because the page is about to show it.
 * @throws ApiError `not_found`, `permission_denied`
 */
export async function isThumbnailThere(
  context: ThumbnailContext,
  caller: Caller,
  path: readonly string[],
  size: ThumbnailSize,
): Promise<boolean> {
  const side = SIDES[size];
  try {
    await findThumbnail(context, caller, path, { width: side, height: side, fit: 'contain', format: 'webp' });
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
