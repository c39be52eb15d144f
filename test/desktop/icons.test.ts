import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { itInFull } from '../support/forms.ts';
import { node, ROOT } from './packing.ts';

const STATES = ['running', 'paused', 'attention', 'stopped'] as const;
const LOOKS = {
  'dark-on-light': { line: '#1c211d', attention: '#bf830e', stopped: '#9c231c' },
  'light-on-dark': { line: '#eceee8', attention: '#e0a93f', stopped: '#f4998f' },
} as const;
const LINUX = [16, 24, 32, 48, 64, 128, 256, 512];

interface Picture {
  readonly side: number;
  /** @returns `#rrggbb`, and how opaque it is from 0 to 255 */
  at(x: number, y: number): readonly [colour: string, alpha: number];
  readonly pixels: readonly (readonly [colour: string, alpha: number])[];
}

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'larder-icons-'));
  const { code, output } = await node(['dist/main/packaging/make-icons.js', folder], { cwd: ROOT });
  expect([code, output]).toEqual([0, '']);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function picture(name: string): Promise<Picture> {
  const image = sharp(join(folder, name));
  expect(await image.metadata()).toMatchObject({ format: 'png', channels: 4, hasAlpha: true });
  const { data, info } = await image.raw().toBuffer({ resolveWithObject: true });
  expect(info.width).toBe(info.height);
  const pixels = Array.from({ length: info.width * info.height }, (_, index) => {
    const [red = 0, green = 0, blue = 0, alpha = 0] = data.subarray(index * 4, index * 4 + 4);
    return [`#${[red, green, blue].map((one) => one.toString(16).padStart(2, '0')).join('')}`, alpha] as const;
  });
  return { side: info.width, pixels, at: (x, y) => pixels[y * info.width + x] ?? ['none', -1] };
}

/** Both sizes of an icon of the tray. */
const trayIcons = async (name: string) => [await picture(`tray/${name}.png`), await picture(`tray/${name}@2x.png`)];
const alphas = ({ pixels }: Picture) => pixels.map(([, alpha]) => alpha);

/** Where a pixel is not all opaque, its colour is as exact as it is opaque. */
function isNear([colour, alpha]: readonly [colour: string, alpha: number], expected: string): boolean {
  const parts = (text: string) => [1, 3, 5].map((start) => Number.parseInt(text.slice(start, start + 2), 16));
  const within = alpha === 255 ? 0 : 3;
  return parts(colour).every((one, index) => Math.abs(one - (parts(expected)[index] ?? 0)) <= within);
}

describe('icons of the application', () => {
  it('have the sizes that systems use, without further files', async () => {
    const names = [...STATES].flatMap((state) => [
      `${state}Template`,
      ...Object.keys(LOOKS).map((look) => `${state}-${look}`),
    ]);
    expect((await readdir(folder, { recursive: true })).sort()).toEqual(
      [
        ...['linux', 'mac.png', 'tray', 'windows.png'],
        ...LINUX.map((side) => `linux/${side}x${side}.png`),
        ...names.flatMap((name) => [`tray/${name}.png`, `tray/${name}@2x.png`]),
      ].sort(),
    );
    expect((await picture('mac.png')).side).toBe(1024);
    expect((await picture('windows.png')).side).toBe(512);
    for (const side of LINUX) expect((await picture(`linux/${side}x${side}.png`)).side).toBe(side);
  });

  itInFull.each([
    // Room around it, as its neighbours have.
    ['mac.png', 32],
    ['linux/256x256.png', 8],
    ['linux/64x64.png', 2],
    // None: Windows draws no room around others.
    ['windows.png', 0],
  ])('%s has round corners and %i pixels around it', async (name, room) => {
    const { side, at, pixels } = await picture(name);
    const [first, last, middle] = [room, side - 1 - room, side / 2];
    for (const [x, y] of [
      [first, middle],
      [last, middle],
      [middle, first],
      [middle, last],
    ] as const) {
      expect(at(x, y)[1]).toBe(255);
    }
    for (const x of [first, last]) for (const y of [first, last]) expect(at(x, y)[1]).toBe(0);
    const outside = pixels.filter((_, index) => {
      const [x, y] = [index % side, Math.floor(index / side)];
      return x < first || x > last || y < first || y > last;
    });
    expect(outside.every(([, alpha]) => alpha === 0)).toBe(true);
    // The quince, the jar and the wall.
    const colours = new Set(pixels.map(([colour]) => colour));
    for (const colour of ['#e2a72e', '#8fbfa5', '#f7f6f2']) expect(colours).toContain(colour);
  });
});

describe.each(Object.entries(LOOKS))('icons of the tray, %s', (look, colours) => {
  it('show the complete niche in one colour while the server runs', async () => {
    for (const icon of await trayIcons(`running-${look}`)) {
      const scale = icon.side / 16;
      // The wall on the left, the floor, the quince.
      for (const [x, y] of [
        [2, 11],
        [8, 14],
        [6, 6],
      ] as const) {
        expect(icon.at(x * scale, y * scale)[1]).toBeGreaterThan(150);
      }
      const lines = icon.pixels.filter(([, alpha]) => alpha > 150);
      expect(lines.filter((pixel) => !isNear(pixel, colours.line))).toEqual([]);
      const edges = icon.pixels.filter((_, index) => {
        const [x, y] = [index % icon.side, Math.floor(index / icon.side)];
        return x === 0 || y === 0 || x === icon.side - 1 || y === icon.side - 1;
      });
      expect(edges.every(([, alpha]) => alpha === 0)).toBe(true);
    }
  });

  it('are faint while the server is paused', async () => {
    const [running, paused] = [await trayIcons(`running-${look}`), await trayIcons(`paused-${look}`)];
    for (const [index, icon] of paused.entries()) {
      const full = alphas(running[index] as Picture);
      expect(Math.max(...alphas(icon))).toBeGreaterThan(110);
      expect(alphas(icon).every((alpha, at) => Math.abs(alpha - (full[at] ?? 0) * 0.45) < 2)).toBe(true);
    }
  });

  it.each(['attention', 'stopped'] as const)(
    'have a complete dot in the colour for %s, with a gap around it',
    async (state) => {
      for (const icon of await trayIcons(`${state}-${look}`)) {
        const at = (x: number, y: number) =>
          icon.at(Math.floor((x * icon.side) / 16), Math.floor((y * icon.side) / 16));
        expect(at(12.75, 12.75)).toEqual([colours[state], 255]);
        // To the right and below it ends with the picture, as far from its middle as on the other sides.
        for (const [x, y] of [
          [10, 12.75],
          [15.5, 12.75],
          [12.75, 10],
          [12.75, 15.5],
        ] as const) {
          expect([x, y, isNear(at(x, y), colours[state]), at(x, y)[1] > 200]).toEqual([x, y, true, true]);
        }
        expect(at(15.9, 15.9)[1]).toBeLessThan(10);
        // The floor ends before it.
        expect(at(9.2, 14.2)[1]).toBeLessThan(60);
        expect(at(6, 14.2)[1]).toBeGreaterThan(150);
        expect(isNear(at(2, 11), colours.line)).toBe(true);
      }
    },
  );
});

describe('template images', () => {
  it('are black only, because the system colours them', async () => {
    for (const state of STATES) {
      for (const { pixels } of await trayIcons(`${state}Template`)) {
        const seen = new Set(pixels.filter(([, alpha]) => alpha > 0).map(([colour]) => colour));
        expect(seen).toEqual(new Set(['#000000']));
      }
    }
  });

  it('differ by their shapes: no dot, faint, a filled dot, an empty dot', async () => {
    const all = await Promise.all(STATES.map((state) => trayIcons(`${state}Template`)));
    for (const index of [0, 1]) {
      const [running, paused, attention, stopped] = all.map((icons) => icons[index]) as [
        Picture,
        Picture,
        Picture,
        Picture,
      ];
      const middle = (icon: Picture) => {
        const place = Math.floor((12.75 * icon.side) / 16);
        return icon.at(place, place)[1];
      };
      expect([running, paused, attention, stopped].map(middle)).toEqual([0, 0, 255, expect.any(Number)]);
      expect(middle(stopped)).toBeLessThan(10);
      expect(Math.max(...alphas(paused))).toBeLessThan(120);
    }
  });
});
