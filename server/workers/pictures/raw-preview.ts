import { WindowedReader } from '../embedded/windowed-reader.ts';
import { type OpenInherited, readAt } from '../inherited-file.ts';
import { JobError } from '../job-error.ts';
import type { ThumbnailShape } from '../thumbnails/jobs.ts';
import type { Previews } from './preview.ts';
import { previewsInBoxes } from './raw-boxes.ts';
import { previewsInTiff } from './raw-tiff.ts';
import { boxOf, sharp, shrink } from './shrink.ts';

/** Bytes of a preview: a full-size JPEG has 10 to 30 million. */
const MAX_PREVIEW = 64 * 1024 * 1024;
/** Most previews considered. Cameras have two to four. */
const MAX_PREVIEWS = 16;
/** In Fujifilm's files: the offset and length of the JPEG. */
const RAF_PREVIEW = 84;

/** The preview in a raw file: the smallest that is large enough. @throws JobError */
export async function rawThumbnail(file: OpenInherited, shapes: readonly ThumbnailShape[]): Promise<Uint8Array[]> {
  const { fd, size } = file;
  const { previews, orientation } = await previewsIn(new WindowedReader(fd, size));
  const found: { bytes: Buffer; side: number; isTurned: boolean }[] = [];
  const { width, height } = boxOf(shapes);
  const requested = Math.max(width, height);
  const inOrder = [...previews].sort((a, b) => a.length - b.length).slice(-MAX_PREVIEWS);
  for (const { start, length } of inOrder) {
    if (length > MAX_PREVIEW) continue;
    const bytes = readAt(fd, start, Math.max(0, Math.min(length, size - start)));
    // Sensor data may also be wrapped as a JPEG variant for raw converters; those fail here.
    const head = await sharp(bytes, { failOn: 'none' })
      .metadata()
      .catch(() => null);
    if (head?.format !== 'jpeg') continue;
    found.push({ bytes, side: Math.max(head.width, head.height), isTurned: head.orientation !== undefined });
    if (found.some(({ side }) => side >= requested)) break;
  }
  found.sort((a, b) => b.side - a.side);
  let failure: unknown = new JobError('unsupported', 'no preview in it');
  for (const { bytes, isTurned } of found) {
    try {
      const upright = isTurned ? bytes : await turned(bytes, orientation);
      return await shrink(upright, shapes);
    } catch (error) {
      failure = error;
    }
  }
  throw failure;
}

async function turned(jpeg: Buffer, orientation: number): Promise<Buffer> {
  if (orientation === 1) return jpeg;
  return sharp(jpeg, { failOn: 'none' }).keepMetadata().withMetadata({ orientation }).jpeg({ quality: 95 }).toBuffer();
}

async function previewsIn(file: WindowedReader): Promise<Previews> {
  const head = await file.readSome(0, 128);
  if (head.toString('latin1', 0, 15) === 'FUJIFILMCCD-RAW' && head.length >= RAF_PREVIEW + 8) {
    const preview = { start: head.readUInt32BE(RAF_PREVIEW), length: head.readUInt32BE(RAF_PREVIEW + 4) };
    return { previews: [preview], orientation: 1 };
  }
  if (head.toString('latin1', 4, 12) === 'ftypcrx ') return previewsInBoxes(file);
  return previewsInTiff(file);
}
