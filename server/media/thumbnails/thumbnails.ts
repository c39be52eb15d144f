import { createHash } from 'node:crypto';
import type { Home } from '../../catalogue/homes.ts';
import { extensionOf } from '../../lib/file-types.ts';
import { LruCache } from '../../lib/lru-cache.ts';
import type { CacheFolder } from '../../storage/cache-folder.ts';
import type { Disk, DiskEntry, OpenedFile } from '../../storage/disk.ts';
import { StorageError } from '../../storage/errors.ts';
import { handOver } from '../../storage/hand-over.ts';
import { closeFile } from '../../storage/send-bytes.ts';
import { JobError } from '../../workers/job-error.ts';
import type { WorkerPool } from '../../workers/pool.ts';
import { isThumbnail, type ThumbnailJobs, type ThumbnailShape } from '../../workers/thumbnail-jobs.ts';
import { type ThumbnailSource, thumbnailSourceOf } from '../../workers/thumbnail-kinds.ts';
import type { ThumbnailFailures } from './failures.ts';

/** A part of the name of everything that is kept; another one makes all of it anew. */
const GENERATION = '1';
/** Pixels on a side, for whoever does not say; also what is made ahead, and what pages show. */
export const DEFAULT_SIDE = 400;
/** Bytes of thumbnails in memory. */
const IN_MEMORY = 24 * 1024 * 1024;

export interface Thumbnail {
  readonly bytes: Uint8Array;
  readonly format: ThumbnailShape['format'];
  /** A strong validator, with its quotes: another one for every content and every shape. */
  readonly etag: string;
}

/** A file on the disk, as it is now. */
export interface PicturedFile {
  readonly home: Home;
  /** Below the root of the home. */
  readonly segments: readonly string[];
  readonly entry: DiskEntry;
}

export interface ThumbnailsParts {
  readonly disk: Disk;
  readonly pool: WorkerPool<ThumbnailJobs>;
  readonly cache: CacheFolder;
  readonly failures: ThumbnailFailures;
  /** The path of the program that takes frames out of videos, or null. */
  readonly ffmpeg: string | null;
}

/** Small pictures of files: made once for a content and a shape, and kept. */
export interface Thumbnails {
  /** Whether files of this name may have one; what is in them decides. */
  canMake(entry: Pick<DiskEntry, 'name' | 'isDir' | 'size'>): boolean;
  /**
   * Whoever asks for the same one at the same time gets the same work.
   * @throws JobError; `unsupported` also for files of kinds that have none. StorageError when the file cannot be opened, or is
   * another one by now
   */
  of(file: PicturedFile, shape: ThumbnailShape): Promise<Thumbnail>;
  /** The identities of contents in a home of which there is none. */
  failedIn(homeId: string): Promise<ReadonlySet<string>>;
}

/** How it is to be, and what can make it. */
interface Asked {
  readonly source: ThumbnailSource;
  readonly shape: ThumbnailShape;
}

export function createThumbnails({ disk, pool, cache, failures, ffmpeg }: ThumbnailsParts): Thumbnails {
  const kept = new LruCache<Uint8Array>(IN_MEMORY, (bytes) => bytes.length);
  const underWay = new Map<string, Promise<Uint8Array>>();

  const sourceOf = ({ name, isDir, size }: Pick<DiskEntry, 'name' | 'isDir' | 'size'>): ThumbnailSource | null => {
    const source = isDir || size === 0 ? null : thumbnailSourceOf(extensionOf(name));
    return source === 'video' && ffmpeg === null ? null : source;
  };

  async function readOrMake(name: string, file: PicturedFile, asked: Asked): Promise<Uint8Array> {
    const { shape } = asked;
    const { home, segments, entry } = file;
    const isDemanding = shape.fit === 'cover' || Math.max(shape.width, shape.height) > DEFAULT_SIDE;
    const wanted = { homeId: home.id, identity: entry.identity, name, isDemanding };
    // All at once: where processors are busy with pictures, every step on its own waits for one.
    const opening = disk.run('open', { place: home.place, segments });
    // Also where it turns out that nobody needs it. Nobody waits for that.
    const close = () => void opening.then(({ fd }) => closeFile(fd)).catch(() => undefined);
    opening.catch(() => undefined);
    try {
      const [found, failed] = await Promise.all([cache.read(name), failures.of(wanted)]);
      // A power cut may have left half of it.
      if (found !== null && isThumbnail(found, shape.format)) return found;
      if (failed !== null) throw new JobError(failed, 'it failed before');
      try {
        const bytes = await make(file, asked, await opening);
        void cache.write(name, bytes);
        return bytes;
      } catch (error) {
        if (error instanceof JobError) await failures.add(wanted, error.reason);
        throw error;
      }
    } finally {
      close();
    }
  }

  async function make({ home, entry }: PicturedFile, asked: Asked, opened: OpenedFile): Promise<Uint8Array> {
    const { source, shape } = asked;
    if (opened.entry.identity !== entry.identity) throw new StorageError('not-found');
    try {
      const { bytes } = await pool.run('thumbnail', { ...shape, source, ffmpeg, file: handOver(home.place, opened) });
      return bytes;
    } catch (error) {
      // For its worker it was: that says nothing of the content.
      if (error instanceof JobError && error.reason === 'gone') throw new StorageError('not-found');
      throw error;
    }
  }

  return {
    canMake: (entry) => sourceOf(entry) !== null,

    async of(file, shape) {
      const { home, entry } = file;
      const source = sourceOf(entry);
      if (source === null) throw new JobError('unsupported', 'no file of this kind has one');
      const name = nameOf(home.id, entry.identity, shape);
      let bytes = kept.get(name);
      if (bytes === undefined) {
        let making = underWay.get(name);
        if (making === undefined) {
          making = readOrMake(name, file, { source, shape }).finally(() => underWay.delete(name));
          underWay.set(name, making);
        }
        bytes = await making;
        kept.set(name, bytes);
      }
      return { bytes, format: shape.format, etag: `"${name}"` };
    },

    failedIn: (homeId) => failures.inHome(homeId),
  };
}

/** Says nothing of what it is made of. */
function nameOf(homeId: string, identity: string, { width, height, fit, format }: ThumbnailShape): string {
  const content = createHash('sha256').update(`${homeId}\0${identity}\0${GENERATION}`).digest('hex').slice(0, 32);
  return `${content}-${width}x${height}-${fit}.${format}`;
}
