import { getDocumentProxy } from 'unpdf';
import { readStart } from '../../inherited-file.ts';
import { JobError } from '../../job-error.ts';
import { embeddedDateOf, pdfDateOf } from '../dates.ts';
import type { ReadEmbedded } from '../metadata-result.ts';
import { separated } from './office.ts';

/** The reader needs all bytes in memory. */
const MAX_BYTES = 64 * 1024 * 1024;
/** Bytes in which the signature must be, as in other readers. */
const HEAD = 1024;

/** PDF: the information dictionary, and XMP (ISO 32000-1, 14.3). Scripts are never run. */
export const readPdf: ReadEmbedded = async ({ fd, size }, result) => {
  if (size > MAX_BYTES) throw new JobError('too_large', `${size} bytes`);
  const bytes = readStart(fd, size, MAX_BYTES);
  if (!bytes.subarray(0, HEAD).includes('%PDF-')) throw new JobError('unsupported', 'no PDF');
  const data = new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.length);
  const document = await getDocumentProxy(data, { verbosity: 0, useSystemFonts: false }).catch(failed);
  try {
    result.first('document.pages', document.numPages);
    const { info, metadata } = await document.getMetadata().catch(failed);
    const properties = info as Readonly<Record<string, unknown>>;
    const xmp = (name: string): unknown => metadata?.get(name);
    result.first('document.title', properties.Title, firstOf(xmp('dc:title')));
    result.add('document.author', ...listOf(xmp('dc:creator')));
    result.first('document.author', properties.Author);
    result.first('document.subject', properties.Subject, firstOf(xmp('dc:description')));
    result.add('document.keywords', ...separated(String(properties.Keywords ?? xmp('pdf:Keywords') ?? '')));
    result.first('document.application', properties.Creator, xmp('xmp:CreatorTool'), properties.Producer);
    result.first('document.language', properties.Language);
    result.moment('document.created', pdfDateOf(properties.CreationDate) ?? embeddedDateOf(xmp('xmp:CreateDate')));
    result.moment('document.modified', pdfDateOf(properties.ModDate) ?? embeddedDateOf(xmp('xmp:ModifyDate')));
  } finally {
    await document.destroy();
  }
};

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [value];
}

function firstOf(value: unknown): unknown {
  return listOf(value)[0];
}

/** The library distinguishes its errors by name. */
function failed({ name, message }: Error): never {
  throw new JobError(name === 'PasswordException' ? 'unsupported' : 'corrupt', message);
}
