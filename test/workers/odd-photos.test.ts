import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import sharp, { type Exif } from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isInstalled } from '../support/system/is-installed.ts';
import { type EmbeddedReading, openEmbeddedReader, said } from './embedded-support.ts';
import { xmpPacket } from './reference/films/boxes.ts';
import { buildExif, buildGif, buildJpeg, buildPng } from './reference/photos/build.ts';

let reading: EmbeddedReading;
beforeAll(async () => {
  reading = await openEmbeddedReader();
});
afterAll(() => reading?.close());

const picture = () => sharp({ create: { width: 8, height: 8, channels: 3, background: 'white' } }).jpeg();

/** What is read of a photo with these EXIF fields, by the number of the directory that libvips gives them. */
async function withExif(exif: Exif) {
  return reading.read('jpg', await picture().withExif(exif).toBuffer());
}

async function withXmp(properties: string) {
  const xmp = `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
<rdf:Description xmlns:exif="http://ns.adobe.com/exif/1.0/" ${properties}/></rdf:RDF></x:xmpmeta>`;
  return reading.read('jpg', await picture().withXmp(xmp).toBuffer());
}

const quoted = (text: string) => text.replaceAll('"', '&quot;');

describe('the time of a photo', () => {
  it.each([
    ['2024:05:06 07:08:09', '-5:00', '2024-05-06T07:08:09-05:00'],
    ['2024:05:06 07:08:09', '+9', '2024-05-06T07:08:09+09:00'],
    ['2024:05:06 07:08:09', '+530', '2024-05-06T07:08:09+05:30'],
    ['2024:05:06 07:08:09', '+0545', '2024-05-06T07:08:09+05:45'],
    ['2024:05:06 07:08:09', 'z', '2024-05-06T07:08:09Z'],
    ['2024:05:06 07:08:09', '+99:00', '2024-05-06T07:08:09'],
    ['2024:05:06 07:08:09', 'local', '2024-05-06T07:08:09'],
    ['2024:05:06 24:00:00', '+02:00', '2024-05-06T00:00:00+02:00'],
    ['2024:05:06 24:17:00', '', '2024-05-06T00:17:00'],
    ['2016:12:31 23:59:60', 'Z', '2016-12-31T23:59:59Z'],
    ['2024:05:06 25:00:00', '', '2024-05-06T00:00:00'],
    ['2024:05:06 12:60:00', '', '2024-05-06T00:00:00'],
    ['2024:05:06   :  :  ', '', '2024-05-06T00:00:00'],
  ])('%s with the offset %j is %s', async (DateTimeOriginal, offset, expected) => {
    const found = await withExif({ IFD2: { DateTimeOriginal, ...(offset && { OffsetTimeOriginal: offset }) } });
    expect(said(found).taken).toBe(expected);
  });

  it.each(['0000:00:00 00:00:00', '2024:02:30 10:00:00', '    :  :     :  :  '])(
    'is empty for %j',
    async (DateTimeOriginal) => {
      expect(said(await withExif({ IFD2: { DateTimeOriginal } })).taken).toBeUndefined();
    },
  );
});

describe('the place of a photo', () => {
  const at = (GPSLatitudeRef: string, GPSLongitudeRef: string) =>
    withExif({
      IFD3: { GPSLatitude: '33/1 30/1 0/1', GPSLongitude: '70/1 15/1 0/1', GPSLatitudeRef, GPSLongitudeRef },
    });

  it.each([
    ['N', 'E', 33.5, 70.25],
    ['S', 'W', -33.5, -70.25],
    ['s', 'w', -33.5, -70.25],
    ['n', 'w', 33.5, -70.25],
    ['South', 'West', -33.5, -70.25],
  ])('with the references %s and %s is in the correct hemisphere', async (south, west, latitude, longitude) => {
    expect((await at(south, west)).place).toEqual({ latitude, longitude });
  });

  it.each([
    ['52,31.2N', '13,24.6E', 52.52, 13.41],
    ['52,31,12N', '13,24,36E', 52.52, 13.41],
    ['33,30.0S', '70,15.0W', -33.5, -70.25],
    ['33,30.0s', '70,15.0w', -33.5, -70.25],
    ['-33.5', '-70.25', -33.5, -70.25],
    [`33 deg 30' 0" S`, `70 deg 15' 0" W`, -33.5, -70.25],
    [`33 deg 30' 0.00" S`, '70.25 deg W', -33.5, -70.25],
    [`33° 30' S`, `70°15'0"W`, -33.5, -70.25],
  ])('is read from XMP: %s %s', async (north, east, latitude, longitude) => {
    const found = await withXmp(`exif:GPSLatitude="${quoted(north)}" exif:GPSLongitude="${quoted(east)}"`);
    expect(found.place).toEqual({ latitude, longitude });
  });

  it.each([
    ['xmlns:place="http://ns.adobe.com/exif/1.0/" place:GPSLatitude="52,31.2N" place:GPSLongitude="13,24.6E"', 52.52],
    ['xmlns:tiff="http://ns.adobe.com/exif/1.0/" tiff:GPSLatitude="52,31.2N" tiff:GPSLongitude="13,24.6E"', 52.52],
    ['xmlns:place="http://example.org/" place:GPSLatitude="52,31.2N" place:GPSLongitude="13,24.6E"', undefined],
  ])('is read by its namespace, with any prefix: %s', async (attributes, latitude) => {
    expect((await withXmp(attributes)).place?.latitude).toBe(latitude);
  });

  it.each(['', 'N', 'here', '91,0N', '52;31', '1e2N'])('is empty for %j in XMP', async (north) => {
    expect((await withXmp(`exif:GPSLatitude="${north}" exif:GPSLongitude="13,24.6E"`)).place).toBeNull();
  });
});

const COMPRESSED = 1;
const packet = xmpPacket('<dc:title>Größe</dc:title><xmp:CreateDate>2024-05-06T07:08:09</xmp:CreateDate>');
const inPacket = { title: 'Größe', taken: '2024-05-06T07:08:09' };
const TAKEN = 0x9003;
const exif = buildExif({ exif: { [TAKEN]: '2024:05:06 07:08:09' } });
const named = Buffer.concat([Buffer.from('Exif\0\0'), exif]);
const profile = (kind: string, content: Buffer) =>
  `\n${kind}\n${String(content.length).padStart(8)}\n${content.toString('hex').replace(/.{72}/g, '$&\n')}\n`;
const zipped = (name: string, text: string | Buffer) =>
  ['zTXt', Buffer.concat([Buffer.from(`${name}\0\0`), deflateSync(text)])] as const;
const international = (name: string, text: string) =>
  ['iTXt', Buffer.concat([Buffer.from(`${name}\0`), Buffer.from([COMPRESSED, 0, 0, 0]), deflateSync(text)])] as const;

/** The second part of XMP in segments of a few bytes, and the first one, which names its digest. */
function extended(more: string, digest = createHash('md5').update(more).digest('hex').toUpperCase()) {
  const content = Buffer.from(more);
  const pieces = Array.from({ length: Math.ceil(content.length / 200) }, (_, index) => {
    const numbers = Buffer.alloc(8);
    numbers.writeUInt32BE(content.length, 0);
    numbers.writeUInt32BE(index * 200, 4);
    const name = Buffer.from(`http://ns.adobe.com/xmp/extension/\0${digest}`);
    return [0xe1, Buffer.concat([name, numbers, content.subarray(index * 200, (index + 1) * 200)])] as const;
  });
  const xmp = xmpPacket(
    `<dc:title>first</dc:title><xmpNote:HasExtendedXMP xmlns:xmpNote="http://ns.adobe.com/xmp/note/">${digest}</xmpNote:HasExtendedXMP>`,
  );
  return { xmp, others: pieces };
}

const more = xmpPacket(
  '<dc:subject><rdf:Bag><rdf:li>lake</rdf:li></rdf:Bag></dc:subject><exif:DateTimeOriginal>2024-05-06T07:08:09</exif:DateTimeOriginal>',
);
const { xmp: main, others: pieces } = extended(more);
const place = (latitude: (readonly [number, number])[], longitude: (readonly [number, number])[]) =>
  buildJpeg({
    exif: buildExif({
      main: { 271: 'Maker' },
      gps: { 1: 'S', 2: { fractions: latitude }, 3: 'W', 4: { fractions: longitude } },
    }),
  });

describe('what other programs write', () => {
  const FILES = [
    ['XMP in PNG, compressed', 'png', buildPng({ others: [international('XML:com.adobe.xmp', packet)] }), inPacket],
    [
      'a compressed text in PNG',
      'png',
      buildPng({ others: [zipped('Title', Buffer.from('Gr\xf6\xdfe', 'latin1'))] }),
      { title: 'Größe' },
    ],
    ['EXIF in PNG with its name in JPEG', 'png', buildPng({ exif: named }), { taken: inPacket.taken }],
    [
      'EXIF in PNG as a compressed profile',
      'png',
      buildPng({ others: [zipped('Raw profile type exif', profile('exif', named))] }),
      { taken: inPacket.taken },
    ],
    [
      'XMP in PNG as a compressed profile',
      'png',
      buildPng({
        others: [
          zipped('Raw profile type APP1', profile('generic', Buffer.from(`http://ns.adobe.com/xap/1.0/\0${packet}`))),
        ],
      }),
      inPacket,
    ],
    ['XMP in GIF', 'gif', buildGif(packet), inPacket],
    [
      'a second part of XMP in JPEG',
      'jpg',
      buildJpeg({ xmp: main, others: [...pieces].reverse() }),
      { title: 'first', keywords: 'lake', taken: inPacket.taken },
    ],
    [
      'a place in degrees only',
      'jpg',
      place([[338_600, 10_000]], [[1_512_093, 10_000]]),
      { place: '-33.86, -151.2093' },
    ],
    [
      'a place in minutes',
      'jpg',
      place(
        [
          [33, 1],
          [516, 10],
        ],
        [
          [151, 1],
          [30, 1],
        ],
      ),
      { place: '-33.86, -151.5' },
    ],
  ] as const;

  it.each(FILES)('is read: %s', async (_what, extension, content, expected) => {
    expect(said(await reading.read(extension, content))).toMatchObject(expected);
  });

  it.skipIf(!isInstalled('exiftool')).each(FILES)(
    'is the same for ExifTool: %s',
    async (_what, extension, content, expected) => {
      const folder = await mkdtemp(join(tmpdir(), 'larder-photo-'));
      try {
        const path = join(folder, `photo.${extension}`);
        await writeFile(path, content);
        const options = [
          '-json',
          '-n',
          '-a',
          '-charset',
          'utf8',
          '-Title',
          '-CreateDate',
          '-DateTimeOriginal',
          '-Subject',
          '-GPSPosition',
        ];
        const [found] = JSON.parse(execFileSync('exiftool', [...options, path], { encoding: 'utf8' })) as [
          Record<string, unknown>,
        ];
        const date = String(found.DateTimeOriginal ?? found.CreateDate ?? '').replace(
          /^(\d+):(\d+):(\d+) /,
          '$1-$2-$3T',
        );
        const position = String(found.GPSPosition ?? '')
          .split(' ')
          .join(', ');
        const values = { title: found.Title, taken: date, keywords: [found.Subject].flat().join(), place: position };
        expect(values).toMatchObject(expected);
      } finally {
        await rm(folder, { recursive: true });
      }
    },
  );

  it('is left out where it belongs to another part of XMP, or is incomplete', async () => {
    const other = { xmp: main, others: extended(more, '0'.repeat(32)).others };
    expect(said(await reading.read('jpg', buildJpeg(other)))).not.toHaveProperty('keywords');
    const cut = { xmp: main, others: pieces.slice(1) };
    expect(said(await reading.read('jpg', buildJpeg(cut)))).toMatchObject({ title: 'first', dimensions: '6 × 4' });
  });
});
