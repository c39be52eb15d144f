import type { IncomingMessage, ServerResponse } from 'node:http';
import { notFound } from '../../access/access.ts';
import { type AccountCaller, rightsOf } from '../../access/caller.ts';
import type { ItemName } from '../../access/item-name.ts';
import { permit } from '../../access/rights.ts';
import { ApiError, invalidParameter } from '../../http/errors.ts';
import { sendThumbnail, sendTrashedThumbnail } from '../../media/thumbnails/send-thumbnail.ts';
import { pictureSide } from '../../media/thumbnails/sides.ts';
import { t } from '../../messages/messages.ts';
import { locateItem } from '../../webdav/locate.ts';
import type { NextcloudParts } from '../context.ts';
import { itemWithNumber } from '../item-by-number.ts';

type Parts = Pick<NextcloudParts, 'dav' | 'thumbnails'>;

/** Pixels that apps ask for when they do not say how many. */
const USUAL_SIDE = 32;
const USUAL_SIDE_OF_TRASH = 128;

/**
 * The preview of a file, by its number or its path, with at least so many pixels per side: the whole picture, as apps crop it
 * themselves. Sizes are rounded up to those of pages.
 * @throws ApiError `not_found` also for a file that has none
 */
export async function sendPreview(
  parts: Parts,
  caller: AccountCaller,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const query = queryOf(request);
  const [id, path] = [query.get('fileId'), query.get('file')];
  if (id === null && path === null) throw notFound();
  // Before any lookup, so that the answer does not depend on what exists.
  permit(rightsOf(caller), 'files/thumbnail');
  const named = id === null ? await atPath(parts, caller, namesIn(path ?? '')) : await itemWithNumber(parts, id);
  await send(parts, caller, named, [query.get('x'), query.get('y')], request, response);
}

/**
 * The same of a deleted file, or of a file in a deleted folder, by its number.
 * @throws ApiError `not_found` also for a credential that is limited to less than the whole home
 */
export async function sendTrashedPreview(
  { dav, thumbnails }: Parts,
  caller: AccountCaller,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const query = queryOf(request);
  // Before any lookup, so that the answer does not depend on what exists.
  permit(rightsOf(caller), 'files/thumbnail');
  const shape = shapeOf([query.get('x'), query.get('y')], USUAL_SIDE_OF_TRASH);
  const { uuid } = await itemWithNumber({ dav }, query.get('fileId') ?? '');
  await orNotFound(sendTrashedThumbnail({ files: dav.files, thumbnails }, caller, uuid, shape, request, response));
}

/** The same by an address that ends with the path. @param rest width, height and path, percent-encoded */
export async function sendThumbnailAt(
  parts: Parts,
  caller: AccountCaller,
  rest: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const [x = null, y = null, ...names] = rest.split('/').map(decoded);
  const named = await atPath(parts, caller, names.filter((name) => name !== null && name !== '') as string[]);
  await send(parts, caller, named, [x, y], request, response);
}

async function send(
  { dav, thumbnails }: Parts,
  caller: AccountCaller,
  named: ItemName,
  sides: readonly (string | null)[],
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const shape = shapeOf(sides, USUAL_SIDE);
  const { access } = dav.files;
  await orNotFound(sendThumbnail({ access, thumbnails }, caller, named, shape, request, response));
}

/** A file without a preview is not found. */
async function orNotFound(sending: Promise<void>): Promise<void> {
  await sending.catch((error) => {
    const isWithout = error instanceof ApiError && ['unsupported_media', 'invalid_path'].includes(error.code);
    throw isWithout ? notFound() : error;
  });
}

function queryOf({ url = '' }: IncomingMessage): URLSearchParams {
  return new URLSearchParams(url.split('?', 2)[1] ?? '');
}

/** @param usual pixels where none are given */
function shapeOf(sides: readonly (string | null)[], usual: number) {
  const side = pictureSide(Math.max(...sides.map((text) => pixels(text, usual))));
  return { width: side, height: side, fit: 'contain' } as const;
}

function pixels(text: string | null, usual: number): number {
  if (text === null || text === '') return usual;
  // Some apps ask for the size of a screen with fractions, or for -1 where it does not matter.
  const number = Number(text);
  if (!Number.isFinite(number)) throw invalidParameter('x', t('api.nextcloud.pixels'));
  return Math.max(1, number);
}

/** @param names below the top level of the app */
async function atPath({ dav }: Parts, caller: AccountCaller, names: readonly string[]): Promise<ItemName> {
  if (names.some((name) => name === '.' || name === '..' || name.includes('\0'))) throw notFound();
  return locateItem(dav, caller, names);
}

function namesIn(path: string): string[] {
  return path.split('/').filter((name) => name !== '');
}

function decoded(part: string): string | null {
  try {
    return decodeURIComponent(part);
  } catch {
    throw notFound();
  }
}
