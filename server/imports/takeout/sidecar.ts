import { z } from 'zod';
import type { StatedFacts, StatedPlace } from '../exports/plan.ts';

/** Bytes of the longest description of a photo or album that is read; usual ones have some thousands. */
export const MAX_JSON = 256 * 1024;

/** What an export says of a photo or film. */
export interface PhotoSidecar extends StatedFacts {
  readonly kind: 'photo';
  /** The original name. It serves to find the file, and never becomes a path. */
  readonly title: string;
  /** Whether it was in the trash of Google Photos. */
  readonly isTrashed: boolean;
  /** Whether it was in the locked folder of Google Photos. */
  readonly isLocked: boolean;
  /** Whether it says what is not kept: that the photo was archived, and who is on it. */
  readonly isArchived: boolean;
  readonly hasPeople: boolean;
}

/** What an export says of an album. */
interface AlbumSidecar {
  readonly kind: 'album';
  readonly title: string;
  readonly description: string;
}

/** `other`: JSON of another kind; `unreadable`: no JSON, or not an object. */
export type Sidecar = PhotoSidecar | AlbumSidecar | { readonly kind: 'other' | 'unreadable' };

/** Seconds: the years 1 to 9999. */
const EARLIEST = -62_135_596_800;
const LATEST = 253_402_300_799;

/** A value of an unexpected type counts as one that is not there: nothing else of the description depends on it. */
const optional = <Field extends z.ZodType>(field: Field) => field.optional().catch(undefined);

const geo = optional(z.object({ latitude: z.number().min(-90).max(90), longitude: z.number().min(-180).max(180) }));

const fields = z.object({
  title: optional(z.string()),
  description: optional(z.string()),
  photoTakenTime: optional(z.object({ timestamp: optional(z.union([z.string().max(20), z.number()])) })),
  geoData: geo,
  geoDataExif: geo,
  favorited: optional(z.boolean()),
  trashed: optional(z.boolean()),
  inLockedFolder: optional(z.boolean()),
  archived: optional(z.boolean()),
  people: optional(z.array(z.unknown())),
  albumData: optional(z.object({ title: optional(z.string()), description: optional(z.string()) })),
});

/** Reads a JSON file of an export; null is one that is damaged. Never fails. */
export function readSidecar(text: string | null): Sidecar {
  if (text === null) return { kind: 'unreadable' };
  let value: unknown;
  try {
    value = JSON.parse(text.replace(/^\ufeff/, ''));
  } catch {
    return { kind: 'unreadable' };
  }
  const read = fields.safeParse(value);
  if (!read.success) return { kind: 'unreadable' };
  const {
    title = '',
    description = '',
    photoTakenTime,
    geoData,
    geoDataExif,
    favorited,
    trashed,
    inLockedFolder,
    archived,
    people = [],
    albumData,
  } = read.data;
  if (isOfPhoto(value as object)) {
    return {
      kind: 'photo',
      title: title.toWellFormed(),
      taken: secondsIn(photoTakenTime?.timestamp),
      place: placeIn(geoData) ?? placeIn(geoDataExif),
      description: description.toWellFormed().trim(),
      isFavourite: favorited === true,
      isTrashed: trashed === true,
      isLocked: inLockedFolder === true,
      isArchived: archived === true,
      hasPeople: people.length > 0,
    };
  }
  // An album without a title has an empty one.
  const album = albumData ?? (read.data.title === undefined ? null : { title, description });
  if (album === null) return { kind: 'other' };
  return {
    kind: 'album',
    title: (album.title ?? '').toWellFormed().trim(),
    description: (album.description ?? '').toWellFormed().trim(),
  };
}

/** Whether it describes a photo: one without a date does not say when it was taken. Albums may state a place, too. */
function isOfPhoto(value: object): boolean {
  if ('albumData' in value) return false;
  const isOfAlbum = 'access' in value || 'date' in value;
  return 'photoTakenTime' in value || (!isOfAlbum && OF_PHOTO.some((key) => key in value));
}

const OF_PHOTO = ['creationTime', 'geoData', 'geoDataExif'];

/** The epoch itself stands for an unknown time. */
function secondsIn(timestamp: string | number | undefined): number | null {
  if (timestamp === undefined || (typeof timestamp === 'string' && !/^-?\d{1,15}$/.test(timestamp))) return null;
  const seconds = Math.floor(Number(timestamp));
  return seconds !== 0 && seconds >= EARLIEST && seconds <= LATEST ? seconds : null;
}

/** No place is written as 0, 0. */
function placeIn(place: StatedPlace | undefined): StatedPlace | null {
  return place === undefined || (place.latitude === 0 && place.longitude === 0) ? null : place;
}
