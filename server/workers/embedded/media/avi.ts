import { utf8Or } from '../../encodings/decoders.ts';
import { type EmbeddedDate, embeddedDateOf } from '../dates.ts';
import type { MetadataResult } from '../metadata-result.ts';
import { starsOf, starsOfPercent } from '../stars.ts';
import type { WindowedReader } from '../windowed-reader.ts';
import { xmpIn } from '../xmp.ts';

const MAX_CHUNKS = 1_000;
const MAX_TEXT = 10_000;
/** The chunk in which editors store XMP (XMP specification, part 3, 2.3.1). */
const XMP = '_PMX';
const MAX_XMP = 1024 * 1024;
/** Nesting of lists. */
const MAX_DEPTH = 4;

/** The metadata chunks of an AVI (Microsoft, AVI RIFF file reference), before and after the frames. */
export async function readAvi(reader: WindowedReader, result: MetadataResult): Promise<void> {
  await readList(reader, result, 12, reader.size, 0);
}

async function readList(
  reader: WindowedReader,
  result: MetadataResult,
  start: number,
  end: number,
  depth: number,
): Promise<void> {
  let at = start;
  for (let number = 0; number < MAX_CHUNKS && at + 8 <= end; number += 1) {
    const head = await reader.glance(at, 12);
    if (head.length < 8) return;
    const type = head.toString('latin1', 0, 4);
    const length = head.readUInt32LE(4);
    const list = type === 'LIST' ? head.toString('latin1', 8, 12) : '';
    const inside = Math.min(at + 8 + length, end);
    if (['hdrl', 'strl', 'INFO'].includes(list) && depth < MAX_DEPTH) {
      await readList(reader, result, at + 12, inside, depth + 1);
    } else if (type === XMP && depth === 0 && length <= MAX_XMP) {
      addXmp(result, xmpIn(await reader.readSome(at + 8, length)));
    } else if (READ.has(type) && length <= MAX_TEXT) {
      add(result, type, await reader.readSome(at + 8, length));
    }
    at += 8 + length + (length % 2);
  }
}

/** The chunks come first in a file, so that only what they lack is taken from here. */
function addXmp(result: MetadataResult, xmp: ReadonlyMap<string, readonly string[]>): void {
  const value = (property: string) => xmp.get(property)?.[0];
  result.first('video.title', value('dc:title'));
  result.first('video.author', value('dc:creator'));
  result.stars('video.rating', starsOf(value('xmp:Rating')), starsOfPercent(value('MicrosoftPhoto:Rating')));
  for (const date of [value('exif:DateTimeOriginal'), value('xmp:CreateDate')])
    result.taken('video.taken', embeddedDateOf(date));
}

const CODECS: Readonly<Record<string, string>> = {
  ...{ FMP4: 'MPEG-4', XVID: 'MPEG-4', DIVX: 'MPEG-4', DX50: 'MPEG-4', H264: 'H.264', MJPG: 'Motion JPEG' },
};

const READ = new Set(['avih', 'strh', 'IDIT', 'INAM', 'IART', 'ICRD']);

function add(result: MetadataResult, type: string, body: Buffer): void {
  const text = utf8Or('windows-1252', body).replace(/\0.*$/s, '');
  if (type === 'INAM') result.first('video.title', text);
  else if (type === 'IART') result.first('video.author', text);
  else if (type === 'ICRD' || type === 'IDIT') result.taken('video.taken', dateOf(text));
  else if (type === 'strh' && body.toString('latin1', 0, 4) === 'vids') {
    const codec = body.toString('latin1', 4, 8);
    result.first('video.codec', CODECS[codec.toUpperCase()] ?? codec);
  } else if (type === 'avih' && body.length >= 40) {
    // Microseconds per frame, and the number of frames.
    result.duration('video.duration', (body.readUInt32LE(0) * body.readUInt32LE(16)) / 1_000_000);
    result.dimensions('video.dimensions', body.readUInt32LE(32), body.readUInt32LE(36));
  }
}

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
/** As the C function `ctime` writes it: `Mon May  6 07:08:09 2024`. */
const CTIME = /^\s*[a-z]{3}\s+([a-z]{3})\s+(\d{1,2})\s+(\d{1,2}:\d{2}:\d{2})\s+(\d{4})/i;
/** With blanks in place of zeros, and slashes: `2005/ 3/29/ 08:19`. */
const BLANKS = /^\s*(\d{4})\/\s?(\d{1,2})\/\s?(\d{1,2})\/?\s+(\d{1,2}:\d{2}(?::\d{2})?)/;

/** Each camera writes it in its own way. */
function dateOf(text: string): EmbeddedDate | null {
  const short = text.slice(0, 80);
  const [, month = '', day, time, year] = CTIME.exec(short) ?? [];
  const number = MONTHS.indexOf(month.toLowerCase()) + 1;
  if (number > 0) return embeddedDateOf(`${year}-${number}-${day} ${time}`);
  const blanks = BLANKS.exec(short);
  return embeddedDateOf(blanks === null ? short : `${blanks[1]}-${blanks[2]}-${blanks[3]} ${blanks[4]}`);
}
