import { readdir, stat, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { Owner } from '../../lib/concurrency/turn-queue.ts';
import type { CachedFile } from '../disk/disk-protocol.ts';
import { type CacheShare, createCacheShares } from './cache-shares.ts';
import { cachedPath } from './cached-files.ts';

/** Files that can be generated again, in a folder that may be deleted at any time. */
export interface CacheFolder {
  /** Written in the background; best effort. @param owner whose share it is counted to */
  put(name: string, bytes: Uint8Array, owner: Owner): void;
  /** Writes what is queued. It is not flushed: a power cut can leave a truncated file. */
  flush(): Promise<void>;
  /** Writes what is queued, and nothing that comes later: work that is still under way may put its results. */
  close(): Promise<void>;
  /** Number of files, and their bytes. */
  usage(): Promise<{ files: number; bytes: number }>;
  /** Deletes all of them. @returns the bytes freed */
  clear(): Promise<number>;
}

/** The fraction of the limit kept after a cleanup, so that the next one is not due at once. */
const LEFT = 0.9;
/** Milliseconds between two checks whether there is time to write. */
const CHECK_INTERVAL = 250;
/** Most files in the queue, and milliseconds they wait at most. */
const MAX_WAITING = 256;
const MAX_WAIT = 10_000;

/**
 * @param folder of the files, with subfolders by the first two letters of their names
 * @param limit in bytes; beyond it the least recently used files are deleted
 * @param shareOf the part of the limit that an owner may fill; beyond it, the oldest files of that share are deleted
 * @param write see `cached-files.ts`
 * @param isBusy whether someone waits for files to be generated: writing to the cache has lower priority
 */
export function openCacheFolder(
  folder: string,
  limit: () => number,
  shareOf: (owner: Owner) => CacheShare,
  write: (files: readonly CachedFile[]) => Promise<number>,
  isBusy: () => boolean,
): CacheFolder {
  let bytes: Promise<number> | null = null;
  let trimming: Promise<void> | null = null;
  const waiting: (CachedFile & { readonly owner: Owner })[] = [];
  const shares = createCacheShares(limit, shareOf);
  let writing: Promise<void> = Promise.resolve();
  let waitingSince = 0;
  let isClosed = false;
  let timer: NodeJS.Timeout | undefined;

  async function trim(): Promise<void> {
    const files = await filesIn(folder);
    files.sort((a, b) => a.used - b.used);
    let left = files.reduce((sum, { size }) => sum + size, 0);
    for (const { path, size } of files) {
      if (left <= limit() * LEFT) break;
      await unlink(path).catch(() => undefined);
      left -= size;
    }
    bytes = Promise.resolve(left);
  }

  async function count(added: number): Promise<void> {
    bytes ??= filesIn(folder).then((files) => files.reduce((sum, { size }) => sum + size, 0) - added);
    const counted = bytes.then((before) => before + added);
    bytes = counted;
    if ((await counted) <= limit()) return;
    trimming ??= trim().finally(() => {
      trimming = null;
    });
    await trimming;
  }

  function check(): void {
    const isLate = waiting.length >= MAX_WAITING || performance.now() - waitingSince >= MAX_WAIT;
    if (isLate || !isBusy()) void flush();
  }

  function flush(): Promise<void> {
    clearInterval(timer);
    timer = undefined;
    const files = waiting.splice(0);
    if (files.length > 0) writing = writing.then(() => writeAll(files)).catch(() => undefined);
    return writing;
  }

  async function writeAll(files: readonly (CachedFile & { readonly owner: Owner })[]): Promise<void> {
    const written = await write(files.map(({ name, bytes: content }) => ({ name, bytes: content })));
    const exceeding = files.flatMap(({ name, bytes: { length }, owner }) => shares.add(owner, name, length));
    for (const name of exceeding) await unlink(cachedPath(folder, name)).catch(() => undefined);
    // Counted again, because some of these may have been deleted before.
    if (exceeding.length > 0) bytes = null;
    await count(written);
  }

  return {
    put(name, content, owner) {
      if (isClosed) return;
      if (waiting.length === 0) waitingSince = performance.now();
      waiting.push({ name, bytes: content, owner });
      timer ??= setInterval(check, CHECK_INTERVAL).unref();
    },
    flush,
    close() {
      isClosed = true;
      return flush();
    },
    async usage() {
      const files = await filesIn(folder);
      return { files: files.length, bytes: files.reduce((sum, { size }) => sum + size, 0) };
    },
    async clear() {
      waiting.length = 0;
      await writing;
      shares.clear();
      let freed = 0;
      for (const { path, size } of await filesIn(folder)) {
        const isGone = await unlink(path).then(
          () => true,
          () => false,
        );
        if (isGone) freed += size;
      }
      // Counted again, because something may have been written meanwhile.
      bytes = null;
      return freed;
    },
  };
}

async function filesIn(folder: string): Promise<{ path: string; size: number; used: number }[]> {
  const found: { path: string; size: number; used: number }[] = [];
  for (const entry of await readdir(folder, { withFileTypes: true }).catch(() => [])) {
    const path = join(folder, entry.name);
    if (!entry.isDirectory()) continue;
    for (const name of await readdir(path).catch(() => [])) await add(join(path, name));
  }
  return found;

  async function add(path: string): Promise<void> {
    const stats = await stat(path).catch(() => null);
    if (stats?.isFile() === true) found.push({ path, size: stats.size, used: stats.mtimeMs });
  }
}
