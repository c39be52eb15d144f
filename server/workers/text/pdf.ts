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
      const text = await textOfPage(document, number);
      if (/^\p{Ll}/u.test(text)) sink.text = withoutLastHyphen(sink.text);
      sink.add(`${text}\n`);
      broken = 0;
    } catch (error) {
      if (error instanceof Enough) throw error;
      broken += 1;
      if (broken === MAX_BROKEN || broken === document.numPages) pdfFailed(error as Error);
    }
  }
}

/** A word that is hyphenated at the end of a page goes on with the next one. */
const withoutLastHyphen = (text: string): string =>
  /\p{L}[-\u2010]\n$/u.test(text.slice(-4)) ? text.slice(0, -2) : text;

async function textOfPage(document: Document, number: number): Promise<string> {
  const page = await document.getPage(number);
  const { items } = await page.getTextContent();
  // Damaged notes cost only themselves.
  const notes = await page.getAnnotations().catch(() => []);
  page.cleanup();
  const parts = items.flatMap((item) => ('str' in item ? [item] : []));
  // Joins words hyphenated at the end of a line. Before a capital letter the hyphen is part of the word: E-Mail.
  const text = joined(parts).replace(/(\p{L})[-\u2010]\n(?=\p{Ll})/gu, '$1');
  return [text, ...notes.flatMap((note) => textsOfNote(note))].join('\n');
}

/** A part of the text with its place on the page: its matrix, and its sides. */
interface TextPart {
  readonly str: string;
  readonly hasEOL: boolean;
  readonly transform: readonly number[];
  readonly height: number;
}

/** Letters with much space between them: the library takes it for blanks, and returns those between words as parts of their own. */
const SPACED = /^\p{L}(?: \p{L}){3,}$/u;

function joined(parts: readonly TextPart[]): string {
  let text = '';
  let before: TextPart | null = null;
  for (const part of parts) {
    if (before !== null && !before.hasEOL && isElsewhere(before, part)) text += '\n';
    text += (SPACED.test(part.str) ? part.str.replaceAll(' ', '') : part.str) + (part.hasEOL ? '\n' : '');
    before = part;
  }
  return text;
}

/** Whether a part is on another line, as after a part that the page shows several times. */
function isElsewhere(before: TextPart, part: TextPart): boolean {
  const [a = 1, b = 0, , , x = 0, y = 0] = before.transform;
  const [, , , , nextX = 0, nextY = 0] = part.transform;
  const length = Math.hypot(a, b);
  const across = Math.abs((nextX - x) * -b + (nextY - y) * a) / length;
  return length > 0 && across > Math.max(before.height, part.height, 1);
}

/** Notes of these kinds show their text; fields of forms what was filled in. */
function textsOfNote(note: Readonly<Record<string, unknown>>): string[] {
  const { annotationFlags, fieldType, fieldValue, textContent, contentsObj, password } = note;
  if (password === true || (typeof annotationFlags === 'number' && (annotationFlags & HIDDEN) !== 0)) return [];
  const shown = Array.isArray(textContent) ? textContent.join('\n') : '';
  const filled = fieldType === 'Tx' || fieldType === 'Ch' ? [fieldValue].flat() : [];
  const contents = (contentsObj as { readonly str?: unknown } | undefined)?.str;
  const texts = [...filled, contents].filter((text): text is string => typeof text === 'string' && text !== '');
  return [...new Set([shown, ...texts])].filter((text) => text !== '');
}

/** A flag of annotations (ISO 32000-1, table 165). */
const HIDDEN = 2;

/** The library distinguishes its errors by name. */
function pdfFailed({ name, message }: Error): never {
  throw new JobError(name === 'PasswordException' ? 'unsupported' : 'corrupt', message);
}
