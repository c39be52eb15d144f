import type { AccountCaller } from '../../../access/caller.ts';
import type { Home } from '../../../catalogue/homes.ts';
import type { PhotoTimeline } from '../../../catalogue/photos.ts';
import { browsePastDays, browsePhotos, type ListedPhoto, type PhotoRange } from '../../../listing/browse/photos.ts';
import { type FilesPagesParts, type Listed, NO_ADDRESS, ROW_DETAILS, type Row, rightsIn, starsOf } from '../context.ts';
import { rowsOf } from '../rows-of.ts';

/** The photos and films of an account's own home. */
export interface OwnPhotos {
  readonly home: Home;
  readonly timeline: PhotoTimeline;
}

const PHOTOS = ['PHOTOS'];
const REQUESTED = { details: ROW_DETAILS, address: NO_ADDRESS };

/** Null if the account has no home, or no photos in it. @throws ApiError `storage_offline` */
export async function ownPhotos(parts: FilesPagesParts, caller: AccountCaller): Promise<OwnPhotos | null> {
  if (caller.account.homeId === null) return null;
  const home = await parts.files.access.homeOf(caller);
  const timeline = await parts.photoTimeline(home.id);
  return timeline.total === 0 ? null : { home, timeline };
}

/** Some of them, the newest first. */
export async function listPhotos(
  parts: FilesPagesParts,
  caller: AccountCaller,
  { home, timeline }: OwnPhotos,
  range: PhotoRange,
): Promise<Listed> {
  const { meta, files } = await browsePhotos(parts.listing, caller, home, timeline, { ...range, ...REQUESTED });
  const { perms, reshare } = await rightsIn(parts, caller, PHOTOS, meta.perms);
  return {
    meta: { ...meta, perms },
    rows: await photoRows(parts, caller, files),
    total: timeline.total,
    hidden: 0,
    reshare,
  };
}

/** What was taken on this day in an earlier year: how many photos and films, and the last of them. */
export interface PastDayRow {
  readonly years: number;
  readonly photos: number;
  readonly films: number;
  readonly row: Row;
  /** Its index in its month. */
  readonly start: number;
}

export async function listPastDays(
  parts: FilesPagesParts,
  caller: AccountCaller,
  { home, timeline }: OwnPhotos,
): Promise<PastDayRow[]> {
  const days = await browsePastDays(parts.listing, caller, home, timeline, REQUESTED);
  const rows = await photoRows(
    parts,
    caller,
    days.map(({ last }) => last),
  );
  return days.flatMap(({ years, photos, films, start }, index) => {
    const row = rows[index];
    return row === undefined ? [] : [{ years, photos, films, row, start }];
  });
}

/** Rows that say when the photo was taken, and what belongs to it. */
export async function photoRows(
  parts: FilesPagesParts,
  caller: AccountCaller,
  files: readonly ListedPhoto[],
): Promise<Row[]> {
  const starred = await starsOf(parts, caller);
  const rows = await rowsOf(parts, caller, files, { starred, deleted: new Map() });
  return rows.map((row, index) => {
    const { takenAt = row.changedAt, parts: whole = row.parts } = files[index] ?? {};
    return { ...row, changedAt: takenAt, parts: whole };
  });
}
