import { JobError } from '../../job-error.ts';
import type { WindowedReader } from '../windowed-reader.ts';
import type { PictureContent } from './jpeg.ts';

/** Most bytes of XMP. */
const MAX_XMP = 1024 * 1024;
const MAX_BLOCKS = 100_000;
const EXTENSION = 0x21;
const APPLICATION = 0xff;
const PICTURE = 0x2c;
/** The application block of XMP, behind its length. */
const XMP = 'XMP DataXMP';
/** Behind XMP: bytes that lead a reader of blocks to the end from any place in the text. */
const TRAILER = 258;

/** The dimensions of a GIF (GIF89a, 18), and its XMP (XMP specification, part 3, 1.1.2). */
export async function readGif(reader: WindowedReader): Promise<PictureContent> {
  const head = await reader.read(0, 13);
  const [width, height] = [head.readUInt16LE(6), head.readUInt16LE(8)];
  const xmp = await xmpIn(reader, 13 + tableLength(head[10] ?? 0)).catch((error: unknown) => {
    // The frames of a long animation are more than is read of a file.
    if (error instanceof JobError) return null;
    throw error;
  });
  return { exif: null, xmp, width, height, quarters: 0 };
}

/** Bytes of a table of colours, by the flags before it (GIF89a, 18 and 20). */
function tableLength(flags: number): number {
  return (flags & 0x80) === 0 ? 0 : 3 * 2 ** ((flags & 7) + 1);
}

async function xmpIn(reader: WindowedReader, start: number): Promise<Buffer | null> {
  let at = start;
  for (let number = 0; number < MAX_BLOCKS; number += 1) {
    const head = await reader.readSome(at, 3 + XMP.length);
    if (head[0] === EXTENSION) {
      const isXmp = head[1] === APPLICATION && head[2] === XMP.length && head.toString('latin1', 3) === XMP;
      const content = at + (isXmp ? head.length : 2);
      at = await behindBlocks(reader, content);
      if (isXmp && at - content > TRAILER)
        return at - content > MAX_XMP ? null : reader.readSome(content, at - content - TRAILER);
    } else if (head[0] === PICTURE && head.length >= 10) {
      // A table of colours, and the size of the codes.
      at = await behindBlocks(reader, at + 10 + tableLength(head[9] ?? 0) + 1);
    } else break;
  }
  return null;
}

/** Behind blocks that each begin with their length, up to an empty one. */
async function behindBlocks(reader: WindowedReader, start: number): Promise<number> {
  let at = start;
  for (;;) {
    const [length] = await reader.read(at, 1);
    at += 1 + (length ?? 0);
    if (length === 0) return at;
  }
}
