import { z } from 'zod';
import type { Jobs } from '../protocol.ts';

/** Pixels on each side of the picture of an account. */
export const PICTURE_SIZE = 256;
/** Pixels on the longer side of a logo, at most. */
export const LOGO_SIZE = 96;
/** Pixels of an image, at most: more than the cameras of people have, and what a bomb begins with. */
export const MAX_PIXELS = 100_000_000;

/** Bytes of what comes out, at most; a picture of nothing but noise has half of it. */
const MAX_OUTPUT = 256 * 1024;

const image = z.object({ bytes: z.custom<Uint8Array>((value) => value instanceof Uint8Array) });

/** It is kept and sent as what it is said to be, so that it is looked at first. @param signature its first bytes */
const encoded = (signature: readonly number[]) =>
  image.refine(
    ({ bytes }) => bytes.length <= MAX_OUTPUT && signature.every((byte, index) => bytes[index] === byte),
    'not an image of the kind it should be',
  );

/** What image workers do. All of them take JPEG, PNG, WebP, GIF (its first frame), AVIF and TIFF. */
export const imageJobs = {
  /**
   * The picture of an account: a square JPEG of 256 × 256, upright, in sRGB, on white, and without anything that the camera
   * wrote into it. JPEG, because everything that shows pictures shows it; WebP would save five kilobytes.
   */
  picture: { input: image, output: encoded([0xff, 0xd8, 0xff]) },
  /** A logo: a PNG of 96 × 96 at most, never enlarged, nothing cut off, with its transparency. */
  logo: { input: image, output: encoded([0x89, 0x50, 0x4e, 0x47]) },
} satisfies Jobs;
