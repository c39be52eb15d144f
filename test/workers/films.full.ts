import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { type EmbeddedReading, openEmbeddedReader } from './embedded-support.ts';
import type { Values } from './reference/differences.ts';
import { films } from './reference/films/files.ts';
import { compareFamily, printed } from './reference/harness.ts';
import { DIFFERENCES } from './reference/known-differences.ts';

const files = films();

let reading: EmbeddedReading;
beforeAll(async () => {
  reading = await openEmbeddedReader();
});
afterAll(() => reading.close());

/** What ExifTool calls the tags, those first that count more. */
const TAGS: Readonly<Record<string, readonly string[]>> = {
  title: ['Title', 'TrackName'],
  author: ['Author', 'Artist', 'Creator'],
  model: ['Model'],
};
/** When it was filmed: with the time at that place first. */
const DATES = ['CreationDate', 'CreateDate', 'ContentCreateDate', 'DateTimeOriginal', 'DateCreated'];

type Tags = Readonly<Record<string, unknown>>;

/** Without an offset, all of these times are of UTC, except those of cameras in AVI. */
function dateOf(tags: Tags, isUtc: boolean): string | undefined {
  for (const name of DATES) {
    const match = /^(\d{4}):(\d\d):(\d\d)(?: (\d\d):(\d\d)(?::(\d\d))?(?:\.\d+)?(Z|[+-]\d\d:\d\d)?)?$/.exec(
      String(tags[name] ?? ''),
    );
    if (match === null || match[1] === '0000' || match[1] === '1601') continue;
    const [, year, month, day, hour = '00', minute = '00', second = '00', offset = isUtc ? 'Z' : ''] = match;
    return `${year}-${month}-${day}T${hour}:${minute}:${second}${offset}`;
  }
  return undefined;
}

/** Windows writes its stars in percent, those above the first in steps of 25. */
function starsOf(percent: number): number {
  return percent === 0 ? 0 : Math.min(5, Math.floor(percent / 25) + (percent === 99 ? 2 : 1));
}

function clock(seconds: number): string {
  const whole = Math.max(1, Math.round(seconds));
  const two = (value: number) => String(value).padStart(2, '0');
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60];
  return hours > 0 ? `${hours}:${two(minutes)}:${two(whole % 60)}` : `${minutes}:${two(whole % 60)}`;
}

function readByExifTool(folder: string): Values {
  // Times of QuickTime are of UTC, and the machine that asks is anywhere.
  const options = ['-j', '-n', '-api', 'MissingTagValue=', folder];
  const all = JSON.parse(printed('exiftool', options)) as Tags[];
  const values = new Map<string, unknown>();
  for (const tags of all) {
    const file = String(tags.SourceFile).split('/').at(-1) ?? '';
    const add = (key: string, value: unknown) => {
      if (value !== undefined && value !== '') values.set(`${file}: ${key}`, value);
    };
    for (const [key, names] of Object.entries(TAGS)) {
      const value = names.map((name) => tags[name]).find((one) => one !== undefined && one !== '');
      add(key, value === undefined ? undefined : String(value));
    }
    // The rating of that name in Windows Media is one of music shops.
    const stars = file.endsWith('.wmv') ? starsOf(Number(tags.SharedUserRating ?? 0)) : Number(tags.Rating ?? 0);
    if (/-rating\./.test(file) && stars > 0) add('rating', String(stars));
    add('taken', dateOf(tags, !file.endsWith('.avi')));
    const isTurned = Number(tags.Rotation ?? 0) % 180 !== 0;
    const [width, height] = [tags.ImageWidth, tags.ImageHeight];
    if (width !== undefined) add('dimensions', isTurned ? `${height} × ${width}` : `${width} × ${height}`);
    // That of Windows Media includes what is loaded before the film begins.
    const duration = Number(tags.Duration ?? tags.PlayDuration ?? 0) - Number(tags.Preroll ?? 0) / 1_000;
    if (duration > 0) add('duration', clock(duration));
    const [latitude, longitude] = [tags.GPSLatitude, tags.GPSLongitude];
    if (latitude !== undefined) add('place', `${Number(latitude).toFixed(4)}, ${Number(longitude).toFixed(4)}`);
  }
  return values;
}

async function readByLarder(folder: string): Promise<Values> {
  const values = new Map<string, unknown>();
  for (const file of files.keys()) {
    const { fields, place } = await reading.readAt(join(folder, file));
    for (const { key, values: found } of fields) {
      const name = key.slice('video.'.length);
      if (name === 'place' || name === 'codec') continue;
      if (name === 'camera') {
        // ExifTool has the camera in two tags, of which both may name the maker.
        const model = /EOS R6|iPhone 15|SM-G991B/.exec(found[0] ?? '')?.[0];
        values.set(`${file}: model`, model === 'EOS R6' ? 'Canon EOS R6' : model);
      } else values.set(`${file}: ${name}`, found[0]);
    }
    if (place !== null) values.set(`${file}: place`, `${place.latitude.toFixed(4)}, ${place.longitude.toFixed(4)}`);
  }
  return values;
}

compareFamily({
  name: 'films',
  files,
  program: { name: 'ExifTool', version: ['exiftool', '-ver'], read: readByExifTool },
  larder: readByLarder,
  differences: DIFFERENCES.films,
});
