import { JobError } from '../../job-error.ts';
import type { WindowedReader } from '../windowed-reader.ts';

/** The extracted directories of a TIFF file, or of a raw photo based on TIFF. */
interface TiffContent {
  /** A small TIFF file with the metadata, for the EXIF reader. */
  readonly exif: Buffer;
  readonly xmp: Buffer | null;
  /** Of its largest image, in pixels, as stored; 0 if unknown. */
  readonly width: number;
  readonly height: number;
}

interface Entry {
  readonly tag: number;
  readonly type: number;
  readonly count: number;
  readonly bytes: Buffer;
}

/** TIFF 6; Olympus and Panasonic have their own numbers. BigTIFF is not supported. */
const MAGIC = new Set([42, 0x4f52, 0x5352, 0x55]);
const PANASONIC = 0x55;
/** Bytes of a value, by its type. */
const SIZES = [0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8, 4];
const LONG = 4;
/** Limits: bytes of a metadata value, bytes of XMP, entries per directory, image directories per file. */
const MAX_VALUE = 64 * 1024;
const MAX_XMP = 1024 * 1024;
const MAX_ENTRIES = 1_000;
const MAX_PICTURES = 10;

const TAG = { width: 0x100, height: 0x101, xmp: 0x2bc, pictures: 0x14a, exif: 0x8769, places: 0x8825 } as const;
/** In the exposure directory: maker notes, comments, and a third directory. */
const LEFT_OUT = new Set([0x927c, 0x9286, 0xa005]);
/**
 * In the first directory: dimensions, description, make, model, orientation, dates, artist, copyright, IPTC, exposure data of
 * older raw photos, and the texts and ratings of Windows.
 */
const FIRST = new Set([
  ...[0x100, 0x101, 0x10e, 0x10f, 0x110, 0x112, 0x132, 0x13b, 0x8298, 0x83bb, 0x829a, 0x829d, 0x8827, 0x9003, 0x920a],
  ...[0x9c9b, 0x9c9c, 0x9c9d, 0x9c9e, 0x9c9f, 0x4746, 0x4749],
]);

/** @throws JobError `unsupported` when it is not TIFF */
export async function readTiff(reader: WindowedReader): Promise<TiffContent> {
  const directories = await Directories.open(reader);
  const first = await directories.read(directories.first, (tag) => FIRST.has(tag) || isPointer(tag));
  const xmp = await directories.value(directories.first, TAG.xmp, MAX_XMP);
  const exif = await directories.below(first, TAG.exif, (tag) => !LEFT_OUT.has(tag));
  const places = await directories.below(first, TAG.places, () => true);
  const sides = directories.isPanasonic ? await directories.panasonicSides() : await directories.largest(first);
  const kept = first.filter(({ tag }) => FIRST.has(tag));
  return { exif: smallTiff(directories.isLittle, kept, exif, places), xmp, ...sides };
}

/** One TIFF from several, as some cameras store them: the first directory of each becomes one. */
export async function joinedTiff(
  first: WindowedReader,
  exif: WindowedReader | null,
  places: WindowedReader | null,
): Promise<Buffer> {
  const main = await Directories.open(first);
  const rest = async (reader: WindowedReader | null) => {
    if (reader === null) return [];
    const directories = await Directories.open(reader);
    if (directories.isLittle !== main.isLittle) return [];
    return directories.read(directories.first, (tag) => !LEFT_OUT.has(tag));
  };
  const kept = await main.read(main.first, (tag) => FIRST.has(tag));
  return smallTiff(main.isLittle, kept, await rest(exif), await rest(places));
}

class Directories {
  readonly first: number;
  readonly isLittle: boolean;
  readonly isPanasonic: boolean;
  readonly #reader: WindowedReader;

  private constructor(reader: WindowedReader, header: Buffer, isLittle: boolean) {
    this.#reader = reader;
    this.isLittle = isLittle;
    this.first = this.#u32(header, 4);
    this.isPanasonic = this.#u16(header, 2) === PANASONIC;
  }

  static async open(reader: WindowedReader): Promise<Directories> {
    const header = await reader.readSome(0, 8);
    const order = header.toString('latin1', 0, 2);
    const isTiff = header.length === 8 && (order === 'II' || order === 'MM');
    if (!isTiff) throw new JobError('unsupported', 'no TIFF');
    const directories = new Directories(reader, header, order === 'II');
    if (!MAGIC.has(directories.#u16(header, 2))) throw new JobError('unsupported', 'no TIFF of this kind');
    return directories;
  }

  #u16(bytes: Buffer, at: number): number {
    return this.isLittle ? bytes.readUInt16LE(at) : bytes.readUInt16BE(at);
  }

  #u32(bytes: Buffer, at: number): number {
    return this.isLittle ? bytes.readUInt32LE(at) : bytes.readUInt32BE(at);
  }

  /** The requested entries of a directory; truncated or too large ones are left out. */
  async read(at: number, isWanted: (tag: number) => boolean, limit = MAX_VALUE): Promise<Entry[]> {
    const head = await this.#reader.readSome(at, 2);
    if (head.length < 2) return [];
    const count = Math.min(this.#u16(head, 0), MAX_ENTRIES);
    const table = await this.#reader.readSome(at + 2, count * 12);
    const entries: Entry[] = [];
    const found = new Set<number>();
    for (let start = 0; start + 12 <= table.length; start += 12) {
      const [tag, type, number] = [this.#u16(table, start), this.#u16(table, start + 2), this.#u32(table, start + 4)];
      const length = (SIZES[type] ?? 0) * number;
      if (!isWanted(tag) || length === 0 || length > limit || found.has(tag)) continue;
      found.add(tag);
      const bytes =
        length <= 4
          ? table.subarray(start + 8, start + 8 + length)
          : await this.#reader.readSome(this.#u32(table, start + 8), length);
      if (bytes.length === length) entries.push({ tag, type, count: number, bytes });
    }
    return entries;
  }

  async value(at: number, requested: number, limit: number): Promise<Buffer | null> {
    const [entry] = await this.read(at, (tag) => tag === requested, limit);
    return entry?.bytes ?? null;
  }

  /** The directory that an entry points to. */
  async below(entries: readonly Entry[], pointer: number, isWanted: (tag: number) => boolean): Promise<Entry[]> {
    const [at] = this.#numbers(entries, pointer);
    return at === undefined ? [] : this.read(at, isWanted);
  }

  /** A raw photo has a preview in its first directory, and the sensor image below it. */
  async largest(first: readonly Entry[]): Promise<{ width: number; height: number }> {
    const isSide = (tag: number) => tag === TAG.width || tag === TAG.height;
    const pictures = [first];
    for (const at of this.#numbers(first, TAG.pictures).slice(0, MAX_PICTURES))
      pictures.push(await this.read(at, isSide));
    const sides = pictures.map((entries) => ({
      width: this.#numbers(entries, TAG.width)[0] ?? 0,
      height: this.#numbers(entries, TAG.height)[0] ?? 0,
    }));
    return sides.reduce((best, one) => (one.width * one.height > best.width * best.height ? one : best));
  }

  /** Top, left, bottom and right of the sensor area. */
  async panasonicSides(): Promise<{ width: number; height: number }> {
    const borders = await this.read(this.first, (tag) => tag >= 4 && tag <= 7);
    const [top = 0, left = 0, bottom = 0, right = 0] = [4, 5, 6, 7].map((tag) => this.#numbers(borders, tag)[0]);
    return { width: right - left, height: bottom - top };
  }

  #numbers(entries: readonly Entry[], requested: number): number[] {
    const entry = entries.find(({ tag }) => tag === requested);
    if (entry === undefined) return [];
    const size = SIZES[entry.type];
    if (size !== 2 && size !== 4) return [];
    return Array.from({ length: entry.bytes.length / size }, (_, i) =>
      size === 2 ? this.#u16(entry.bytes, i * 2) : this.#u32(entry.bytes, i * 4),
    );
  }
}

function isPointer(tag: number): boolean {
  return tag === TAG.pictures || tag === TAG.exif || tag === TAG.places;
}

/** Builds a TIFF with only three directories. */
function smallTiff(isLittle: boolean, first: Entry[], exif: readonly Entry[], places: readonly Entry[]): Buffer {
  const header = Buffer.from([...(isLittle ? [0x49, 0x49, 42, 0] : [0x4d, 0x4d, 0, 42]), 0, 0, 0, 0]);
  const parts: Buffer[] = [header];
  let at = header.length;
  const u32 = (value: number) => {
    const bytes = Buffer.alloc(4);
    if (isLittle) bytes.writeUInt32LE(value);
    else bytes.writeUInt32BE(value);
    return bytes;
  };
  const u16 = (value: number) =>
    isLittle ? Buffer.from([value & 255, value >> 8]) : Buffer.from([value >> 8, value & 255]);
  const put = (entries: readonly Entry[]) => {
    const place = at;
    let free = at + 2 + entries.length * 12 + 4;
    const table = [u16(entries.length)];
    const values: Buffer[] = [];
    for (const { tag, type, count, bytes } of entries) {
      const isInside = bytes.length <= 4;
      const inside = isInside ? Buffer.concat([bytes, Buffer.alloc(4 - bytes.length)]) : u32(free);
      table.push(u16(tag), u16(type), u32(count), inside);
      if (isInside) continue;
      values.push(bytes);
      free += bytes.length;
    }
    parts.push(...table, u32(0), ...values);
    at = free;
    return place;
  };
  const pointer = (tag: number, entries: readonly Entry[]): Entry[] =>
    entries.length === 0 ? [] : [{ tag, type: LONG, count: 1, bytes: u32(put(entries)) }];
  const pointers = [...pointer(TAG.exif, exif), ...pointer(TAG.places, places)];
  u32(put([...first, ...pointers])).copy(header, 4);
  return Buffer.concat(parts);
}
