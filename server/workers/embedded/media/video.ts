import { embeddedDateOf } from '../dates.ts';
import type { MetadataResult, ReadEmbedded } from '../metadata-result.ts';
import { starsOfPercent } from '../stars.ts';
import { WindowedReader } from '../windowed-reader.ts';
import { ASF, readAsf } from './asf.ts';
import { parsed } from './audio.ts';
import { readAvi } from './avi.ts';
import { matroskaDate } from './matroska.ts';
import { readMovie } from './movie.ts';

/** Films. Frames are never decoded. */
export const readVideo: ReadEmbedded = async (file, result) => {
  const reader = new WindowedReader(file.fd, file.size);
  const bytes = await reader.readSome(0, 16);
  const head = bytes.toString('latin1', 0, 12);
  if (BOXES.has(head.slice(4, 8))) return readMovie(reader, result);
  if (head.startsWith('RIFF') && head.endsWith('AVI ')) return readAvi(reader, result);
  const { common, format } = await parsed(file);
  result.first('video.title', common.title);
  result.add('video.author', ...(common.artists ?? [common.artist]));
  const date = head.startsWith(EBML) ? await matroskaDate(reader) : null;
  if (date !== null) result.taken('video.taken', embeddedDateOf(new Date(date).toISOString()));
  if (bytes.toString('hex') === ASF) {
    await readAsf(reader, result);
    // The parser divides the percent of Windows (WM/SharedUserRating) by their highest number.
    result.stars('video.rating', starsOfPercent((common.rating?.[0]?.rating ?? 0) * MAX_PERCENT));
  }
  result.duration('video.duration', format.duration);
  const track = format.trackInfo.find(({ video }) => video !== undefined);
  addTrack(result, track?.video as Track | undefined, track?.codecName);
};

/** Windows writes 1, 25, 50, 75 or 99. */
const MAX_PERCENT = 99;

/** How files of Matroska and WebM begin. */
const EBML = '\x1a\x45\xdf\xa3';

/** The first boxes of MP4 and QuickTime films. */
const BOXES = new Set(['ftyp', 'moov', 'mdat', 'free', 'skip', 'wide', 'pnot']);

interface Track {
  readonly pixelWidth?: number;
  readonly pixelHeight?: number;
  readonly displayWidth?: number;
  readonly displayHeight?: number;
}

function addTrack(result: MetadataResult, track: Track | undefined, codec: string | undefined): void {
  if (track === undefined) return;
  result.dimensions('video.dimensions', track.pixelWidth, track.pixelHeight);
  if (codec !== undefined) result.first('video.codec', MATROSKA[codec] ?? codec);
}

/** Codec ids of Matroska (RFC 9559, 27.2) without the prefix for video. */
const MATROSKA: Readonly<Record<string, string>> = {
  'MPEG4/ISO/AVC': 'H.264',
  'MPEGH/ISO/HEVC': 'HEVC',
  'MPEG4/ISO/ASP': 'MPEG-4',
  MPEG2: 'MPEG-2',
};
