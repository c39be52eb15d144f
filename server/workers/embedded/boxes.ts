import { JobError } from '../job-error.ts';
import type { WindowedReader } from './windowed-reader.ts';

/** A box of ISO/IEC 14496-12, 4.2. */
export interface Box {
  readonly type: string;
  /** Of its body. */
  readonly start: number;
  readonly end: number;
}

/** Most sibling boxes. */
const MAX_BOXES = 10_000;
/** Bytes of a box body that is read as a whole. */
const MAX_BODY = 2 * 1024 * 1024;

/** The boxes between two offsets, one after the other; it ends at the first malformed one. */
export async function* boxesIn(reader: WindowedReader, start: number, end: number): AsyncGenerator<Box> {
  let at = start;
  for (let number = 0; number < MAX_BOXES && at + 8 <= end; number += 1) {
    const head = await reader.glance(at, 16);
    if (head.length < 8) return;
    const type = head.toString('latin1', 4, 8);
    let size = head.readUInt32BE(0);
    let header = 8;
    if (size === 0) size = end - at;
    else if (size === 1) {
      if (head.length < 16) return;
      size = Number(head.readBigUInt64BE(8));
      header = 16;
    }
    if (size < header || !Number.isSafeInteger(at + size)) return;
    yield { type, start: at + header, end: Math.min(at + size, end) };
    at += size;
  }
}

/** Canon's box for the metadata of a raw photo, with one TIFF for each directory. */
export const CANON = '85c0b687820f11e08111f4ce462b6a48';

/** The bodies of vendor boxes of one kind. @param uuid in hexadecimal digits */
export async function* namedBoxesIn(
  reader: WindowedReader,
  start: number,
  end: number,
  uuid: string,
): AsyncGenerator<Box> {
  for await (const box of boxesIn(reader, start, end)) {
    if (box.type !== 'uuid' || (await reader.readSome(box.start, 16)).toString('hex') !== uuid) continue;
    yield { ...box, start: box.start + 16 };
  }
}

/** The first match of a path of nested boxes, or null. @param path types, from the outside in */
export async function boxAt(
  reader: WindowedReader,
  start: number,
  end: number,
  path: readonly string[],
): Promise<Box | null> {
  const [type, ...rest] = path;
  for await (const box of boxesIn(reader, start, end)) {
    if (box.type !== type) continue;
    return rest.length === 0 ? box : boxAt(reader, box.start, box.end, rest);
  }
  return null;
}

/** The body of a box. @throws JobError when it is too long, or incomplete */
export async function bodyOf(reader: WindowedReader, { start, end }: Box): Promise<Buffer> {
  if (end - start > MAX_BODY) throw new JobError('too_large', `a box of ${end - start} bytes`);
  return reader.read(start, end - start);
}
