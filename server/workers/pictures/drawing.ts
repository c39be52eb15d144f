import { JobError } from '../job-error.ts';
import type { OpenHanded } from '../open-handed.ts';
import type { ThumbnailShape } from '../thumbnail-jobs.ts';
import { readWhole } from './read-whole.ts';
import { allowDrawings, imageError, sharp, shrink } from './shrink.ts';

/** Bytes of a drawing. */
const MAX_BYTES = 16 * 1024 * 1024;
/** Pixels that a drawing may say it has. */
const MAX_PIXELS = 25_000_000;
/** Dots per inch: what a drawing has by itself (CSS pixels are not asked here), and what the library takes. */
const DENSITY = 72;
const MAX_DENSITY = 10_000;

allowDrawings();

/**
 * A drawing in SVG, drawn as large as it is shown. It is read from memory: by a path it could name files beside it. No
 * reference to anything outside of it is followed.
 * @throws JobError
 */
export async function drawingThumbnail(file: OpenHanded, shape: ThumbnailShape): Promise<Uint8Array> {
  const bytes = await readWhole(file, MAX_BYTES);
  const head = await sharp(bytes, { limitInputPixels: MAX_PIXELS })
    .metadata()
    .catch((error: Error) => {
      throw imageError(error);
    });
  if (head.format !== 'svg') throw new JobError('unsupported', 'no drawing');
  const by = shape.fit === 'cover' ? Math.max : Math.min;
  const density = Math.min(
    MAX_DENSITY,
    Math.max(1, DENSITY * by(shape.width / head.width, shape.height / head.height)),
  );
  return shrink(bytes, shape, { density, limitInputPixels: MAX_PIXELS });
}
