import type { IAudioMetadata } from 'music-metadata';
import { type OpenInherited, readAt, readStart } from '../../inherited-file.ts';

/** No page is longer (RFC 3533, 6). */
const MAX_PAGE = 27 + 255 + 255 * 255;
/** Opus counts in this rate whatever the source, and excludes the pre-skip (RFC 7845, 4). */
const OPUS_RATE = 48_000;
const OPUS_HEAD = 'OpusHead';

/** Seconds, from the position in the last page; undefined if it has none. */
export function oggDuration(
  { fd, size }: OpenInherited,
  { sampleRate = 0 }: IAudioMetadata['format'],
): number | undefined {
  const start = readStart(fd, size, 100);
  const length = Math.min(size, MAX_PAGE);
  const end = readAt(fd, size - length, length);
  const page = end.lastIndexOf('OggS');
  if (page < 0 || page + 14 > end.length) return undefined;
  const samples = Number(end.readBigInt64LE(page + 6));
  const opus = start.indexOf(OPUS_HEAD);
  const isOpus = opus >= 0 && opus + 12 <= start.length;
  const seconds = isOpus ? (samples - start.readUInt16LE(opus + 10)) / OPUS_RATE : samples / sampleRate;
  return Number.isFinite(seconds) && seconds > 0 ? seconds : undefined;
}
