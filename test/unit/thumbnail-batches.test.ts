import { expect, it } from 'vitest';
import { createBatches } from '../../dist/server/media/thumbnails/batches.js';
import {
  PICTURE_SIDES,
  type PictureSide,
  pictureShape,
  pictureSide,
} from '../../dist/server/media/thumbnails/sides.js';
import type { ThumbnailShape } from '../../dist/server/workers/thumbnails/jobs.js';

const sideOf = ({ width }: ThumbnailShape) => String(width);

/** A decoder that begins and ends when the test says so. */
function decoder() {
  const decodings: { begin: () => ThumbnailShape[]; end: () => void; shapes: string[] }[] = [];
  return {
    decodings,
    decode: (begin: () => ThumbnailShape[]) =>
      new Promise<ReadonlyMap<string, Uint8Array>>((resolve) => {
        const own = {
          begin: () => {
            const shapes = begin();
            own.shapes = shapes.map(sideOf);
            return shapes;
          },
          end: () => resolve(new Map(own.shapes.map((side) => [side, Buffer.from(side)]))),
          shapes: [] as string[],
        };
        decodings.push(own);
      }),
  };
}

const asked = (side: PictureSide, content = 'lake') => ({
  file: '/lake.jpg',
  content,
  shape: pictureShape(side, 'webp'),
});
const text = (bytes: Uint8Array | undefined) => String(bytes && Buffer.from(bytes));

it('serves all requests before the start of a decoding from that decoding', async () => {
  const batches = createBatches(sideOf);
  const { decodings, decode } = decoder();
  const all = PICTURE_SIDES.map((side) => batches.make(asked(side), decode));
  const other = batches.make(asked(400, 'village'), decode);
  await expect.poll(() => decodings.length).toBe(2);
  for (const { begin, end } of decodings) {
    begin();
    end();
  }
  expect((await Promise.all(all)).map(text)).toEqual(PICTURE_SIDES.map(String));
  expect(text(await other)).toBe('400');
  expect(decodings.map(({ shapes }) => shapes)).toEqual([PICTURE_SIDES.map(String), ['400']]);
});

it('includes what is announced at the start of the decoding, and shares decodings in progress', async () => {
  const batches = createBatches(sideOf);
  const { decodings, decode } = decoder();
  const end = batches.announce('/lake.jpg', pictureShape(2_048, 'webp'));
  batches.announce('/lake.jpg', pictureShape(800, 'webp'))();
  const small = batches.make(asked(200), decode);
  await expect.poll(() => decodings.length).toBe(1);
  decodings[0]?.begin();
  end();
  const large = batches.make(asked(2_048), decode);
  const late = batches.make(asked(1_280), decode);
  await expect.poll(() => decodings.length).toBe(2);
  decodings[1]?.begin();
  for (const decoding of decodings) decoding.end();
  expect([text(await small), text(await large), text(await late)]).toEqual(['200', '2048', '1280']);
  expect(decodings.map(({ shapes }) => shapes)).toEqual([['200', '2048'], ['1280']]);
});

it('separates shapes that crop the picture', async () => {
  const batches = createBatches(({ fit, width }) => `${fit} ${width}`);
  const begun: string[][] = [];
  const decode = async (begin: () => ThumbnailShape[]) => {
    begun.push(begin().map(({ fit }) => fit));
    return new Map<string, Uint8Array>();
  };
  const cover: ThumbnailShape = { width: 400, height: 400, fit: 'cover', format: 'webp' };
  await Promise.all([
    batches.make({ ...asked(400), shape: cover }, decode),
    batches.make(asked(400), decode),
    batches.make(asked(800), decode),
  ]);
  expect(begun.flat().sort()).toEqual(['contain', 'contain', 'cover']);
  expect(begun).toContainEqual(['cover']);
});

it('rounds sizes up to a few steps', () => {
  expect([1, 200, 201, 640, 1_281, 2_048, 9_999].map(pictureSide)).toEqual([200, 200, 400, 800, 2_048, 2_048, 2_048]);
});
