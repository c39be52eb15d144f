import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { type EmbeddedReading, openEmbeddedReader } from './embedded-support.ts';
import type { Values } from './reference/differences.ts';
import { compareFamily, printed } from './reference/harness.ts';
import { DIFFERENCES } from './reference/known-differences.ts';
import { photos } from './reference/photos/files.ts';

const files = photos();

let reading: EmbeddedReading;
beforeAll(async () => {
  reading = await openEmbeddedReader();
});
afterAll(() => reading.close());

/** What ExifTool calls the tags, those first that count more (Guidelines for Handling Image Metadata, 2.1). */
const TAGS: Readonly<Record<string, readonly string[]>> = {
  title: ['XMP:Title', 'IPTC:ObjectName', 'EXIF:XPTitle'],
  description: ['XMP:Description', 'IPTC:Caption-Abstract', 'EXIF:ImageDescription'],
  copyright: ['XMP:Rights', 'IPTC:CopyrightNotice', 'EXIF:Copyright'],
  lens: ['EXIF:LensModel', 'XMP:LensModel', 'XMP:Lens'],
};
const LISTS: Readonly<Record<string, readonly string[]>> = {
  author: ['XMP:Creator', 'IPTC:By-line', 'EXIF:Artist'],
  keywords: ['XMP:Subject', 'IPTC:Keywords', 'EXIF:XPKeywords'],
};

type Tags = Readonly<Record<string, unknown>>;

const textOf = (value: unknown) => (value === undefined ? undefined : String(value));

function listed(tags: Tags, names: readonly string[]): string[] {
  const values = names.flatMap((name) => {
    const value = tags[name];
    if (name.startsWith('EXIF:')) return (textOf(value) ?? '').split(';');
    return Array.isArray(value) ? value : [value ?? ''];
  });
  return [...new Set(values.map((value) => String(value).trim()))].filter((value) => value !== '');
}

/** As Larder writes it: seconds are added, and an offset of zero from the place of XMP stays `Z`. */
function dateOf(tags: Tags): string | undefined {
  const inExif = tags['EXIF:DateTimeOriginal'];
  const date =
    inExif ??
    tags['EXIF:CreateDate'] ??
    tags['XMP:DateTimeOriginal'] ??
    tags['XMP:DateCreated'] ??
    tags['XMP:CreateDate'];
  const match = /^(\d{4}):(\d\d):(\d\d)(?: (\d\d):(\d\d)(?::(\d\d))?(?:\.\d+)?(.*))?$/.exec(textOf(date) ?? '');
  if (match === null) return undefined;
  const [, year, month, day, hour = '00', minute = '00', second = '00', own = ''] = match;
  const offset = inExif === undefined ? own : (textOf(tags['EXIF:OffsetTimeOriginal']) ?? '');
  return `${year}-${month}-${day}T${hour}:${minute}:${second}${offset}`;
}

/** Stars, of which none are no rating. Windows has percent. */
function ratingOf(tags: Tags): string | undefined {
  const percent = tags['EXIF:RatingPercent'] ?? tags['XMP:RatingPercent'];
  const ofPercent = percent === undefined ? undefined : [0, 1, 25, 50, 75, 99].indexOf(Number(percent));
  const stars = Number(tags['XMP:Rating'] ?? tags['EXIF:Rating'] ?? ofPercent ?? 0);
  return stars > 0 ? String(stars) : undefined;
}

function sidesOf(tags: Tags): string {
  const isTurned = Number(tags['EXIF:Orientation'] ?? 1) >= 5;
  const sides = [tags['File:ImageWidth'], tags['PNG:ImageWidth'], tags['RIFF:ImageWidth']];
  const width = sides.find((one) => one !== undefined);
  const height = [tags['File:ImageHeight'], tags['PNG:ImageHeight'], tags['RIFF:ImageHeight']].find(
    (one) => one !== undefined,
  );
  return isTurned ? `${height} × ${width}` : `${width} × ${height}`;
}

/** To a metre. */
function placeOf(latitude: unknown, longitude: unknown): string | undefined {
  if (latitude === undefined || longitude === undefined) return undefined;
  return `${Number(latitude).toFixed(5)}, ${Number(longitude).toFixed(5)}`;
}

function numberOf(tags: Tags, name: string): number | undefined {
  const value = tags[`EXIF:${name}`];
  return typeof value === 'number' ? value : undefined;
}

function readByExifTool(folder: string): Values {
  const options = ['-j', '-n', '-a', '-G0', '-api', 'MissingTagValue=', '-charset', 'iptc=Latin', folder];
  const all = JSON.parse(printed('exiftool', options)) as Tags[];
  const values = new Map<string, unknown>();
  for (const tags of all) {
    const file = String(tags.SourceFile).split('/').at(-1) ?? '';
    const add = (key: string, value: unknown) => {
      if (value !== undefined && value !== '') values.set(`${file}: ${key}`, value);
    };
    for (const [key, names] of Object.entries(TAGS)) add(key, textOf(names.map((name) => tags[name]).find(Boolean)));
    for (const [key, names] of Object.entries(LISTS)) {
      const list = listed(tags, names);
      if (list.length > 0) add(key, list);
    }
    add('taken', dateOf(tags));
    add('dimensions', sidesOf(tags));
    const degrees = (name: string) => tags[`Composite:${name}`] ?? tags[`XMP:${name}`];
    add('place', placeOf(degrees('GPSLatitude'), degrees('GPSLongitude')));
    add('rating', ratingOf(tags));
    add('model', textOf(tags['EXIF:Model'] ?? tags['XMP:Model']));
    const aperture = numberOf(tags, 'FNumber');
    if (aperture !== undefined) add('aperture', `f/${Number(aperture.toFixed(1))}`);
    const focal = numberOf(tags, 'FocalLength');
    if (focal !== undefined) add('focal', `${focal} mm`);
    add('iso', textOf(numberOf(tags, 'ISO')));
    const exposure = numberOf(tags, 'ExposureTime');
    if (exposure !== undefined)
      add('exposure', exposure < 0.3 ? `1/${Math.round(1 / exposure)} s` : `${Number(exposure.toFixed(1))} s`);
  }
  return values;
}

async function readByLarder(folder: string): Promise<Values> {
  const values = new Map<string, unknown>();
  for (const file of files.keys()) {
    const { fields, place } = await reading.readAt(join(folder, file));
    for (const { key, values: found } of fields) {
      const name = key.slice('image.'.length);
      if (name === 'place') continue;
      // ExifTool has the camera in two tags, of which both may name the maker.
      if (name === 'camera') {
        const model = /EOS R6|NIKON Z 6|ILCE-7M3|iPhone 15|SM-G991B/.exec(found[0] ?? '')?.[0];
        values.set(`${file}: model`, model === 'EOS R6' ? 'Canon EOS R6' : model);
      } else values.set(`${file}: ${name}`, name in LISTS ? found : found[0]);
    }
    if (place !== null) values.set(`${file}: place`, placeOf(place.latitude, place.longitude));
  }
  return values;
}

compareFamily({
  name: 'photos',
  files,
  program: { name: 'ExifTool', version: ['exiftool', '-ver'], read: readByExifTool },
  larder: readByLarder,
  differences: DIFFERENCES.photos,
});
