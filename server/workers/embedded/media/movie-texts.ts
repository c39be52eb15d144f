import { utf8Or } from '../../encodings/decoders.ts';
import { type Box, boxAt, boxesIn } from '../boxes.ts';
import type { WindowedReader } from '../windowed-reader.ts';

const MAX_WORDS = 1_000;

/**
 * The texts of a film: of QuickTime and iTunes by four letters such as `©nam`, of phones by keys such as
 * `com.apple.quicktime.title`, of 3GPP by `titl` and so on. `©xyz` is a place in the notation of ISO 6709.
 */
export async function wordsIn(reader: WindowedReader, moov: Box): Promise<ReadonlyMap<string, string>> {
  const words = new Map<string, string>();
  for await (const box of boxesIn(reader, moov.start, moov.end)) {
    if (box.type === 'meta') await addMeta(reader, box, words);
    if (box.type !== 'udta') continue;
    for await (const inner of boxesIn(reader, box.start, box.end)) {
      if (inner.type === 'meta') await addMeta(reader, inner, words);
      else if (SIGNS.test(inner.type)) await addText(reader, inner, words);
      else if (inner.type === 'date') await addDate(reader, inner, words);
      else if (ASSETS.has(inner.type)) await addAsset(reader, inner, words);
      else if (inner.type === 'loci') await addPlace(reader, inner, words);
    }
  }
  return words;
}

/** Some cameras of Ricoh write another sign (in ExifTool's terms: UserData). */
const SIGNS = /^[©@]/;

/** When it was taken: only a text, in the notation of XMP (in ExifTool's terms: UserData). */
async function addDate(reader: WindowedReader, box: Box, words: Map<string, string>): Promise<void> {
  if (words.size >= MAX_WORDS || words.has('date')) return;
  words.set('date', (await reader.readSome(box.start, Math.min(box.end - box.start, MAX_DATE))).toString('latin1'));
}

const MAX_DATE = 80;

/** QuickTime: lengths of 16 bits and languages before texts (QuickTime File Format, user data). */
async function addText(reader: WindowedReader, box: Box, words: Map<string, string>): Promise<void> {
  const head = await reader.readSome(box.start, 4);
  const name = box.type.replace(SIGNS, '©');
  // The first of several languages.
  if (head.length < 4 || words.size >= MAX_WORDS || words.has(name)) return;
  const bytes = await reader.readSome(box.start + 4, Math.min(head.readUInt16BE(0), box.end - box.start - 4));
  words.set(name, decoded(bytes, MACINTOSH[head.readUInt16BE(2)] ?? 'windows-1252'));
}

/** Encodings of the Macintosh by their languages (QuickTime File Format, language code values); most are Roman. */
const MACINTOSH: Readonly<Record<number, string>> = {
  ...Object.fromEntries([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 13, 14, 15, 34, 35].map((language) => [language, 'macintosh'])),
  ...{ 11: 'shift_jis', 19: 'big5', 23: 'euc-kr', 33: 'gbk', 32: 'x-mac-cyrillic', 42: 'x-mac-cyrillic' },
};

function decoded(bytes: Buffer, otherwise: string): string {
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  return utf8Or(otherwise, bytes);
}

/** Texts of 3GPP after their language (TS 26.244, 8.2 to 8.7). */
const ASSETS = new Set(['titl', 'auth', 'perf']);

async function addAsset(reader: WindowedReader, box: Box, words: Map<string, string>): Promise<void> {
  if (words.size >= MAX_WORDS || words.has(box.type)) return;
  const body = await reader.readSome(box.start, Math.min(box.end - box.start, MAX_WORD));
  words.set(box.type, decoded(body.subarray(6), 'windows-1252').replace(/\0.*$/s, ''));
}

/** A location after a name, as in 3GPP (TS 26.244, 8.10): converted to QuickTime's notation. */
async function addPlace(reader: WindowedReader, box: Box, words: Map<string, string>): Promise<void> {
  const body = await reader.readSome(box.start, Math.min(box.end - box.start, MAX_WORD));
  const name = body.indexOf(0, 6);
  if (name < 0 || name + 10 > body.length) return;
  const [longitude, latitude] = [2, 6].map((at) => body.readInt32BE(name + at) / 65_536);
  const signed = (value = 0) => `${value < 0 ? '' : '+'}${value.toFixed(5)}`;
  words.set('©xyz', `${signed(latitude)}${signed(longitude)}`);
}

/** Lists of values, by four-letter keys as in iTunes, or by numbers of a separate key table. */
async function addMeta(reader: WindowedReader, meta: Box, words: Map<string, string>): Promise<void> {
  // A full box in MP4, but not in QuickTime.
  const isPlain = (await reader.readSome(meta.start + 4, 4)).toString('latin1') === 'hdlr';
  const start = meta.start + (isPlain ? 0 : 4);
  const keys = await keysIn(reader, await boxAt(reader, start, meta.end, ['keys']));
  const ilst = await boxAt(reader, start, meta.end, ['ilst']);
  if (ilst === null) return;
  for await (const entry of boxesIn(reader, ilst.start, ilst.end)) {
    if (words.size >= MAX_WORDS) return;
    const number = Buffer.from(entry.type, 'latin1').readUInt32BE(0);
    const name = keys[number - 1] ?? entry.type;
    const data = await boxAt(reader, entry.start, entry.end, ['data']);
    if (data === null || data.end - data.start > MAX_WORD) continue;
    const body = await reader.readSome(data.start, data.end - data.start);
    const encoding = body.length > 8 ? ENCODINGS[body.readUInt32BE(0)] : undefined;
    if (encoding !== undefined) words.set(name, new TextDecoder(encoding).decode(body.subarray(8)));
  }
}

/** Types of text values (QuickTime File Format, well-known types), and the bytes of a value that is read. */
const ENCODINGS: Readonly<Record<number, string>> = { 1: 'utf-8', 2: 'utf-16be' };
const MAX_WORD = 64 * 1024;

async function keysIn(reader: WindowedReader, box: Box | null): Promise<string[]> {
  if (box === null) return [];
  const names: string[] = [];
  for await (const { start, end } of boxesIn(reader, box.start + 8, box.end)) {
    if (names.length === MAX_WORDS || end - start > MAX_WORD) break;
    names.push((await reader.readSome(start, end - start)).toString('utf8'));
  }
  return names;
}
