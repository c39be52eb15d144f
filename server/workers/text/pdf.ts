import { getDocumentProxy } from 'unpdf';
import { readStart } from '../inherited-file.ts';
import { JobError } from '../job-error.ts';
import { CharacterMaps } from './character-maps.ts';
import { Enough, type ReadText, type TextSink } from './sink.ts';

/** The reader needs all bytes in memory. */
const MAX_BYTES = 64 * 1024 * 1024;
const MAX_PAGES = 10_000;
/** Consecutive unreadable pages after which the rest is not tried. */
const MAX_BROKEN = 20;
/** Bytes in which the signature must be, as in other readers. */
const HEAD = 1024;

type Document = Awaited<ReturnType<typeof getDocumentProxy>>;

/** A PDF, page by page. An encrypted one is read if it opens without a password. */
export const readPdf: ReadText = async (fd, size, sink) => {
  if (size > MAX_BYTES) throw new JobError('too_large', `${size} bytes`);
  const bytes = readStart(fd, size, MAX_BYTES);
  if (!bytes.subarray(0, HEAD).includes('%PDF-')) throw new JobError('unsupported', 'no PDF');
  const data = new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.length);
  const options = { verbosity: 0, useSystemFonts: false, useWorkerFetch: false, BinaryDataFactory: CharacterMaps };
  const document = await getDocumentProxy(data, options).catch(pdfFailed);
  try {
    await readPages(document, sink);
  } finally {
    await document.destroy();
  }
};

async function readPages(document: Document, sink: TextSink): Promise<void> {
  let broken = 0;
  for (let number = 1; number <= Math.min(document.numPages, MAX_PAGES); number += 1) {
    try {
      sink.add(`${await textOfPage(document, number)}\n`);
      broken = 0;
    } catch (error) {
      if (error instanceof Enough) throw error;
      broken += 1;
      if (broken === MAX_BROKEN || broken === document.numPages) pdfFailed(error as Error);
    }
  }
}

async function textOfPage(document: Document, number: number): Promise<string> {
  const page = await document.getPage(number);
  const { items } = await page.getTextContent();
  page.cleanup();
  const text = items.map((item) => ('str' in item ? item.str + (item.hasEOL ? '\n' : '') : '')).join('');
  // Joins words hyphenated at the end of a line. Before a capital letter the hyphen is part of the word: E-Mail.
  return text.replace(/(\p{L})[-\u2010]\n(?=\p{Ll})/gu, '$1');
}

/** The library distinguishes its errors by name. */
function pdfFailed({ name, message }: Error): never {
  throw new JobError(name === 'PasswordException' ? 'unsupported' : 'corrupt', message);
}
