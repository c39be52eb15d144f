import { z } from 'zod';
import { inheritedFile } from '../inherited-file.ts';
import type { Jobs } from '../protocol.ts';
import { EMBEDDED_READERS } from './kinds.ts';

/** Embedded metadata, by the keys of the built-in fields. */
export const EMBEDDED_KEYS = [
  ...['image.taken', 'image.camera', 'image.lens', 'image.author', 'image.title', 'image.description'],
  ...['image.copyright', 'image.keywords', 'image.dimensions', 'image.exposure', 'image.aperture', 'image.iso'],
  ...['image.focal', 'image.place', 'image.rating'],
  ...['video.title', 'video.author', 'video.taken', 'video.duration', 'video.dimensions', 'video.codec'],
  ...['video.camera', 'video.place', 'video.rating'],
  ...['audio.title', 'audio.artist', 'audio.album', 'audio.albumartist', 'audio.track', 'audio.year', 'audio.genre'],
  ...['audio.composer', 'audio.duration', 'audio.bitrate'],
  ...['document.title', 'document.author', 'document.subject', 'document.keywords', 'document.description'],
  ...['document.created', 'document.modified', 'document.pages', 'document.application', 'document.language'],
] as const;

export type EmbeddedKey = (typeof EMBEDDED_KEYS)[number];

/** Values of one field, and characters of one value. Descriptions may be longer. */
export const MAX_EMBEDDED_VALUES = 50;
export const MAX_EMBEDDED_VALUE = 500;
export const MAX_EMBEDDED_DESCRIPTION = 10_000;

/** Characters of the identifier of a group; cameras write 36. */
export const MAX_GROUP_ID = 64;

/** The latest possible date, in milliseconds from 1970 (ECMA-262, 21.4.1.1). */
const MAX_TIME = 8.64e15;

const embedded = z.object({
  fields: z
    .array(
      z.object({
        key: z.enum(EMBEDDED_KEYS),
        values: z.array(z.string().min(1).max(MAX_EMBEDDED_DESCRIPTION)).min(1).max(MAX_EMBEDDED_VALUES),
      }),
    )
    .max(EMBEDDED_KEYS.length),
  /** When a photo or film was taken: milliseconds since 1970, or null if unknown. */
  takenAt: z.int().min(-MAX_TIME).max(MAX_TIME).nullable(),
  /** The location in degrees: north and east are positive. */
  place: z.object({ latitude: z.number().min(-90).max(90), longitude: z.number().min(-180).max(180) }).nullable(),
  /** What the photo or film belongs to. */
  group: z.object({
    /** The identifier that a photo has in common with its film. */
    pairId: z.string().min(1).max(MAX_GROUP_ID).nullable(),
    /** The identifier that the photos of a burst have in common. */
    burstId: z.string().min(1).max(MAX_GROUP_ID).nullable(),
    /** The length of a film. */
    milliseconds: z.int().min(0).nullable(),
  }),
  /** Where the film in a photo is, in bytes from the beginning of the file. */
  film: z.object({ start: z.int().min(1), length: z.int().min(1) }).nullable(),
});

/** The embedded metadata of a file. Dates are `2024-05-06T07:08:09`, with an offset if known. */
export type Embedded = z.output<typeof embedded>;

/** Jobs of workers for embedded metadata. */
export const embeddedJobs = {
  /**
   * Reads the embedded metadata of a file: each field once, with cleaned and truncated values. Fails with `unsupported` when it
   * is not of the expected kind, or is encrypted.
   */
  embedded: {
    input: z.object({ file: inheritedFile, reader: z.enum(EMBEDDED_READERS) }),
    output: embedded,
  },
} satisfies Jobs;
