/** How a frame of ID3v2 has its text (ID3v2.4.0, 4): the number of the encoding, and its bytes. */
export const ID3_TEXTS = {
  latin1: (text: string) => Buffer.concat([Buffer.from([0]), Buffer.from(text, 'latin1')]),
  utf16: (text: string) => Buffer.concat([Buffer.from([1, 0xff, 0xfe]), Buffer.from(text, 'utf16le')]),
  utf16be: (text: string) => Buffer.concat([Buffer.from([2]), Buffer.from(text, 'utf16le').swap16()]),
  utf8: (text: string) => Buffer.concat([Buffer.from([3]), Buffer.from(text)]),
} as const;

const long = (value: number) => Buffer.from([value >>> 24, (value >>> 16) & 255, (value >>> 8) & 255, value & 255]);
/** Seven bits per byte. */
const safe = (value: number) =>
  Buffer.from([(value >>> 21) & 127, (value >>> 14) & 127, (value >>> 7) & 127, value & 127]);
const little = (value: number) => long(value).reverse();

/** Silence: MPEG-1 layer III, 128 kbit/s, 44.1 kHz. */
const FRAME = Buffer.concat([Buffer.from([0xff, 0xfb, 0x90, 0x00]), Buffer.alloc(413)]);
const SOUND = Buffer.concat(Array.from({ length: 20 }, () => FRAME));

/** An MP3 with a tag before the sound (ID3v2.3.0 and 2.4.0), and one behind it. */
export function buildMp3(
  version: 3 | 4,
  frames: readonly (readonly [id: string, body: Buffer])[],
  behind?: Buffer,
): Buffer {
  const body = Buffer.concat(
    frames.map(([id, content]) =>
      Buffer.concat([
        Buffer.from(id),
        version === 4 ? safe(content.length) : long(content.length),
        Buffer.alloc(2),
        content,
      ]),
    ),
  );
  const head = Buffer.concat([Buffer.from('ID3'), Buffer.from([version, 0, 0]), safe(body.length)]);
  return Buffer.concat([...(frames.length > 0 ? [head, body] : []), SOUND, behind ?? Buffer.alloc(0)]);
}

/** ID3v1.1. */
export function buildId3v1(fields: {
  title: string;
  artist: string;
  album: string;
  year: string;
  track: number;
  genre: number;
}): Buffer {
  const field = (text: string, length: number) =>
    Buffer.concat([Buffer.from(text, 'latin1'), Buffer.alloc(length)]).subarray(0, length);
  return Buffer.concat([
    Buffer.from('TAG'),
    field(fields.title, 30),
    field(fields.artist, 30),
    field(fields.album, 30),
    field(fields.year, 4),
    field('', 28),
    Buffer.from([0, fields.track, fields.genre]),
  ]);
}

type Comments = readonly (readonly [name: string, value: string])[];

/** Vorbis I, 5. */
function vorbisComments(comments: Comments): Buffer {
  const text = (value: string) => Buffer.concat([little(Buffer.byteLength(value)), Buffer.from(value)]);
  return Buffer.concat([
    text('maker'),
    little(comments.length),
    ...comments.map(([name, value]) => text(`${name}=${value}`)),
  ]);
}

/** The head of a FLAC of one second, without any sound (RFC 9639, 8). @param pictures blocks of that kind */
export function buildFlac(comments: Comments, pictures: readonly Buffer[] = []): Buffer {
  const block = (type: number, isLast: boolean, body: Buffer) =>
    Buffer.concat([Buffer.from([type | (isLast ? 0x80 : 0)]), long(body.length).subarray(1), body]);
  const info = Buffer.alloc(34);
  info.writeUInt16BE(4096, 0);
  info.writeUInt16BE(4096, 2);
  // 44,100 Hz, two channels, 16 bits, 44,100 samples.
  info.writeBigUInt64BE((44_100n << 44n) | (1n << 41n) | (15n << 36n) | 44_100n, 10);
  return Buffer.concat([
    Buffer.from('fLaC'),
    block(0, false, info),
    ...pictures.map((picture) => block(6, false, picture)),
    block(4, true, vorbisComments(comments)),
  ]);
}

/** An Opus file of one packet of silence (RFC 7845). */
export function buildOpus(comments: Comments): Buffer {
  const head = Buffer.from('4f707573486561640101000080bb0000000000', 'hex');
  const tags = Buffer.concat([Buffer.from('OpusTags'), vorbisComments(comments)]);
  return Buffer.concat([
    page(0, 2, 0n, head),
    page(1, 0, 0n, tags),
    page(2, 4, 96_000n, Buffer.from([0xf8, 0xff, 0xfe])),
  ]);
}

/** A picture with its kind and description (RFC 9639, 8.8); Ogg has it in Base64. */
export function flacPicture(kind: number, description: string, type: string, picture: Buffer): Buffer {
  const text = (value: string) => Buffer.concat([long(Buffer.byteLength(value)), Buffer.from(value)]);
  const about = [long(1), long(1), long(24), long(0)];
  return Buffer.concat([long(kind), text(type), text(description), ...about, long(picture.length), picture]);
}

/** A page with one packet (RFC 3533, 6). */
function page(number: number, type: number, position: bigint, packet: Buffer): Buffer {
  const laces = [...Array.from({ length: Math.floor(packet.length / 255) }, () => 255), packet.length % 255];
  const head = Buffer.alloc(27);
  head.write('OggS', 0, 'latin1');
  head.writeUInt8(type, 5);
  head.writeBigInt64LE(position, 6);
  head.writeUInt32LE(1, 14);
  head.writeUInt32LE(number, 18);
  head.writeUInt8(laces.length, 26);
  const all = Buffer.concat([head, Buffer.from(laces), packet]);
  all.writeUInt32LE(checksum(all), 22);
  return all;
}

function checksum(bytes: Buffer): number {
  let sum = 0;
  for (const byte of bytes) {
    sum ^= byte << 24;
    for (let bit = 0; bit < 8; bit += 1) sum = sum & 0x8000_0000 ? (sum << 1) ^ 0x04c1_1db7 : sum << 1;
  }
  return sum >>> 0;
}
