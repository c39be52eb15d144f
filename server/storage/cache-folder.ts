import { readdir, stat, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { HOUR } from '../lib/clock.ts';
import type { CachedFile } from './cached-files.ts';

/** Files that can be made again, in a folder of their own that may be deleted at any time. */
export interface CacheFolder {
  /** Written soon, with others; best effort. */
  put(name: string, bytes: Uint8Array): void;
  /** Writes what waits. Nothing of it is safe from a power cut: that can leave a file cut short. */
  flush(): Promise<void>;
}

/** How full the folder is left when it had to be emptied, so that it need not be at once again. */
const LEFT = 0.9;
/** Files that are written at once: on a busy machine, each turn of another thread takes longer than the writing. */
const AT_ONCE = 16;
/** Milliseconds that a file waits for others. */
const MAX_WAIT = 500;

/**
 * @param folder where the files are, in subfolders by the first two letters of their names
 * @param limit in bytes; beyond it those files go that were used longest ago
 * @param write see `cached-files.ts`
 */
export function openCacheFolder(
  folder: string,
  limit: () => number,
  write: (files: readonly CachedFile[]) => Promise<number>,
): CacheFolder {
  let bytes: Promise<number> | null = null;
  let trimming: Promise<void> | null = null;
  const waiting: CachedFile[] = [];
  let writing: Promise<void> = Promise.resolve();
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

  function flush(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    const files = waiting.splice(0);
    if (files.length > 0) writing = writing.then(() => write(files)).then(count, () => undefined);
    return writing;
  }

  return {
    put(name, content) {
      waiting.push({ name, bytes: content });
      if (waiting.length >= AT_ONCE) void flush();
      else timer ??= setTimeout(() => void flush(), MAX_WAIT).unref();
    },
    flush,
  };
}

async function filesIn(folder: string): Promise<{ path: string; size: number; used: number }[]> {
  const found: { path: string; size: number; used: number }[] = [];
  for (const entry of await readdir(folder, { withFileTypes: true }).catch(() => [])) {
    const path = join(folder, entry.name);
    if (!entry.isDirectory()) {
      // Not yet where it belongs; a server that was killed leaves it so.
      const stats = await stat(path).catch(() => null);
      if (stats !== null && Date.now() - stats.mtimeMs > HOUR) await unlink(path).catch(() => undefined);
      continue;
    }
    for (const name of await readdir(path).catch(() => [])) await add(join(path, name));
  }
  return found;

  async function add(path: string): Promise<void> {
    const stats = await stat(path).catch(() => null);
    if (stats?.isFile() === true) found.push({ path, size: stats.size, used: stats.mtimeMs });
  }
}
