import { z } from 'zod';
import { inheritedFile } from '../inherited-file.ts';
import type { Jobs } from '../protocol.ts';
import { THUMBNAIL_SOURCES } from './kinds.ts';

/** Most pixels per side of a thumbnail. */
export const MAX_SIDE = 2048;
export const THUMBNAIL_FITS = ['contain', 'cover'] as const;
const THUMBNAIL_FORMATS = ['jpeg', 'webp'] as const;

/** Most bytes of the result: more than 2048 × 2048 pixels of noise. */
const MAX_OUTPUT = 8 * 1024 * 1024;

/** The requested form of a thumbnail. */
const thumbnailShape = z.object({
  /** Maximum in pixels: nothing is enlarged. */
  width: z.int().min(1).max(MAX_SIDE),
  height: z.int().min(1).max(MAX_SIDE),
  /** `contain`: the whole image; `cover`: its middle, filling the whole rectangle. */
  fit: z.enum(THUMBNAIL_FITS),
  format: z.enum(THUMBNAIL_FORMATS),
});

export type ThumbnailShape = z.output<typeof thumbnailShape>;

/** The result is stored and sent with this type, so its signature is checked. */
export function isThumbnail(bytes: Uint8Array, format: ThumbnailShape['format']): boolean {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (view.length < 16) return false;
  if (format === 'jpeg') return view.readUInt16BE(0) === 0xffd8 && view.readUInt16BE(view.length - 2) === 0xffd9;
  // RFC 9649 §2.3 and 2.4: the length is that of what follows, padded to even.
  return (
    view.toString('latin1', 0, 4) === 'RIFF' &&
    view.toString('latin1', 8, 12) === 'WEBP' &&
    view.readUInt32LE(4) + 8 === view.length
  );
}

/** Most shapes of one job. */
const MAX_SHAPES = 10;

/** Jobs of thumbnail workers. */
export const thumbnailJobs = {
  /**
   * Thumbnails of a file: upright, in sRGB, without metadata. On white in JPEG; with transparency in WebP. Several are made from
   * one decoding; then all of them show the whole image. Fails with `unsupported` when the file contains no image.
   */
  thumbnail: {
    input: z.object({
      shapes: z.array(thumbnailShape).min(1).max(MAX_SHAPES),
      file: inheritedFile,
      source: z.enum(THUMBNAIL_SOURCES),
      /** The program that extracts frames of videos; null if there is none. */
      ffmpeg: z.string().nullable(),
    }),
    output: z.object({
      /** In the order of the shapes. */
      pictures: z.array(z.custom<Uint8Array>((value) => value instanceof Uint8Array && value.length <= MAX_OUTPUT)),
    }),
  },
} satisfies Jobs;

export type ThumbnailJobs = typeof thumbnailJobs;
