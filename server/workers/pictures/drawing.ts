import type { OpenInherited } from '../inherited-file.ts';
import { JobError } from '../job-error.ts';
import type { ThumbnailShape } from '../thumbnails/jobs.ts';
import { readWhole } from './read-whole.ts';
import { allowDrawings, imageError, sharp, shrink } from './shrink.ts';

/** Bytes of a drawing. */
const MAX_BYTES = 16 * 1024 * 1024;
/** Pixels that a drawing may say it has. */
const MAX_PIXELS = 25_000_000;
/** Dots per inch: what a drawing has by itself (CSS pixels are not asked here), and what the library takes. */
const DENSITY = 72;
const MAX_DENSITY = 10_000;
/** Pixels on a side that are drawn, and a little room for what is rounded. */
const MAX_DRAWN = 32_000;
const ROUNDED = 0.98;

allowDrawings();

/**
 * A drawing in SVG, drawn as large as it is shown. It is read from memory: by a path it could name files beside it. No
 * reference to anything outside of it is followed.
 * @throws JobError
 */
export async function drawingThumbnail(file: OpenInherited, shape: ThumbnailShape): Promise<Uint8Array> {
  const bytes = readWhole(file, MAX_BYTES);
  const head = await sharp(bytes, { limitInputPixels: MAX_PIXELS })
    .metadata()
    .catch((error: Error) => {
      throw imageError(error);
    });
  if (head.format !== 'svg') throw new JobError('unsupported', 'no drawing');
  const by = shape.fit === 'cover' ? Math.max : Math.min;
  const { width, height } = head;
  // Of a long strip less is drawn than is asked for: that is a small picture still.
  const scale = Math.min(
    by(shape.width / width, shape.height / height),
    ROUNDED * Math.sqrt(MAX_PIXELS / (width * height)),
    MAX_DRAWN / Math.max(width, height),
  );
  const density = Math.min(MAX_DENSITY, Math.max(1, DENSITY * scale));
  return shrink(bytes, shape, { density, limitInputPixels: MAX_PIXELS });
}
