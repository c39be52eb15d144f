import type { Response } from 'express';
import { HOME_BASE } from '../../../access/access.ts';
import type { Html } from '../../../lib/text/html.ts';
import { firstOfMonth, indexOfPhoto } from '../../../listing/browse/photos.ts';
import { abilitiesIn } from '../abilities.ts';
import type { NamedPath } from '../context.ts';
import { showFiles } from '../frame.ts';
import type { Look } from '../listing/look.ts';
import type { PageRequest } from '../listing/page-request.ts';
import { type ROW_FORMS, replyRows, startOfBlock } from '../listing/row-blocks.ts';
import { listPastDays, listPhotos, type OwnPhotos } from './list.ts';
import { photosMain } from './page.ts';

/** The path of the list of photos. */
export const PHOTOS = '/PHOTOS';

/** Photos sent with the page, and per further page without the script. */
const FIRST = 40;
const MORE = 300;

interface PhotosRequest {
  readonly photos: OwnPhotos;
  readonly roots: readonly NamedPath[];
  readonly look: Look;
  readonly range: {
    /** The index of the first: in its month, if one is named, otherwise among all. */
    readonly start: number;
    readonly limit: number | null;
    readonly month: string | undefined;
    /** For rows that the script asks for. */
    readonly form: (typeof ROW_FORMS)[number] | undefined;
    readonly around: readonly string[] | undefined;
  };
  /** The result of the last action. */
  readonly done: Html;
}

/** Photos and films by month: the page of a month, or some rows for the script, which shows all months. */
export async function photosPage(response: Response, pageRequest: PageRequest, request: PhotosRequest): Promise<void> {
  const { parts, links, visitor, caller, isForScript } = pageRequest;
  const { photos, roots, look, range, done } = request;
  const { timeline } = photos;
  if (range.form !== undefined && isForScript) {
    const limit = range.limit ?? MORE;
    const start =
      range.around === undefined ? range.start : startOfBlock(await indexAt(pageRequest, photos, range.around), limit);
    const listed = await listPhotos(parts, caller, photos, { start, limit });
    return replyRows(response, pageRequest, listed, look, { start, form: range.form });
  }
  const before = range.month === undefined ? 0 : firstOfMonth(timeline, range.month);
  const shown = monthAt(photos, Math.min(timeline.total - 1, before));
  const own = shown.photos + shown.films;
  // Without a month, the page is that of the newest.
  const start = Math.min(range.start, own - 1);
  const limit = Math.min(range.limit ?? FIRST, own - start);
  const listed = await listPhotos(parts, caller, photos, { start: shown.before + start, limit });
  const isNewest = shown.before === 0 && start === 0;
  const main = photosMain({
    ...{ links, listed, look, done, timeline, start },
    month: shown.month,
    before: shown.before,
    further: Math.min(MORE, own - start - limit),
    pastDays: isNewest ? await listPastDays(parts, caller, photos) : [],
    hasShares: (await parts.files.access.shared.grantsOf(caller.account)).length > 0,
    abilities: abilitiesIn(caller.account, listed.meta, listed.reshare),
    account: caller.account,
    now: parts.clock.now(),
    icons: `${parts.basePath}/icons`,
    assets: parts.assets,
  });
  const title = roots.find(({ path }) => path === PHOTOS)?.name ?? listed.meta.folderName;
  await showFiles(parts, response, visitor, links, { title, at: PHOTOS, roots, main, isCompressed: true }, isForScript);
}

/** The month of an index, and how many photos and films are newer than the month. */
function monthAt({ timeline: { months } }: OwnPhotos, index: number) {
  let before = 0;
  for (const one of months) {
    if (index < before + one.photos + one.films) return { ...one, before };
    before += one.photos + one.films;
  }
  throw new Error('the index is beyond all photos');
}

async function indexAt(
  { parts }: Pick<PageRequest, 'parts'>,
  { home, timeline }: OwnPhotos,
  path: readonly string[],
): Promise<number> {
  const base = HOME_BASE.split('/').slice(1);
  if (!base.every((name, index) => path[index] === name)) return -1;
  return indexOfPhoto(parts.listing, home, timeline, path.slice(base.length));
}
