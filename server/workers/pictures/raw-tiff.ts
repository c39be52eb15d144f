import type { WindowedReader } from '../embedded/windowed-reader.ts';
import { JobError } from '../job-error.ts';
import type { Preview, Previews } from './preview.ts';

/** Most directories that are read, and entries of each. */
const MAX_DIRECTORIES = 64;
const MAX_ENTRIES = 1_000;
const MAX_VALUES = 64;

const SHORT = 3;
const LONG = 4;
const IFD = 13;
const BYTES: Readonly<Record<number, number>> = { 1: 1, 2: 1, [SHORT]: 2, [LONG]: 4, 6: 1, 7: 1, 9: 4, [IFD]: 4 };

const COMPRESSION = 259;
const STRIP_OFFSETS = 273;
const ORIENTATION = 274;
const STRIP_LENGTHS = 279;
const SUB_DIRECTORIES = 330;
const JPEG_START = 513;
const JPEG_LENGTH = 514;
const EXIF_DIRECTORY = 34665;
/** Panasonic: the value of this field is the JPEG itself. */
const JPEG_FROM_RAW = 46;
/** "Old" and new JPEG compression (TIFF 6.0 §22; Technical Note 2). */
const JPEG_COMPRESSIONS = [6, 7];

interface Field {
  readonly values: readonly number[];
  /** The offset of the value in the file, and its length. */
  readonly at: number;
  readonly bytes: number;
}

/**
 * The JPEGs that the directories of a TIFF-like file point to (TIFF 6.0 §2; TIFF/EP, DNG 1.7 "Preview images"), as most cameras
 * write them. It always ends: no directory is read twice, and all numbers are limited.
 */
export async function previewsInTiff(file: WindowedReader): Promise<Previews> {
  const head = await file.readSome(0, 8);
  const order = head.toString('latin1', 0, 2);
  if (head.length < 8 || (order !== 'II' && order !== 'MM')) throw new JobError('unsupported', 'no raw photo');
  const isLittle = order === 'II';
  const previews: Preview[] = [];
  let orientation = 0;
  const seen = new Set<number>();
  const waiting = [isLittle ? head.readUInt32LE(4) : head.readUInt32BE(4)];
  for (let at = waiting.shift(); at !== undefined && seen.size < MAX_DIRECTORIES; at = waiting.shift()) {
    if (at === 0 || at >= file.size || seen.has(at)) continue;
    seen.add(at);
    const { fields, next } = await readDirectory(file, at, isLittle);
    waiting.push(...(fields.get(SUB_DIRECTORIES)?.values ?? []), ...(fields.get(EXIF_DIRECTORY)?.values ?? []), next);
    const [turn = 0] = fields.get(ORIENTATION)?.values ?? [];
    if (orientation === 0 && turn >= 1 && turn <= 8) orientation = turn;
    const inside = fields.get(JPEG_FROM_RAW);
    if (inside !== undefined && inside.bytes > 4) previews.push({ start: inside.at, length: inside.bytes });
    add(previews, fields.get(JPEG_START), fields.get(JPEG_LENGTH));
    const [compression = 0] = fields.get(COMPRESSION)?.values ?? [];
    if (JPEG_COMPRESSIONS.includes(compression)) add(previews, fields.get(STRIP_OFFSETS), fields.get(STRIP_LENGTHS));
  }
  return { previews, orientation: orientation === 0 ? 1 : orientation };
}

/** Only as a single strip: a part of an image is not a file of its own. */
function add(previews: Preview[], starts: Field | undefined, lengths: Field | undefined): void {
  const [start, length] = [starts?.values[0], lengths?.values[0]];
  if (start === undefined || length === undefined || starts?.values.length !== 1 || start === 0 || length === 0) return;
  previews.push({ start, length });
}

async function readDirectory(file: WindowedReader, at: number, isLittle: boolean) {
  const number = (bytes: Buffer, offset: number, size: number) =>
    isLittle ? bytes.readUIntLE(offset, size) : bytes.readUIntBE(offset, size);
  const fields = new Map<number, Field>();
  const counted = await file.readSome(at, 2);
  if (counted.length < 2) return { fields, next: 0 };
  const count = Math.min(number(counted, 0, 2), MAX_ENTRIES);
  const entries = await file.readSome(at + 2, count * 12 + 4);
  for (let index = 0; index < count && (index + 1) * 12 <= entries.length; index++) {
    const entry = entries.subarray(index * 12, (index + 1) * 12);
    const type = number(entry, 2, 2);
    const size = BYTES[type];
    if (size === undefined) continue;
    const length = number(entry, 4, 4);
    const bytes = size * length;
    const valueAt = bytes <= 4 ? at + 2 + index * 12 + 8 : number(entry, 8, 4);
    const isNumber = type === SHORT || type === LONG || type === IFD;
    const read = Math.min(length, MAX_VALUES);
    const value = isNumber ? await file.readSome(valueAt, read * size) : Buffer.alloc(0);
    const values = Array.from({ length: Math.floor(value.length / size) }, (_, place) =>
      number(value, place * size, size),
    );
    fields.set(number(entry, 0, 2), { values, at: valueAt, bytes });
  }
  const isWhole = entries.length === count * 12 + 4;
  return { fields, next: isWhole ? number(entries, count * 12, 4) : 0 };
}
