import type { Request, Response } from 'express';
import { z } from 'zod';
import type { AccountCaller } from '../../access/caller.ts';
import { checkParameters } from '../../http/request/check-parameters.ts';
import { integer, uuid } from '../../http/request/parameters.ts';
import type { RawParameters } from '../../http/request/read-parameters.ts';
import { sendTrashedThumbnail } from '../../media/thumbnails/send-thumbnail.ts';
import { DEFAULT_SIDE, pictureSide } from '../../media/thumbnails/sides.ts';
import { confine } from '../shell/content-headers.ts';
import { SEEN_TYPES, sendIconInstead, sendThumbnailImage } from '../shell/thumbnail-image.ts';
import type { FilesPagesParts } from './context.ts';

const ofDeleted = z.object({
  uuid: uuid(),
  /** Of the icon, where there is no picture. */
  type: z.enum([...SEEN_TYPES]).default('image'),
  width: integer({ min: 1, max: 2_048 }).default(DEFAULT_SIDE),
});

/**
 * Sends the picture of a file in a list: by its path, or of a deleted one by its uuid. Without one it sends an icon.
 * @throws ApiError `not_found`, `permission_denied`
 */
export async function sendPicture(
  { basePath, files, thumbnails }: Pick<FilesPagesParts, 'basePath' | 'files' | 'thumbnails'>,
  caller: AccountCaller,
  query: RawParameters,
  request: Request,
  response: Response,
): Promise<void> {
  if (query.uuid === undefined) {
    return sendThumbnailImage({ ...files, thumbnails }, caller, { basePath, query }, request, response);
  }
  const { uuid: item, type, width } = checkParameters(ofDeleted, query);
  confine(response);
  try {
    const side = pictureSide(width);
    const shape = { width: side, height: side, fit: 'contain' } as const;
    await sendTrashedThumbnail({ files, thumbnails }, caller, item, shape, request, response);
  } catch (error) {
    sendIconInstead(error, { basePath, type }, response);
  }
}
