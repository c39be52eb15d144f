import { getDocumentProxy } from 'unpdf';
import { readStart } from '../inherited-file.ts';
import { JobError } from '../job-error.ts';
import { Enough, type ReadText, type TextSink } from './sink.ts';

/** The reader wants all bytes in memory. */
const MAX_BYTES = 64 * 1024 * 1024;
const MAX_PAGES = 10_000;
/** Pages in a row of which nothing can be read: after them there is no sense in trying the others. */
const MAX_BROKEN = 20;
/** Bytes in which the signature stands, as other readers have it. */
const HEAD = 1024;

type Document = Awaited<ReturnType<typeof getDocumentProxy>>;

/** A PDF, page by page. One that is encrypted is read when everybody may open it. */
export const readPdf: ReadText = async (fd, size, sink) => {
  if (size > MAX_BYTES) throw new JobError('too_large', `${size} bytes`);
  const bytes = readStart(fd, size, MAX_BYTES);
  if (!bytes.subarray(0, HEAD).includes('%PDF-')) throw new JobError('unsupported', 'no PDF');
  const data = new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.length);
  const document = await getDocumentProxy(data, { verbosity: 0, useSystemFonts: false }).catch(pdfFailed);
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
  // Words that are divided at the end of a line. What goes on with a capital letter has its hyphen anyway: E-Mail.
  return text.replace(/(\p{L})-\n(?=\p{Ll})/gu, '$1');
}

/** The library tells its failures apart by their names. */
function pdfFailed({ name, message }: Error): never {
  throw new JobError(name === 'PasswordException' ? 'unsupported' : 'corrupt', message);
}
