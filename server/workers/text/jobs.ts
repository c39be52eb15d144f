import { z } from 'zod';
import { handedFile } from '../inherited-file.ts';
import type { Jobs } from '../protocol.ts';
import { TEXT_READERS } from './kinds.ts';

/** Of a longer text its beginning is taken. In UTF-16 units, before and after it is split into words. */
export const MAX_TEXT = 1_000_000;

/** What text workers do. */
export const textJobs = {
  /**
   * The words of a document in their order, as `tokenize` makes them, with a blank between two; empty when there are none.
   * Fails with `unsupported` when it has no text of the kind that it should have, or is encrypted.
   */
  words: {
    input: z.object({ file: handedFile, reader: z.enum(TEXT_READERS) }),
    output: z.object({ words: z.string().max(MAX_TEXT) }),
  },
} satisfies Jobs;

export type TextJobs = typeof textJobs;
