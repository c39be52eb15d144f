import { execFileSync } from 'node:child_process';
import { copyFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findProgram } from '../../dist/server/config/find-program.js';
import { buildZip } from '../support/content/build-zip.ts';
import { itInFull } from '../support/forms.ts';
import { WHERE_AND_WHO } from './mutations/corpus.ts';
import { outcomeOf } from './support.ts';
import { fixture, looksLike, openThumbnailPool, thumbnailOf, thumbnailsOf } from './thumbnail-support.ts';

const pool = openThumbnailPool({ workers: 1 });
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'larder-test-'));
});
afterAll(async () => {
  await pool.close();
  await rm(folder, { recursive: true });
});

const UPRIGHT = '64 × 48 red green blue yellow';
const ffmpeg = findProgram('ffmpeg', process.env);

describe('the thumbnail of a picture', () => {
  it.each([
    ...['plain.jpg', 'progressive.jpg', 'camera.jpg', 'telephone.jpg', 'with-thumbnail.jpg', 'plain.webp', 'lzw.tif'],
    ...['pages.tif', 'palette.png', 'described.png', 'plain.avif', 'turned.avif', 'animated.gif', 'animated.webp'],
    ...['really-a-gif.jpg', 'telephone.heic'],
    ...[1, 2, 3, 4, 5, 6, 7, 8].map((orientation) => `orientation-${orientation}.jpg`),
  ])('shows %s upright', async (name) => {
    expect(await looksLike(await thumbnailOf(pool, fixture(`pictures/${name}`)))).toBe(UPRIGHT);
  });

  it.each(['orientation-6.jpg', 'telephone.heic', 'display-p3.heic', 'sixteen-bit.png', 'gray.jpg', 'drawing.svg'])(
    'is made in several sizes from one decoding: %s',
    async (name) => {
      const shape = { fit: 'contain', format: 'webp' } as const;
      const shapes = [16, 32, 48].map((side) => ({ ...shape, width: side, height: side }));
      const together = await thumbnailsOf(pool, fixture(`pictures/${name}`), shapes);
      for (const [index, { width }] of shapes.entries()) {
        const alone = await thumbnailOf(pool, fixture(`pictures/${name}`), { ...shape, width, height: width });
        expect(await looksLike(together[index] ?? Buffer.alloc(0), 60)).toBe(await looksLike(alone, 60));
      }
    },
  );

  it.each(['display-p3.jpg', 'display-p3.png', 'display-p3.heic'])(
    'converts the colours of %s to sRGB',
    async (name) => {
      // Taken as they stand, without their profile, they are 30 and more away.
      expect(await looksLike(await thumbnailOf(pool, fixture(`pictures/${name}`)), 12)).toBe(UPRIGHT);
    },
  );

  it('converts CMYK colours for screens', async () => {
    expect(await looksLike(await thumbnailOf(pool, fixture('pictures/cmyk.jpg')), 100)).toBe(UPRIGHT);
  });

  it('shows 16-bit, grayscale and transparent pictures', async () => {
    expect(await looksLike(await thumbnailOf(pool, fixture('pictures/gray.jpg')), 0)).toMatch(/^64 × 48 /);
    const sixteen = await thumbnailOf(pool, fixture('pictures/sixteen-bit.png'));
    const { depth, space } = await sharp(sixteen).metadata();
    expect([depth, space]).toEqual(['uchar', 'srgb']);
    const [top, bottom] = await Promise.all(
      [0, 47].map((y) => sharp(sixteen).extract({ left: 9, top: y, width: 1, height: 1 }).raw().toBuffer()),
    );
    expect([top?.[0], bottom?.[0]]).toEqual([expect.closeTo(0, -1), expect.closeTo(255, -1)]);
    // On white where nothing can be seen through, and with its transparency where that is kept.
    const path = fixture('pictures/alpha.png');
    expect((await sharp(await thumbnailOf(pool, path)).metadata()).hasAlpha).toBe(false);
    expect((await sharp(await thumbnailOf(pool, path, { format: 'webp' })).metadata()).hasAlpha).toBe(true);
  });

  it.each(['jpeg', 'webp'] as const)('has no metadata as %s: no place, no camera, no profile', async (format) => {
    const path = join(folder, 'secret.jpg');
    await writeFile(
      path,
      await sharp(fixture('pictures/display-p3.jpg')).keepMetadata().withExif(WHERE_AND_WHO).toBuffer(),
    );
    const made = await thumbnailOf(pool, path, { format });
    const { format: is, exif, icc, xmp, iptc, orientation, pages } = await sharp(made).metadata();
    expect({ is, exif, icc, xmp, iptc, orientation, pages }).toEqual({ is: format });
    expect(made.includes('Secret')).toBe(false);
  });

  it('fits into the rectangle or fills it, without enlargement', async () => {
    const path = join(folder, 'wide.png');
    await writeFile(
      path,
      await sharp({ create: { width: 1200, height: 600, channels: 3, background: '#f00' } })
        .png()
        .toBuffer(),
    );
    const sizeOf = async (asked: Parameters<typeof thumbnailOf>[2]) => {
      const { width, height } = await sharp(await thumbnailOf(pool, path, asked)).metadata();
      return [width, height];
    };
    expect(await sizeOf({})).toEqual([400, 200]);
    expect(await sizeOf({ width: 100, height: 30 })).toEqual([60, 30]);
    expect(await sizeOf({ width: 100, height: 30, fit: 'cover' })).toEqual([100, 30]);
    expect(await sizeOf({ width: 2048, height: 2048 })).toEqual([1200, 600]);
    expect(await sizeOf({ width: 1, height: 1 })).toEqual([1, 1]);
  });

  it('renders a vector drawing at the size of the thumbnail', async () => {
    const made = await thumbnailOf(pool, fixture('pictures/drawing.svg'));
    expect(await looksLike(made)).toBe('400 × 300 red green blue yellow');
  });
});

describe('the thumbnail of another file', () => {
  it.each([
    ['raw/preview.dng', UPRIGHT],
    ['documents/book.epub', /^48 × 48 /],
    ['documents/thumbnail.docx', /^64 × 48 |^48 × 48 /],
    ['documents/text.odt', /./],
    ['documents/slides.odp', /./],
    ['documents/table.ods', /./],
    ['raw/FujiFilm.raf', /./],
    ['raw/Panasonic.rw2', /./],
    ['audio/cover.mp3', /^48 × 48 /],
    ['audio/cover.flac', /^48 × 48 /],
    ['audio/cover.m4a', /^48 × 48 /],
    ['audio/cover.ogg', /^48 × 48 /],
    ['audio/cover.opus', /^48 × 48 /],
    // Two points of a page are one of a pixel here: the left half of it is red above blue.
    ['documents/ghostscript.pdf', /^400 × 300 red white blue white$/],
    ['documents/qpdf-owner.pdf', /^400 × 300 red white blue white$/],
    ['documents/javascript.pdf', /^400 × /],
    ['documents/chromium.pdf', /^400 × 30\d /],
    ['documents/libreoffice.pdf', /× 400 /],
  ] as const)('is made of %s', async (name, look) => {
    const looks = await looksLike(await thumbnailOf(pool, fixture(name)));
    if (typeof look === 'string') expect(looks).toBe(look);
    else expect(looks).toMatch(look);
  });

  it('is the first page of a comic', async () => {
    const partOf = async (name: string) => ({ name, content: await readFile(fixture(`pictures/${basename(name)}`)) });
    const path = join(folder, 'comic.cbz');
    // In the order in which people number pages, and not what another system put there.
    const pages = ['page 10/gray.jpg', 'page 2/plain.jpg', '__MACOSX/page 1/plain.jpg', 'info.xml'];
    const parts = await Promise.all(pages.map((name) => (name === 'info.xml' ? { name, content: 'x' } : partOf(name))));
    await writeFile(path, buildZip(parts));
    expect(await looksLike(await thumbnailOf(pool, path))).toBe(UPRIGHT);
  });

  it.each([
    'audio/id3v23.mp3',
    'audio/tagged.wav',
    'documents/table.xlsx',
    'documents/text.docx',
    'documents/qpdf-user.pdf',
    'raw/CanonRaw.cr2',
  ])('does not exist if the file contains no picture: %s', async (name) => {
    expect(await outcomeOf(thumbnailOf(pool, fixture(name)))).toBe('unsupported');
  });

  it.runIf(ffmpeg !== null)('is a frame of a video, turned upright', async () => {
    for (const name of ['h264.mp4', 'h264.mkv', 'vp8.webm', 'mpeg4.avi', 'apple-keys.mov']) {
      const made = await thumbnailOf(pool, fixture(`video/${name}`), { ffmpeg });
      expect(await looksLike(made, 60), name).toBe(UPRIGHT);
    }
    const turned = await thumbnailOf(pool, fixture('video/rotated.mov'), { ffmpeg });
    expect(await looksLike(turned, 60)).toBe('48 × 64 green yellow red blue');
  });

  it.runIf(ffmpeg !== null)('opens only the video: no playlist, and no files of one', async () => {
    // What is in it would be shown if the playlist were followed.
    await copyFile(fixture('video/h264.mp4'), join(folder, 'secret.mp4'));
    const lists = {
      'hls.mp4': `#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\nfile://${folder}/secret.mp4\n#EXT-X-ENDLIST\n`,
      'concat.avi': `ffconcat version 1.0\nfile '${folder}/secret.mp4'\n`,
      'scripted.mov': `#!ffmpeg\n-i ${folder}/secret.mp4\n`,
    };
    for (const [name, text] of Object.entries(lists)) {
      await writeFile(join(folder, name), text);
      expect(await outcomeOf(thumbnailOf(pool, join(folder, name), { ffmpeg })), name).toBe('unsupported');
    }
  });

  it('is unsupported for a video without ffmpeg, or with another program under its name', async () => {
    const video = fixture('video/h264.mp4');
    expect(await outcomeOf(thumbnailOf(pool, video))).toBe('unsupported');
    expect(await outcomeOf(thumbnailOf(pool, video, { ffmpeg: '/bin/false' }))).toBe('unsupported');
  });

  it('fails temporarily if ffmpeg cannot be started or is killed', async () => {
    const video = fixture('video/h264.mp4');
    expect(await outcomeOf(thumbnailOf(pool, video, { ffmpeg: '/nowhere/ffmpeg' }))).toBe('crashed');
    for (const [signal, reason] of [
      ['KILL', 'crashed'],
      ['XCPU', 'timeout'],
    ]) {
      const ended = join(folder, `ended-by-${signal}`);
      await writeFile(ended, `#!/bin/sh\nkill -${signal} $$\n`, { mode: 0o700 });
      expect(await outcomeOf(thumbnailOf(pool, video, { ffmpeg: ended })), signal).toBe(reason);
    }
  });
});

describe('the image library in WebAssembly', () => {
  it('makes the same thumbnails if it is configured', async () => {
    const wasm = openThumbnailPool({ workers: 1 }, ['--wasm-images']);
    try {
      for (const name of ['orientation-6.jpg', 'palette.png', 'plain.webp', 'telephone.heic', 'display-p3.jpg']) {
        expect(await looksLike(await thumbnailOf(wasm, fixture(`pictures/${name}`))), name).toBe(UPRIGHT);
      }
      expect(await looksLike(await thumbnailOf(wasm, fixture('pictures/drawing.svg')))).toMatch(/^400 × 300 red green/);
    } finally {
      await wasm.close();
    }
  });

  itInFull('replaces the native one automatically if that cannot be loaded', () => {
    // Another architecture, of which no build is installed.
    const program = `Object.defineProperty(process, 'arch', { value: 'mips' });
      import('sharp').then(({ default: sharp }) => process.stdout.write(sharp.versions.emscripten ?? 'native'))`;
    const said = execFileSync(process.execPath, ['--input-type=module', '--eval', program], { encoding: 'utf8' });
    expect(said).toMatch(/^\d+\.\d+/);
  });
});
