import { mkdir, open, readdir, rename, rm, stat, unlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { DAY, HOUR } from '../lib/clock.ts';
import { randomAlphanumeric } from '../lib/random.ts';

/** Files that can be made again, in a folder of their own that may be deleted at any time. */
export interface CacheFolder {
  /** @returns null when it is not there, or cannot be read */
  read(name: string): Promise<Buffer | null>;
  /** Best effort: what cannot be written will be made again. Not flushed: a power cut can leave a file cut short. */
  write(name: string, bytes: Uint8Array): Promise<void>;
}

/** How full the folder is left when it had to be emptied, so that it need not be at once again. */
const LEFT = 0.9;
/** A file that was used says so by its time, once in so long. */
const MARK_EVERY = DAY;

/**
 * @param folder where the files are, in subfolders by the first two letters of their names
 * @param limit in bytes; beyond it those files go that were used longest ago
 */
export function openCacheFolder(folder: string, limit: () => number): CacheFolder {
  let bytes: Promise<number> | null = null;
  let trimming: Promise<void> | null = null;

  const pathOf = (name: string) => join(folder, name.slice(0, 2), name);

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

  return {
    async read(name) {
      const handle = await open(pathOf(name), 'r').catch(() => null);
      if (handle === null) return null;
      try {
        const { mtimeMs } = await handle.stat();
        const content = await handle.readFile();
        const now = new Date();
        if (now.getTime() - mtimeMs > MARK_EVERY) await handle.utimes(now, now).catch(() => undefined);
        return content;
      } catch {
        return null;
      } finally {
        await handle.close();
      }
    },

    async write(name, content) {
      const path = pathOf(name);
      const coming = join(folder, `new-${randomAlphanumeric(12)}`);
      try {
        for (const needed of [folder, dirname(path)]) await mkdir(needed, { mode: 0o700 }).catch(() => undefined);
        await writeFile(coming, content, { mode: 0o600, flag: 'wx' });
        await rename(coming, path);
        await count(content.length);
      } catch {
        await rm(coming, { force: true }).catch(() => undefined);
      }
    },
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
