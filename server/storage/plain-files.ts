import { createHash } from 'node:crypto';
import { link, lstat, mkdir, open, readdir, readFile, rename, rmdir, stat, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { ignoreFailure } from '../lib/async/ignore-failure.ts';
import { openPlain, withOpened } from './content/hashed-copy.ts';
import { flushFolder } from './flush.ts';

// Files and folders outside of homes: backups and restores, by their paths.

/** The type and size in bytes of a path, without following a link; null if it does not exist. */
export async function plainStat(path: string): Promise<{ kind: 'file' | 'folder' | 'other'; size: number } | null> {
  const stats = await lstat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return null;
    throw error;
  });
  if (stats === null) return null;
  return { kind: stats.isFile() ? 'file' : stats.isDirectory() ? 'folder' : 'other', size: stats.size };
}

/** Whether both are on one disk. @throws the system's error when one does not exist */
export async function areOnOneDisk(one: string, other: string): Promise<boolean> {
  return (await stat(one)).dev === (await stat(other)).dev;
}

/** The mode of folders that other users of the machine must not read: homes, and their parents. */
export const OWNER_ONLY = 0o700;

/** Creates a folder for this user alone. @throws the system's error, also when it exists */
export async function makePrivateFolder(path: string): Promise<void> {
  await mkdir(path, { mode: 0o700 });
}

/** Creates a folder and its missing parents. */
export async function makeFolders(path: string, mode = 0o777): Promise<void> {
  await mkdir(path, { recursive: true, mode });
}

/** Flushes the names of a folder and of its parents, up to one that existed before. */
export async function flushNames(path: string, wasThere: string): Promise<void> {
  for (let known = path; known !== wasThere && dirname(known) !== known; known = dirname(known))
    await flushFolder(dirname(known));
}

/** @throws the system's error when it is not empty */
export async function removeEmptyFolder(path: string): Promise<void> {
  await rmdir(path);
}

/** The path itself, or its nearest existing parent. */
export async function nearestThere(path: string): Promise<string> {
  let known = path;
  while ((await plainStat(known)) === null && dirname(known) !== known) known = dirname(known);
  return known;
}

/** Writes a new file, flushed. @throws the system's error, also when it exists */
export async function writeNew(path: string, content: string | Uint8Array, mode = 0o600): Promise<void> {
  const file = await open(path, 'wx', mode);
  try {
    await file.writeFile(content);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Writes a file, replacing an existing one in one step. */
export async function replaceWith(path: string, content: string): Promise<void> {
  await ignoreFailure(unlink(`${path}.new`), 'failed to remove an incomplete file');
  await writeNew(`${path}.new`, content);
  await rename(`${path}.new`, path);
  await flushFolder(dirname(path));
}

/** A whole small regular file; never the target of a link. @throws StorageError `not-found`, or the system's error */
export async function readPlain(path: string): Promise<Buffer> {
  return withOpened(openPlain(path), (fd) => readWhole(fd));
}

async function readWhole(fd: number): Promise<Buffer> {
  return process.platform === 'linux' ? readFile(`/proc/self/fd/${fd}`) : readByDescriptor(fd);
}

async function readByDescriptor(fd: number): Promise<Buffer> {
  const { createReadStream } = await import('node:fs');
  const chunks: Buffer[] = [];
  for await (const chunk of createReadStream('', { fd, autoClose: false, start: 0 })) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

/** Flushes a file that another program wrote. */
export async function flushFile(path: string): Promise<void> {
  const file = await open(path, 'r+');
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Flushes every folder of a tree, the deepest first. */
export async function flushFolders(path: string): Promise<void> {
  if (process.platform === 'win32') return;
  for (const entry of await readdir(path, { withFileTypes: true })) {
    if (entry.isDirectory()) await flushFolders(join(path, entry.name));
  }
  await flushFolder(path);
}

/** Renames a folder or file, and flushes both folders. Replaces only an empty folder. */
export async function renameFlushed(from: string, to: string): Promise<void> {
  await renamePatiently(from, to);
  await flushFolder(dirname(to));
  if (dirname(from) !== dirname(to)) await flushFolder(dirname(from));
}

/**
 * Renames a file or folder; neither folder is flushed. On Windows a virus scanner may block the rename of a new file's folder for
 * a moment.
 */
export async function renamePatiently(from: string, to: string): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      await rename(from, to);
      return;
    } catch (error) {
      const isPassing = process.platform === 'win32' && ['EPERM', 'EBUSY', 'EACCES'].includes(codeOf(error));
      if (!isPassing || tries === 20) throw error;
      await setTimeout(100);
    }
  }
}

/** Makes a hard link. `never`: not supported, or on another disk; `not-now`: it failed this time. */
export async function linkFile(from: string, to: string): Promise<'linked' | 'never' | 'not-now'> {
  try {
    await link(from, to);
    return 'linked';
  } catch (error) {
    const code = codeOf(error);
    if (['EXDEV', 'EPERM', 'ENOTSUP', 'ENOSYS', 'EINVAL'].includes(code)) return 'never';
    if (['EMLINK', 'ENOENT', 'EEXIST', 'EACCES'].includes(code)) return 'not-now';
    throw error;
  }
}

function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? '';
}

const WAITING = 64 * 1024;

/** Writes a new text file line by line. It is flushed, and its hash known, when it is closed. */
export class LineFile {
  readonly #file: Awaited<ReturnType<typeof open>>;
  readonly #hash = createHash('sha256');
  #waiting = '';
  #bytes = 0;

  private constructor(file: Awaited<ReturnType<typeof open>>) {
    this.#file = file;
  }

  /** @throws the system's error, also when the file exists */
  static async create(path: string): Promise<LineFile> {
    return new LineFile(await open(path, 'wx', 0o600));
  }

  async write(line: string): Promise<void> {
    this.#waiting += `${line}\n`;
    if (this.#waiting.length >= WAITING) await this.flush();
  }

  /** After this, what was written can be read from the file. */
  async flush(): Promise<void> {
    const bytes = Buffer.from(this.#waiting, 'utf8');
    this.#waiting = '';
    if (bytes.length === 0) return;
    await this.#file.writeFile(bytes);
    this.#hash.update(bytes);
    this.#bytes += bytes.length;
  }

  async close(): Promise<{ bytes: number; sha256: string }> {
    await this.flush();
    await this.#file.sync();
    await this.#file.close();
    return { bytes: this.#bytes, sha256: this.#hash.digest('hex') };
  }

  /** Closes the file after a failure. */
  async abandon(): Promise<void> {
    await ignoreFailure(this.#file.close(), 'failed to close a file');
  }
}

/** Characters: far longer than any path. */
const LONGEST_LINE = 1_048_576;

/**
 * The lines of a text file, read on demand. Only a line feed ends a line: `readLines` also splits at U+2028, which names may
 * contain.
 */
export async function* linesOf(path: string): AsyncGenerator<string> {
  const file = await open(path, 'r');
  try {
    let rest = '';
    for await (const chunk of file.createReadStream({ encoding: 'utf8', autoClose: false })) {
      const lines = `${rest}${chunk}`.split('\n');
      rest = lines.pop() ?? '';
      if (rest.length > LONGEST_LINE) throw new Error(`${path} has a line that is far too long`);
      for (const line of lines) if (line !== '') yield line;
    }
    if (rest !== '') yield rest;
  } finally {
    await file.close();
  }
}
