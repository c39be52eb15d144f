import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type EmbeddedReading, fixture, openEmbeddedReader, said } from './embedded-support.ts';

let reading: EmbeddedReading;
beforeAll(async () => {
  reading = await openEmbeddedReader();
});
afterAll(() => reading.close());

async function read(path: string) {
  return reading.read(path.slice(path.lastIndexOf('.') + 1), await fixture(path));
}

const SIDES = { dimensions: '64 × 48' };

describe('pictures', () => {
  it.each([1, 2, 3, 4, 5, 6, 7, 8])('with EXIF orientation %i have their displayed dimensions', async (number) => {
    expect(said(await read(`pictures/orientation-${number}.jpg`))).toEqual(SIDES);
  });

  it.each([
    ...[
      'plain.jpg',
      'progressive.jpg',
      'gray.jpg',
      'with-thumbnail.jpg',
      'display-p3.jpg',
      'display-p3.png',
      'cmyk.jpg',
    ],
    ...['display-p3.heic', 'sixteen-bit.png', 'alpha.png', 'palette.png', 'animated.gif', 'animated.webp', 'plain.bmp'],
    ...['pages.tif', 'turned.avif', 'really-a-gif.jpg'],
  ])('without metadata have dimensions: %s', async (name) => {
    expect(await read(`pictures/${name}`)).toEqual({
      fields: [{ key: 'image.dimensions', values: ['64 × 48'] }],
      takenAt: null,
      group: { pairId: null, burstId: null, milliseconds: null },
      place: null,
      film: null,
    });
  });

  it.each([
    [
      'camera.jpg',
      {
        ...{ taken: '2024-05-06T07:08:09+02:00', camera: 'Canon EOS R6', lens: 'RF35mm F1.8 MACRO IS STM' },
        ...{ exposure: '1/250 s', aperture: 'f/1.8', iso: '400', focal: '35 mm', place: '48.85837, 2.29448' },
      },
    ],
    [
      'telephone.jpg',
      {
        ...{ taken: '2023-12-31T23:59:58', camera: 'samsung SM-G991B', exposure: '0.5 s', aperture: 'f/2.2' },
        ...{ iso: '1600', focal: '2.2 mm', place: '-33.8688, -151.2093' },
      },
    ],
    [
      'described.jpg',
      {
        ...{ title: 'The lake in summer', description: 'Children at the lake, 日本語', author: 'Zoë Müller' },
        ...{
          copyright: '© 2024 Zoë Müller',
          keywords: ['summer', 'lake', 'family & friends'],
          taken: '2024-07-01T10:00:00',
        },
      },
    ],
    [
      'windows.jpg',
      { title: 'Großmutter', description: 'Her 80th', author: ['Anna', 'Ben'], keywords: ['birthday', 'family'] },
    ],
    [
      'described.png',
      {
        ...{ title: 'Four fields', author: 'Ann', description: 'Red, green, blue, yellow', keywords: 'colours' },
        taken: '2022-02-03T04:05:06',
      },
    ],
    ['plain.webp', { author: 'Ann', taken: '2021-01-02T03:04:05', keywords: 'web' }],
    ['plain.avif', { camera: 'Pixel', taken: '2025-03-04T05:06:07' }],
    ['lzw.tif', { author: 'Ann', taken: '2020-10-11T12:13:14' }],
    [
      'telephone.heic',
      {
        ...{ taken: '2024-08-09T18:19:20+09:00', camera: 'Apple iPhone 15', exposure: '1/120 s', aperture: 'f/1.6' },
        ...{ lens: 'iPhone 15 back camera 5.96mm f/1.6', iso: '50', focal: '5.96 mm', place: '35.6586, 139.7454' },
      },
    ],
  ])('have the expected metadata: %s', async (name, expected) => {
    expect(said(await read(`pictures/${name}`))).toEqual({ ...SIDES, ...expected });
  });

  it('have a time in milliseconds, with their offset or that of the server, and a place in degrees', async () => {
    const camera = await read('pictures/camera.jpg');
    expect(camera.takenAt).toBe(Date.UTC(2024, 4, 6, 5, 8, 9, 120));
    expect(camera.place).toEqual({ latitude: 48.85837, longitude: 2.29448 });
    const telephone = await read('pictures/telephone.jpg');
    expect(telephone.takenAt).toBe(new Date(2023, 11, 31, 23, 59, 58).getTime());
    expect(telephone.place).toEqual({ latitude: -33.8688, longitude: -151.2093 });
  });
});

describe('raw photos', () => {
  it.each([
    [
      'preview.dng',
      {
        ...{ dimensions: '64 × 48', taken: '2024-09-10T11:12:13', camera: 'LEICA Q3' },
        ...{ exposure: '1/60 s', aperture: 'f/2.8', iso: '100', focal: '28 mm' },
      },
    ],
    [
      'CanonRaw.cr2',
      {
        ...{ dimensions: '3456 × 2304', taken: '2005-08-03T18:59:18', camera: 'Canon EOS 350D DIGITAL' },
        ...{ exposure: '1/15 s', aperture: 'f/8', iso: '400', focal: '55 mm' },
      },
    ],
    [
      'CanonRaw.cr3',
      {
        ...{ dimensions: '6000 × 4000', taken: '2018-02-21T12:08:56+00:00', camera: 'Canon EOS M50' },
        ...{
          lens: 'EF-M15-45mm f/3.5-6.3 IS STM',
          exposure: '1/80 s',
          aperture: 'f/3.5',
          iso: '12800',
          focal: '15 mm',
        },
      },
    ],
    [
      'DNG.dng',
      {
        ...{ dimensions: '3516 × 2328', taken: '2005-08-03T18:59:18', camera: 'Canon EOS 350D DIGITAL' },
        ...{ exposure: '1/15 s', aperture: 'f/8', iso: '400', focal: '55 mm', lens: '18.0-55.0 mm', author: 'unknown' },
      },
    ],
    [
      'FujiFilm.raf',
      {
        ...{ dimensions: '1440 × 960', taken: '2007-05-22T13:58:30', camera: 'FUJIFILM FinePix S5Pro' },
        ...{ exposure: '1/250 s', aperture: 'f/8', iso: '100', focal: '70 mm' },
      },
    ],
    [
      'Nikon.nef',
      {
        ...{ dimensions: '3040 × 2014', taken: '2004-06-09T16:02:35', camera: 'NIKON D70', description: 'A caption' },
        ...{ exposure: '1/20 s', aperture: 'f/3.5', iso: '200', focal: '18 mm' },
      },
    ],
    [
      'Panasonic.rw2',
      {
        ...{ dimensions: '3648 × 2736', taken: '2008-08-06T15:21:56', camera: 'Panasonic DMC-LX3' },
        ...{ exposure: '1/250 s', aperture: 'f/4', focal: '5.1 mm' },
      },
    ],
  ])('have the metadata that cameras write: %s', async (name, expected) => {
    expect(said(await read(`raw/${name}`))).toEqual(expected);
  });
});

describe('music', () => {
  it.each([
    [
      'id3v23.mp3',
      {
        ...{ title: 'Blue Sky', artist: 'The Larks', album: 'Morning', track: '3 / 12', year: '2019', genre: 'Folk' },
        ...{ duration: '0:01', bitrate: '32 kbit/s' },
      },
    ],
    [
      'cover.mp3',
      {
        ...{ title: 'Šumava ☀', artist: 'Žofie', album: 'Ráno', albumartist: 'Various', composer: 'Antonín' },
        ...{ duration: '0:01', bitrate: '32 kbit/s' },
      },
    ],
    [
      'id3v24.mp3',
      {
        ...{ title: 'Évening', artist: 'Ann/Ben', album: 'Night', track: '7', year: '2021', genre: 'Jazz' },
        ...{ composer: 'C. Major', duration: '0:01', bitrate: '32 kbit/s' },
      },
    ],
    [
      'cover.flac',
      {
        ...{ title: 'Rain', artist: ['Ann', 'Ben'], album: 'Weather', albumartist: 'The Larks', track: '2 / 9' },
        ...{ year: '2018', genre: 'Ambient', composer: 'Ann', duration: '0:01', bitrate: '50 kbit/s' },
      },
    ],
    [
      'cover.m4a',
      {
        ...{ title: 'Snow', artist: 'Ann', album: 'Weather', albumartist: 'The Larks', track: '4 / 9', year: '2017' },
        ...{ genre: 'Pop', composer: 'Ben', duration: '0:01', bitrate: '26 kbit/s' },
      },
    ],
    [
      'cover.ogg',
      {
        ...{ title: 'Wind', artist: 'Ann', album: 'Weather', track: '5', year: '2016', genre: 'Rock' },
        ...{ duration: '0:01', bitrate: '40 kbit/s' },
      },
    ],
    [
      'cover.opus',
      {
        ...{ title: 'Fog', artist: 'Ann', album: 'Weather', track: '6', year: '2015', genre: 'Drone' },
        ...{ duration: '0:01', bitrate: '30 kbit/s' },
      },
    ],
    ['tagged.wav', { title: 'Hail', artist: 'Ann', duration: '0:01', bitrate: '128 kbit/s' }],
  ])('has the expected metadata: %s', async (name, expected) => {
    const music = await read(`audio/${name}`);
    expect(said(music)).toEqual(expected);
    expect(music).toMatchObject({ takenAt: null, place: null });
  });
});

describe('videos', () => {
  const film = { duration: '0:01', dimensions: '64 × 48', codec: 'H.264' };

  it.each([
    ['h264.mp4', { ...film, title: 'Birthday', author: 'Ann', taken: '2024-03-02T01:00:00Z' }],
    ['mpeg4-location.mp4', { ...film, codec: 'MPEG-4', taken: '2024-03-02T01:00:00Z', place: '-33.86879, 151.20929' }],
    [
      'rotated.mov',
      {
        ...{ ...film, dimensions: '48 × 64', taken: '2024-03-02T01:00:00Z' },
        ...{ camera: 'Apple iPhone 15', place: '48.8584, 2.2945' },
      },
    ],
    [
      'apple-keys.mov',
      { ...film, taken: '2024-08-09T18:19:20+09:00', camera: 'Apple iPhone 15 Pro', place: '35.6586, 139.7454' },
    ],
    ['h264.mkv', { ...film, taken: '2023-06-07T08:09:10Z', title: 'Garden', author: 'Ben' }],
    ['vp8.webm', { ...film, codec: 'VP8', title: 'Web' }],
    ['mpeg4.avi', { ...film, codec: 'MPEG-4', title: 'Old' }],
  ])('have the expected metadata: %s', async (name, expected) => {
    expect(said(await read(`video/${name}`))).toEqual(expected);
  });

  it('have a time and a place', async () => {
    const found = await read('video/apple-keys.mov');
    expect(found.takenAt).toBe(Date.UTC(2024, 7, 9, 9, 19, 20));
    expect(found.place).toEqual({ latitude: 35.6586, longitude: 139.7454 });
  });
});

describe('documents', () => {
  const written = {
    ...{ author: 'Ann Example', subject: 'Household', description: 'Made for tests', language: 'en-GB' },
    ...{ created: '2024-01-02T03:04:05', modified: '2024-02-03T04:05:06', application: 'LibreOffice 7.4.7.2' },
    keywords: ['larder', 'tests'],
  };
  const utc = { created: '2024-01-02T03:04:05Z', modified: '2024-02-03T04:05:06Z', keywords: 'larder tests' };
  const printed = {
    ...{ title: 'A page of PostScript', author: 'Ann Example', subject: 'Household', pages: '2' },
    ...{ keywords: ['larder', 'tests', 'printing'], application: 'sources/page.ps' },
    ...{ created: '2024-01-02T03:04:05+01:00', modified: '2024-02-03T04:05:06Z' },
  };

  it.each([
    ['text.odt', { ...written, title: 'A letter', pages: '1' }],
    ['table.ods', { ...written, title: 'A budget' }],
    ['slides.odp', { ...written, title: 'A talk' }],
    ['text.docx', { ...written, ...utc, title: 'A letter' }],
    ['thumbnail.docx', { ...written, ...utc, title: 'A letter' }],
    ['table.xlsx', { ...written, ...utc, title: 'A budget' }],
    ['slides.pptx', { ...written, ...utc, title: 'A talk' }],
    ['ghostscript.pdf', printed],
    ['qpdf-owner.pdf', printed],
    [
      'book.epub',
      {
        ...{ title: 'The Full Larder', author: ['Ann Example', 'Ben Example'], language: 'en-GB' },
        ...{ keywords: ['Cooking', 'Preserving'], description: 'Jams, pickles & bread.' },
        ...{ created: '2020-05-06T00:00:00', modified: '2021-06-07T08:09:10Z' },
      },
    ],
  ])('have the expected metadata: %s', async (name, expected) => {
    expect(said(await read(`documents/${name}`))).toEqual(expected);
  });

  it('of other PDF producers have the expected metadata', async () => {
    expect(said(await read('documents/libreoffice.pdf'))).toMatchObject({
      ...{ title: 'A letter', author: 'Ann Example', subject: 'Household', keywords: ['larder', 'tests'] },
      ...{ application: 'Writer', language: 'en-US', pages: '1' },
    });
    expect(said(await read('documents/chromium.pdf'))).toMatchObject({ title: 'A page of the web', pages: '1' });
    expect(said(await read('documents/javascript.pdf'))).toMatchObject({ title: 'A page with a script', pages: '1' });
  });

  it('that need a password to open are refused', async () => {
    await expect(read('documents/qpdf-user.pdf')).rejects.toMatchObject({ reason: 'unsupported' });
  });
});
