import { encodingOfPage } from '../encodings/code-pages.ts';
import { decoderOf } from '../encodings/decoders.ts';

/** Types of values ([MS-OLEPS] 2.15) that are read; others are left out. */
const SHORT = 0x02;
const NUMBER = 0x03;
const BYTES = 0x1e;
const LETTERS = 0x1f;
const TIME = 0x40;
const CODE_PAGE = 1;
/** Properties of a set. More are not genuine. */
const MAX_COUNT = 1_000;
/** Bytes of a text; the rest is left out. */
const MAX_TEXT = 20_000;
/** Milliseconds from 1601, where times begin, to 1970. */
const FROM_1601 = 11_644_473_600_000;

/** Texts, numbers and times, by the number of the property. */
export type PropertySet = ReadonlyMap<number, string | number | Date>;

/**
 * Properties of the first set of a stream ([MS-OLEPS] 2.21), as far as it is whole.
 * @param wanted their numbers
 */
export function propertiesIn(stream: Buffer, wanted: readonly number[]): PropertySet {
  const properties = new Map<number, string | number | Date>();
  if (stream.length < 48) return properties;
  const set = stream.subarray(stream.readUInt32LE(44));
  if (set.length < 8) return properties;
  const offsets = new Map<number, number>();
  const count = Math.min(set.readUInt32LE(4), MAX_COUNT);
  for (let at = 8; at < 8 + count * 8 && at + 8 <= set.length; at += 8) {
    offsets.set(set.readUInt32LE(at), set.readUInt32LE(at + 4));
  }
  const page = valueAt(set, offsets.get(CODE_PAGE), 'windows-1252');
  const encoding = typeof page === 'number' ? encodingOfPage(page & 0xff_ff) : 'windows-1252';
  for (const id of wanted) {
    const value = valueAt(set, offsets.get(id), encoding);
    if (value !== null) properties.set(id, value);
  }
  return properties;
}

function valueAt(set: Buffer, at: number | undefined, encoding: string): string | number | Date | null {
  if (at === undefined || at + 8 > set.length) return null;
  const type = set.readUInt16LE(at);
  if (type === SHORT) return set.readInt16LE(at + 4);
  if (type === NUMBER) return set.readInt32LE(at + 4);
  if (type === TIME) return at + 12 > set.length ? null : dateOf(set.readBigUInt64LE(at + 4));
  if (type !== BYTES && type !== LETTERS) return null;
  const length = Math.min(MAX_TEXT, set.readUInt32LE(at + 4) * (type === LETTERS ? 2 : 1));
  const bytes = set.subarray(at + 8, at + 8 + length);
  const text = decoderOf(type === LETTERS ? 'utf-16le' : encoding)?.decode(bytes) ?? '';
  const [line = ''] = text.split('\0', 1);
  return line;
}

/** @param ticks of 100 nanoseconds since 1601 @returns null for none, and for spans of time in the same format */
function dateOf(ticks: bigint): Date | null {
  const date = new Date(Number(ticks / 10_000n) - FROM_1601);
  return Number.isNaN(date.getTime()) || date.getUTCFullYear() < 1_980 ? null : date;
}
