import type { z } from 'zod';
import type { handedFile } from '../inherited-file.ts';

const MEBIBYTE = 1024 * 1024;

/** Bytes of memory for a job, the process included. */
export interface JobMemory {
  /** What it starts with. */
  readonly usual: number;
  /** What it gets when that was not enough: it is then begun again. The same as `usual`: never more. */
  readonly most: number;
}

/** A reader of PDF, with a page that is drawn. */
const PDF_BASE = 288 * MEBIBYTE;
/** Times its size that a document may take besides: it is held several times, and its parts unpacked. */
const PDF_TIMES = 8;

/**
 * For a PDF, by its size: a filter may stand behind another one, so that 4 KB unpack to gigabytes, which nothing in the head of
 * the document tells. What is small needs little.
 * @param most bytes for the largest one
 */
export function pdfMemory({ identity }: z.output<typeof handedFile>, most: number): JobMemory {
  const bytes = Math.min(most, PDF_BASE + sizeOf(identity) * PDF_TIMES);
  return { usual: bytes, most: bytes };
}

/** @param identity inode, size and time, as `handedFile` has it */
function sizeOf(identity: string): number {
  const size = Number(identity.split('.')[1]);
  return Number.isSafeInteger(size) ? size : 0;
}
