import { type Box, boxesIn, CANON, namedBoxesIn } from '../embedded/boxes.ts';
import type { WindowedReader } from '../embedded/windowed-reader.ts';
import type { Preview, Previews } from './preview.ts';
import { previewsInTiff } from './raw-tiff.ts';

/** Canon's box with the preview. */
const PREVIEW = 'eaf42b5e1c984b88b9fbb7dc406e4d16';
/** Bytes after the head of the box in which the JPEG begins. */
const JPEG_WITHIN = 64;

/** The JPEGs in Canon's CR3, a container of boxes (ISO/IEC 14496-12 §4.2). */
export async function previewsInBoxes(file: WindowedReader): Promise<Previews> {
  const previews: Preview[] = [];
  let orientation = 1;
  for await (const box of namedBoxesIn(file, 0, file.size, PREVIEW)) {
    // Eight undocumented bytes come before the boxes.
    for await (const inner of boxesIn(file, box.start + 8, box.end)) {
      if (inner.type === 'PRVW') previews.push(...(await jpegIn(file, inner)));
    }
  }
  for await (const moov of boxesIn(file, 0, file.size)) {
    if (moov.type !== 'moov') continue;
    for await (const box of namedBoxesIn(file, moov.start, moov.end, CANON)) {
      for await (const one of boxesIn(file, box.start, box.end)) {
        if (one.type === 'THMB') previews.push(...(await jpegIn(file, one)));
        // The first directory of the EXIF data.
        if (one.type === 'CMT1') ({ orientation } = await previewsInTiff(file.part(one.start, one.end)));
      }
    }
  }
  return { previews, orientation };
}

async function jpegIn(file: WindowedReader, { start, end }: Box): Promise<Preview[]> {
  const head = await file.glance(start, Math.min(JPEG_WITHIN, end - start));
  const at = head.indexOf(Buffer.from([0xff, 0xd8, 0xff]));
  return at < 0 ? [] : [{ start: start + at, length: end - start - at }];
}
