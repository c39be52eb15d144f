import { embeddedDateOf } from '../dates.ts';
import type { MetadataResult } from '../metadata-result.ts';
import type { WindowedReader } from '../windowed-reader.ts';

const MAX_CHUNKS = 1_000;
const MAX_TEXT = 10_000;
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
    } else if (READ.has(type) && length <= MAX_TEXT) {
      add(result, type, await reader.readSome(at + 8, length));
    }
    at += 8 + length + (length % 2);
  }
}

const CODECS: Readonly<Record<string, string>> = {
  ...{ FMP4: 'MPEG-4', XVID: 'MPEG-4', DIVX: 'MPEG-4', DX50: 'MPEG-4', H264: 'H.264', MJPG: 'Motion JPEG' },
};

const READ = new Set(['avih', 'strh', 'IDIT', 'INAM', 'IART', 'ICRD']);

function add(result: MetadataResult, type: string, body: Buffer): void {
  const text = body.toString('utf8').replace(/\0.*$/s, '');
  if (type === 'INAM') result.first('video.title', text);
  else if (type === 'IART') result.first('video.author', text);
  else if (type === 'ICRD' || type === 'IDIT') result.taken('video.taken', embeddedDateOf(text));
  else if (type === 'strh' && body.toString('latin1', 0, 4) === 'vids') {
    const codec = body.toString('latin1', 4, 8);
    result.first('video.codec', CODECS[codec.toUpperCase()] ?? codec);
  } else if (type === 'avih' && body.length >= 40) {
    // Microseconds per frame, and the number of frames.
    result.duration('video.duration', (body.readUInt32LE(0) * body.readUInt32LE(16)) / 1_000_000);
    result.dimensions('video.dimensions', body.readUInt32LE(32), body.readUInt32LE(36));
  }
}
