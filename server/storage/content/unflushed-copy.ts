import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { storageError } from '../errors.ts';
import { chunksOf } from './send-bytes.ts';

/**
 * Copies the first `size` bytes of an open file into a new one, with the permissions of new files. Nothing is flushed.
 * @throws StorageError; an error of the system; Error when the file became shorter. A part of the copy may be left
 */
export async function copyUnflushed(fd: number, size: number, to: string): Promise<void> {
  try {
    await pipeline(Readable.from(chunksOf(fd, size)), createWriteStream(to, { flags: 'wx' }));
  } catch (error) {
    throw storageError(error);
  }
}
