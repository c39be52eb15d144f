import { z } from 'zod';
import type { Jobs } from '../protocol.ts';

/** Pixels per side of an account's picture. */
export const PICTURE_SIZE = 256;
/** Pixels on the longer side of a logo, at most. */
export const LOGO_SIZE = 96;
/** Most pixels of an image: more than consumer cameras have, and fewer than a decompression bomb. */
export const MAX_PIXELS = 100_000_000;

/** Most bytes of the result; an image of pure noise has half of that. */
const MAX_OUTPUT = 256 * 1024;

const image = z.object({ bytes: z.custom<Uint8Array>((value) => value instanceof Uint8Array) });

/** The result is stored and sent with this type, so its signature is checked. @param signature its first bytes */
const encoded = (signature: readonly number[]) =>
  image.refine(
    ({ bytes }) => bytes.length <= MAX_OUTPUT && signature.every((byte, index) => bytes[index] === byte),
    'not an image of the kind it should be',
  );

/** Jobs of image workers. All of them accept JPEG, PNG, WebP, GIF (its first frame), AVIF and TIFF. */
export const imageJobs = {
  /**
   * The picture of an account: a square JPEG of 256 × 256, upright, in sRGB, on white, and without metadata. JPEG, because
   * everything displays it; WebP would save five kilobytes.
   */
  picture: { input: image, output: encoded([0xff, 0xd8, 0xff]) },
  /** A logo: a PNG of at most 96 × 96, never enlarged or cropped, with transparency. */
  logo: { input: image, output: encoded([0x89, 0x50, 0x4e, 0x47]) },
} satisfies Jobs;
