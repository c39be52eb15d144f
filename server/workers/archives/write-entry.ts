import { createWriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Readable, Transform, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/** As for an upload: the umask decides. */
export const FOLDER_MODE = 0o777;
export const FILE_MODE = 0o666;

/** @param path absolute, in a tree that nothing else writes @throws errors of the disk */
export async function makeFolders(path: string): Promise<void> {
  await mkdir(path, { recursive: true, mode: FOLDER_MODE });
}

/**
 * Writes a new file, and the folders that it is in. Nothing is flushed.
 * @param path absolute, in a tree that nothing else writes
 * @throws errors of the disk, `EEXIST` if there is a file; those of the streams
 */
export async function writeEntry(path: string, content: Readable, through: Transform): Promise<void> {
  await makeFolders(dirname(path));
  await pipeline(content, through, newFile(path));
}

/** The stream into a new file. @param path absolute, in a tree that nothing else writes */
export function newFile(path: string): Writable {
  return createWriteStream(path, { flags: 'wx', mode: FILE_MODE });
}
