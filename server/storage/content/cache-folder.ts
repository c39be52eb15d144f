import { readdir, stat, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { CachedFile } from './cached-files.ts';

/** Files that can be made again, in a folder of their own that may be deleted at any time. */
export interface CacheFolder {
  /** Written soon, when there is time for it; best effort. */
  put(name: string, bytes: Uint8Array): void;
  /** Writes what waits. Nothing of it is safe from a power cut: that can leave a file cut short. */
  flush(): Promise<void>;
  /** How many files there are, and their bytes. */
  usage(): Promise<{ files: number; bytes: number }>;
  /** Deletes all of them. @returns how many bytes there are fewer */
  clear(): Promise<number>;
}

/** How full the folder is left when it had to be emptied, so that it need not be at once again. */
const LEFT = 0.9;
/** Milliseconds between two looks whether there is time to write. */
const LOOK_EVERY = 250;
/** How many files wait for that, at most, and how many milliseconds. */
const MAX_WAITING = 256;
const MAX_WAIT = 10_000;

/**
 * @param folder where the files are, in subfolders by the first two letters of their names
 * @param limit in bytes; beyond it those files go that were used longest ago
 * @param write see `cached-files.ts`
 * @param isBusy whether somebody waits for what is being made: they come before what is only written down
 */
export function openCacheFolder(
  folder: string,
  limit: () => number,
  write: (files: readonly CachedFile[]) => Promise<number>,
  isBusy: () => boolean,
): CacheFolder {
  let bytes: Promise<number> | null = null;
  let trimming: Promise<void> | null = null;
  const waiting: CachedFile[] = [];
  let writing: Promise<void> = Promise.resolve();
  let waitingSince = 0;
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

  function look(): void {
    const isLate = waiting.length >= MAX_WAITING || performance.now() - waitingSince >= MAX_WAIT;
    if (isLate || !isBusy()) void flush();
  }

  function flush(): Promise<void> {
    clearInterval(timer);
    timer = undefined;
    const files = waiting.splice(0);
    if (files.length > 0) writing = writing.then(() => write(files)).then(count, () => undefined);
    return writing;
  }

  return {
    put(name, content) {
      if (waiting.length === 0) waitingSince = performance.now();
      waiting.push({ name, bytes: content });
      timer ??= setInterval(look, LOOK_EVERY).unref();
    },
    flush,
    async usage() {
      const files = await filesIn(folder);
      return { files: files.length, bytes: files.reduce((sum, { size }) => sum + size, 0) };
    },
    async clear() {
      waiting.length = 0;
      await writing;
      let freed = 0;
      for (const { path, size } of await filesIn(folder)) {
        const isGone = await unlink(path).then(
          () => true,
          () => false,
        );
        if (isGone) freed += size;
      }
      // Counted anew: something may have been written meanwhile.
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
