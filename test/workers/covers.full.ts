import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import sharp from 'sharp';
import { afterAll } from 'vitest';
import { COLOURS, covers } from './reference/covers/files.ts';
import type { Values } from './reference/differences.ts';
import { compareFamily, printed } from './reference/harness.ts';
import { DIFFERENCES } from './reference/known-differences.ts';
import { openThumbnailPool, thumbnailOf } from './thumbnail-support.ts';

const PROGRAM = fileURLToPath(new URL('reference/covers/pictures.py', import.meta.url));

const pool = openThumbnailPool();
afterAll(() => pool.close());

/** The colour of a picture. */
async function colourOf(picture: Buffer): Promise<string> {
  const { data } = await sharp(picture).removeAlpha().resize(1, 1).raw().toBuffer({ resolveWithObject: true });
  const [r = 0, g = 0, b = 0] = data;
  const distance = (value: number) =>
    Math.abs((value >> 16) - r) + Math.abs(((value >> 8) & 255) - g) + Math.abs((value & 255) - b);
  const [closest] = Object.entries(COLOURS).sort(([, x], [, y]) => distance(x) - distance(y));
  return closest?.[0] ?? '';
}

/** The program gives the picture, and its colour says which it is. */
async function readByMutagen(folder: string): Promise<Values> {
  const pictures = JSON.parse(printed('python3', [PROGRAM, folder])) as Record<string, string>;
  const values = new Map<string, unknown>();
  for (const [file, picture] of Object.entries(pictures)) {
    values.set(file, await colourOf(Buffer.from(picture, 'base64')));
  }
  return values;
}

async function readByLarder(folder: string): Promise<Values> {
  const values = new Map<string, unknown>();
  for (const file of await readdir(folder))
    values.set(file, await colourOf(await thumbnailOf(pool, join(folder, file))));
  return values;
}

compareFamily({
  name: 'covers',
  files: await covers(),
  program: {
    name: 'mutagen',
    version: ['python3', '-c', 'import mutagen; print("mutagen", mutagen.version_string)'],
    read: readByMutagen,
  },
  larder: readByLarder,
  differences: DIFFERENCES.covers,
});
