import type { FoundItem } from '../../catalogue/find.ts';
import type { Home } from '../../catalogue/homes.ts';
import { type KnownContents, knownContentOf } from '../../catalogue/known-contents.ts';
import { ignoreFailure } from '../../lib/async/ignore-failure.ts';
import type { Owner } from '../../lib/concurrency/turn-queue.ts';
import { LruCache } from '../../lib/lru-cache.ts';
import { extensionOf } from '../../lib/names/file-types.ts';
import type { CacheFolder } from '../../storage/content/cache-folder.ts';
import { cachedName } from '../../storage/content/cached-files.ts';
import { type InheritedFile, inheritAt, inheritFile } from '../../storage/content/inherited-file.ts';
import { closeFile } from '../../storage/content/send-bytes.ts';
import type { Cached, Disk, DiskEntry } from '../../storage/disk/disk.ts';
import { StorageError } from '../../storage/errors.ts';
import { JobError } from '../../workers/job-error.ts';
import type { WorkerPool } from '../../workers/pool/worker-pool.ts';
import { isThumbnail, type ThumbnailJobs, type ThumbnailShape } from '../../workers/thumbnails/jobs.ts';
import { type ThumbnailSource, thumbnailSourceOf } from '../../workers/thumbnails/kinds.ts';
import { createBatches } from './batches.ts';
import { isOfTheShape, type ThumbnailFailures } from './failures.ts';
import { DEFAULT_SIDE } from './sides.ts';

/** Part of the name of every cached thumbnail: changing it invalidates all. */
const GENERATION = '1';
/** Bytes of thumbnails in memory. */
const IN_MEMORY = 24 * 1024 * 1024;
/** Files whose last thumbnail name is remembered. */
const MAX_SEEN = 5_000;

export interface Thumbnail {
  /** Of the file, as it was found. */
  readonly entry: DiskEntry;
  readonly bytes: Uint8Array;
  readonly format: ThumbnailShape['format'];
  /** Whether it was generated for this request. */
  readonly wasMade: boolean;
  /** A strong validator with its quotes, different for every content and shape. */
  readonly etag: string;
}

/** The location of a file. */
export interface PicturedFile {
  readonly home: Home;
  /** Below the root of the home. */
  readonly segments: readonly string[];
}

/** A file that is open already, outside of the files of its home. */
interface OpenPicture {
  readonly home: Home;
  readonly entry: DiskEntry;
  /** What the catalogue knows of its content, if it does. */
  readonly known: FoundItem | null;
  readonly fd: number;
  /** Where it was opened. */
  readonly path: string;
}

interface ThumbnailsParts {
  readonly contents: KnownContents;
  readonly disk: Disk;
  readonly pool: WorkerPool<ThumbnailJobs>;
  /** The cache folder, and its writer. */
  readonly folder: string;
  readonly cache: CacheFolder;
  readonly failures: ThumbnailFailures;
  /** The path of the program that extracts frames of videos, or null. */
  readonly ffmpeg: string | null;
}

/** Thumbnails of files: generated once per content and shape, and cached. */
export interface Thumbnails {
  /** Whether files of this name may have one; the content decides. */
  canMake(entry: Pick<DiskEntry, 'name' | 'isDir' | 'size'>): boolean;
  /**
   * Concurrent requests for the same content share the work.
   * @param owner for whom it is: owners share the workers and the cache
   * @throws JobError; `unsupported` also for kinds of files that have none. StorageError when the file does not exist, is a
   * folder, or was replaced
   */
  of(file: PicturedFile, shape: ThumbnailShape, owner: Owner): Promise<Thumbnail>;
  /**
   * The same of a file that stays open until this is done, such as a deleted one. While its content is what the catalogue knows, its
   * thumbnails are those that it had in its home. @throws as `of`
   */
  ofOpen(file: OpenPicture, shape: ThumbnailShape, owner: Owner): Promise<Thumbnail>;
  /** The identities of contents in a home that have none. */
  failedIn(homeId: string): Promise<ReadonlySet<string>>;
}

/** A content whose thumbnail has to be made. */
interface Content {
  readonly homeId: string;
  /** Any name of the file. */
  readonly key: string;
  readonly identity: string;
  /** Of the thumbnail. */
  readonly name: string;
  readonly source: ThumbnailSource;
  readonly inherited: InheritedFile;
}

export function createThumbnails({
  contents,
  disk,
  pool,
  folder,
  cache,
  failures,
  ffmpeg,
}: ThumbnailsParts): Thumbnails {
  /** The names of the last results, by file and shape, to avoid reading from the disk what is in memory. */
  const seen = new LruCache<string>(MAX_SEEN);
  const kept = new LruCache<Uint8Array>(IN_MEMORY, (bytes) => bytes.length);
  const batches = createBatches(variantOf);

  const sourceOf = ({ name, isDir, size }: Pick<DiskEntry, 'name' | 'isDir' | 'size'>): ThumbnailSource | null => {
    const source = isDir || size === 0 ? null : thumbnailSourceOf(extensionOf(name));
    return source === 'video' && ffmpeg === null ? null : source;
  };

  /** One call of the disk's thread: on a machine busy with pictures, a thread switch takes longer than the work. */
  async function look({ home: { id, homeRoot }, segments }: PicturedFile, shape: ThumbnailShape): Promise<Cached> {
    const nothing = { name: '', bytes: null, opened: null };
    if (sourceOf({ name: segments.at(-1) ?? '', isDir: false, size: 1 }) === null) {
      return { ...nothing, entry: (await disk.run('stat', { homeRoot, segments })).entry };
    }
    const variant = variantOf(shape);
    const key = [id, ...segments, variant].join('/');
    const known = seen.get(key) ?? null;
    const inMemory = known === null ? undefined : kept.get(known);
    // Read before the file: what changes in between is another content.
    const cache = { folder, variant, content: knownContentOf(await contents.at(id, segments)) };
    const requested = { homeRoot, segments, cache, known: inMemory === undefined ? null : known };
    const found = await disk.run('openUnlessCached', requested);
    seen.set(key, found.name);
    if (inMemory !== undefined && found.name === known) return { ...found, bytes: inMemory };
    if (found.bytes === null || isThumbnail(found.bytes, shape.format)) return found;
    // A power cut left it truncated.
    const opened = await disk.run('open', { homeRoot, segments });
    if (opened.entry.identity === found.entry.identity) return { ...found, bytes: null, opened };
    await closeFile(opened.fd);
    throw new StorageError('not-found');
  }

  /** From the cache; null also for what a power cut left truncated. */
  async function stored({ homeRoot }: Home, name: string, { format }: ThumbnailShape): Promise<Uint8Array | null> {
    const { bytes } = await disk.run('readCached', { homeRoot, folder, name });
    return bytes !== null && isThumbnail(bytes, format) ? bytes : null;
  }

  /** @throws JobError, StorageError */
  async function make(
    { homeId, key, identity, name, source, inherited }: Content,
    shape: ThumbnailShape,
    owner: Owner,
  ): Promise<Uint8Array> {
    // The name is that of the content, followed by the shape.
    const content = name.slice(0, name.length - variantOf(shape).length);
    const wanted = (one: ThumbnailShape) => ({
      ...{ homeId, identity, name: `${content}${variantOf(one)}` },
      isDemanding: one.fit === 'cover' || Math.max(one.width, one.height) > DEFAULT_SIDE,
    });
    const failed = await failures.of(wanted(shape));
    if (failed !== null) throw new JobError(failed, 'it failed before');
    // Another request may have made it since the memory was asked.
    const made = kept.get(name);
    if (made !== undefined) return made;
    const given = { source, ffmpeg, file: inherited };

    /** What is made for a request that ends meanwhile is there for the next one. */
    async function decode(begin: () => ThumbnailShape[]): Promise<ReadonlyMap<string, Uint8Array>> {
      let shapes: ThumbnailShape[] = [];
      try {
        const job = () => {
          shapes = begin();
          return { ...given, shapes };
        };
        const { pictures } = await pool.run('thumbnail', job, owner);
        const all = shapes.map((one, index) => [variantOf(one), pictures[index] ?? new Uint8Array()] as const);
        for (const [variant, bytes] of all) {
          cache.put(`${content}${variant}`, bytes, owner);
          // Before the batch ends: a request that comes then finds it here.
          kept.set(`${content}${variant}`, bytes);
        }
        return new Map(all);
      } catch (error) {
        if (!(error instanceof JobError)) throw error;
        // The file was replaced, which says nothing about its content.
        if (error.reason === 'gone') throw new StorageError('not-found');
        // The largest may have been too much: the others are still possible.
        if (shapes.length > 1 && isOfTheShape(error.reason)) return oneByOne(shapes);
        for (const one of shapes) await failures.add(wanted(one), error.reason);
        throw error;
      }
    }

    async function oneByOne(shapes: readonly ThumbnailShape[]): Promise<ReadonlyMap<string, Uint8Array>> {
      const made = new Map<string, Uint8Array>();
      let failure: unknown = null;
      for (const one of shapes) {
        await decode(() => [one]).then(
          (pictures) => {
            for (const [variant, bytes] of pictures) made.set(variant, bytes);
          },
          (error) => {
            failure = error;
          },
        );
      }
      if (made.size === 0) throw failure;
      return made;
    }

    const bytes = await batches.make({ file: key, content, shape }, decode);
    if (bytes === undefined) throw new JobError('too_large', 'only smaller ones can be made');
    return bytes;
  }

  return {
    canMake: (entry) => sourceOf(entry) !== null,

    async of(file, shape, owner) {
      const end = batches.announce(fileKey(file), shape);
      const found = await look(file, shape).finally(end);
      const { entry, name, opened } = found;
      try {
        if (entry.isDir) throw new StorageError('is-a-folder');
        const source = sourceOf(entry);
        if (source === null) throw new JobError('unsupported', 'no file of this kind has one');
        const there = found.bytes ?? kept.get(name);
        const bytes = there ?? (await make(toBeMade(file, source, found), shape, owner));
        kept.set(name, bytes);
        return { entry, bytes, format: shape.format, wasMade: there === undefined, etag: `"${name}"` };
      } finally {
        // Also if another request was generating it already. Closing is not awaited.
        if (opened !== null) void ignoreFailure(closeFile(opened.fd), 'failed to close a file');
      }
    },

    async ofOpen({ home, entry, known, fd, path }, shape, owner) {
      const source = sourceOf(entry);
      if (source === null) throw new JobError('unsupported', 'no file of this kind has one');
      const { identity } = entry;
      const name = cachedName(home.id, entry, knownContentOf(known), variantOf(shape));
      const there = kept.get(name) ?? (await stored(home, name, shape));
      const content = { homeId: home.id, key: `${home.id}/${identity}`, identity, name, source };
      const bytes = there ?? (await make({ ...content, inherited: inheritAt(path, fd) }, shape, owner));
      kept.set(name, bytes);
      return { entry, bytes, format: shape.format, wasMade: there === null, etag: `"${name}"` };
    },

    failedIn: (homeId) => failures.inHome(homeId),
  };
}

/** @throws StorageError for what was deleted from the cache between two checks */
function toBeMade(file: PicturedFile, source: ThumbnailSource, { name, opened }: Cached): Content {
  if (opened === null) throw new StorageError('not-found');
  const { home } = file;
  const { identity } = opened.entry;
  const inherited = inheritFile(home.homeRoot, opened);
  return { homeId: home.id, key: fileKey(file), identity, name, source, inherited };
}

function variantOf({ width, height, fit, format }: ThumbnailShape): string {
  return `${GENERATION}-${width}x${height}-${fit}.${format}`;
}

function fileKey({ home, segments }: PicturedFile): string {
  return [home.id, ...segments].join('/');
}
