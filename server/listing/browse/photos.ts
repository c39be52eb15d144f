import type { AccountCaller } from '../../access/caller.ts';
import { rightsOf } from '../../access/caller.ts';
import { folderPermissions } from '../../access/rights.ts';
import { itemInFolder } from '../../catalogue/find.ts';
import type { Home } from '../../catalogue/homes.ts';
import {
  type DatedItem,
  type PhotoPart,
  type PhotoTimeline,
  partsOfPhotos,
  photoIndexOf,
  photosFrom,
  photosOfDays,
} from '../../catalogue/photos.ts';
import { describe, type ListedItem } from '../details.ts';
import type { BrowseContext, Listing, RequestedDetails } from '../listing.ts';
import { describedFrom, reachOf } from '../reach.ts';
import { LIST_NAMES } from './list.ts';

/** A photo or film, and when it was taken. */
export interface ListedPhoto extends ListedItem {
  /** What the clock said there, as a moment of the household's time zone, in milliseconds. */
  readonly takenAt: number;
  /** What it stands for beside itself. */
  readonly parts: readonly PhotoPart[];
}

/** Which photos: the index of the first, and how many. */
export interface PhotoRange {
  readonly start: number;
  readonly limit: number;
}

/** Photos and films of the caller's own home, the newest first. Those in what others share are not among them. */
export async function browsePhotos(
  context: BrowseContext,
  caller: AccountCaller,
  home: Home,
  timeline: PhotoTimeline,
  { start, limit, ...requested }: PhotoRange & RequestedDetails,
): Promise<{ readonly meta: Listing['meta']; readonly files: ListedPhoto[] }> {
  const items = await photosFrom(context.database, home.id, timeline, start, limit);
  return {
    meta: {
      path: '/PHOTOS',
      parentPath: '/ROOT',
      folderName: LIST_NAMES.PHOTOS,
      perms: { ...folderPermissions(rightsOf(caller)), upload: false },
      total: timeline.total,
    },
    files: await listedPhotos(context, caller, items, requested),
  };
}

/** What was taken on this calendar day in an earlier year. */
interface PastDay {
  /** How many years ago. */
  readonly years: number;
  readonly photos: number;
  readonly films: number;
  /** The last one of the day. */
  readonly last: ListedPhoto;
  /** The index of the last one among the photos and films of its month. */
  readonly start: number;
}

/** How many earlier years. */
const YEARS = 100;

/**
 * Photos of this calendar day in earlier years, in the household's time zone, the latest year first. On 29 February those of other
 * years with that day.
 */
export async function browsePastDays(
  context: BrowseContext,
  caller: AccountCaller,
  home: Home,
  timeline: PhotoTimeline,
  requested: RequestedDetails,
): Promise<PastDay[]> {
  const today = new Date(context.clock.now());
  const [year, month, day] = [today.getFullYear(), today.getMonth(), today.getDate()];
  const days = Array.from({ length: YEARS }, (_, index) => Date.UTC(year - index - 1, month, day)).filter(
    (time) => new Date(time).getUTCDate() === day,
  );
  const found = await photosOfDays(context.database, home.id, timeline, days);
  const files = await listedPhotos(
    context,
    caller,
    found.map(({ last, day: local }) => ({ ...last, local })),
    requested,
  );
  const byUuid = new Map(files.map((file) => [file.uuid, file]));
  const past: PastDay[] = [];
  for (const { day: at, photos, films, last } of found) {
    const file = byUuid.get(last.item.uuid);
    if (file === undefined) continue;
    const index = await photoIndexOf(context.database, home.id, timeline, last.item.id);
    const start = index - firstOfMonth(timeline, new Date(at).toISOString().slice(0, 7));
    past.push({ years: year - new Date(at).getUTCFullYear(), photos, films, last: file, start });
  }
  return past;
}

/** The index of the first photo or film of a month among all of them, or of what comes after it. @param month such as `2024-03` */
export function firstOfMonth({ months }: PhotoTimeline, month: string): number {
  return months.reduce((sum, one) => (one.month > month ? sum + one.photos + one.films : sum), 0);
}

/**
 * The index of a photo or film of the caller's own home among all of them.
 * @param segments of its path below the home
 * @returns -1 if it is none of them
 */
export async function indexOfPhoto(
  { database }: Pick<BrowseContext, 'database'>,
  home: Home,
  timeline: PhotoTimeline,
  segments: readonly string[],
): Promise<number> {
  const found = await itemInFolder(database, home.id, segments.slice(0, -1), segments.at(-1) ?? '');
  return found === null ? -1 : photoIndexOf(database, home.id, timeline, found.item.id);
}

/** These photos as lists show them, without those that the caller does not reach. */
export async function listedPhotos(
  context: BrowseContext,
  caller: AccountCaller,
  items: readonly DatedItem[],
  requested: RequestedDetails,
): Promise<ListedPhoto[]> {
  const reach = await reachOf(context, caller);
  const times = new Map(items.map(({ item, local }) => [item.id, local]));
  const described = await describedFrom(context, caller, reach.of(items), requested);
  const parts = await partsOfPhotos(context.database, [...times.keys()]);
  const now = context.clock.now();
  return described.map((one) => ({
    ...describe(one, requested.details, now),
    takenAt: momentOf(times.get(one.item?.id ?? 0) ?? 0),
    parts: parts.get(one.item?.id ?? 0) ?? [],
  }));
}

/** The moment at which the household's clock says the same. @param local milliseconds as if they were in UTC */
export function momentOf(local: number): number {
  const date = new Date(local);
  return new Date(
    ...([date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate()] as const),
    ...([date.getUTCHours(), date.getUTCMinutes(), date.getUTCSeconds(), date.getUTCMilliseconds()] as const),
  ).getTime();
}
