import { z } from 'zod';
import { inheritedFile } from '../inherited-file.ts';
import { JOB_FAILURES } from '../job-error.ts';
import type { Jobs } from '../protocol.ts';
import { SHEET_READERS, TEXT_READERS } from './kinds.ts';
import { MAX_COLUMNS, MAX_ROWS, MAX_SHEETS } from './sheets/collector.ts';

/** Longer texts are truncated. In UTF-16 units, before and after splitting into words. */
export const MAX_TEXT = 1_000_000;
/** Bytes of a text, or UTF-16 units of a document, that are shown to people; the rest is left out. */
export const MAX_SHOWN = 256 * 1024;

const shownContent = z.custom<Uint8Array>((value) => value instanceof Uint8Array && value.length <= MAX_SHOWN);

/** Jobs of text workers. */
export const textJobs = {
  /**
   * The words of documents in order, as split by `tokenize` and separated by spaces; empty when there are none. One fails with
   * `unsupported` when it is not of the expected kind, or is encrypted; the others are read all the same.
   */
  words: {
    input: z.object({ files: z.array(z.object({ file: inheritedFile, reader: z.enum(TEXT_READERS) })) }),
    output: z.object({
      results: z.array(
        z.union([
          z.object({ words: z.string().max(MAX_TEXT) }),
          z.object({ failure: z.enum(JOB_FAILURES), detail: z.string() }),
        ]),
      ),
    }),
  },
  /**
   * The text of the beginning of a file, as it is. `isCut`: its last character may be incomplete. `isMarkup`: HTML or XML, which may
   * declare its encoding. Fails with `unsupported` when it is not text.
   */
  decode: {
    input: z.object({ content: shownContent, isCut: z.boolean(), isMarkup: z.boolean() }),
    output: z.object({ text: z.string().max(MAX_SHOWN) }),
  },
  /** The beginning of the text of a document, in lines. `isCut`: there is more. Fails like `words`. */
  text: {
    input: z.object({ file: inheritedFile, reader: z.enum(TEXT_READERS) }),
    output: z.object({ text: z.string().max(MAX_SHOWN), isCut: z.boolean() }),
  },
  /** The cells of a spreadsheet (`sheetsIn`). `isCut`: there are more. Fails like `words`. */
  sheets: {
    input: z.object({ file: inheritedFile, reader: z.enum(SHEET_READERS) }),
    output: z.object({
      sheets: z
        .array(z.object({ name: z.string(), rows: z.array(z.array(z.string()).max(MAX_COLUMNS)).max(MAX_ROWS) }))
        .max(MAX_SHEETS),
      isCut: z.boolean(),
    }),
  },
  /**
   * The passage of a document that matches most of the words (`passageIn`); null if none occurs. Fails like `words`.
   */
  passage: {
    input: z.object({ file: inheritedFile, reader: z.enum(TEXT_READERS), words: z.array(z.string()) }),
    output: z.object({ parts: z.array(z.object({ text: z.string(), isMatch: z.boolean() })).nullable() }),
  },
} satisfies Jobs;

export type TextJobs = typeof textJobs;
