import type { WindowedReader } from '../windowed-reader.ts';

/** Elements of Matroska and WebM (RFC 9559, 5.1). */
const SEGMENT = 0x18538067;
const INFO = 0x1549a966;
const DATE = 0x4461;
/** The epoch of dates, which are in nanoseconds (RFC 8794, 7.6). */
const EPOCH = Date.UTC(2001, 0, 1);
/** Elements of one level that are scanned. */
const MAX_ELEMENTS = 1_000;

interface Element {
  readonly id: number;
  /** Of its content. */
  readonly start: number;
  readonly end: number;
}

/** When a film was made (RFC 9559, 5.1.2.11). @returns milliseconds since 1970; null if the file does not say */
export async function matroskaDate(reader: WindowedReader): Promise<number | null> {
  const segment = await first(reader, 0, reader.size, SEGMENT);
  const info = segment && (await first(reader, segment.start, segment.end, INFO));
  const date = info && (await first(reader, info.start, info.end, DATE));
  if (date === null || date.end - date.start !== 8) return null;
  const nanoseconds = (await reader.read(date.start, 8)).readBigInt64BE();
  return EPOCH + Number(nanoseconds / 1_000_000n);
}

async function first(reader: WindowedReader, start: number, end: number, id: number): Promise<Element | null> {
  let at = start;
  for (let number = 0; number < MAX_ELEMENTS && at < end; number += 1) {
    const element = await elementAt(reader, at, end);
    if (element === null || element.id === id) return element;
    at = element.end;
  }
  return null;
}

/** RFC 8794, 4 and 5: an id and a size, whose first bits say how many bytes they have. */
async function elementAt(reader: WindowedReader, at: number, end: number): Promise<Element | null> {
  const head = await reader.glance(at, 12);
  const idLength = lengthOf(head[0]);
  const sizeLength = lengthOf(head[idLength]);
  if (idLength > 4 || sizeLength > 8 || head.length < idLength + sizeLength) return null;
  const start = at + idLength + sizeLength;
  const digits = head.subarray(idLength, idLength + sizeLength);
  const size = digits.reduce((sum, byte, index) => sum * 256 + (index === 0 ? byte & (0xff >> sizeLength) : byte), 0);
  // All bits set: unknown, as of a film that was streamed; it lasts to the end.
  const isUnknown = size >= 2 ** (7 * sizeLength) - 1;
  return { id: head.readUIntBE(0, idLength), start, end: isUnknown ? end : Math.min(end, start + size) };
}

function lengthOf(byte: number | undefined): number {
  return byte === undefined || byte === 0 ? 9 : Math.clz32(byte) - 23;
}
