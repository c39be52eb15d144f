import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { openStored } from '../../../storage/content/work-area.ts';
import { StorageError } from '../../../storage/errors.ts';
import type { StoredPart } from './part-rows.ts';

/** Bytes that are read at once. */
const CHUNK = 1 << 20;

/**
 * The contents of parts one after the other. Each is opened when it is needed.
 * @param folder of the parts
 * @returns a stream that fails with StorageError `not-found` where a part is no longer on the disk as it was received
 */
export function joinedParts(folder: string, parts: readonly StoredPart[]): Readable {
  return Readable.from(contents(folder, parts), { highWaterMark: 2 });
}

async function* contents(folder: string, parts: readonly StoredPart[]): AsyncGenerator<Buffer> {
  for (const { file, size: expected } of parts) {
    const { fd, size } = await openStored(join(folder, file));
    const content = createReadStream('', { fd, highWaterMark: CHUNK });
    if (size !== expected) {
      content.destroy();
      throw new StorageError('not-found');
    }
    yield* content;
  }
}
