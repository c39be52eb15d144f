// Films of MP4 and QuickTime without frames (ISO/IEC 14496-12; QuickTime File Format).

export const uint8 = (...values: number[]) => Buffer.from(values);
export const uint16 = (value: number) => Buffer.from([(value >> 8) & 255, value & 255]);
export const uint32 = (value: number) => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value >>> 0);
  return bytes;
};
export const uint64 = (value: number) => {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64BE(BigInt(value));
  return bytes;
};
const fixed = (value: number) => uint32(Math.round(value * 65_536));

/** @param type of four characters, of which `©` is one byte */
export function box(type: string, ...parts: readonly (Buffer | string)[]): Buffer {
  const body = Buffer.concat(parts.map((part) => Buffer.from(part)));
  return Buffer.concat([uint32(body.length + 8), Buffer.from(type, 'latin1'), body]);
}

/** With a size of 64 bits. */
export function largeBox(type: string, ...parts: readonly Buffer[]): Buffer {
  const body = Buffer.concat(parts);
  return Buffer.concat([uint32(1), Buffer.from(type, 'latin1'), uint64(body.length + 16), body]);
}

/** Seconds since 1904. */
export const since1904 = (date: string) => (Date.parse(date) - Date.UTC(1904, 0, 1)) / 1_000;
/** Seconds since 1970, as some programs count. */
export const since1970 = (date: string) => Date.parse(date) / 1_000;

export interface Header {
  readonly version?: 0 | 1;
  readonly created?: number;
  readonly scale?: number;
  readonly duration?: number;
}

export function mvhd({ version = 0, created = 0, scale = 600, duration = 6_000 }: Header = {}): Buffer {
  const number = version === 1 ? uint64 : uint32;
  return box(
    'mvhd',
    uint8(version, 0, 0, 0),
    number(created),
    number(created),
    uint32(scale),
    number(duration),
    fixed(1),
    Buffer.alloc(12),
    matrix(0),
    Buffer.alloc(24),
    uint32(2),
  );
}

const TURNS = [
  [1, 0, 0, 1],
  [0, 1, -1, 0],
  [-1, 0, 0, -1],
  [0, -1, 1, 0],
] as const;

/** @param turns quarters, clockwise */
function matrix(turns: number): Buffer {
  const [a, b, c, d] = TURNS[turns] ?? TURNS[0];
  return Buffer.concat([
    fixed(a),
    fixed(b),
    uint32(0),
    fixed(c),
    fixed(d),
    uint32(0),
    uint32(0),
    uint32(0),
    uint32(2 ** 30),
  ]);
}

export interface Track extends Header {
  readonly kind?: 'vide' | 'soun' | 'text';
  readonly width?: number;
  readonly height?: number;
  /** Of the header of the track, where they differ from those of the frames. */
  readonly shown?: readonly [width: number, height: number];
  readonly turns?: number;
  readonly codec?: string;
}

export function track(options: Track = {}): Buffer {
  const { version = 0, created = 0, scale = 600, duration = 6_000, kind = 'vide', turns = 0, codec = 'avc1' } = options;
  const { width = 1_920, height = 1_080, shown = [width, height] } = options;
  const number = version === 1 ? uint64 : uint32;
  const isVideo = kind === 'vide';
  const tkhd = box(
    'tkhd',
    uint8(version, 0, 0, 7),
    number(created),
    number(created),
    uint32(1),
    uint32(0),
    number(duration),
    Buffer.alloc(16),
    matrix(turns),
    fixed(isVideo ? shown[0] : 0),
    fixed(isVideo ? shown[1] : 0),
  );
  const mdhd = box(
    'mdhd',
    uint8(0, 0, 0, 0),
    uint32(created),
    uint32(created),
    uint32(scale),
    uint32(duration),
    uint16(0x55c4),
    uint16(0),
  );
  const hdlr = box('hdlr', Buffer.alloc(8), kind, Buffer.alloc(12), 'handler\0');
  const entry = isVideo
    ? box(
        codec,
        Buffer.alloc(6),
        uint16(1),
        Buffer.alloc(16),
        uint16(width),
        uint16(height),
        uint32(0x480000),
        uint32(0x480000),
        Buffer.alloc(4),
        uint16(1),
        Buffer.alloc(32),
        uint16(24),
        uint16(0xffff),
      )
    : box(
        'mp4a',
        Buffer.alloc(6),
        uint16(1),
        Buffer.alloc(8),
        uint16(2),
        uint16(16),
        Buffer.alloc(4),
        uint32(48_000 * 65_536),
      );
  const stbl = box(
    'stbl',
    box('stsd', Buffer.alloc(4), uint32(1), entry),
    ...['stts', 'stsc', 'stco'].map((type) => box(type, Buffer.alloc(8))),
    box('stsz', Buffer.alloc(12)),
  );
  const head = isVideo ? box('vmhd', uint8(0, 0, 0, 1), Buffer.alloc(8)) : box('smhd', Buffer.alloc(8));
  return box('trak', tkhd, box('mdia', mdhd, hdlr, box('minf', head, stbl)));
}

/** A text of QuickTime, with its language. */
export function userText(type: string, text: string | Buffer, language = 0x15c7): Buffer {
  const bytes = Buffer.from(text);
  return box(type, uint16(bytes.length), uint16(language), bytes);
}

const PACKED_ENG = 0x15c7;

/** A text of 3GPP (TS 26.244, 8). */
export function assetText(type: string, text: string, encoding: 'utf8' | 'utf16' = 'utf8'): Buffer {
  const bytes =
    encoding === 'utf8'
      ? Buffer.from(`${text}\0`)
      : Buffer.concat([uint16(0xfeff), Buffer.from(`${text}\0`, 'utf16le').swap16()]);
  return box(type, uint32(0), uint16(PACKED_ENG), bytes);
}

/** A location of 3GPP (TS 26.244, 8.10). */
export function assetPlace(name: string, latitude: number, longitude: number): Buffer {
  return box(
    'loci',
    uint32(0),
    uint16(PACKED_ENG),
    `${name}\0`,
    uint8(0),
    fixed(longitude),
    fixed(latitude),
    fixed(0),
    'earth\0',
    '\0',
  );
}

/** The value of an entry. @param type 1: UTF-8, 2: UTF-16 */
const data = (text: string, type = 1) =>
  box('data', uint32(type), uint32(0), type === 2 ? Buffer.from(text, 'utf16le').swap16() : text);

const metaHead = (kind: string) => box('hdlr', Buffer.alloc(8), kind, Buffer.alloc(12), '\0');

/** Values by keys of reverse domains, as Apple's phones write them. */
export function keyed(values: Readonly<Record<string, string>>, isFull = false): Buffer {
  const names = Object.keys(values);
  return box(
    'meta',
    Buffer.alloc(isFull ? 4 : 0),
    metaHead('mdta'),
    box('keys', uint32(0), uint32(names.length), ...names.map((name) => box('mdta', name))),
    box('ilst', ...names.map((name, index) => box(uint32(index + 1).toString('latin1'), data(values[name] ?? '')))),
  );
}

/** Values by four letters, as iTunes writes them. */
export function listed(values: Readonly<Record<string, string>>, type = 1): Buffer {
  const entries = Object.entries(values).map(([name, value]) => box(name, data(value, type)));
  return box('meta', uint32(0), metaHead('mdir'), box('ilst', ...entries));
}

/** XMP in a box of its own (XMP specification, part 3, 1.2.7). */
export function xmp(properties: string): Buffer {
  return box('uuid', Buffer.from('be7acfcb97a942e89c71999491e3afac', 'hex'), xmpPacket(properties));
}

export function xmpPacket(properties: string): string {
  return `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:exif="http://ns.adobe.com/exif/1.0/" xmlns:xmp="http://ns.adobe.com/xap/1.0/">${properties}</rdf:Description></rdf:RDF></x:xmpmeta>`;
}

export const ftyp = (brand: string) => box('ftyp', brand, uint32(0), brand, 'isom');
export const moov = (...parts: readonly Buffer[]) => box('moov', ...parts);
export const udta = (...parts: readonly Buffer[]) => box('udta', ...parts);
/** Where frames would be. */
export const mdat = (length = 64) => box('mdat', Buffer.alloc(length));
