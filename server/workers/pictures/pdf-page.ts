import type { OpenInherited } from '../inherited-file.ts';
import { JobError } from '../job-error.ts';
import type { ThumbnailShape } from '../thumbnails/jobs.ts';
import { readWhole } from './read-whole.ts';
import { boxOf, shrink } from './shrink.ts';

/** Bytes of a document: it is copied into the memory of the renderer. */
const MAX_BYTES = 192 * 1024 * 1024;
/** Pixels drawn per pixel shown: the image library scales them down smoothly. */
const OVERSAMPLING = 1.5;
/** Pixels on the longer side: limits pages that are long strips. */
const MAX_DRAWN = 4_096;

/**
 * The first page of a PDF, rendered by PDFium in WebAssembly: without JavaScript, which this build lacks, and without access to
 * anything outside of the file.
 * @throws JobError
 */
export async function pdfThumbnail(file: OpenInherited, shapes: readonly ThumbnailShape[]): Promise<Uint8Array[]> {
  const bytes = readWhole(file, MAX_BYTES);
  // ISO 32000-1 annex H.3.4.1: the header is somewhere in the first 1,024 bytes.
  if (!bytes.subarray(0, 1024 + 5).includes('%PDF-')) throw new JobError('unsupported', 'no PDF');
  const { PDFiumLibrary } = await import('@hyzyla/pdfium');
  const library = await PDFiumLibrary.init();
  try {
    const page = (await library.loadDocument(bytes)).getPage(0);
    const { originalWidth, originalHeight } = page.getOriginalSize();
    const box = boxOf(shapes);
    const by = box.fit === 'cover' ? Math.max : Math.min;
    const fitting = by(box.width / originalWidth, box.height / originalHeight) * OVERSAMPLING;
    const scale = Math.min(fitting, MAX_DRAWN / Math.max(originalWidth, originalHeight));
    if (!Number.isFinite(scale) || scale <= 0) throw new JobError('corrupt', 'a page of no size');
    const { data, width, height } = await page.render({ scale, render: 'bitmap' });
    return await shrink(data, shapes, { raw: { width, height, channels: 4 }, autoOrient: false });
  } catch (error) {
    if (error instanceof JobError) throw error;
    const { message } = error as Error;
    throw new JobError(/password/i.test(message) ? 'unsupported' : 'corrupt', message);
  } finally {
    library.destroy();
  }
}
