import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Caller } from '../../access/caller.ts';
import { itemInFolder } from '../../catalogue/find.ts';
import { filmInside } from '../../catalogue/photo-films.ts';
import { ApiError } from '../../http/errors.ts';
import { t } from '../../messages/messages.ts';
import { bytesAt } from '../../storage/content/send-bytes.ts';
import type { DownloadContext } from './context.ts';
import { type ContentPart, download } from './download.ts';

/** The type of the first box of a film, and where it is. */
const BEGINNING = 'ftyp';
const BEGINS_AT = 4;

/**
 * Sends the film inside of a photo, with the same rights, and the same record in the activity, as a download of the photo.
 * @throws ApiError before the first byte; `not_found` also for a photo without a film
 */
export async function downloadFilmInside(
  context: DownloadContext,
  caller: Caller,
  path: readonly string[],
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { home, segments } = await context.access.resolveItem(caller, path, 'files/download');
  const found = await itemInFolder(context.database, home.id, segments.slice(0, -1), segments.at(-1) ?? '');
  const film = found === null ? null : await filmInside(context.database, found.item.id);
  if (film === null) throw noFilm();
  const part = async (fd: number, size: number, name: string): Promise<ContentPart> => {
    // The photo may have been replaced since it was read.
    const isInside = film.start + film.length <= size;
    const beginning = isInside ? await bytesAt(fd, film.start + BEGINS_AT, BEGINNING.length) : null;
    if (beginning?.toString('latin1') !== BEGINNING) throw noFilm();
    return { ...film, name: `${name.replace(/\.[^.]*$/, '')}.mp4`, type: 'video/mp4' };
  };
  await download(context, caller, path, { openInBrowser: true, part }, request, response);
}

function noFilm(): ApiError {
  return new ApiError('not_found', t('api.access.noFilm'));
}
