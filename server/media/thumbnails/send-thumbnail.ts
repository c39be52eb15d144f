import type { IncomingMessage, ServerResponse } from 'node:http';
import { checkStillShared, type ItemTarget } from '../../access/access.ts';
import { type AccountCaller, type Caller, rightsOf } from '../../access/caller.ts';
import type { ItemName } from '../../access/item-name.ts';
import { permit } from '../../access/rights.ts';
import { onStorage } from '../../access/storage-failure.ts';
import type { Home } from '../../catalogue/homes.ts';
import type { FilesContext } from '../../files/context.ts';
import { openTrashedItem } from '../../files/trash/inside-trash.ts';
import { ApiError } from '../../http/errors.ts';
import { sendChunks } from '../../http/response/send-buffer.ts';
import { sendFile } from '../../http/response/send-file.ts';
import { ignoreFailure } from '../../lib/async/ignore-failure.ts';
import type { Owner } from '../../lib/concurrency/turn-queue.ts';
import { t } from '../../messages/messages.ts';
import { closeFile } from '../../storage/content/send-bytes.ts';
import { StorageError } from '../../storage/errors.ts';
import type { ThumbnailShape } from '../../workers/thumbnails/jobs.ts';
import { thumbnailFailure } from './thumbnail-failure.ts';
import type { Thumbnail, Thumbnails } from './thumbnails.ts';

export type ThumbnailContext = Pick<FilesContext, 'access'> & { readonly thumbnails: Thumbnails };

const TYPES: Readonly<Record<ThumbnailShape['format'], string>> = { jpeg: 'image/jpeg', webp: 'image/webp' };
const EXTENSIONS: Readonly<Record<ThumbnailShape['format'], string>> = { jpeg: 'jpg', webp: 'webp' };

/**
 * Sends the thumbnail of a file (§4.2), generated if there is none yet. WebP for clients that accept it, otherwise JPEG.
 * @throws ApiError before the first byte; `unsupported_media` for a file that has none
 */
export function sendThumbnail(
  context: ThumbnailContext,
  caller: Caller,
  named: ItemName,
  shape: Omit<ThumbnailShape, 'format'>,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  return sendFound((format) => findThumbnail(context, caller, named, { ...shape, format }), request, response);
}

/** Sends a thumbnail in the format that the client accepts. */
async function sendFound(
  find: (format: ThumbnailShape['format']) => Promise<Thumbnail>,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const format = takesWebp(request.headers.accept ?? '') ? 'webp' : 'jpeg';
  const { entry, bytes, etag } = await find(format);
  response.setHeader('Vary', 'Accept');
  await sendFile(request, response, {
    filename: `${entry.name.replace(/\.[^.]*$/, '')}.${EXTENSIONS[format]}`,
    mimeType: TYPES[format],
    size: bytes.length,
    mtime: entry.mtime,
    etag,
    inline: true,
    send: async (start, end) => void (await sendChunks(response, bytes.subarray(start, end + 1))),
  });
}

/**
 * Sends the thumbnail of a deleted file, or of a file in a deleted folder, of the caller's own home.
 * @param uuid of the file @throws ApiError as `sendThumbnail`; `not_found` also for a folder, and for what is not in the trash
 */
export async function sendTrashedThumbnail(
  { files, thumbnails }: { readonly files: FilesContext; readonly thumbnails: Thumbnails },
  caller: AccountCaller,
  uuid: string,
  shape: Omit<ThumbnailShape, 'format'>,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  permit(rightsOf(caller), 'files/thumbnail');
  const home = await files.access.homeOf(caller);
  await sendFound(
    (format) => onStorage(() => trashedThumbnail(files, thumbnails, home, uuid, { ...shape, format }, ownerOf(caller))),
    request,
    response,
  );
}

async function trashedThumbnail(
  files: FilesContext,
  thumbnails: Thumbnails,
  home: Home,
  uuid: string,
  shape: ThumbnailShape,
  owner: Owner,
): Promise<Thumbnail> {
  const { found, opened, path, known, touched } = await openTrashedItem(files, home, uuid);
  try {
    const { fd, size, mtime, identity } = opened;
    const entry = { ...found.entry, size, mtime, identity, touched };
    return await thumbnails.ofOpen({ home, entry, known, fd, path }, shape, owner);
  } catch (error) {
    throw thumbnailFailure(error);
  } finally {
    void ignoreFailure(closeFile(opened.fd), 'failed to close a file');
  }
}

/** Whether it is named, and not with quality 0 (RFC 9110 §12.4.2). */
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
  { access, thumbnails }: ThumbnailContext,
  caller: Caller,
  named: ItemName,
  shape: ThumbnailShape,
): Promise<Thumbnail> {
  const target = await access.resolveItem(caller, named, 'files/thumbnail');
  try {
    return await onStorage(() => thumbnailOf(thumbnails, target, shape, ownerOf(caller)));
  } finally {
    // It may have taken a while, so the share is checked again.
    await checkStillShared(target);
  }
}

async function thumbnailOf(
  thumbnails: Thumbnails,
  { home, segments }: ItemTarget,
  shape: ThumbnailShape,
  owner: Owner,
): Promise<Thumbnail> {
  for (let triesLeft = 3; ; triesLeft--) {
    try {
      return await thumbnails.of({ home, segments }, shape, owner);
    } catch (error) {
      if (!(error instanceof StorageError)) throw thumbnailFailure(error);
      if (error.reason === 'is-a-folder') throw new ApiError('invalid_path', t('api.thumbnails.folder'));
      // It was replaced between two checks.
      if (error.reason !== 'not-found' || triesLeft === 0) throw error;
    }
  }
}

/** All accounts together take turns with all links, so that visitors never take more than half of the workers. */
function ownerOf({ account, visitor }: Caller): Owner {
  return account === undefined
    ? { kind: 'link', id: String(visitor.link) }
    : { kind: 'account', id: String(account.id) };
}
