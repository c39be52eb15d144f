import { JobError } from '../job-error.ts';
import { decodeText } from './encoding.ts';
import { declaredIn, HTML, writeMarkup } from './html.ts';
import { addMessage } from './mail.ts';
import type { MarkupRules } from './markup.ts';
import { addRtf } from './rtf.ts';
import type { TextSink } from './sink.ts';
import type { ZipParts } from './zip-parts.ts';

/** Bytes of a part, and number of parts. */
const MAX_BYTES = 16 * 1024 * 1024;
const MAX_PARTS = 100;
/** Bytes that tell what a part is. */
const HEAD = 2 * 1024;

/** What is read of documents within a document. */
interface DocumentReaders {
  /** The whole of one that is a ZIP archive. */
  readonly read: (parts: ZipParts, sink: TextSink) => Promise<void>;
  /** For one that is a single XML file. */
  readonly rules: () => MarkupRules;
}

/**
 * The texts of parts in other formats, which a program imports into the document when it opens it (ECMA-376, part 1, 11.3.1): web
 * pages, also with their pictures in a message, Rich Text, plain text and documents. The content decides on the format. What cannot
 * be read is left out.
 * @throws Enough
 */
export async function addAlternatives(
  parts: ZipParts,
  names: readonly string[],
  sink: TextSink,
  readers: DocumentReaders,
): Promise<void> {
  for (const name of names.slice(0, MAX_PARTS)) {
    try {
      await addPart(parts, await parts.bytes(name, MAX_BYTES), sink, readers);
    } catch (error) {
      if (!(error instanceof JobError)) throw error;
    }
    sink.add('\n');
  }
}

async function addPart(parts: ZipParts, bytes: Buffer, sink: TextSink, readers: DocumentReaders): Promise<void> {
  const head = bytes.toString('latin1', 0, HEAD).replace(/^\xef\xbb\xbf/, '');
  if (head.startsWith('PK')) return readers.read(await parts.within(bytes), sink);
  if (head.startsWith('{\\rtf')) return addRtf(bytes, sink);
  if (/^MIME-Version:/im.test(head) && /^[\w-]+:/.test(head)) return addMessage(bytes, sink);
  const text = decodeText(bytes, declaredIn(bytes));
  if (/<(?:\w+:)?package\b/.test(head)) writeMarkup(text, sink, readers.rules());
  else if (/^\s*</.test(text)) writeMarkup(text, sink, HTML);
  else sink.add(text);
}
