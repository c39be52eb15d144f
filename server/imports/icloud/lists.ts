import { Readable } from 'node:stream';
import { type Options, parse } from 'csv-parse';

// The CSV files of the copy of iCloud Photos that Apple provides at privacy.apple.com. Their format is not documented: it was taken
// from exports that people have described.

/** What an export says of a photo or film in the same folder. */
export interface DetailsRow {
  readonly name: string;
  /** Apple's own checksum: two rows with the same one describe the same content. */
  readonly checksum: string;
  readonly isFavourite: boolean;
  readonly isHidden: boolean;
  readonly isDeleted: boolean;
  /** Seconds since the epoch; null if unknown. */
  readonly taken: number | null;
}

/** `names`: the names of the photos of an album. `other`: a CSV of another kind. */
type PhotoList =
  | { readonly kind: 'details'; readonly rows: readonly DetailsRow[] }
  | { readonly kind: 'names'; readonly names: readonly string[] }
  | { readonly kind: 'other' }
  | { readonly kind: 'unreadable' };

/** Characters that are read before other work has its turn. */
const PIECE = 32 * 1024;

const OPTIONS: Options = {
  bom: true,
  relax_column_count: true,
  relax_quotes: true,
  skip_empty_lines: true,
  // A quotation mark that nothing closes takes the rest of the file.
  max_record_size: 16 * 1024,
};

/** What the only column of a list is called. */
const NAMES = new Set(['imgname', 'imagename', 'images']);

/** Reads a CSV of an export; null is one that is damaged. Never fails. */
export async function readPhotoList(text: string | null): Promise<PhotoList> {
  if (text === null) return { kind: 'unreadable' };
  let header: readonly string[] | null = null;
  const records: (readonly string[])[] = [];
  const parser = Readable.from(piecesOf(text)).pipe(parse(OPTIONS));
  try {
    for await (const record of parser as AsyncIterable<string[]>) {
      if (header === null) header = record.map((name) => name.trim().toLowerCase());
      else records.push(record);
    }
  } catch {
    return { kind: 'unreadable' };
  }
  if (header === null) return { kind: 'other' };
  const column = new Map(header.map((name, index) => [name, index]));
  if (column.has('imgname') && column.has('originalcreationdate')) {
    return { kind: 'details', rows: records.map((record) => rowOf(record, column)).filter(({ name }) => name !== '') };
  }
  if (header.length === 1 && NAMES.has(header[0] ?? '')) {
    return { kind: 'names', names: records.map(([name = '']) => name.trim()).filter((name) => name !== '') };
  }
  return { kind: 'other' };
}

function* piecesOf(text: string): Generator<Buffer> {
  const bytes = Buffer.from(text);
  for (let start = 0; start < bytes.length; start += PIECE) yield bytes.subarray(start, start + PIECE);
}

function rowOf(record: readonly string[], column: ReadonlyMap<string, number>): DetailsRow {
  const cell = (name: string) => (record[column.get(name) ?? -1] ?? '').trim();
  const isSet = (name: string) => /^(?:yes|true|1)$/i.test(cell(name));
  return {
    name: cell('imgname'),
    checksum: cell('filechecksum'),
    isFavourite: isSet('favorite'),
    isHidden: isSet('hidden'),
    isDeleted: isSet('deleted'),
    taken: secondsOf(cell('originalcreationdate')),
  };
}

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
/** `Saturday January 15,2022 7:31 PM GMT`; any white space may be a narrow one. */
const DATE =
  /^(?:\p{L}+,?\s+)?(?<month>\p{L}{3})\p{L}*\.?\s+(?<day>\d{1,2}),?\s*(?<year>\d{4}),?\s+(?<hour>\d{1,2}):(?<minute>\d\d)(?::(?<second>\d\d))?(?:\s*(?<half>[AP]M))?\s*(?:GMT|UTC)$/iu;

/** @returns seconds since the epoch; null for what is no date */
export function secondsOf(text: string): number | null {
  const { month = '', day, year, hour, minute, second, half } = DATE.exec(text)?.groups ?? {};
  const index = MONTHS.indexOf(month.toLowerCase());
  if (index < 0) return null;
  const hours = half === undefined ? Number(hour) : (Number(hour) % 12) + (half.toUpperCase() === 'PM' ? 12 : 0);
  // Years below 100 would be those of the last century.
  const date = new Date(0);
  date.setUTCFullYear(Number(year), index, Number(day));
  date.setUTCHours(hours, Number(minute), Number(second ?? 0));
  return date.getUTCMonth() === index && hours < 24 ? date.getTime() / 1_000 : null;
}
