import { boxAt } from '../boxes.ts';
import type { WindowedReader } from '../windowed-reader.ts';
import { statedMotionIn } from './motion-xmp.ts';

/** Where the film in a photo is: bytes from the beginning of the file. */
export interface InnerFilm {
  readonly start: number;
  readonly length: number;
}

/** Boxes that a film has at its top level (ISO/IEC 14496-12, 6.2.3). */
const OF_FILM = new Set([
  ...['ftyp', 'moov', 'mdat', 'free', 'skip', 'wide', 'uuid', 'meta', 'udta', 'pdin'],
  ...['moof', 'mfra', 'sidx', 'ssix', 'styp', 'prft', 'emsg'],
]);
const MAX_BOXES = 10_000;

/** The end of a file with the trailer of Samsung: its length, and a mark. */
const TRAILER_END = 8;
const TRAILER_ENTRY = 12;
const MAX_ENTRIES = 200;
/** The name of the entry with the film, and the bytes before the name. */
const SAMSUNG_FILM = 'MotionPhoto_Data';
const BEFORE_NAME = 8;

/** The film of a motion photo, in JPEG: as its XMP states, or in the trailer of Samsung. Null if no whole film is there. */
export async function filmInJpeg(reader: WindowedReader, xmp: Buffer | null): Promise<InnerFilm | null> {
  return (await statedFilm(reader, xmp)) ?? (await samsungFilm(reader));
}

/** The same in HEIC and AVIF: in the box for it, or as the XMP states. */
export async function filmInHeif(reader: WindowedReader, xmp: Buffer | null): Promise<InnerFilm | null> {
  const box = await boxAt(reader, 0, reader.size, ['mpvd']);
  const boxed = box === null ? null : await filmWithin(reader, box.start, box.end);
  return boxed ?? statedFilm(reader, xmp);
}

async function statedFilm(reader: WindowedReader, xmp: Buffer | null): Promise<InnerFilm | null> {
  const { items, fromEnd } = statedMotionIn(xmp);
  const index = items.findIndex(({ semantic }) => semantic === 'MotionPhoto');
  if (index >= 0) {
    // The files are one behind the other up to the end, so the photo itself need not have a length.
    const behind = items.slice(index).reduce((sum, { length, padding }) => sum + length + padding, 0);
    const start = reader.size - behind;
    const film = await filmWithin(reader, start, start + (items[index]?.length ?? 0));
    if (film !== null) return film;
  }
  return fromEnd === null ? null : filmWithin(reader, reader.size - fromEnd, reader.size);
}

/** In ExifTool's terms: the trailer of Samsung, with a directory at its end. Offsets count back from the directory. */
async function samsungFilm(reader: WindowedReader): Promise<InnerFilm | null> {
  const { size } = reader;
  if (size < TRAILER_END) return null;
  const end = await reader.glance(size - TRAILER_END, TRAILER_END);
  if (end.toString('latin1', 4) !== 'SEFT') return null;
  const directory = size - TRAILER_END - end.readUInt32LE(0);
  if (directory <= 0) return null;
  const head = await reader.glance(directory, 12);
  if (head.length < 12 || head.toString('latin1', 0, 4) !== 'SEFH') return null;
  const entries = await reader.readSome(directory + 12, Math.min(head.readUInt32LE(8), MAX_ENTRIES) * TRAILER_ENTRY);
  for (let at = 0; at + TRAILER_ENTRY <= entries.length; at += TRAILER_ENTRY) {
    const start = directory - entries.readUInt32LE(at + 4);
    const length = entries.readUInt32LE(at + 8);
    if (start <= 0 || start + length > directory) continue;
    const named = await reader.glance(start, BEFORE_NAME + SAMSUNG_FILM.length);
    if (named.toString('latin1', BEFORE_NAME) !== SAMSUNG_FILM) continue;
    const content = start + BEFORE_NAME + named.readUInt32LE(4);
    const film = await filmWithin(reader, content, start + length);
    if (film !== null) return film;
  }
  return null;
}

/** A whole film between two offsets, without what follows it. Null if the offsets are wrong, or a part of it is missing. */
async function filmWithin(reader: WindowedReader, start: number, end: number): Promise<InnerFilm | null> {
  if (!Number.isSafeInteger(start) || start <= 0 || end <= start || end > reader.size) return null;
  let at = start;
  let isPlayable = false;
  for (let number = 0; number < MAX_BOXES && at + 8 <= end; number += 1) {
    const head = await reader.glance(at, 16);
    const type = head.toString('latin1', 4, 8);
    if (number === 0 && type !== 'ftyp') return null;
    if (!OF_FILM.has(type)) break;
    const size = sizeOf(head, end - at);
    if (size < 8 || size > end - at) return null;
    isPlayable ||= type === 'moov';
    at += size;
  }
  return isPlayable ? { start, length: at - start } : null;
}

/** Bytes of a box (ISO/IEC 14496-12, 4.2). @param left bytes to the end, for a box that takes all of them */
function sizeOf(head: Buffer, left: number): number {
  const size = head.readUInt32BE(0);
  if (size === 0) return left;
  if (size !== 1) return size;
  return head.length < 16 ? 0 : Number(head.readBigUInt64BE(8));
}
