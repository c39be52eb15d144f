// Films of Matroska (RFC 9559), AVI (Microsoft, AVI RIFF file reference) and ASF (Microsoft, Advanced Systems Format), without frames.

type Content = Buffer | readonly Buffer[];

/** An element of EBML (RFC 8794), with a size of eight bytes. */
function element(id: number, content: Content): Buffer {
  const body = Array.isArray(content) ? Buffer.concat(content as Buffer[]) : (content as Buffer);
  const name = Buffer.from(
    id.toString(16).padStart(id > 0xffffff ? 8 : id > 0xffff ? 6 : id > 0xff ? 4 : 2, '0'),
    'hex',
  );
  const size = Buffer.alloc(8);
  size.writeBigUInt64BE(BigInt(body.length) | (1n << 56n));
  return Buffer.concat([name, size, body]);
}

const unsigned = (value: number) => {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64BE(BigInt(value));
  return bytes;
};
const double = (value: number) => {
  const bytes = Buffer.alloc(8);
  bytes.writeDoubleBE(value);
  return bytes;
};

export interface MatroskaOptions {
  readonly type?: 'matroska' | 'webm';
  readonly title?: string;
  readonly date?: string;
  readonly seconds?: number;
  readonly width?: number;
  readonly height?: number;
  readonly shown?: readonly [width: number, height: number];
  readonly tags?: Readonly<Record<string, string>>;
  /** Whether there are frames before the description of the film. */
  readonly isLate?: boolean;
}

export function matroska(options: MatroskaOptions): Buffer {
  const { type = 'matroska', title, date, seconds = 10, width = 1_280, height = 720, shown, tags = {} } = options;
  const head = element(0x1a45dfa3, [
    element(0x4286, unsigned(1)),
    element(0x42f7, unsigned(1)),
    element(0x42f2, unsigned(4)),
    element(0x42f3, unsigned(8)),
    element(0x4282, Buffer.from(type)),
    element(0x4287, unsigned(4)),
    element(0x4285, unsigned(2)),
  ]);
  const created = Buffer.alloc(8);
  if (date !== undefined) created.writeBigInt64BE(BigInt(Date.parse(date) - Date.UTC(2001, 0, 1)) * 1_000_000n);
  const info = element(0x1549a966, [
    element(0x2ad7b1, unsigned(1_000_000)),
    element(0x4489, double(seconds * 1_000)),
    ...(date === undefined ? [] : [element(0x4461, created)]),
    ...(title === undefined ? [] : [element(0x7ba9, Buffer.from(title))]),
    element(0x4d80, Buffer.from('muxer')),
    element(0x5741, Buffer.from('writer')),
  ]);
  const video = element(0xe0, [
    element(0xb0, unsigned(width)),
    element(0xba, unsigned(height)),
    ...(shown === undefined ? [] : [element(0x54b0, unsigned(shown[0])), element(0x54ba, unsigned(shown[1]))]),
  ]);
  const tracks = element(0x1654ae6b, [
    element(0xae, [
      element(0xd7, unsigned(1)),
      element(0x73c5, unsigned(1)),
      element(0x83, unsigned(1)),
      element(0x86, Buffer.from('V_VP8')),
      video,
    ]),
  ]);
  const entries = Object.entries(tags).map(([name, value]) =>
    element(0x67c8, [element(0x45a3, Buffer.from(name)), element(0x4487, Buffer.from(value))]),
  );
  const described =
    entries.length === 0 ? [] : [element(0x1254c367, element(0x7373, [element(0x63c0, Buffer.alloc(0)), ...entries]))];
  const cluster = element(0x1f43b675, [
    element(0xe7, unsigned(0)),
    element(0xa3, Buffer.from(`81000080${'00'.repeat(16)}`, 'hex')),
  ]);
  const void_ = element(0xec, Buffer.alloc(40));
  const parts =
    options.isLate === true ? [void_, info, tracks, cluster, ...described] : [info, tracks, ...described, cluster];
  return Buffer.concat([head, element(0x18538067, parts)]);
}

const little16 = (value: number) => Buffer.from([value & 255, (value >> 8) & 255]);
const little32 = (value: number) => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value >>> 0);
  return bytes;
};
const little64 = (value: bigint) => {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(value);
  return bytes;
};

/** A chunk of RIFF, padded to an even length. */
function chunk(type: string, body: Buffer): Buffer {
  return Buffer.concat([Buffer.from(type), little32(body.length), body, Buffer.alloc(body.length % 2)]);
}
const list = (type: string, ...chunks: readonly Buffer[]) =>
  chunk('LIST', Buffer.concat([Buffer.from(type), ...chunks]));

export interface AviOptions {
  readonly width?: number;
  readonly height?: number;
  /** Per second. */
  readonly rate?: number;
  readonly frames?: number;
  /** The texts of INFO. */
  readonly texts?: Readonly<Record<string, string | Buffer>>;
  /** When it was made, in a chunk of its own. */
  readonly date?: string;
  /** A packet of XMP behind the frames. */
  readonly xmp?: Buffer;
}

export function avi({ width = 640, height = 480, rate = 25, frames = 250, texts = {}, date, xmp }: AviOptions): Buffer {
  const avih = chunk(
    'avih',
    Buffer.concat([Math.round(1_000_000 / rate), 0, 0, 0, frames, 0, 1, 0, width, height, 0, 0, 0, 0].map(little32)),
  );
  const strh = chunk(
    'strh',
    Buffer.concat([Buffer.from('vidsMJPG'), ...[0, 0, 0, 1, rate, 0, frames, 0, 0, 0].map(little32), Buffer.alloc(8)]),
  );
  const strf = chunk(
    'strf',
    Buffer.concat([
      little32(40),
      little32(width),
      little32(height),
      little16(1),
      little16(24),
      Buffer.from('MJPG'),
      Buffer.alloc(20),
    ]),
  );
  const info = Object.entries(texts).map(([type, text]) =>
    chunk(type, Buffer.concat([Buffer.from(text), Buffer.alloc(1)])),
  );
  const parts = [
    list('hdrl', avih, list('strl', strh, strf), ...(date === undefined ? [] : [chunk('IDIT', Buffer.from(date))])),
    ...(info.length === 0 ? [] : [list('INFO', ...info)]),
    list('movi', chunk('00dc', Buffer.alloc(32))),
    ...(xmp === undefined ? [] : [chunk('_PMX', xmp)]),
  ];
  return chunk('RIFF', Buffer.concat([Buffer.from('AVI '), ...parts]));
}

/** The bytes of a GUID in its usual notation. */
function guid(text: string): Buffer {
  const [a = '', b = '', c = '', d = '', e = ''] = text.split('-');
  const reversed = (digits: string) => Buffer.from(digits, 'hex').reverse();
  return Buffer.concat([reversed(a), reversed(b), reversed(c), Buffer.from(d + e, 'hex')]);
}

const object = (id: string, ...parts: readonly Buffer[]) => {
  const body = Buffer.concat(parts);
  return Buffer.concat([guid(id), little64(BigInt(body.length + 24)), body]);
};

export interface AsfOptions {
  readonly title?: string;
  readonly author?: string;
  /** When it was made. */
  readonly date?: string;
  readonly seconds?: number;
  readonly width?: number;
  readonly height?: number;
  /** Of the person, in the percent of Windows. */
  readonly rating?: number;
}

const TICKS = 10_000n;
const PREROLL = 3_000n;

export function asf(options: AsfOptions): Buffer {
  const { title = '', author = '', date, seconds = 10, width = 320, height = 240, rating } = options;
  const wide = (text: string) => Buffer.from(`${text}\0`, 'utf16le');
  // 100 nanoseconds since 1601.
  const created = date === undefined ? 0n : BigInt(Date.parse(date) - Date.UTC(1601, 0, 1)) * TICKS;
  const length = (BigInt(Math.round(seconds * 1_000)) + PREROLL) * TICKS;
  const properties = object(
    '8cabdca1-a947-11cf-8ee4-00c00c205365',
    Buffer.alloc(16, 7),
    little64(4_096n),
    little64(created),
    little64(1n),
    little64(length),
    little64(length),
    little64(PREROLL),
    ...[2, 3_200, 3_200, 500_000].map(little32),
  );
  const format = Buffer.concat([
    little32(40),
    little32(width),
    little32(height),
    little16(1),
    little16(24),
    Buffer.from('WMV3'),
    Buffer.alloc(20),
  ]);
  const stream = object(
    'b7dc0791-a9b7-11cf-8ee6-00c00c205365',
    guid('bc19efc0-5b4d-11cf-a8fd-00805f5c442b'),
    guid('20fb5700-5b55-11cf-a8fd-00805f5c442b'),
    little64(0n),
    little32(11 + format.length),
    little32(0),
    little16(1),
    little32(0),
    Buffer.concat([little32(width), little32(height), Buffer.from([2]), little16(format.length), format]),
  );
  const texts = [title, author, '', '', ''].map(wide);
  const described = object(
    '75b22633-668e-11cf-a6d9-00aa0062ce6c',
    ...texts.map((text) => little16(text.length)),
    ...texts,
  );
  const name = wide('WM/SharedUserRating');
  // The type of the value: a number of 32 bits.
  const value = [little16(3), little16(4), little32(rating ?? 0)];
  const extended = object('d2d0a440-e307-11d2-97f0-00a0c95ea850', little16(1), little16(name.length), name, ...value);
  const objects = [
    properties,
    ...(title === '' && author === '' ? [] : [described]),
    ...(rating === undefined ? [] : [extended]),
    stream,
  ];
  const header = Buffer.concat([little32(objects.length), Buffer.from([1, 2]), ...objects]);
  return Buffer.concat([
    object('75b22630-668e-11cf-a6d9-00aa0062ce6c', header),
    object('75b22636-668e-11cf-a6d9-00aa0062ce6c', Buffer.alloc(26)),
  ]);
}
