import { z } from 'zod';
import { inheritedFile } from '../inherited-file.ts';
import type { Jobs } from '../protocol.ts';
import { TEXT_READERS } from './kinds.ts';

/** Longer texts are truncated. In UTF-16 units, before and after splitting into words. */
export const MAX_TEXT = 1_000_000;

/** Jobs of text workers. */
export const textJobs = {
  /**
   * The words of a document in order, as split by `tokenize` and separated by spaces; empty when there are none. Fails with
   * `unsupported` when it is not of the expected kind, or is encrypted.
   */
  words: {
    input: z.object({ file: inheritedFile, reader: z.enum(TEXT_READERS) }),
    output: z.object({ words: z.string().max(MAX_TEXT) }),
  },
} satisfies Jobs;

export type TextJobs = typeof textJobs;
