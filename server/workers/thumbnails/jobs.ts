import { z } from 'zod';
import { handedFile } from '../inherited-file.ts';
import type { Jobs } from '../protocol.ts';
import { THUMBNAIL_SOURCES } from './kinds.ts';

/** Pixels on a side of a thumbnail, at most. */
export const MAX_SIDE = 2048;
export const THUMBNAIL_FITS = ['contain', 'cover'] as const;
export const THUMBNAIL_FORMATS = ['jpeg', 'webp'] as const;

/** Bytes of what comes out, at most: more than 2048 × 2048 pixels of noise have. */
const MAX_OUTPUT = 8 * 1024 * 1024;

/** How a thumbnail is to be. */
export const thumbnailShape = z.object({
  /** Pixels, at most: nothing is enlarged. */
  width: z.int().min(1).max(MAX_SIDE),
  height: z.int().min(1).max(MAX_SIDE),
  /** `contain`: all of the picture; `cover`: the middle of it, filling the whole rectangle. */
  fit: z.enum(THUMBNAIL_FITS),
  format: z.enum(THUMBNAIL_FORMATS),
});

export type ThumbnailShape = z.output<typeof thumbnailShape>;

/** It is kept and sent as what it is said to be, so that it is looked at first. */
export function isThumbnail(bytes: Uint8Array, format: ThumbnailShape['format']): boolean {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (view.length < 16) return false;
  if (format === 'jpeg') return view.readUInt16BE(0) === 0xffd8 && view.readUInt16BE(view.length - 2) === 0xffd9;
  // RFC 9649 §2.3 and 2.4: the length is that of what follows it, which is padded to even.
  return (
    view.toString('latin1', 0, 4) === 'RIFF' &&
    view.toString('latin1', 8, 12) === 'WEBP' &&
    view.readUInt32LE(4) + 8 === view.length
  );
}

/** What thumbnail workers do. */
export const thumbnailJobs = {
  /**
   * A small picture of a file: upright, in sRGB, without anything that was written into the file beside it. On white in JPEG;
   * with its transparency in WebP. Fails with `unsupported` when there is no picture in it.
   */
  thumbnail: {
    input: thumbnailShape.extend({
      file: handedFile,
      source: z.enum(THUMBNAIL_SOURCES),
      /** The program that takes frames out of videos; null where there is none. */
      ffmpeg: z.string().nullable(),
    }),
    output: z.object({
      bytes: z.custom<Uint8Array>((value) => value instanceof Uint8Array && value.length <= MAX_OUTPUT),
    }),
  },
} satisfies Jobs;

export type ThumbnailJobs = typeof thumbnailJobs;
