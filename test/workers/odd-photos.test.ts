import sharp, { type Exif } from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type EmbeddedReading, openEmbeddedReader, said } from './embedded-support.ts';

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
  ])('is read from XMP: %s %s', async (north, east, latitude, longitude) => {
    const found = await withXmp(`exif:GPSLatitude="${north}" exif:GPSLongitude="${east}"`);
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
