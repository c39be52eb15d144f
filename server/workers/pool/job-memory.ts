import type { z } from 'zod';
import type { inheritedFile } from '../inherited-file.ts';

const MEBIBYTE = 1024 * 1024;

/** Bytes of memory for a job, including its process. */
export interface JobMemory {
  /** The first reservation. */
  readonly usual: number;
  /** The reservation of a second try, if that was not enough. Equal to `usual`: no second try. */
  readonly most: number;
}

/** A PDF reader, with a rendered page. */
const PDF_BASE = 288 * MEBIBYTE;
/** Additional memory as a multiple of a document's size: it is held several times, and its parts decompressed. */
const PDF_TIMES = 8;

/**
 * For a PDF, by its size: chained filters can decompress 4 KB to gigabytes, which the head of the document does not reveal. Small
 * documents need little.
 * @param most bytes for the largest one
 */
export function pdfMemory({ identity }: z.output<typeof inheritedFile>, most: number): JobMemory {
  const bytes = Math.min(most, PDF_BASE + sizeOf(identity) * PDF_TIMES);
  return { usual: bytes, most: bytes };
}

/** @param identity inode, size and time, as in `handedFile` */
function sizeOf(identity: string): number {
  const size = Number(identity.split('.')[1]);
  return Number.isSafeInteger(size) ? size : 0;
}
