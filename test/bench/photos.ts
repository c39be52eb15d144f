import { copyFileSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';

const DIFFERENT = 8;

/** Photos of 12 megapixels, 4,000 × 3,000, as a camera compresses them. @returns their paths */
export async function writePhotos(folder: string, count: number): Promise<string[]> {
  const paths = Array.from({ length: count }, (_, n) => join(folder, `IMG_${String(n).padStart(5, '0')}.jpg`));
  for (const [n, path] of paths.entries()) {
    const first = paths[n % DIFFERENT];
    if (n >= DIFFERENT && first !== undefined) copyFileSync(first, path);
    else await writePhoto(path, n);
  }
  return paths;
}

/** Large shapes with fine grain upon them: three to four megabytes. */
async function writePhoto(path: string, n: number): Promise<void> {
  const shapes = await sharp({
    create: {
      width: 40,
      height: 30,
      channels: 3,
      background: '#888',
      noise: { type: 'gaussian', mean: 128, sigma: 60 },
    },
  })
    .resize(4_000, 3_000, { kernel: 'cubic' })
    .raw()
    .toBuffer({ resolveWithObject: true });
  for (let at = 0; at < shapes.data.length; at += 1) {
    shapes.data[at] = Math.max(0, Math.min(255, (shapes.data[at] ?? 0) + ((at * (7_919 + n)) % 23) - 11));
  }
  await sharp(shapes.data, { raw: shapes.info }).jpeg({ quality: 88 }).toFile(path);
}

/** Makes other contents of them, to whoever goes by what the disk says: nothing that was made of them is of use. */
export function touchAll(paths: readonly string[], seconds: number): void {
  for (const path of paths) utimesSync(path, seconds, seconds);
}
