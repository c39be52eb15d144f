import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  blackPng,
  type Colour,
  colourAt,
  corpus,
  pixel,
  type Quarters,
  quarters,
  quartersOf,
  svg,
  UPRIGHT,
  WHERE_AND_WHO,
} from './mutations/corpus.ts';
import { openImagePool, outcomeOf } from './support.ts';

const pool = openImagePool();
let images: Record<string, Buffer>;

beforeAll(async () => {
  images = await corpus();
});
afterAll(() => pool.close());

const picture = async (bytes: Uint8Array) => Buffer.from((await pool.run('picture', { bytes })).bytes);
const logo = async (bytes: Uint8Array) => Buffer.from((await pool.run('logo', { bytes })).bytes);

function expectNear(found: Colour, wanted: Colour): void {
  for (const [channel, value] of wanted.entries()) {
    expect(Math.abs(value - (found[channel] ?? 0)), `${found} is nearly ${wanted}`).toBeLessThan(8);
  }
}

describe('the picture of an account', () => {
  it.each(['jpeg', 'progressive', 'cmyk', 'png', 'png16', 'palette', 'gif', 'webp', 'lossless', 'avif', 'tiff'])(
    'is made of %s: a small JPEG of 256 × 256 without metadata',
    async (kind) => {
      const made = await picture(images[kind] ?? Buffer.alloc(0));
      const { format, width, height, space, depth, pages, exif, icc, xmp, iptc, orientation } =
        await sharp(made).metadata();
      expect({ format, width, height, space, depth, pages, exif, icc, xmp, iptc, orientation }).toEqual({
        format: 'jpeg',
        width: 256,
        height: 256,
        space: 'srgb',
        depth: 'uchar',
      });
      expect(made.length).toBeLessThan(30_000);
      expect(await quartersOf(made)).toEqual(UPRIGHT);
    },
  );

  // What the tag says: where the first row and the first column of what is stored belong.
  const sides = {
    1: 'top left',
    2: 'top right',
    3: 'bottom right',
    4: 'bottom left',
    5: 'left top',
    6: 'right top',
    7: 'right bottom',
    8: 'left bottom',
  };

  it.each(Object.entries(sides))('is turned upright with orientation %s: first row %s', async (orientation, where) => {
    const [row = '', column = ''] = where.split(' ');
    const opposite: Record<string, string> = { top: 'bottom', bottom: 'top', left: 'right', right: 'left' };
    const stored = [0, 1].flatMap((y) =>
      [0, 1].map((x) => {
        const at = [y === 0 ? row : opposite[row], x === 0 ? column : opposite[column]];
        return UPRIGHT[(at.includes('bottom') ? 2 : 0) + (at.includes('right') ? 1 : 0)];
      }),
    ) as unknown as Quarters;
    const turned = quarters(stored).withMetadata({ orientation: Number(orientation) });
    for (const image of [
      await turned.clone().jpeg({ quality: 95 }).toBuffer(),
      await turned.clone().tiff().toBuffer(),
    ]) {
      expect((await sharp(image).metadata()).orientation).toBe(Number(orientation));
      expect(await quartersOf(await picture(image))).toEqual(UPRIGHT);
    }
  });

  it('does not contain where and by whom it was taken', async () => {
    const before = images.jpeg ?? Buffer.alloc(0);
    expect((await sharp(before).metadata()).exif).toBeDefined();
    expect(before.includes(WHERE_AND_WHO.IFD0.Copyright)).toBe(true);
    for (const made of [await picture(before), await logo(before)]) {
      for (const trace of ['Secret', 'Exif', 'GPS', 'http', 'ICC_PROFILE'])
        expect(made.includes(trace), trace).toBe(false);
    }
  });

  it('is cropped to a square around its subject, and never distorted', async () => {
    const blank = sharp({ create: { width: 900, height: 300, channels: 3, background: '#808080' } });
    const input = await quarters(UPRIGHT, 200).png().toBuffer();
    const wide = await blank
      .composite([{ input, left: 690, top: 50 }])
      .png()
      .toBuffer();
    const made = await picture(wide);
    const colours = await Promise.all([100, 230].map((x) => colourAt(made, x, 80)));
    expect(colours).toContain('green');
  });

  it('is converted from other colour profiles to sRGB', async () => {
    const flat = sharp({ create: { width: 40, height: 40, channels: 3, background: 'rgb(220,60,60)' } });
    const image = await flat.withIccProfile('p3').png().toBuffer();
    expect((await sharp(image).metadata()).hasProfile).toBe(true);
    expectNear(await pixel(await picture(image), 128, 128), [220, 60, 60]);
  });

  it('shows transparent areas in white', async () => {
    const clear = await sharp({
      create: { width: 40, height: 40, channels: 4, background: { r: 0, g: 0, b: 0, alpha: 0 } },
    })
      .png()
      .toBuffer();
    expectNear(await pixel(await picture(clear), 128, 128), [255, 255, 255]);
  });

  it('can be made of a single pixel or of a strip one pixel wide', async () => {
    const one = (width: number, height: number) =>
      sharp({ create: { width, height, channels: 3, background: 'rgb(40,160,40)' } })
        .png()
        .toBuffer();
    for (const image of [await one(1, 1), await one(1, 20_000), await one(20_000, 1)]) {
      expect(await colourAt(await picture(image), 128, 128)).toBe('green');
    }
  });

  it('is small even if it contains only noise', async () => {
    const noise = { type: 'gaussian' as const, mean: 128, sigma: 60 };
    const image = await sharp({ create: { width: 256, height: 256, channels: 3, background: '#000', noise } })
      .png()
      .toBuffer();
    expect((await picture(image)).length).toBeLessThan(150_000);
  });
});

describe('a logo', () => {
  it.each([
    [400, 200, 96, 48],
    [30, 1_200, 2, 96],
    [20, 10, 20, 10],
    [96, 96, 96, 96],
  ])('of %i × %i becomes a PNG of %i × %i that keeps its transparency', async (width, height, toWidth, toHeight) => {
    const half = await sharp({ create: { width: width / 2, height, channels: 3, background: '#c82828' } })
      .png()
      .toBuffer();
    const image = await sharp({ create: { width, height, channels: 4, background: { r: 0, g: 0, b: 0, alpha: 0 } } })
      .composite([{ input: half, gravity: 'west' }])
      .webp({ lossless: true })
      .toBuffer();
    const made = await logo(image);
    const metadata = await sharp(made).metadata();
    expect([metadata.format, metadata.width, metadata.height, metadata.hasAlpha]).toEqual([
      'png',
      toWidth,
      toHeight,
      true,
    ]);
    const { data } = await sharp(made).raw().toBuffer({ resolveWithObject: true });
    expect([data[3], data[(toWidth - 1) * 4 + 3]]).toEqual([255, 0]);
  });

  it('is turned upright, too', async () => {
    const image = await sharp({ create: { width: 200, height: 100, channels: 3, background: '#c82828' } })
      .withMetadata({ orientation: 6 })
      .jpeg()
      .toBuffer();
    const { width, height } = await sharp(await logo(image)).metadata();
    expect([width, height]).toEqual([48, 96]);
  });
});

describe('invalid pictures', () => {
  const refusal = (bytes: Uint8Array) => outcomeOf(pool.run('picture', { bytes }));

  it.each([
    ['nothing', Buffer.alloc(0)],
    ['a text', Buffer.from('hello, this is holiday.jpg')],
    ['a PDF', Buffer.from('%PDF-1.4\n%\u00e2\u00e3\n1 0 obj\n<<>>\nendobj')],
    ['a pixmap', Buffer.from('P6 1 1 255\nabc')],
    ['a ZIP archive', Buffer.from('504b0304140000000000', 'hex')],
  ])('%s is unsupported', async (_what, bytes) => {
    expect(await refusal(bytes)).toBe('unsupported');
  });

  it('an SVG is unsupported, and none of its references is requested', async () => {
    const asked: string[] = [];
    const server = createServer((request, response) => {
      asked.push(request.url ?? '');
      response.end();
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const drawing = svg(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    expect(await refusal(drawing)).toBe('unsupported');
    expect(await outcomeOf(pool.run('logo', { bytes: drawing }))).toBe('unsupported');
    server.close();
    expect(asked).toEqual([]);
  });

  it.each(['jpeg', 'progressive', 'png', 'png16', 'gif', 'webp', 'avif'])('half a %s is corrupt', async (kind) => {
    const whole = images[kind] ?? Buffer.alloc(0);
    expect(await refusal(whole.subarray(0, whole.length / 2))).toBe('corrupt');
  });

  it('900 million pixels in 110 kilobytes are refused before decoding', async () => {
    const bomb = blackPng(30_000, 30_000);
    expect(bomb.length).toBeLessThan(150_000);
    const pids: number[] = [];
    const narrow = openImagePool({ workers: 1, residentBytes: 300 * 1024 * 1024 }, pids);
    try {
      expect(await outcomeOf(narrow.run('picture', { bytes: bomb }))).toBe('too_large');
      expect(await outcomeOf(narrow.run('picture', { bytes: images.png ?? Buffer.alloc(0) }))).toBe('done');
      // The pixels would have taken gigabytes, for which the process would have been killed.
      expect(pids).toHaveLength(1);
    } finally {
      await narrow.close();
    }
    expect(await refusal(blackPng(10_001, 10_000))).toBe('too_large');
    expect(await refusal(blackPng(10_000, 1_000))).toBe('done');
  });

  it('one that exceeds the memory limit is refused, and the next one succeeds', async () => {
    const narrow = openImagePool({ residentBytes: 100 * 1024 * 1024 });
    const image = await sharp({ create: { width: 6_000, height: 6_000, channels: 3, background: '#c82828' } })
      .jpeg({ progressive: true })
      .toBuffer();
    expect(await outcomeOf(narrow.run('picture', { bytes: image }))).toBe('too_large');
    expect(await outcomeOf(narrow.run('picture', { bytes: images.png ?? Buffer.alloc(0) }))).toBe('done');
    await narrow.close();
  });

  it('thirty at once are processed two at a time', async () => {
    const made = await Promise.all(
      Array.from({ length: 30 }, (_, index) =>
        outcomeOf(pool.run('picture', { bytes: Object.values(images)[index % 11] ?? Buffer.alloc(0) })),
      ),
    );
    expect(made).toEqual(Array(30).fill('done'));
  });
});
