import { crc32 } from 'node:zlib';

/** A value of EXIF: text, numbers of 16 bits, fractions, or bytes. */
export type TagValue =
  | string
  | readonly number[]
  | { readonly fractions: readonly (readonly [number, number])[] }
  | Buffer;

export interface Directories {
  readonly main?: Readonly<Record<number, TagValue>>;
  readonly exif?: Readonly<Record<number, TagValue>>;
  readonly gps?: Readonly<Record<number, TagValue>>;
}

const EXIF_POINTER = 0x8769;
const GPS_POINTER = 0x8825;

/** EXIF as TIFF (TIFF 6.0, section 2; CIPA DC-008, 4.6). */
export function buildExif({ main = {}, exif, gps }: Directories, isLittle = true): Buffer {
  const short = (value: number) => number(value, 2, isLittle);
  const long = (value: number) => number(value, 4, isLittle);
  const header = Buffer.concat([Buffer.from(isLittle ? 'II' : 'MM'), short(42), long(8)]);
  const directory = (
    tags: Readonly<Record<number, TagValue>>,
    at: number,
    pointers: readonly (readonly [number, number])[],
  ) => {
    const rows = Object.entries(tags).map(([tag, value]) => ({ tag: Number(tag), ...encoded(value, isLittle) }));
    for (const [tag, to] of pointers) rows.push({ tag, type: 4, count: 1, bytes: long(to) });
    rows.sort((a, b) => a.tag - b.tag);
    let free = at + 2 + rows.length * 12 + 4;
    const entries: Buffer[] = [];
    const data: Buffer[] = [];
    for (const { tag, type, count, bytes } of rows) {
      const isInline = bytes.length <= 4;
      const value = isInline ? Buffer.concat([bytes, Buffer.alloc(4 - bytes.length)]) : long(free);
      entries.push(Buffer.concat([short(tag), short(type), long(count), value]));
      if (isInline) continue;
      const even = bytes.length % 2 === 0 ? bytes : Buffer.concat([bytes, Buffer.alloc(1)]);
      data.push(even);
      free += even.length;
    }
    return Buffer.concat([short(rows.length), ...entries, long(0), ...data]);
  };
  const lengthOf = (pointers: number) =>
    directory(
      main,
      8,
      Array.from({ length: pointers }, (_, index) => [index, 0] as const),
    ).length;
  const subs = [
    ...(exif === undefined ? [] : [{ tag: EXIF_POINTER, tags: exif }]),
    ...(gps === undefined ? [] : [{ tag: GPS_POINTER, tags: gps }]),
  ];
  let at = 8 + lengthOf(subs.length);
  const pointers: (readonly [number, number])[] = [];
  const bodies: Buffer[] = [];
  for (const { tag, tags } of subs) {
    pointers.push([tag, at]);
    const body = directory(tags, at, []);
    bodies.push(body);
    at += body.length;
  }
  return Buffer.concat([header, directory(main, 8, pointers), ...bodies]);
}

function encoded(value: TagValue, isLittle: boolean): { type: number; count: number; bytes: Buffer } {
  if (typeof value === 'string') {
    const bytes = Buffer.from(`${value}\0`);
    return { type: 2, count: bytes.length, bytes };
  }
  if (Buffer.isBuffer(value)) return { type: 1, count: value.length, bytes: value };
  if ('fractions' in value) {
    const bytes = value.fractions.flatMap(([over, under]) => [number(over, 4, isLittle), number(under, 4, isLittle)]);
    return { type: 5, count: value.fractions.length, bytes: Buffer.concat(bytes) };
  }
  return { type: 3, count: value.length, bytes: Buffer.concat(value.map((one) => number(one, 2, isLittle))) };
}

function number(value: number, length: 2 | 4, isLittle: boolean): Buffer {
  const bytes = Buffer.alloc(length);
  if (isLittle) bytes.writeUIntLE(value, 0, length);
  else bytes.writeUIntBE(value, 0, length);
  return bytes;
}

export interface Parts {
  readonly exif?: Buffer | undefined;
  readonly xmp?: string | undefined;
  readonly iptc?: Buffer | undefined;
  /** Chunks or segments of other kinds, by their types or markers. */
  readonly others?: readonly (readonly [kind: string | number, body: Buffer])[] | undefined;
}

const WIDTH = 6;
const HEIGHT = 4;

/** A JPEG of 6 × 4 pixels without any, which suffices for its metadata. */
export function buildJpeg({ exif, xmp, iptc, others = [] }: Parts): Buffer {
  const segment = (marker: number, body: Buffer) =>
    Buffer.concat([Buffer.from([0xff, marker]), number(body.length + 2, 2, false), body]);
  const frame = Buffer.from([8, 0, HEIGHT, 0, WIDTH, 1, 1, 0x11, 0]);
  return Buffer.concat([
    Buffer.from([0xff, 0xd8]),
    ...(exif ? [segment(0xe1, Buffer.concat([Buffer.from('Exif\0\0'), exif]))] : []),
    ...(xmp ? [segment(0xe1, Buffer.from(`http://ns.adobe.com/xap/1.0/\0${xmp}`))] : []),
    ...(iptc ? [segment(0xed, photoshop(iptc))] : []),
    ...others.map(([marker, body]) => segment(Number(marker), body)),
    segment(0xc0, frame),
    segment(0xda, Buffer.from([1, 1, 0, 0, 63, 0])),
    Buffer.from([0, 0xff, 0xd9]),
  ]);
}

/** Photoshop's resource 1028, with an empty name. */
function photoshop(iptc: Buffer): Buffer {
  const padding = Buffer.alloc(iptc.length % 2);
  return Buffer.concat([
    Buffer.from('Photoshop 3.0\x008BIM\x04\x04\0\0', 'latin1'),
    number(iptc.length, 4, false),
    iptc,
    padding,
  ]);
}

/** IPTC-IIM 4.1, 1.5: data sets of the records 1 and 2. */
export function buildIptc(sets: readonly (readonly [record: number, set: number, value: Buffer])[]): Buffer {
  return Buffer.concat(
    sets.map(([record, set, value]) =>
      Buffer.concat([Buffer.from([0x1c, record, set]), number(value.length, 2, false), value]),
    ),
  );
}

export function buildPng({ exif, xmp, others = [] }: Parts): Buffer {
  const chunk = (type: string, body: Buffer) => {
    const typed = Buffer.concat([Buffer.from(type), body]);
    return Buffer.concat([number(body.length, 4, false), typed, number(crc32(typed), 4, false)]);
  };
  const head = Buffer.concat([number(WIDTH, 4, false), number(HEIGHT, 4, false), Buffer.from([8, 0, 0, 0, 0])]);
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', head),
    ...(exif ? [chunk('eXIf', exif)] : []),
    ...(xmp ? [chunk('iTXt', Buffer.from(`XML:com.adobe.xmp\0\0\0\0\0${xmp}`))] : []),
    ...others.map(([type, body]) => chunk(String(type), body)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** A GIF of one pixel, with XMP before it (XMP specification, part 3, 1.1.2). */
export function buildGif(xmp: string): Buffer {
  const trailer = Buffer.from([1, ...Array.from({ length: 256 }, (_, index) => 255 - index), 0]);
  return Buffer.concat([
    Buffer.from('GIF89a\x06\0\x04\0\x80\0\0\0\0\0\xff\xff\xff', 'latin1'),
    Buffer.from('21f904000000000021fe05776f72647300', 'hex'),
    Buffer.from('21ff0b4e45545343415045322e30030100000021ff0b584d502044617461584d50', 'hex'),
    Buffer.from(xmp),
    trailer,
    Buffer.from('2c00000000010001000002024401003b', 'hex'),
  ]);
}

export function buildWebp({ exif, xmp }: Parts): Buffer {
  const chunk = (type: string, body: Buffer) =>
    Buffer.concat([Buffer.from(type), number(body.length, 4, true), body, Buffer.alloc(body.length % 2)]);
  const size = (value: number) => Buffer.from([value - 1, 0, 0]);
  const flags = (exif ? 8 : 0) | (xmp ? 4 : 0);
  const body = Buffer.concat([
    Buffer.from('WEBP'),
    chunk('VP8X', Buffer.concat([Buffer.from([flags, 0, 0, 0]), size(WIDTH), size(HEIGHT)])),
    ...(exif ? [chunk('EXIF', exif)] : []),
    ...(xmp ? [chunk('XMP ', Buffer.from(xmp))] : []),
  ]);
  return Buffer.concat([Buffer.from('RIFF'), number(body.length, 4, true), body]);
}
