import type { PictureContent } from './image/jpeg.ts';
import { readTiff } from './image/tiff.ts';
import type { WindowedReader } from './windowed-reader.ts';

export const MAX_CHUNKS = 10_000;
/** Most bytes of a chunk that is read. */
export const MAX_CHUNK = 1024 * 1024;

/** The chunks of WebP (RFC 9649, 2.5). */
export async function readWebp(reader: WindowedReader): Promise<PictureContent> {
  let exif: Buffer | null = null;
  let xmp: Buffer | null = null;
  let [width, height] = [0, 0];
  let at = 12;
  for (let number = 0; number < MAX_CHUNKS; number += 1) {
    const head = await reader.glance(at, 8);
    if (head.length < 8) break;
    const type = head.toString('latin1', 0, 4);
    const length = head.readUInt32LE(4);
    const isWhole = ['EXIF', 'XMP '].includes(type) && length <= MAX_CHUNK;
    const body = await reader.glance(at + 8, isWhole ? length : Math.min(length, 10));
    at += 8 + length + (length % 2);
    if (type === 'EXIF' && isWhole) exif ??= withoutExifName(body);
    else if (type === 'XMP ' && isWhole) xmp ??= body;
    else if (width === 0) [width, height] = sidesOfWebp(type, body);
  }
  return { exif, xmp, width, height, quarters: null };
}

function sidesOfWebp(type: string, body: Buffer): [number, number] {
  if (body.length < 10) return [0, 0];
  if (type === 'VP8X') return [body.readUIntLE(4, 3) + 1, body.readUIntLE(7, 3) + 1];
  if (type === 'VP8 ') return [body.readUInt16LE(6) & 0x3fff, body.readUInt16LE(8) & 0x3fff];
  if (type !== 'VP8L') return [0, 0];
  const bits = body.readUInt32LE(1);
  return [(bits & 0x3fff) + 1, ((bits >>> 14) & 0x3fff) + 1];
}

/** EXIF as it is in TIFF. Some programs add the prefix that it has in JPEG. */
export function withoutExifName(bytes: Buffer): Buffer {
  return bytes.toString('latin1', 0, 6) === 'Exif\0\0' ? bytes.subarray(6) : bytes;
}

/** In Canon raw files, the dimensions in this directory are those of the preview. */
const CANON = 8;

/** TIFF, and raw photos based on TIFF. */
export async function readTiffPicture(reader: WindowedReader): Promise<PictureContent> {
  const content = await readTiff(reader);
  const isCanon = (await reader.readSome(CANON, 2)).toString('latin1') === 'CR';
  return { ...content, ...(isCanon ? { width: 0, height: 0 } : {}), quarters: null };
}
