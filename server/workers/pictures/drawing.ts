import type { OpenInherited } from '../inherited-file.ts';
import { JobError } from '../job-error.ts';
import type { ThumbnailShape } from '../thumbnails/jobs.ts';
import { readWhole } from './read-whole.ts';
import { allowDrawings, boxOf, imageError, sharp, shrink } from './shrink.ts';

/** Bytes of a drawing. */
const MAX_BYTES = 16 * 1024 * 1024;
/** Most pixels that a drawing may declare. */
const MAX_PIXELS = 25_000_000;
/** Dots per inch: the default of a drawing (CSS pixels do not apply here), and the library's limit. */
const DENSITY = 72;
const MAX_DENSITY = 10_000;
/** Most pixels drawn per side, with a margin for rounding. */
const MAX_DRAWN = 32_000;
const ROUNDED = 0.98;

allowDrawings();

/**
 * An SVG drawing, rendered at the size needed. It is read from memory, because from a path it could name files beside it. No
 * external reference is followed.
 * @throws JobError
 */
export async function drawingThumbnail(file: OpenInherited, shapes: readonly ThumbnailShape[]): Promise<Uint8Array[]> {
  const bytes = readWhole(file, MAX_BYTES);
  const head = await sharp(bytes, { limitInputPixels: MAX_PIXELS })
    .metadata()
    .catch((error: Error) => {
      throw imageError(error);
    });
  if (head.format !== 'svg') throw new JobError('unsupported', 'no drawing');
  const box = boxOf(shapes);
  const by = box.fit === 'cover' ? Math.max : Math.min;
  const { width, height } = head;
  // Of a long strip fewer pixels are drawn than requested; the result is small anyway.
  const scale = Math.min(
    by(box.width / width, box.height / height),
    ROUNDED * Math.sqrt(MAX_PIXELS / (width * height)),
    MAX_DRAWN / Math.max(width, height),
  );
  const density = Math.min(MAX_DENSITY, Math.max(1, DENSITY * scale));
  return shrink(bytes, shapes, { density, limitInputPixels: MAX_PIXELS });
}
