import { type FileHandle, open } from 'node:fs/promises';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import sharp from 'sharp';
import { forkWorker } from '../../dist/server/workers/pool/fork-worker.js';
import { createWorkerPool, type PoolLimits, type WorkerPool } from '../../dist/server/workers/pool/worker-pool.js';
import { type ThumbnailJobs, type ThumbnailShape, thumbnailJobs } from '../../dist/server/workers/thumbnails/jobs.js';
import { type ThumbnailSource, thumbnailSourceOf } from '../../dist/server/workers/thumbnails/kinds.js';
import { log } from './support.ts';

/** The path of a file of `test/fixtures`. */
export const fixture = (name: string) => fileURLToPath(new URL(`../fixtures/${name}`, import.meta.url));

/** @param pids is given the processes that are started */
export function openThumbnailPool(
  limits: Partial<PoolLimits> = {},
  options: readonly string[] = [],
  pids: number[] = [],
) {
  return createWorkerPool({
    jobs: thumbnailJobs,
    log,
    limits,
    spawnWorker: () => {
      const made = forkWorker('thumbnail-worker', options);
      pids.push(made.pid ?? 0);
      return made;
    },
  });
}

const SHAPE: ThumbnailShape = { width: 400, height: 400, fit: 'contain', format: 'jpeg' };

export interface Asked extends Partial<ThumbnailShape> {
  readonly source?: ThumbnailSource;
  readonly ffmpeg?: string | null;
}

/** The thumbnail of a file on the disk. */
export async function thumbnailOf(pool: WorkerPool<ThumbnailJobs>, path: string, asked: Asked = {}): Promise<Buffer> {
  const { width, height, fit, format } = { ...SHAPE, ...asked };
  const [only] = await thumbnailsOf(pool, path, [{ width, height, fit, format }], asked);
  return only ?? Buffer.alloc(0);
}

/** The same in several shapes, as the server has them made: by a handle that it holds open. */
export async function thumbnailsOf(
  pool: WorkerPool<ThumbnailJobs>,
  path: string,
  shapes: ThumbnailShape[],
  asked: Pick<Asked, 'source' | 'ffmpeg'> = {},
): Promise<Buffer[]> {
  const handle: FileHandle = await open(path);
  try {
    const { ino, size, mtimeNs } = await handle.stat({ bigint: true });
    const source = asked.source ?? thumbnailSourceOf(extname(path).slice(1).toLowerCase());
    if (source === null) throw new Error(`nothing makes thumbnails of ${path}`);
    const file = { paths: [`/proc/${process.pid}/fd/${handle.fd}`, path], identity: `${ino}.${size}.${mtimeNs}` };
    const { pictures } = await pool.run('thumbnail', { shapes, ffmpeg: asked.ffmpeg ?? null, source, file });
    return pictures.map((bytes) => Buffer.from(bytes));
  } finally {
    await handle.close();
  }
}

const COLOURS: Readonly<Record<string, readonly [number, number, number]>> = {
  red: [255, 0, 0],
  green: [0, 255, 0],
  blue: [0, 0, 255],
  yellow: [255, 255, 0],
  white: [255, 255, 255],
  black: [0, 0, 0],
};

/** How it looks: its size, and the colours in the middles of its quarters, row by row. @param within how far a colour may be off */
export async function looksLike(image: Buffer, within = 40): Promise<string> {
  const { data, info } = await sharp(image).flatten({ background: '#fff' }).raw().toBuffer({ resolveWithObject: true });
  const at = (x: number, y: number) => {
    const start = (Math.floor(y * info.height) * info.width + Math.floor(x * info.width)) * info.channels;
    const found = [...data.subarray(start, start + 3)];
    const isNear = (colour: readonly number[]) =>
      colour.every((value, index) => Math.abs(value - (found[index] ?? 0)) <= within);
    return Object.entries(COLOURS).find(([, colour]) => isNear(colour))?.[0] ?? found.join('-');
  };
  const places = [
    [0.2, 0.2],
    [0.8, 0.2],
    [0.2, 0.8],
    [0.8, 0.8],
  ] as const;
  return `${info.width} × ${info.height} ${places.map(([x, y]) => at(x, y)).join(' ')}`;
}
