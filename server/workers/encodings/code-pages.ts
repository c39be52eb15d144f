import { decoderOf } from './decoders.ts';

/** Code pages of Windows whose encoding is not called by their number. */
const NAMES: ReadonlyMap<number, string> = new Map([
  [874, 'windows-874'],
  [932, 'shift_jis'],
  [936, 'gbk'],
  [949, 'euc-kr'],
  [950, 'big5'],
  [1_200, 'utf-16le'],
  [10_000, 'macintosh'],
  [32_768, 'macintosh'],
  [65_001, 'utf-8'],
]);

/** The encoding of a code page of Windows, by its number; windows-1252 for one that is unknown. */
export function encodingOfPage(page: number): string {
  const name = NAMES.get(page) ?? (page < 1_000 ? `cp${page}` : `windows-${page}`);
  return decoderOf(name) === null ? 'windows-1252' : name;
}
