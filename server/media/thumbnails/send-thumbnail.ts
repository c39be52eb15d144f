import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Asker, checkStillShared, type ItemTarget, notFound } from '../../access/access.ts';
import { onStorage } from '../../access/storage-failure.ts';
import type { FilesContext } from '../../files/context.ts';
import { ApiError } from '../../http/errors.ts';
import { sendFile } from '../../http/send-file.ts';
import { StorageError } from '../../storage/errors.ts';
import type { ThumbnailShape } from '../../workers/thumbnail-jobs.ts';
import { thumbnailFailure } from './thumbnail-failure.ts';
import type { PicturedFile, Thumbnail, Thumbnails } from './thumbnails.ts';

export type ThumbnailContext = Pick<FilesContext, 'access' | 'disk'> & { readonly thumbnails: Thumbnails };

const TYPES: Readonly<Record<ThumbnailShape['format'], string>> = { jpeg: 'image/jpeg', webp: 'image/webp' };
const EXTENSIONS: Readonly<Record<ThumbnailShape['format'], string>> = { jpeg: 'jpg', webp: 'webp' };

/**
 * Sends the thumbnail of a file (§4.2), made now if there is none yet. JPEG, and WebP to whoever says that they take it.
 * @throws ApiError before the first byte; `unsupported_media` for a file that has none
 */
export async function sendThumbnail(
  context: ThumbnailContext,
  { account }: Pick<Asker, 'account'>,
  path: readonly string[],
  shape: Omit<ThumbnailShape, 'format'>,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const format = takesWebp(request.headers.accept ?? '') ? 'webp' : 'jpeg';
  const { file, thumbnail } = await findThumbnail(context, account, path, { ...shape, format });
  const { bytes, etag } = thumbnail;
  response.setHeader('Vary', 'Accept');
  await sendFile(request, response, {
    filename: `${file.entry.name.replace(/\.[^.]*$/, '')}.${EXTENSIONS[format]}`,
    mimeType: TYPES[format],
    size: bytes.length,
    mtime: file.entry.mtime,
    etag,
    inline: true,
    send: async (start, end) => void response.write(bytes.subarray(start, end + 1)),
  });
}

/** Who names it, but not as what they do not take (RFC 9110 §12.4.2). */
function takesWebp(accept: string): boolean {
  const [type, ...parameters] =
    accept
      .toLowerCase()
      .split(',')
      .map((one) => one.split(';').map((part) => part.trim()))
      .find(([name]) => name === 'image/webp') ?? [];
  return type !== undefined && !parameters.some((one) => /^q=0(?:\.0*)?$/.test(one));
}

/** The same without sending it. @throws ApiError */
export async function findThumbnail(
  context: ThumbnailContext,
  account: Asker['account'],
  path: readonly string[],
  shape: ThumbnailShape,
): Promise<{ file: PicturedFile; thumbnail: Thumbnail }> {
  const target = await context.access.resolveItem(account, path, 'files/thumbnail');
  const found = await onStorage(() => thumbnailOf(context, target, shape));
  // It may have taken a while.
  await checkStillShared(target);
  return found;
}

async function thumbnailOf(
  { disk, thumbnails }: ThumbnailContext,
  target: ItemTarget,
  shape: ThumbnailShape,
): Promise<{ file: PicturedFile; thumbnail: Thumbnail }> {
  const { home, segments } = target;
  for (let triesLeft = 3; ; triesLeft--) {
    const { entry } = await disk.run('stat', { place: home.place, segments });
    await checkStillShared(target);
    if (entry.isDir) throw new ApiError('invalid_path', 'A folder has no thumbnail.');
    const file = { home, segments, entry };
    try {
      return { file, thumbnail: await thumbnails.of(file, shape) };
    } catch (error) {
      // Between the two looks it became another one.
      const isChanged = error instanceof StorageError && error.reason === 'not-found';
      if (!isChanged) throw thumbnailFailure(error);
      if (triesLeft === 0) throw notFound();
    }
  }
}
