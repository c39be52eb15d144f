import type { Preview, Previews } from './preview.ts';
import { previewsInTiff } from './raw-tiff.ts';
import { type Pieces, partOf } from './read-whole.ts';

const MAX_BOXES = 200;
/** Canon's box with the preview, and the one with its thumbnail, by their identifiers. */
const PREVIEW_BOX = 'eaf42b5e1c984b88b9fbb7dc406e4d16';
const CANON_BOX = '85c0b687820f11e08111f4ce462b6a48';
/** Bytes in which a JPEG begins behind the head of its box. */
const JPEG_WITHIN = 64;

interface Box {
  readonly type: string;
  /** Of a box of type `uuid`. */
  readonly uuid: string;
  /** Where its content begins and ends, from the start of the file. */
  readonly start: number;
  readonly end: number;
}

/** The JPEGs in Canon's CR3, a container of boxes (ISO/IEC 14496-12 §4.2). */
export async function previewsInBoxes(file: Pieces): Promise<Previews> {
  const previews: Preview[] = [];
  let orientation = 1;
  for (const box of await boxesIn(file, 0, file.size)) {
    if (box.uuid === PREVIEW_BOX) {
      // Eight bytes that nobody has described, then the boxes.
      for (const inner of await boxesIn(file, box.start + 8, box.end)) {
        if (inner.type === 'PRVW') previews.push(...(await jpegIn(file, inner)));
      }
    }
    if (box.type !== 'moov') continue;
    for (const inner of await boxesIn(file, box.start, box.end)) {
      if (inner.uuid !== CANON_BOX) continue;
      for (const one of await boxesIn(file, inner.start, inner.end)) {
        if (one.type === 'THMB') previews.push(...(await jpegIn(file, one)));
        // The first directory of the EXIF data.
        if (one.type === 'CMT1') ({ orientation } = await previewsInTiff(partOf(file, one.start, one.end)));
      }
    }
  }
  return { previews, orientation };
}

async function jpegIn(file: Pieces, { start, end }: Box): Promise<Preview[]> {
  const head = await file.read(start, Math.min(JPEG_WITHIN, end - start));
  const at = head.indexOf(Buffer.from([0xff, 0xd8, 0xff]));
  return at < 0 ? [] : [{ start: start + at, length: end - start - at }];
}

async function boxesIn(file: Pieces, from: number, to: number): Promise<Box[]> {
  const boxes: Box[] = [];
  let at = from;
  while (at + 8 <= to && boxes.length < MAX_BOXES) {
    const head = await file.read(at, 32);
    if (head.length < 8) break;
    const type = head.toString('latin1', 4, 8);
    let size = head.readUInt32BE(0);
    let content = at + 8;
    if (size === 1 && head.length >= 16) {
      size = Number(head.readBigUInt64BE(8));
      content += 8;
    } else if (size === 0) size = to - at;
    if (size < content - at || at + size > to) break;
    const uuidAt = content - at;
    const isNamed = type === 'uuid' && head.length >= uuidAt + 16;
    const uuid = isNamed ? head.toString('hex', uuidAt, uuidAt + 16) : '';
    boxes.push({ type, uuid, start: content + (isNamed ? 16 : 0), end: at + size });
    at += size;
  }
  return boxes;
}
