import type { PictureContent } from './image/jpeg.ts';
import { readTiff } from './image/tiff.ts';
import type { WindowedReader } from './windowed-reader.ts';

const MAX_CHUNKS = 10_000;
/** Most bytes of a chunk that is read. */
const MAX_CHUNK = 1024 * 1024;
const XMP_IN_PNG = 'XML:com.adobe.xmp\0';

/** The PNG chunks with metadata (its third edition, 11). Compressed ones are skipped. */
export async function readPng(reader: WindowedReader): Promise<PictureContent> {
  const words = new Map<string, string>();
  let exif: Buffer | null = null;
  let xmp: Buffer | null = null;
  let [width, height] = [0, 0];
  let at = 8;
  for (let number = 0; number < MAX_CHUNKS; number += 1) {
    const head = await reader.glance(at, 8);
    if (head.length < 8) break;
    const length = head.readUInt32BE(0);
    const type = head.toString('latin1', 4, 8);
    const isRead = ['IHDR', 'eXIf', 'iTXt', 'tEXt'].includes(type) && length <= MAX_CHUNK;
    const body = isRead ? await reader.readSome(at + 8, length) : Buffer.alloc(0);
    at += 12 + length;
    if (type === 'IHDR' && body.length >= 8) [width, height] = [body.readUInt32BE(0), body.readUInt32BE(4)];
    else if (type === 'eXIf') exif ??= body;
    else if (type === 'tEXt') addLatin(words, body);
    else if (type === 'iTXt' && body.toString('latin1', 0, XMP_IN_PNG.length) === XMP_IN_PNG)
      xmp ??= international(body);
    else if (type === 'iTXt') addInternational(words, body);
    else if (type === 'IEND') break;
  }
  return { exif, xmp, width, height, quarters: null, words };
}

function addLatin(words: Map<string, string>, body: Buffer): void {
  const end = body.indexOf(0);
  if (end > 0) words.set(body.toString('latin1', 0, end), body.toString('latin1', end + 1));
}

function addInternational(words: Map<string, string>, body: Buffer): void {
  const text = international(body)?.toString('utf8');
  if (text !== undefined) words.set(body.toString('latin1', 0, body.indexOf(0)), text);
}

/** The text of an iTXt chunk, after its name, two bytes of compression, the language and the translated name. */
function international(body: Buffer): Buffer | null {
  const name = body.indexOf(0);
  if (name < 0 || body[name + 1] !== 0) return null;
  const language = body.indexOf(0, name + 3);
  const translated = language < 0 ? -1 : body.indexOf(0, language + 1);
  return translated < 0 ? null : body.subarray(translated + 1);
}

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
    if (type === 'EXIF' && isWhole) exif ??= withoutName(body);
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

/** Some programs add the prefix that EXIF has in JPEG. */
function withoutName(bytes: Buffer): Buffer {
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
