import { JobError } from '../job-error.ts';
import type { MarkupRules } from './markup.ts';
import { readPart } from './office.ts';
import type { ReadText } from './sink.ts';
import { ZipParts } from './zip-parts.ts';

const PARAGRAPHS = new Set(['p', 'h']);
const BREAKS = new Set([...PARAGRAPHS, 's', 'tab', 'line-break', 'table-cell', 'page']);

/** Paragraphs, headings and sheet names. Deleted text in tracked changes is left out. */
const TEXT: MarkupRules = {
  isHtml: false,
  isSkipped: (name) => name === 'tracked-changes',
  hasText: (name) => PARAGRAPHS.has(name),
  isBreak: (name) => BREAKS.has(name),
  textOf: (name, attributes) => (name === 'table' ? attributes['table:name'] : undefined),
};

/** Text documents, spreadsheets and presentations of OpenDocument; their headers and footers are with the styles. */
export const readOpenDocument: ReadText = async (fd, size, sink) => {
  const parts = await ZipParts.open(fd, size);
  if (!parts.has('content.xml')) throw new JobError('unsupported', 'no document of this kind');
  await readPart(parts, 'content.xml', sink, TEXT);
  await readPart(parts, 'styles.xml', sink, TEXT);
};
