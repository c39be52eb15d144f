import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { StorageError } from '../errors.ts';
import { openStored } from './work-area.ts';

/** Bytes that are read at once. */
const CHUNK = 1 << 20;

/** A file of the work area, with the bytes that it must have. */
interface ExpectedFile {
  readonly file: string;
  readonly size: number;
}

/**
 * The contents of files of the work area one after the other. Each is opened when it is needed. Destroying the stream closes it.
 * @param folder of the files
 * @returns a stream that fails with StorageError `not-found` where a file is missing or has another size
 */
export function joinedFiles(folder: string, files: readonly ExpectedFile[]): Readable {
  return Readable.from(contents(folder, files), { highWaterMark: 2 });
}

async function* contents(folder: string, files: readonly ExpectedFile[]): AsyncGenerator<Buffer> {
  for (const { file, size: expected } of files) {
    const { fd, size } = await openStored(join(folder, file));
    const content = createReadStream('', { fd, highWaterMark: CHUNK });
    if (size !== expected) {
      content.destroy();
      throw new StorageError('not-found');
    }
    yield* content;
  }
}
