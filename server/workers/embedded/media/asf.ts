import { dateAt } from '../dates.ts';
import type { MetadataResult } from '../metadata-result.ts';
import type { WindowedReader } from '../windowed-reader.ts';

/** How files of Windows Media begin: the GUID of the header (ASF specification, 10.1), in hexadecimal digits. */
export const ASF = '3026b2758e66cf11a6d900aa0062ce6c';
const FILE_PROPERTIES = 'a1dcab8c47a9cf118ee400c00c205365';
const STREAM_PROPERTIES = '9107dcb7b7a9cf118ee600c00c205365';
const VIDEO = 'c0ef19bc4d5bcf11a8fd00805f5c442b';

/** The epoch of times, which are in units of 100 nanoseconds. */
const EPOCH = Date.UTC(1601, 0, 1);
const PER_SECOND = 10_000_000n;
const MAX_OBJECTS = 1_000;

/** When a film of Windows Media was made, and its dimensions (ASF specification, 3.2 and 3.3). */
export async function readAsf(reader: WindowedReader, result: MetadataResult): Promise<void> {
  const header = await reader.read(0, 30);
  const end = Math.min(Number(header.readBigUInt64LE(16)), reader.size);
  let at = 30;
  for (let number = 0; number < MAX_OBJECTS && at + 24 <= end; number += 1) {
    const head = await reader.read(at, 24);
    const type = head.toString('hex', 0, 16);
    const size = Number(head.readBigUInt64LE(16));
    if (size < 24) return;
    const body = await reader.readSome(at + 24, Math.min(size - 24, 128));
    if (type === FILE_PROPERTIES && body.length >= 32)
      result.taken('video.taken', dateAt(Number(body.readBigUInt64LE(24) / PER_SECOND), EPOCH));
    // The type of the stream, that of its correction, four lengths and flags; then the sides of the picture.
    else if (type === STREAM_PROPERTIES && body.length >= 62 && body.toString('hex', 0, 16) === VIDEO)
      result.dimensions('video.dimensions', body.readUInt32LE(54), body.readUInt32LE(58));
    at += size;
  }
}
