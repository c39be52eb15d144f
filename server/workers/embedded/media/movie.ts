import { JobError } from '../../job-error.ts';
import { type Box, bodyOf, boxAt, boxesIn, namedBoxesIn } from '../boxes.ts';
import { dateAt, type EmbeddedDate, embeddedDateOf } from '../dates.ts';
import { cameraOf } from '../image/camera.ts';
import type { MetadataResult } from '../metadata-result.ts';
import { starsOf, starsOfPercent } from '../stars.ts';
import type { WindowedReader } from '../windowed-reader.ts';
import { xmpDegrees, xmpIn } from '../xmp.ts';
import { iso6709 } from './iso-6709.ts';
import { wordsIn } from './movie-texts.ts';

const APPLE = 'com.apple.quicktime';
/** The epoch of times in these films (ISO/IEC 14496-12, 8.2.2.3). */
const EPOCH = Date.UTC(1904, 0, 1);
const MAX_TRACKS = 100;
/** The box of XMP (XMP specification, part 3, 1.2.7). */
const XMP = 'be7acfcb97a942e89c71999491e3afac';
const MAX_XMP = 1024 * 1024;

/** MP4, QuickTime, 3GP: the metadata boxes, including texts of phones and editors. */
export async function readMovie(reader: WindowedReader, result: MetadataResult): Promise<void> {
  const moov = await boxAt(reader, 0, reader.size, ['moov']);
  if (moov === null) throw new JobError('corrupt', 'a film without its description');
  const words = await wordsIn(reader, moov);
  const xmp = await xmpOf(reader, moov);
  const inXmp = (property: string) => xmp.get(property)?.[0];
  result.first('video.title', words.get(`${APPLE}.title`), words.get('©nam'), words.get('titl'), inXmp('dc:title'));
  result.first(
    'video.author',
    ...[words.get(`${APPLE}.author`), words.get('©ART'), words.get('©aut'), words.get('auth'), words.get('perf')],
    inXmp('dc:creator'),
  );
  result.first(
    'video.camera',
    cameraOf(words.get(`${APPLE}.make`), words.get(`${APPLE}.model`)),
    cameraOf(words.get('©mak'), words.get('©mod')),
    cameraOf(inXmp('tiff:Make'), inXmp('tiff:Model')),
  );
  const place = iso6709(words.get(`${APPLE}.location.ISO6709`) ?? words.get('©xyz') ?? '');
  if (place !== null) result.place('video.place', ...place);
  result.place('video.place', xmpDegrees(inXmp('exif:GPSLatitude')), xmpDegrees(inXmp('exif:GPSLongitude')));
  result.stars('video.rating', starsOf(inXmp('xmp:Rating')), starsOfPercent(inXmp('MicrosoftPhoto:Rating')));
  result.belongsTo('pairId', words.get(`${APPLE}.content.identifier`));
  // It includes the offset of the local time, which the seconds lack.
  result.taken('video.taken', embeddedDateOf(words.get(`${APPLE}.creationdate`)));
  const original = words.get('date');
  if (/T\d/.test(original ?? '')) result.taken('video.taken', embeddedDateOf(original));
  let tracks = 0;
  for await (const box of boxesIn(reader, moov.start, moov.end)) {
    if (box.type === 'mvhd') await addHeader(reader, box, result);
    if (box.type !== 'trak' || tracks === MAX_TRACKS) continue;
    tracks += 1;
    await addTrack(reader, box, result);
  }
  // Some programs write a time only there.
  if (tracks > 0) result.taken('video.taken', await trackDate(reader, moov));
  // What a program wrote that gives the film no time of its own.
  for (const date of [words.get('©day'), original, inXmp('exif:DateTimeOriginal'), inXmp('xmp:CreateDate')])
    result.taken('video.taken', embeddedDateOf(date));
}

/** In a box of its own, or in the user data of QuickTime, as its table of boxes has it. */
async function xmpOf(reader: WindowedReader, moov: Box): Promise<ReadonlyMap<string, readonly string[]>> {
  for await (const box of namedBoxesIn(reader, 0, reader.size, XMP)) {
    // Editors store the history of their work there. The rest of the film is read all the same.
    if (box.end - box.start <= MAX_XMP) return xmpIn(await bodyOf(reader, box));
  }
  const inside = await boxAt(reader, moov.start, moov.end, ['udta', 'XMP_']);
  const isRead = inside !== null && inside.end - inside.start <= MAX_XMP;
  return isRead ? xmpIn(await bodyOf(reader, inside)) : new Map();
}

/** Creation time and duration. */
async function addHeader(reader: WindowedReader, box: Box, result: MetadataResult): Promise<void> {
  const body = await reader.readSome(box.start, 32);
  const isLong = body[0] === 1;
  if (body.length < (isLong ? 32 : 20)) return;
  const scale = body.readUInt32BE(isLong ? 20 : 12);
  const length = isLong ? Number(body.readBigUInt64BE(24)) : body.readUInt32BE(16);
  result.taken('video.taken', createdAt(body));
  result.duration('video.duration', length / scale);
}

/** The creation time of a movie, track or media header, which all begin in the same way (ISO/IEC 14496-12, 8.2.2 to 8.4.2). */
function createdAt(body: Buffer): EmbeddedDate | null {
  if (body.length < 12) return null;
  const created = body[0] === 1 ? Number(body.readBigUInt64BE(4)) : body.readUInt32BE(4);
  // Some programs count from 1970. From 1904, that would be before there were films of this kind.
  return dateAt(created, created < -EPOCH / 1_000 ? 0 : EPOCH);
}

/** The first time in the headers of the tracks. */
async function trackDate(reader: WindowedReader, moov: Box): Promise<EmbeddedDate | null> {
  let tracks = 0;
  for await (const box of boxesIn(reader, moov.start, moov.end)) {
    if (box.type !== 'trak') continue;
    tracks += 1;
    if (tracks > MAX_TRACKS) break;
    for (const path of [['tkhd'], ['mdia', 'mdhd']]) {
      const header = await boxAt(reader, box.start, box.end, path);
      const date = header === null ? null : createdAt(await reader.readSome(header.start, 12));
      if (date !== null) return date;
    }
  }
  return null;
}

/** The dimensions and codec of the first video track. */
async function addTrack(reader: WindowedReader, trak: Box, result: MetadataResult): Promise<void> {
  const hdlr = await boxAt(reader, trak.start, trak.end, ['mdia', 'hdlr']);
  if (hdlr === null || (await reader.readSome(hdlr.start + 8, 4)).toString('latin1') !== 'vide') return;
  const tkhd = await boxAt(reader, trak.start, trak.end, ['tkhd']);
  if (tkhd !== null) {
    const body = await bodyOf(reader, tkhd);
    const matrix = body[0] === 1 ? 52 : 40;
    if (body.length >= matrix + 44) {
      // 16.16 fixed point; swapped if the matrix rotates by a quarter turn.
      const [a, b] = [body.readInt32BE(matrix), body.readInt32BE(matrix + 4)];
      const [width, height] = [36, 40].map((at) => Math.round(body.readUInt32BE(matrix + at) / 65_536));
      if (Math.abs(b) > Math.abs(a)) result.dimensions('video.dimensions', height, width);
      else result.dimensions('video.dimensions', width, height);
    }
  }
  const stsd = await boxAt(reader, trak.start, trak.end, ['mdia', 'minf', 'stbl', 'stsd']);
  if (stsd === null) return;
  const codec = (await reader.readSome(stsd.start + 12, 4)).toString('latin1');
  result.first('video.codec', CODECS[codec] ?? codec);
}

/** Sample entries, as registered at mp4ra.org. */
const CODECS: Readonly<Record<string, string>> = {
  ...{
    avc1: 'H.264',
    avc3: 'H.264',
    hvc1: 'HEVC',
    hev1: 'HEVC',
    mp4v: 'MPEG-4',
    av01: 'AV1',
    vp09: 'VP9',
    s263: 'H.263',
  },
  ...{
    apcn: 'ProRes',
    apch: 'ProRes',
    apcs: 'ProRes',
    apco: 'ProRes',
    ap4h: 'ProRes',
    jpeg: 'Motion JPEG',
    mjpa: 'Motion JPEG',
  },
};
