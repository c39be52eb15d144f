import { execFileSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isInstalled } from '../support/system/is-installed.ts';
import { type EmbeddedReading, fixture, openEmbeddedReader, said } from './embedded-support.ts';
import {
  assetText,
  box,
  ftyp,
  listed,
  moov,
  mvhd,
  since1904,
  track,
  udta,
  userText,
  xmp,
  xmpPacket,
} from './reference/films/boxes.ts';
import { asf, avi } from './reference/films/other.ts';
import { openThumbnailPool, thumbnailOf } from './thumbnail-support.ts';

let reading: EmbeddedReading;
let folder = '';
beforeAll(async () => {
  reading = await openEmbeddedReader();
  folder = await mkdtemp(join(tmpdir(), 'larder-media-'));
});
afterAll(async () => {
  await reading?.close();
  await rm(folder, { recursive: true, force: true });
});

const syncsafe = (size: number) => Buffer.from([21, 14, 7, 0].map((shift) => (size >> shift) & 0x7f));

/** The sound of a fixture behind a tag with these frames of ID3v2. */
async function tagged(version: 2 | 3 | 4, frames: readonly (readonly [id: string, body: Buffer])[]): Promise<Buffer> {
  const file = await fixture('audio/id3v23.mp3');
  const size = file.subarray(6, 10).reduce((sum, byte) => sum * 128 + byte, 0);
  const parts = frames.map(([id, body]) => {
    const length = Buffer.alloc(4);
    length.writeUInt32BE(body.length);
    const head = version === 2 ? length.subarray(1) : version === 3 ? length : syncsafe(body.length);
    return Buffer.concat([Buffer.from(id), head, version === 2 ? Buffer.alloc(0) : Buffer.alloc(2), body]);
  });
  const all = Buffer.concat(parts);
  return Buffer.concat([
    Buffer.from(`ID3${String.fromCharCode(version)}\0\0`, 'latin1'),
    syncsafe(all.length),
    all,
    file.subarray(10 + size),
  ]);
}

const text = (value: string) => Buffer.from(`\0${value}`, 'latin1');

describe('artists', () => {
  it.each([
    [3, 'TPE1', 'AC/DC', ['AC/DC', 'AC', 'DC']],
    [3, 'TPE1', 'Simon/Garfunkel', ['Simon/Garfunkel', 'Simon', 'Garfunkel']],
    [3, 'TPE1', 'K/DA/Madison', ['K/DA/Madison', 'K', 'DA', 'Madison']],
    [3, 'TPE1', 'Ann / Ben', ['Ann / Ben', 'Ann', 'Ben']],
    [3, 'TPE1', 'Ann /Ben/ Carl', ['Ann /Ben/ Carl', 'Ann', 'Ben', 'Carl']],
    [3, 'TPE1', 'Ann\0Ben', ['Ann', 'Ben']],
    [3, 'TPE1', 'AC/DC\0Ann / Ben', ['AC/DC', 'Ann / Ben']],
    [3, 'TPE1', 'Ann\0', 'Ann'],
    [3, 'TPE1', 'Ann', 'Ann'],
    [2, 'TP1', 'AC/DC', 'AC/DC'],
    [4, 'TPE1', 'AC/DC', 'AC/DC'],
  ] as const)('of ID3v2.%i are separated correctly: %s %s', async (version, frame, value, expected) => {
    const found = said(await reading.read('mp3', await tagged(version, [[frame, text(value)]])));
    expect(found.artist).toEqual(expected);
  });

  it.each([
    ['in UTF-16', Buffer.from('\ufeffŽofie / Ben\0', 'utf16le')],
    ['in UTF-16, big-endian', Buffer.from('\ufeffŽofie / Ben', 'utf16le').swap16()],
  ])('are kept as they are written %s', async (_encoding, body) => {
    const frames = [
      ['TIT2', text('Song')],
      ['TPE1', Buffer.concat([Buffer.from([1]), body])],
    ] as const;
    const file = await tagged(3, frames);
    expect(said(await reading.read('mp3', file)).artist).toEqual(['Žofie / Ben', 'Žofie', 'Ben']);
  });

  it.each(['AC/DC', 'Ann / Ben'])('are kept as they are written for an album: %s', async (artists) => {
    const found = said(await reading.read('mp3', await tagged(3, [['TPE2', text(artists)]])));
    expect(found.albumartist).toBe(artists);
  });

  it('are separated in the composer, too', async () => {
    const found = said(await reading.read('mp3', await tagged(3, [['TCOM', text('Lennon/McCartney')]])));
    expect(found.composer).toEqual(['Lennon/McCartney', 'Lennon', 'McCartney']);
  });
});

describe('cover art', () => {
  const pool = openThumbnailPool();
  afterAll(() => pool.close());

  const picture = (background: string) =>
    sharp({ create: { width: 16, height: 16, channels: 3, background } })
      .png()
      .toBuffer();
  const attached = async (kind: number, background: string): Promise<readonly [string, Buffer]> => [
    'APIC',
    Buffer.concat([Buffer.from(`\0image/png\0${String.fromCharCode(kind)}\0`, 'latin1'), await picture(background)]),
  ];
  const BACK = 4;
  const FRONT = 3;
  const OTHER = 0;
  const ICON = 1;
  const ARTIST = 8;

  it.each([
    ['the back first', [BACK, FRONT], 1],
    ['other pictures first', [OTHER, BACK, FRONT], 2],
    ['the front first', [FRONT, BACK], 0],
    ['no front', [BACK, OTHER], 1],
    ['an icon first', [ICON, BACK], 1],
    ['an icon and the artist first', [ICON, ARTIST, OTHER], 2],
    ['only an icon', [ICON], 0],
  ] as const)('with %s is the front cover, or the most probable picture', async (_name, kinds, shown) => {
    const colours = ['red', 'green', 'blue'];
    const frames = await Promise.all(kinds.map((kind, index) => attached(kind, colours[index] ?? '')));
    const path = join(folder, 'song.mp3');
    await writeFile(path, await tagged(3, frames));
    const { dominant } = await sharp(await thumbnailOf(pool, path)).stats();
    const channels = [dominant.r, dominant.g, dominant.b];
    expect(channels.indexOf(Math.max(...channels))).toBe(shown);
  });
});

describe('the time of a video', () => {
  /** Seconds in the header of a fixture, which counts from 1904, are replaced. */
  const withSeconds = async (seconds: number) => {
    const film = await fixture('video/apple-keys.mov');
    const at = film.indexOf('mvhd', 0, 'latin1');
    film.writeUInt32BE(seconds, at + 8);
    // Without the date of the key, which comes first.
    return Buffer.from(
      film.toString('latin1').replace('com.apple.quicktime.creationdate', 'com.apple.quicktime.creationXXXX'),
      'latin1',
    );
  };
  const from1970 = Date.UTC(2024, 4, 6, 7, 8, 9) / 1_000;

  it.each([
    ['counted from 1904', from1970 + 2_082_844_800],
    ['counted from 1970', from1970],
  ])('%s is right', async (_name, seconds) => {
    const found = await reading.read('mov', await withSeconds(seconds));
    expect(said(found).taken).toBe('2024-05-06T07:08:09Z');
  });

  it('is empty if it is 0', async () => {
    expect(said(await reading.read('mov', await withSeconds(0))).taken).toBeUndefined();
  });

  it.skipIf(!isInstalled('ffmpeg')).each(['mkv', 'webm'])('in .%s is the one that ffmpeg wrote', async (ending) => {
    const path = join(folder, `film.${ending}`);
    const source = [
      '-f',
      'lavfi',
      '-i',
      'color=c=red:s=32x32:d=0.2',
      '-metadata',
      'creation_time=2024-05-06T07:08:09Z',
    ];
    execFileSync('ffmpeg', ['-v', 'error', ...source, path]);
    const found = await reading.read(ending, await readFile(path));
    expect(said(found).taken).toBe('2024-05-06T07:08:09Z');
    expect(found.takenAt).toBe(Date.UTC(2024, 4, 6, 7, 8, 9));
  });

  it('is read from a stream of unknown length, and ignored if it is damaged', async () => {
    const bytes = await fixture('video/h264.mkv');
    const head = bytes.subarray(0, bytes.indexOf(Buffer.from('18538067', 'hex')));
    const dateOf = (time: number) => {
      const date = Buffer.alloc(8);
      date.writeBigInt64BE(BigInt(time - Date.UTC(2001, 0, 1)) * 1_000_000n);
      return date;
    };
    const date = dateOf(Date.UTC(2024, 4, 6, 7, 8, 9));
    const stream = (content: Buffer) =>
      Buffer.concat([
        head,
        Buffer.from('1853806701ffffffffffffff', 'hex'),
        Buffer.from('1549a966', 'hex'),
        Buffer.from([0x80 | (content.length + 3 + 7)]),
        Buffer.from('2ad7b1830f4240', 'hex'),
        Buffer.from('4461', 'hex'),
        Buffer.from([0x80 | content.length]),
        content,
      ]);
    expect(said(await reading.read('mkv', stream(date))).taken).toBe('2024-05-06T07:08:09Z');
    expect(said(await reading.read('mkv', stream(date.subarray(0, 4)))).taken).toBeUndefined();
    // A film of the time before computers.
    const early = await reading.read('mkv', stream(dateOf(Date.UTC(1962, 0, 2, 3, 4, 5))));
    expect(said(early).taken).toBe('1962-01-02T03:04:05Z');
  });
});

describe('videos of phones and cameras', () => {
  const film = (...parts: readonly Buffer[]) => Buffer.concat([ftyp('qt  '), moov(mvhd(), track(), ...parts)]);

  it.each([
    [
      'a place in degrees and minutes',
      'mov',
      film(udta(userText('©xyz', '+3720.5000-12201.9000/'))),
      { place: '37.34167, -122.03167' },
    ],
    ['a title of 3GPP', '3gp', film(udta(assetText('titl', '夏の海', 'utf16'))), { title: '夏の海' }],
    [
      'a title of an old Macintosh',
      'mov',
      film(udta(userText('©nam', Buffer.from('47729aa765', 'hex'), 0))),
      { title: 'Größe' },
    ],
    ['a title in UTF-16', 'mp4', film(udta(listed({ '©nam': 'Größe' }, 2))), { title: 'Größe' }],
    [
      'a title in XMP',
      'mp4',
      Buffer.concat([film(), xmp('<dc:title>Lake &amp; boat</dc:title>')]),
      { title: 'Lake & boat' },
    ],
    [
      'a day with an offset',
      'mov',
      film(udta(userText('©day', '2013-06-01T12:00:00-0530'))),
      { taken: '2013-06-01T12:00:00-05:30' },
    ],
    [
      'a day behind another sign',
      'mp4',
      film(udta(userText('@day', '2023-06-01T12:00:00+0200'))),
      { taken: '2023-06-01T12:00:00+02:00' },
    ],
    [
      'the time when it was taken, before that of the file',
      'mp4',
      Buffer.concat([
        ftyp('mp42'),
        moov(
          mvhd({ created: since1904('2020-01-01T00:00:00Z') }),
          track(),
          udta(box('date', '2013-06-01T12:00:00-0530')),
        ),
      ]),
      { taken: '2013-06-01T12:00:00-05:30' },
    ],
    ['only the day when it was taken', 'mp4', film(udta(box('date', '2013-06-01'))), { taken: '2013-06-01T00:00:00' }],
    [
      'a time of a track only',
      'mp4',
      Buffer.concat([
        ftyp('mp42'),
        moov(mvhd(), track({ kind: 'soun' }), track({ created: since1904('2020-01-02T03:04:05Z') })),
      ]),
      { taken: '2020-01-02T03:04:05Z' },
    ],
    [
      'a time of 64 bits of a track only',
      'mov',
      Buffer.concat([ftyp('qt  '), moov(mvhd(), track({ version: 1, created: since1904('2020-01-02T03:04:05Z') }))]),
      { taken: '2020-01-02T03:04:05Z' },
    ],
    [
      'XMP in the user data',
      'mov',
      film(
        udta(box('XMP_', xmpPacket('<dc:title>Lake</dc:title><xmp:CreateDate>2020-01-02T03:04:05Z</xmp:CreateDate>'))),
      ),
      { title: 'Lake', taken: '2020-01-02T03:04:05Z' },
    ],
    ['a date of C in an AVI', 'avi', avi({ date: 'SUN JAN  3 14:05:06 2010\n' }), { taken: '2010-01-03T14:05:06' }],
    ['a date with blanks in an AVI', 'avi', avi({ date: '2005/ 3/29/ 08:19' }), { taken: '2005-03-29T08:19:00' }],
    [
      'Windows Media',
      'wmv',
      asf({ date: '2009-12-31T23:59:59Z' }),
      { taken: '2009-12-31T23:59:59Z', dimensions: '320 × 240' },
    ],
  ] as const)('have %s', async (_what, extension, content, expected) => {
    expect(said(await reading.read(extension, content))).toMatchObject(expected);
  });

  it('have other metadata if XMP is too long', async () => {
    const long = xmp(`<dc:title>Title</dc:title><dc:rights>${'history '.repeat(400_000)}</dc:rights>`);
    const found = said(await reading.read('mov', Buffer.concat([film(udta(userText('©ART', 'Ann'))), long])));
    expect(found).toMatchObject({ author: 'Ann', dimensions: '1920 × 1080' });
    expect(found).not.toHaveProperty('title');
  });

  it.each(['+91-181/', '37.33,-122.03', '+3-', '+3720.5', ''])('have no place with %j', async (text) => {
    expect(said(await reading.read('mov', film(udta(userText('©xyz', text)))))).not.toHaveProperty('place');
  });
});
