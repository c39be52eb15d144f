import { JobError } from '../../job-error.ts';
import { type Box, bodyOf, boxAt, boxesIn } from '../boxes.ts';
import { dateAt, embeddedDateOf } from '../dates.ts';
import { cameraOf } from '../image/camera.ts';
import type { MetadataResult } from '../metadata-result.ts';
import type { WindowedReader } from '../windowed-reader.ts';

/** The epoch of times in these films (ISO/IEC 14496-12, 8.2.2.3). */
const EPOCH = Date.UTC(1904, 0, 1);
const MAX_TRACKS = 100;
const MAX_WORDS = 1_000;

/** MP4, QuickTime, 3GP: the metadata boxes, including texts of phones and editors. */
export async function readMovie(reader: WindowedReader, result: MetadataResult): Promise<void> {
  const moov = await boxAt(reader, 0, reader.size, ['moov']);
  if (moov === null) throw new JobError('corrupt', 'a film without its description');
  const words = await wordsIn(reader, moov);
  result.first('video.title', words.get('com.apple.quicktime.title'), words.get('©nam'));
  result.first('video.author', words.get('com.apple.quicktime.author'), words.get('©ART'), words.get('©aut'));
  result.first(
    'video.camera',
    cameraOf(words.get('com.apple.quicktime.make'), words.get('com.apple.quicktime.model')),
    cameraOf(words.get('©mak'), words.get('©mod')),
  );
  const place = words.get('com.apple.quicktime.location.ISO6709') ?? words.get('©xyz') ?? '';
  const [, latitude, longitude] = /^([+-]\d{1,2}(?:\.\d+)?)([+-]\d{1,3}(?:\.\d+)?)/.exec(place) ?? [];
  if (latitude !== undefined) result.place('video.place', Number(latitude), Number(longitude));
  // It includes the offset of the local time, which the seconds lack.
  result.taken('video.taken', embeddedDateOf(words.get('com.apple.quicktime.creationdate')));
  let tracks = 0;
  for await (const box of boxesIn(reader, moov.start, moov.end)) {
    if (box.type === 'mvhd') await addHeader(reader, box, result);
    if (box.type !== 'trak' || tracks === MAX_TRACKS) continue;
    tracks += 1;
    await addTrack(reader, box, result);
  }
}

/** Creation time and duration. */
async function addHeader(reader: WindowedReader, box: Box, result: MetadataResult): Promise<void> {
  const body = await reader.readSome(box.start, 32);
  const isLong = body[0] === 1;
  if (body.length < (isLong ? 32 : 20)) return;
  const created = isLong ? Number(body.readBigUInt64BE(4)) : body.readUInt32BE(4);
  const scale = body.readUInt32BE(isLong ? 20 : 12);
  const length = isLong ? Number(body.readBigUInt64BE(24)) : body.readUInt32BE(16);
  // Some programs count from 1970. From 1904, that would be before there were films of this kind.
  result.taken('video.taken', dateAt(created, created < -EPOCH / 1_000 ? 0 : EPOCH));
  result.duration('video.duration', length / scale);
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

/** The texts of a film, by their keys. */
async function wordsIn(reader: WindowedReader, moov: Box): Promise<ReadonlyMap<string, string>> {
  const words = new Map<string, string>();
  for await (const box of boxesIn(reader, moov.start, moov.end)) {
    if (box.type === 'meta') await addMeta(reader, box, words);
    if (box.type !== 'udta') continue;
    for await (const inner of boxesIn(reader, box.start, box.end)) {
      if (inner.type === 'meta') await addMeta(reader, inner, words);
      else if (inner.type.startsWith('©')) await addText(reader, inner, words);
      else if (inner.type === 'loci') await addPlace(reader, inner, words);
    }
  }
  return words;
}

/** QuickTime: lengths of 16 bits and languages before texts (QuickTime File Format, user data). */
async function addText(reader: WindowedReader, box: Box, words: Map<string, string>): Promise<void> {
  const head = await reader.readSome(box.start, 4);
  if (head.length < 4 || words.size >= MAX_WORDS) return;
  const bytes = await reader.readSome(box.start + 4, Math.min(head.readUInt16BE(0), box.end - box.start - 4));
  words.set(box.type, bytes.toString('utf8'));
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
    if (body.length > 8 && body.readUInt32BE(0) === UTF8) words.set(name, body.toString('utf8', 8));
  }
}

/** The type of text values, and the bytes of a value that is read. */
const UTF8 = 1;
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
