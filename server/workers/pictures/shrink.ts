import type { Sharp, SharpInput, SharpOptions } from 'sharp';
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

/** The size that contains all of these shapes: what has to be decoded for them. */
export function boxOf(shapes: readonly ThumbnailShape[]): Pick<ThumbnailShape, 'width' | 'height' | 'fit'> {
  return {
    width: Math.max(...shapes.map(({ width }) => width)),
    height: Math.max(...shapes.map(({ height }) => height)),
    fit: shapes.every(({ fit }) => fit === 'cover') ? 'cover' : 'contain',
  };
}

/** Makes thumbnails of a picture, decoding it once. @param input a path, or its bytes @throws JobError */
export async function shrink(
  input: SharpInput,
  shapes: readonly ThumbnailShape[],
  options: SharpOptions = {},
): Promise<Uint8Array[]> {
  try {
    const [only] = shapes;
    if (shapes.length === 1 && only !== undefined) return [await encoded(input, only, options)];
    const { data, info } = await resized(input, { ...boxOf(shapes), fit: 'contain' }, options)
      .raw()
      .toBuffer({ resolveWithObject: true });
    const raw = { width: info.width, height: info.height, channels: info.channels };
    const pictures: Uint8Array[] = [];
    for (const shape of shapes) pictures.push(await encoded(data, shape, { raw, autoOrient: false }));
    return pictures;
  } catch (error) {
    throw imageError(error as Error);
  }
}

function resized(input: SharpInput, { width, height, fit }: ReturnType<typeof boxOf>, options: SharpOptions): Sharp {
  return sharp(input, { ...INPUT, ...options })
    .resize(width, height, { fit: fit === 'cover' ? 'cover' : 'inside', withoutEnlargement: true })
    .toColourspace('srgb');
}

/** Output contains no metadata by default: no EXIF, location or profile. */
function encoded(input: SharpInput, shape: ThumbnailShape, options: SharpOptions): Promise<Uint8Array> {
  const small = resized(input, shape, options);
  return shape.format === 'webp'
    ? small.webp({ quality: QUALITY, effort: WEBP_EFFORT }).toBuffer()
    : small.flatten({ background: '#ffffff' }).jpeg({ quality: QUALITY }).toBuffer();
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
