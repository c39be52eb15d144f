import { JobError } from '../../job-error.ts';
import { readTiffPicture, readWebp } from '../chunks.ts';
import { embeddedDateOf } from '../dates.ts';
import { type MetadataResult, type ReadEmbedded, rounded } from '../metadata-result.ts';
import { readPng } from '../png.ts';
import { starsOf, starsOfPercent } from '../stars.ts';
import { WindowedReader } from '../windowed-reader.ts';
import { xmpIn } from '../xmp.ts';
import { addXmpOrigin } from '../xmp-facts.ts';
import { appleNoteIn } from './apple-note.ts';
import { cameraOf } from './camera.ts';
import { ExifTags } from './exif.ts';
import { readGif } from './gif.ts';
import { readCanon, readHeif } from './heif.ts';
import { type PictureContent, readJpeg } from './jpeg.ts';
import { filmInHeif, filmInJpeg } from './motion.ts';

/** Photos, raw photos and other images. The bytes decide on the format. */
export const readImage: ReadEmbedded = async ({ fd, size }, result) => {
  const reader = new WindowedReader(fd, size);
  const content = await contentOf(reader);
  const exif = new ExifTags(content.exif);
  addSides(result, content, exif);
  addPhoto(result, exif);
  addWords(result, exif, withMore(xmpIn(content.xmp), xmpIn(content.moreXmp ?? null)), content.words ?? new Map());
  // After all else, because a wrong length here must not cost anything that was read.
  result.contains(await content.film?.(content.xmp));
};

/** Fujifilm's raw photos contain a JPEG, whose offset and length are here (in ExifTool's terms: RAF header). */
const FUJIFILM = 'FUJIFILMCCD-RAW';
const FUJIFILM_JPEG = 84;

async function contentOf(reader: WindowedReader): Promise<PictureContent> {
  const head = await reader.readSome(0, 100);
  const text = head.toString('latin1');
  if (text.startsWith('\xff\xd8\xff')) return { ...(await readJpeg(reader)), film: (xmp) => filmInJpeg(reader, xmp) };
  if (text.startsWith('\x89PNG\r\n\x1a\n')) return readPng(reader);
  if (text.startsWith('RIFF') && text.startsWith('WEBP', 8)) return readWebp(reader);
  if (text.startsWith('ftypcrx ', 4)) return readCanon(reader);
  if (text.startsWith('ftyp', 4)) return { ...(await readHeif(reader)), film: (xmp) => filmInHeif(reader, xmp) };
  if (text.startsWith('II') || text.startsWith('MM')) return readTiffPicture(reader);
  if (/^GIF8[79]a/.test(text) && head.length >= 13) return readGif(reader);
  if (text.startsWith('BM') && head.length >= 26) return sides(head.readInt32LE(18), Math.abs(head.readInt32LE(22)));
  if (text.startsWith(FUJIFILM) && head.length >= FUJIFILM_JPEG + 8) {
    const start = head.readUInt32BE(FUJIFILM_JPEG);
    const photo = await readJpeg(reader.part(start, start + head.readUInt32BE(FUJIFILM_JPEG + 4)));
    return { ...photo, width: 0, height: 0 };
  }
  throw new JobError('unsupported', 'no picture of a kind that is read');
}

type Xmp = ReadonlyMap<string, readonly string[]>;

/** What did not fit into the first part of XMP is in a second one. */
function withMore(xmp: Xmp, more: Xmp): Xmp {
  return more.size === 0 ? xmp : new Map([...more, ...xmp]);
}

function sides(width: number, height: number): PictureContent {
  return { exif: null, xmp: null, width, height, quarters: 0 };
}

/** Upright. The dimensions in EXIF are used where the file has none, and for raw photos when they are larger. */
function addSides(result: MetadataResult, { width, height, quarters }: PictureContent, exif: ExifTags): void {
  const isWithout = width <= 0 || height <= 0;
  const wide = isWithout ? exif.number('PixelXDimension') : width;
  const high = isWithout ? exif.number('PixelYDimension') : height;
  const isTurned = quarters === null ? (exif.number('Orientation') ?? 1) >= 5 : quarters % 2 === 1;
  if (isTurned) result.dimensions('image.dimensions', high, wide);
  else result.dimensions('image.dimensions', wide, high);
}

/** The camera's data. */
function addPhoto(result: MetadataResult, exif: ExifTags): void {
  const original = exif.text('DateTimeOriginal');
  result.taken(
    'image.taken',
    embeddedDateOf(original, exif.text('OffsetTimeOriginal'), exif.text('SubSecTimeOriginal')),
  );
  const digitized = exif.text('DateTimeDigitized');
  result.taken(
    'image.taken',
    embeddedDateOf(digitized, exif.text('OffsetTimeDigitized'), exif.text('SubSecTimeDigitized')),
  );
  result.first('image.camera', cameraOf(exif.text('Make'), exif.text('Model')));
  result.first('image.lens', exif.text('LensModel'));
  const seconds = exif.number('ExposureTime') ?? 0;
  if (seconds > 0) result.add('image.exposure', exposure(seconds));
  const aperture = exif.number('FNumber') ?? 0;
  if (aperture > 0) result.add('image.aperture', `f/${rounded(aperture, 1)}`);
  const iso = exif.number('ISOSpeedRatings') ?? exif.number('PhotographicSensitivity') ?? 0;
  if (iso > 0) result.add('image.iso', iso);
  const focal = exif.number('FocalLength') ?? 0;
  if (focal > 0) result.add('image.focal', `${rounded(focal, 2)} mm`);
  result.place('image.place', exif.latitude, exif.longitude);
  const note = appleNoteIn(exif.makerNote);
  result.belongsTo('pairId', note.contentId);
  result.belongsTo('burstId', note.burstId);
}

function exposure(seconds: number): string {
  return seconds < 0.3 ? `1/${Math.round(1 / seconds)} s` : `${rounded(seconds, 1)} s`;
}

/** Descriptions by people: from XMP, IPTC, EXIF, in this order (Guidelines for Handling Image Metadata, 2.1). */
function addWords(result: MetadataResult, exif: ExifTags, xmp: Xmp, words: ReadonlyMap<string, string>): void {
  const [of, one] = [(name: string) => xmp.get(name) ?? [], (name: string) => xmp.get(name)?.[0]];
  addXmpOrigin(result, xmp);
  const [day = '', time = ''] = [exif.iptc('Date Created')[0], exif.iptc('Time Created')[0]];
  result.taken('image.taken', embeddedDateOf(`${day} ${time}`));
  result.first('image.camera', cameraOf(one('tiff:Make'), one('tiff:Model')));
  result.first('image.lens', one('exifEX:LensModel'), one('aux:Lens'));
  result.first('image.title', one('dc:title'), exif.iptc('Object Name')[0], exif.text('XPTitle'), words.get('Title'));
  result.first(
    'image.description',
    ...[one('dc:description'), exif.iptc('Caption/Abstract')[0], exif.text('ImageDescription')],
    ...[words.get('Description'), words.get('Comment'), exif.text('XPComment'), exif.text('XPSubject')],
  );
  result.first(
    'image.copyright',
    ...[one('dc:rights'), exif.iptc('Copyright Notice')[0], exif.text('Copyright'), words.get('Copyright')],
  );
  result.add('image.author', ...of('dc:creator'), ...exif.iptc('By-line'), ...exif.list('Artist'));
  result.add('image.author', ...exif.list('XPAuthor'), words.get('Author'));
  result.stars(
    'image.rating',
    starsOf(one('xmp:Rating')) ?? starsOf(exif.number('Rating')),
    starsOfPercent(exif.number('RatingPercent')) ?? starsOfPercent(one('MicrosoftPhoto:Rating')),
  );
  result.add('image.keywords', ...of('dc:subject'), ...exif.iptc('Keywords'), ...exif.list('XPKeywords'));
}
