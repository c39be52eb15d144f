import { crc32, deflateRawSync } from 'node:zlib';

/** The header of an entry. Sizes and checksum are correct unless a test sets them. */
export interface ZipHead {
  readonly name?: string | Buffer;
  readonly method?: number;
  readonly flags?: number;
  readonly crc?: number;
  readonly size?: number;
  readonly packedSize?: number;
}

export interface ZipItem extends ZipHead {
  readonly name: string | Buffer;
  readonly content?: string | Buffer;
  /** The compressed bytes, if not derived from `content`. */
  readonly packed?: Buffer;
  /** Unix mode with file type, such as 0o120777 for a link. */
  readonly mode?: number;
  /** The local header, if it differs from the directory. */
  readonly local?: ZipHead;
  /** Sizes and checksum follow the content. */
  readonly descriptor?: true;
  /** Sizes and offset are in a ZIP64 field. */
  readonly zip64?: true;
  /** Further fields of both headers. */
  readonly extra?: Buffer;
  /** The offset of the entry in the directory. */
  readonly offset?: number;
  /** Local time. */
  readonly date?: Date;
}

export interface ZipEnd {
  /** The number of entries in the end record. */
  readonly count?: number;
  readonly zip64?: true;
}

const UTF8 = 0x800;
const DESCRIPTOR = 0x8;
const MOST = 0xffff_ffff;

export const DEFLATED = 8;
export const LINK = 0o120777;

/** A ZIP archive built byte by byte, valid or not. */
export function buildZip(items: readonly ZipItem[], { count = items.length, zip64 }: ZipEnd = {}): Buffer {
  const pieces: Buffer[] = [];
  const directory: Buffer[] = [];
  let at = 0;
  for (const item of items) {
    const packed = packedOf(item);
    const head = headOf(item, packed);
    const before = localHead(item, {
      ...head,
      ...(item.descriptor ? { crc: 0, size: 0, packedSize: 0 } : {}),
      ...item.local,
    });
    const behind = item.descriptor ? descriptor(head) : Buffer.alloc(0);
    directory.push(directoryHead(item, head, item.offset ?? at));
    pieces.push(before, packed, behind);
    at += before.length + packed.length + behind.length;
  }
  const list = Buffer.concat(directory);
  return Buffer.concat([
    ...pieces,
    list,
    ...(zip64 ? [zip64End(count, list.length, at)] : []),
    end(count, list, at, zip64),
  ]);
}

/** The same, compressed as usual. */
export function buildPackedZip(items: readonly ZipItem[]): Buffer {
  return buildZip(items.map((item) => ({ method: DEFLATED, ...item })));
}

function packedOf({ packed, content = '', method = 0 }: ZipItem): Buffer {
  return packed ?? (method === DEFLATED ? deflateRawSync(content) : Buffer.from(content));
}

function headOf(item: ZipItem, packed: Buffer): Required<ZipHead> {
  const { name, content = '', method = 0, flags = 0, descriptor: later } = item;
  const text = typeof name === 'string' && !/^[\0-\x7f]*$/.test(name) ? UTF8 : 0;
  return {
    name,
    method,
    flags: flags | text | (later ? DESCRIPTOR : 0),
    crc: item.crc ?? crc32(Buffer.from(content)),
    size: item.size ?? Buffer.byteLength(content),
    packedSize: item.packedSize ?? packed.length,
  };
}

function localHead(
  { date, extra = Buffer.alloc(0) }: ZipItem,
  { name, method, flags, crc, size, packedSize }: Required<ZipHead>,
): Buffer {
  const bytes = Buffer.from(name);
  const head = Buffer.alloc(30);
  head.writeUInt32LE(0x04034b50, 0);
  head.writeUInt16LE(20, 4);
  head.writeUInt16LE(flags, 6);
  head.writeUInt16LE(method, 8);
  head.writeUInt32LE(crc, 14);
  head.writeUInt32LE(Math.min(packedSize, MOST), 18);
  head.writeUInt32LE(Math.min(size, MOST), 22);
  writeDate(head, 10, date);
  head.writeUInt16LE(bytes.length, 26);
  head.writeUInt16LE(extra.length, 28);
  return Buffer.concat([head, bytes, extra]);
}

function descriptor({ crc, size, packedSize }: Required<ZipHead>): Buffer {
  const bytes = Buffer.alloc(16);
  for (const [index, value] of [0x08074b50, crc, packedSize, size].entries()) bytes.writeUInt32LE(value, index * 4);
  return bytes;
}

function directoryHead(
  item: ZipItem,
  { name, method, flags, crc, size, packedSize }: Required<ZipHead>,
  at: number,
): Buffer {
  const bytes = Buffer.from(name);
  const isLarge = item.zip64 ?? size > MOST;
  const extra = Buffer.concat([item.extra ?? Buffer.alloc(0), ...(isLarge ? [zip64Field(size, packedSize, at)] : [])]);
  const head = Buffer.alloc(46);
  head.writeUInt32LE(0x02014b50, 0);
  // Marked as made on Unix if there is a mode.
  head.writeUInt16LE(item.mode === undefined ? 20 : (3 << 8) | 20, 4);
  head.writeUInt16LE(20, 6);
  head.writeUInt16LE(flags, 8);
  head.writeUInt16LE(method, 10);
  writeDate(head, 12, item.date);
  head.writeUInt32LE(crc, 16);
  head.writeUInt32LE(isLarge ? MOST : packedSize, 20);
  head.writeUInt32LE(isLarge ? MOST : size, 24);
  head.writeUInt16LE(bytes.length, 28);
  head.writeUInt16LE(extra.length, 30);
  head.writeUInt32LE(((item.mode ?? 0) << 16) >>> 0, 38);
  head.writeUInt32LE(isLarge ? MOST : at, 42);
  return Buffer.concat([head, bytes, extra]);
}

function writeDate(head: Buffer, at: number, date = new Date(2020, 0, 2, 3, 4, 6)): void {
  head.writeUInt16LE((date.getHours() << 11) | (date.getMinutes() << 5) | (date.getSeconds() >> 1), at);
  head.writeUInt16LE(((date.getFullYear() - 1980) << 9) | ((date.getMonth() + 1) << 5) | date.getDate(), at + 2);
}

function zip64Field(...values: number[]): Buffer {
  const field = Buffer.alloc(4 + values.length * 8);
  field.writeUInt16LE(1, 0);
  field.writeUInt16LE(values.length * 8, 2);
  for (const [index, value] of values.entries()) field.writeBigUInt64LE(BigInt(value), 4 + index * 8);
  return field;
}

/** A further field: the modification time in seconds since the epoch. */
export function timeField(seconds: number): Buffer {
  const field = Buffer.alloc(9);
  field.writeUInt16LE(0x5455, 0);
  field.writeUInt16LE(5, 2);
  field.writeUInt8(1, 4);
  field.writeInt32LE(seconds, 5);
  return field;
}

/** A further field: another spelling of the name. */
export function nameField(name: string, other: string): Buffer {
  const bytes = Buffer.from(other);
  const field = Buffer.alloc(9);
  field.writeUInt16LE(0x7075, 0);
  field.writeUInt16LE(5 + bytes.length, 2);
  field.writeUInt8(1, 4);
  field.writeUInt32LE(crc32(Buffer.from(name)), 5);
  return Buffer.concat([field, bytes]);
}

function end(count: number, list: Buffer, at: number, zip64: true | undefined): Buffer {
  const bytes = Buffer.alloc(22);
  bytes.writeUInt32LE(0x06054b50, 0);
  bytes.writeUInt16LE(zip64 ? 0xffff : count & 0xffff, 8);
  bytes.writeUInt16LE(zip64 ? 0xffff : count & 0xffff, 10);
  bytes.writeUInt32LE(list.length, 12);
  bytes.writeUInt32LE(zip64 ? MOST : at, 16);
  return bytes;
}

function zip64End(count: number, length: number, at: number): Buffer {
  const bytes = Buffer.alloc(56 + 20);
  bytes.writeUInt32LE(0x06064b50, 0);
  bytes.writeBigUInt64LE(44n, 4);
  for (const [offset, value] of [
    [24, count],
    [32, count],
    [40, length],
    [48, at],
  ] as const) {
    bytes.writeBigUInt64LE(BigInt(value), offset);
  }
  bytes.writeUInt32LE(0x07064b50, 56);
  bytes.writeBigUInt64LE(BigInt(at + length), 56 + 8);
  bytes.writeUInt32LE(1, 56 + 16);
  return bytes;
}
