import type { WindowedReader } from '../windowed-reader.ts';

/** Bytes of a frame that is read, and frames of a tag. */
const MAX_FRAME = 64 * 1024;
const MAX_FRAMES = 2_000;

const HEADER = 10;
/** In the flags of the tag: bytes were added against false synchronisation; a further header follows. */
const UNSYNCHRONISED = 0x80;
const EXTENDED = 0x40;

/** The encodings of texts. */
const ENCODINGS: readonly string[] = ['windows-1252', 'utf-16', 'utf-16be', 'utf-8'];

/**
 * The first text of a kind of frame in a tag of ID3v2.3 at the beginning of a file, as it is written there: with all separators, and
 * the blanks beside them (ID3v2.3.0, 3 and 4.2).
 * @param id such as `TPE1`
 * @returns null if there is none, or the frame is compressed or encrypted, or the tag has bytes against false synchronisation
 */
export async function id3v23Text(reader: WindowedReader, id: string): Promise<string | null> {
  const head = await reader.readSome(0, HEADER);
  if (head.length < HEADER || head.toString('latin1', 0, 3) !== 'ID3' || head[3] !== 3) return null;
  const [flags = 0, ...digits] = head.subarray(5);
  const size = digits.reduce((sum, digit) => sum * 128 + (digit & 0x7f), 0);
  if ((flags & UNSYNCHRONISED) !== 0) return null;
  const tag = reader.part(HEADER, HEADER + size);
  const further = (flags & EXTENDED) === 0 ? Buffer.alloc(0) : await tag.readSome(0, 4);
  let at = further.length < 4 ? 0 : 4 + further.readUInt32BE();
  for (let count = 0; count < MAX_FRAMES; count += 1) {
    const frame = await tag.glance(at, HEADER);
    if (frame.length < HEADER || frame[0] === 0) return null;
    const length = frame.readUInt32BE(4);
    if (frame.toString('latin1', 0, 4) === id) {
      return frame[9] === 0 && length > 1 && length <= MAX_FRAME
        ? textOf(await tag.readSome(at + HEADER, length))
        : null;
    }
    at += HEADER + length;
  }
  return null;
}

function textOf(body: Buffer): string {
  const content = body.subarray(1);
  const isBig = body[0] === 1 && content[0] === 0xfe && content[1] === 0xff;
  const encoding = isBig ? 'utf-16be' : (ENCODINGS[body[0] ?? 0] ?? 'windows-1252');
  return new TextDecoder(encoding).decode(content);
}
