import type { SharpInput, SharpOptions } from 'sharp';
import { JobError } from '../job-error.ts';
import type { ThumbnailShape } from '../thumbnails/jobs.ts';
import { loadSharp } from './sharp.ts';

/** More than consumer cameras have: 200 megapixels. What needs too much memory ends earlier. */
const MAX_PIXELS = 250_000_000;

const QUALITY = 80;
/** Of 6: half the time of the library's default, for files that are a few percent larger. */
const WEBP_EFFORT = 2;

export const sharp = await loadSharp();

// Only the formats named here are enabled. Drawings are read from memory only: from a path they could name files beside them.
const KINDS = ['Jpeg', 'Png', 'Webp', 'Nsgif', 'Heif', 'Tiff'];
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({
  operation: [...KINDS.flatMap((kind) => [`VipsForeignLoad${kind}File`, `VipsForeignLoad${kind}Buffer`])],
});

/** Lets this worker read drawings from memory. */
export function allowDrawings(): void {
  sharp.unblock({ operation: ['VipsForeignLoadSvgBuffer'] });
}

export const INPUT: SharpOptions = {
  autoOrient: true,
  limitInputPixels: MAX_PIXELS,
  sequentialRead: true,
  // The beginning of a truncated image is better than nothing.
  failOn: 'none',
};

/** Makes the thumbnail of a picture. @param input a path, or its bytes @throws JobError */
export async function shrink(
  input: SharpInput,
  { width, height, fit, format }: ThumbnailShape,
  options: SharpOptions = {},
): Promise<Uint8Array> {
  try {
    const small = sharp(input, { ...INPUT, ...options })
      .resize(width, height, { fit: fit === 'cover' ? 'cover' : 'inside', withoutEnlargement: true })
      .toColourspace('srgb');
    // Output contains no metadata by default: no EXIF, location or profile.
    return format === 'webp'
      ? await small.webp({ quality: QUALITY, effort: WEBP_EFFORT }).toBuffer()
      : await small.flatten({ background: '#ffffff' }).jpeg({ quality: QUALITY }).toBuffer();
  } catch (error) {
    throw imageError(error as Error);
  }
}

/** The library distinguishes its errors only by their texts. */
export function imageError(error: Error): JobError {
  if (error instanceof JobError) return error;
  const { message } = error;
  if (/unsupported image format|buffer is empty|file is empty|not been built in|unsupported feature/i.test(message)) {
    return new JobError('unsupported', message);
  }
  return new JobError(/exceeds pixel limit/i.test(message) ? 'too_large' : 'corrupt', message);
}
