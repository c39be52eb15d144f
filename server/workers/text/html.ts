import { readStart } from '../inherited-file.ts';
import { decodeText } from './encoding.ts';
import { MarkupReader, type MarkupRules } from './markup.ts';
import type { ReadText, TextSink } from './sink.ts';

const MAX_BYTES = 16 * 1024 * 1024;
/** Bytes in which a document declares its encoding. */
const HEAD = 4 * 1024;
/** Characters parsed at a time. */
const CHUNK = 64 * 1024;

const SKIPPED = new Set(['script', 'style', 'template', 'object', 'iframe', 'noframes']);
/** Elements within words; all others end a word. */
const INLINE = new Set(
  'a abbr acronym b bdi bdo big cite code data del dfn em font i ins kbd label mark q s samp small span strike strong sub sup time tt u var wbr'.split(
    ' ',
  ),
);

/** The visible text of a page, and the alternative texts of images. */
export const HTML: MarkupRules = {
  isHtml: true,
  isSkipped: (name) => SKIPPED.has(name),
  hasText: () => true,
  isBreak: (name) => !INLINE.has(name),
  textOf: (_name, { alt, title }) => (alt || title ? `${alt ?? ''} ${title ?? ''}` : undefined),
};

const FICTION_BOOK: MarkupRules = {
  isHtml: false,
  // Images, in base64.
  isSkipped: (name) => name === 'binary',
  hasText: () => true,
  isBreak: (name) => !['emphasis', 'strong', 'style', 'a', 'sub', 'sup', 'strikethrough', 'code'].includes(name),
};

export const readHtml: ReadText = (fd, size, sink) => readMarkup(fd, size, sink, HTML);
export const readFictionBook: ReadText = (fd, size, sink) => readMarkup(fd, size, sink, FICTION_BOOK);

async function readMarkup(...[fd, size, sink, rules]: [...Parameters<ReadText>, MarkupRules]): Promise<void> {
  const bytes = readStart(fd, size, MAX_BYTES);
  writeMarkup(decodeText(bytes, declaredIn(bytes)), sink, rules);
}

/** @throws Enough */
export function writeMarkup(text: string, sink: TextSink, rules: MarkupRules): void {
  const reader = new MarkupReader(sink, rules);
  for (let start = 0; start < text.length; start += CHUNK) reader.write(text.slice(start, start + CHUNK));
}

/** The encoding declared at the beginning of an HTML or XML document, or null. */
export function declaredIn(bytes: Uint8Array): string | null {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, HEAD)).toString('latin1');
  const match =
    /^\s*<\?xml[^>]{0,200}?\sencoding\s*=\s*["']([\w.:-]{1,40})["']/.exec(head) ??
    /<meta[^>]{0,500}?\scharset\s*=\s*["']?([\w.:-]{1,40})/i.exec(head) ??
    /<meta[^>]{0,500}?content\s*=\s*["'][^"'>]{0,200}?charset=([\w.:-]{1,40})/i.exec(head);
  return match?.[1] ?? null;
}
