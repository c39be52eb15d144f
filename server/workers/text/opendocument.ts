import { JobError } from '../job-error.ts';
import type { MarkupRules } from './markup.ts';
import { readPart } from './office.ts';
import type { ReadText } from './sink.ts';
import { ZipParts } from './zip-parts.ts';

const PARAGRAPHS = new Set(['p', 'h']);
const BREAKS = new Set([...PARAGRAPHS, 's', 'tab', 'line-break', 'table-cell', 'page']);

/** In a paragraph, but not part of its sentence: notes and comments, which are words of their own. */
const ASIDE = new Set(['note', 'annotation', 'creator']);
/** Deleted text in tracked changes, the marks of notes, the readings of Japanese words, and the initials of commentators. */
const SKIPPED = new Set(['tracked-changes', 'note-citation', 'ruby-text', 'creator-initials']);

/** Paragraphs, headings and sheet names. Tables of text documents have names as well, which are not shown. */
function rules(): MarkupRules {
  let areSheets = false;
  return {
    isHtml: false,
    isSkipped(name, attributes) {
      if (name === 'spreadsheet') areSheets = true;
      // That of a comment; a date in the text states its value.
      const isOfComment = name === 'date' && Object.keys(attributes).length === 0;
      return isOfComment || SKIPPED.has(name);
    },
    hasText: (name) => PARAGRAPHS.has(name),
    isBreak: (name) => BREAKS.has(name) || ASIDE.has(name),
    textOf: (name, attributes) => {
      if (!areSheets) return undefined;
      if (name === 'table') return attributes['table:name'];
      // What the cell shows is in its paragraphs.
      return name === 'table-cell' ? attributes['office:date-value']?.replace('T', ' ') : undefined;
    },
  };
}

/** Text documents, spreadsheets and presentations of OpenDocument; their headers and footers are with the styles. */
export const readOpenDocument: ReadText = async (fd, size, sink) => {
  const parts = await ZipParts.open(fd, size);
  if (!parts.has('content.xml')) throw new JobError('unsupported', 'no document of this kind');
  await readPart(parts, 'content.xml', sink, rules());
  await readPart(parts, 'styles.xml', sink, rules());
};
