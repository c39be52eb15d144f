import { JobError } from '../../job-error.ts';
import type { WindowedReader } from '../windowed-reader.ts';
import { EXTENDED_XMP, ExtendedXmp } from './extended-xmp.ts';
import type { InnerFilm } from './motion.ts';

/** The metadata of an image, without its pixels. */
export interface PictureContent {
  /** A small file with EXIF and IPTC, for the EXIF reader; null if there is neither. */
  readonly exif: Buffer | null;
  readonly xmp: Buffer | null;
  /** A second part of XMP, with further properties. */
  readonly moreXmp?: Buffer | null;
  /** Pixels, as stored; 0 if unknown. */
  readonly width: number;
  readonly height: number;
  /** Quarter turns for display; null if EXIF has the orientation. */
  readonly quarters: number | null;
  /** Separate texts, by keyword. */
  readonly words?: ReadonlyMap<string, string>;
  /** Finds the film in it, where the format can have one. */
  readonly film?: (xmp: Buffer | null) => Promise<InnerFilm | null>;
}

const MAX_SEGMENTS = 500;
const MAX_KEPT = 20;
/** Bytes that identify a segment. */
const BEGINNING = 40;
const EXIF = 'Exif\0\0';
const XMP = 'http://ns.adobe.com/xap/1.0/\0';
const IPTC = 'Photoshop 3.0\0';

const START_OF_SCAN = 0xda;
const END = 0xd9;

/** The segments before the image data (ITU T.81, B.1; CIPA DC-008, 4.5). @throws JobError */
export async function readJpeg(reader: WindowedReader): Promise<PictureContent> {
  const kept: Buffer[] = [Buffer.from([0xff, 0xd8])];
  let xmp: Buffer | null = null;
  const more = new ExtendedXmp();
  let [width, height] = [0, 0];
  let at = 2;
  for (let number = 0; number < MAX_SEGMENTS; number += 1) {
    const head = await reader.glance(at, 4 + BEGINNING);
    if (head.length < 4 || head[0] !== 0xff) break;
    const marker = head[1] ?? 0;
    if (marker === 0xff) {
      at += 1;
      continue;
    }
    if (marker === START_OF_SCAN || marker === END) break;
    const length = 2 + head.readUInt16BE(2);
    const body = head.subarray(4, Math.max(4, length));
    const isXmp = marker === 0xe1 && startsWith(body, XMP);
    if (isFrame(marker) && body.length >= 5) [height, width] = [body.readUInt16BE(1), body.readUInt16BE(3)];
    else if (marker === 0xe1 && startsWith(body, EXTENDED_XMP)) {
      await more.add(reader.part(at + 4 + EXTENDED_XMP.length, at + length));
    } else if (isXmp || (kept.length < MAX_KEPT && isKept(marker, body))) {
      const segment = await reader.readSome(at, length);
      if (segment.length < length) break;
      if (!isXmp) kept.push(segment);
      else xmp ??= segment.subarray(4 + XMP.length);
    }
    at += Math.max(4, length);
  }
  if (width === 0 && kept.length === 1) throw new JobError('corrupt', 'a JPEG without a picture');
  const exif = kept.length > 1 ? Buffer.concat([...kept, Buffer.from([0xff, END])]) : null;
  return { exif, xmp, moreXmp: more.of(xmp), width, height, quarters: null };
}

function isKept(marker: number, body: Buffer): boolean {
  return (marker === 0xe1 && startsWith(body, EXIF)) || (marker === 0xed && startsWith(body, IPTC));
}

/** SOF: C0 to CF except tables. */
function isFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
}

function startsWith(bytes: Buffer, text: string): boolean {
  return bytes.toString('latin1', 0, text.length) === text;
}
