import { createRequire } from 'node:module';
import type { OpenInherited } from '../inherited-file.ts';
import { JobError } from '../job-error.ts';
import type { ThumbnailShape } from '../thumbnails/jobs.ts';
import { readWhole } from './read-whole.ts';
import { boxOf, INPUT, imageError, sharp, shrink } from './shrink.ts';
import { tiffOf } from './tiff.ts';

/** Bytes of a file: images of 48 megapixels have 5 to 10 million. */
const MAX_BYTES = 128 * 1024 * 1024;
/** They are decoded into memory: four bytes each, temporarily twice. */
const MAX_PIXELS = 60_000_000;

interface HeifImage {
  get_width(): number;
  get_height(): number;
  is_primary(): boolean;
  display(
    target: { data: Uint8ClampedArray; width: number; height: number },
    done: (result: { data: Uint8ClampedArray } | null) => void,
  ): void;
  free(): void;
}

interface Libheif {
  readonly HeifDecoder: new () => { decode(bytes: Uint8Array): HeifImage[] };
}

/**
 * The HEIC codec (HEVC), which the image library lacks: in WebAssembly, and loaded for the first such image. It rotates according
 * to the container (ISO/IEC 23008-12 §6.5.10); colours are not converted.
 * @throws JobError
 */
export async function heicThumbnail(file: OpenInherited, shapes: readonly ThumbnailShape[]): Promise<Uint8Array[]> {
  const bytes = readWhole(file, MAX_BYTES);
  const { width = 0, height = 0, icc } = await headOf(bytes);
  if (width * height > MAX_PIXELS) throw new JobError('too_large', `${width} × ${height} pixels`);
  const image = await decoded(bytes);
  try {
    const raw = { width: image.width, height: image.height, channels: 4 as const };
    if (icc === undefined) return await shrink(image.data, shapes, { raw, autoOrient: false });
    // Raw pixels have no profile: they get one within a container, after they were reduced.
    const { width: wide, height: high, fit } = boxOf(shapes);
    const small = await sharp(image.data, { raw })
      .resize(wide, high, { fit: fit === 'cover' ? 'cover' : 'inside', withoutEnlargement: true })
      .raw()
      .toBuffer({ resolveWithObject: true });
    return await shrink(tiffOf(small.data, small.info, icc), shapes, { autoOrient: false });
  } catch (error) {
    throw imageError(error as Error);
  }
}

async function headOf(bytes: Buffer) {
  try {
    return await sharp(bytes, INPUT).metadata();
  } catch (error) {
    throw imageError(error as Error);
  }
}

interface Decoded {
  readonly data: Uint8ClampedArray;
  readonly width: number;
  readonly height: number;
}

let loaded: Libheif | null = null;

async function decoded(bytes: Buffer): Promise<Decoded> {
  loaded ??= (createRequire(import.meta.url)('libheif-js/libheif-wasm/libheif-bundle.js') as () => Libheif)();
  try {
    return await primaryOf(loaded, bytes);
  } catch (error) {
    // After an abort in the middle its memory is in an unknown state: the next image gets a new instance.
    if (!(error instanceof JobError)) loaded = null;
    throw error;
  }
}

async function primaryOf(libheif: Libheif, bytes: Buffer): Promise<Decoded> {
  const images = new libheif.HeifDecoder().decode(bytes);
  const image = images.find((one) => one.is_primary()) ?? images[0];
  if (image === undefined) throw new JobError('corrupt', 'there is no picture in it');
  const [width, height] = [image.get_width(), image.get_height()];
  if (width * height > MAX_PIXELS) throw new JobError('too_large', `${width} × ${height} pixels`);
  const data = new Uint8ClampedArray(width * height * 4);
  const result = await new Promise<{ data: Uint8ClampedArray } | null>((resolve) => {
    image.display({ data, width, height }, resolve);
  });
  for (const one of images) one.free();
  if (result === null) throw new JobError('corrupt', 'the picture cannot be decoded');
  return { data, width, height };
}
