import { execFileSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  box,
  type Contained,
  emptyFilm,
  microVideo,
  motionHeic,
  motionPhoto,
  motionXmp,
  samsungPhoto,
  withXmp,
} from '../support/content/motion-photos.ts';
import { isInstalled } from '../support/system/is-installed.ts';
import { type EmbeddedReading, fixture, openEmbeddedReader, said } from './embedded-support.ts';

let reading: EmbeddedReading;
let jpeg: Buffer;
let heic: Buffer;
const FILM = emptyFilm();

beforeAll(async () => {
  reading = await openEmbeddedReader();
  jpeg = await sharp({ create: { width: 8, height: 6, channels: 3, background: 'white' } })
    .jpeg()
    .toBuffer();
  heic = await fixture('pictures/telephone.heic');
});
afterAll(() => reading?.close());

/** What is read of a photo, and the bytes of its film. */
async function filmOf(extension: string, content: Buffer) {
  const { film, ...rest } = await reading.read(extension, content);
  if (film === null) return null;
  expect(said({ film, ...rest })).toHaveProperty('dimensions');
  return content.subarray(film.start, film.start + film.length);
}

const items = (...some: readonly Contained[]) =>
  withXmp(jpeg, motionXmp([{ semantic: 'Primary', length: 0 }, ...some]));

describe('the video in a photo', () => {
  it.each([
    ['a motion photo', () => motionPhoto(jpeg, FILM)],
    ['a motion photo with bytes before the film', () => motionPhoto(jpeg, FILM, 33)],
    ['a motion photo of before', () => microVideo(jpeg, FILM)],
    ['a photo of Samsung', () => samsungPhoto(jpeg, FILM)],
    ['a photo of Samsung that states a wrong length', () => samsungPhoto(microVideo(jpeg, Buffer.alloc(9)), FILM)],
  ])('is found in %s', async (_what, photo) => {
    expect(await filmOf('jpg', photo())).toEqual(FILM);
  });

  it('is found in HEIC by its box or by the stated length', async () => {
    expect(await filmOf('heic', motionHeic(heic, FILM))).toEqual(FILM);
    expect(await filmOf('heic', motionHeic(heic, emptyFilm(3_000)))).toEqual(emptyFilm(3_000));
    expect(await filmOf('heic', heic)).toBeNull();
  });

  it('is found between other files behind the photo', async () => {
    const [map, last] = [Buffer.alloc(50, 1), Buffer.alloc(20, 2)];
    const photo = items(
      { semantic: 'GainMap', length: map.length },
      { semantic: 'MotionPhoto', length: FILM.length, padding: 5 },
      { semantic: 'Other', length: last.length },
    );
    expect(await filmOf('jpg', Buffer.concat([photo, map, FILM, Buffer.alloc(5), last]))).toEqual(FILM);
  });

  it('is found by XML elements and other prefixes', async () => {
    const written = `><c:MotionPhoto>1</c:MotionPhoto><d:Directory><rdf:Seq><rdf:li><d:Item rdf:parseType="Resource">
      <i:Semantic>MotionPhoto</i:Semantic><i:Length> ${FILM.length} </i:Length></d:Item></rdf:li></rdf:Seq></d:Directory>`;
    expect(await filmOf('jpg', Buffer.concat([withXmp(jpeg, written), FILM]))).toEqual(FILM);
  });

  it('ends before the trailer of a camera', async () => {
    const trailer = Buffer.from('a trailer of a camera, with more than eight bytes');
    const photo = items({ semantic: 'MotionPhoto', length: FILM.length + trailer.length });
    expect(await filmOf('jpg', Buffer.concat([photo, FILM, trailer]))).toEqual(FILM);
  });

  it.skipIf(!isInstalled('ffmpeg'))('is returned as made by ffmpeg, also if fragmented', async () => {
    for (const flags of ['+faststart', '+frag_keyframe+empty_moov']) {
      const path = join(reading.folder, 'made.mp4');
      const from = 'test/fixtures/video/h264.mp4';
      execFileSync('ffmpeg', ['-v', 'error', '-y', '-i', from, '-c', 'copy', '-movflags', flags, path]);
      const film = await readFile(path);
      expect(await filmOf('jpg', motionPhoto(jpeg, film))).toEqual(film);
    }
  });
});

describe('no video is found', () => {
  const stated = (length: number | string, content = FILM) =>
    Buffer.concat([items({ semantic: 'MotionPhoto', length }), content]);

  it.each([
    ['where nothing is stated', () => Buffer.concat([jpeg, FILM])],
    [
      'where the photo is not a motion photo any longer',
      () => {
        const description = motionXmp([{ semantic: 'MotionPhoto', length: FILM.length }], '0');
        return Buffer.concat([withXmp(jpeg, description), FILM]);
      },
    ],
    ['where nothing follows the photo', () => items({ semantic: 'MotionPhoto', length: FILM.length })],
    ['with a length of nothing', () => stated(0)],
    ['with a length beyond the file', () => stated(10_000_000)],
    ['with a length that is no safe number', () => stated('9'.repeat(15))],
    ['with a length that is no number', () => stated('many')],
    ['with a negative length', () => stated(-FILM.length)],
    ['that is cut off', () => stated(FILM.length - 1, FILM.subarray(0, -1))],
    ['that begins elsewhere', () => stated(FILM.length - 1)],
    ['without its index', () => stated(FILM.length - 116, FILM.subarray(0, -116))],
    [
      'with a box that is too long',
      () => {
        const damaged = Buffer.from(FILM);
        damaged.writeUInt32BE(0x7fffffff, 24);
        return stated(damaged.length, damaged);
      },
    ],
    [
      'with a box without a length',
      () => {
        const damaged = Buffer.concat([FILM, Buffer.from([0, 0, 0, 3]), Buffer.from('free')]);
        return stated(damaged.length, damaged);
      },
    ],
    ['of an offset beyond the file', () => microVideo(jpeg, FILM, 10_000_000)],
    ['of an offset that is no number', () => microVideo(jpeg, FILM, '0x10')],
  ])('%s', async (_what, photo) => {
    const found = await reading.read('jpg', photo());
    expect(found.film).toBeNull();
    expect(said(found).dimensions).toBe('8 × 6');
  });

  it('in a box with other content, or with less than a video', async () => {
    expect(await filmOf('heic', motionHeic(heic, Buffer.alloc(100)))).toBeNull();
    expect(await filmOf('heic', motionHeic(heic, FILM).subarray(0, -1))).toBeNull();
    expect(await filmOf('heic', Buffer.concat([heic, box('mpvd')]))).toBeNull();
  });

  it('in a trailer with wrong numbers', async () => {
    const whole = samsungPhoto(jpeg, FILM);
    const directory = whole.length - 8 - 36;
    // The length of the directory, how many entries it has, and the offset and the length of the film.
    for (const at of [whole.length - 8, directory + 8, directory + 28, directory + 32]) {
      for (const value of [0, 1, 0x7fffffff, 0xffffffff]) {
        const damaged = Buffer.from(whole);
        damaged.writeUInt32LE(value, at);
        // More entries than there are do not hide those that are there.
        const isHarmless = at === directory + 8 && value > 1;
        expect(await filmOf('jpg', damaged), `${value} at ${at}`).toEqual(isHarmless ? FILM : null);
      }
    }
  });
});

it('a video never exceeds the file, whatever its metadata states', async () => {
  let films = 0;
  const often = <T>(usual: T, rare: fc.Arbitrary<T>) => fc.oneof(fc.constant(usual), rare);
  const numbers = fc.oneof(fc.integer(), fc.nat(600), fc.double(), fc.constantFrom('', 'NaN', '1e3'));
  const number = often<number | string>(FILM.length, numbers);
  const semantic = fc.constantFrom('Primary', 'MotionPhoto', 'GainMap');
  const contained = fc.record({ semantic, length: number, padding: number });
  const change = fc.record({ at: fc.nat(400), value: fc.nat(255) });
  const shape = fc.constantFrom('stated', 'micro', 'samsung', 'heic');
  await fc.assert(
    fc.asyncProperty(
      shape,
      fc.array(contained, { maxLength: 4 }),
      number,
      often([], fc.array(change, { maxLength: 4 })),
      often(0, fc.nat(60)),
      async (kind, some, offset, changes, missing) => {
        const photo = {
          stated: () => Buffer.concat([items(...some), FILM]),
          micro: () => microVideo(jpeg, FILM, String(offset)),
          samsung: () => samsungPhoto(jpeg, FILM),
          heic: () => motionHeic(heic, FILM),
        }[kind]();
        // At the end are the film and its trailer.
        for (const { at, value } of changes) photo[photo.length - 1 - (at % photo.length)] = value;
        const content = photo.subarray(0, photo.length - missing);
        // A photo that is damaged has no film either.
        const read = reading.read(kind === 'heic' ? 'heic' : 'jpg', content);
        const film = await read.then((found) => found.film).catch(() => null);
        if (film === null) return;
        films += 1;
        expect(film.start).toBeGreaterThan(0);
        expect(film.length).toBeGreaterThan(0);
        expect(film.start + film.length).toBeLessThanOrEqual(content.length);
        expect(content.toString('latin1', film.start + 4, film.start + 8)).toBe('ftyp');
      },
    ),
    { numRuns: 200 },
  );
  expect(films).toBeGreaterThan(0);
});
