import { JobError } from '../job-error.ts';
import { type Attributes, MarkupReader, type MarkupRules } from './markup.ts';
import type { ReadText, TextSink } from './sink.ts';
import { ZipParts } from './zip-parts.ts';

/** The parts with text in documents and presentations (ECMA-376), in reading order. */
const PARTS = [
  /^word\/document\d*\.xml$/,
  /^word\/(?:header|footer|footnotes|endnotes|comments)\d*\.xml$/,
  /^ppt\/slides\/slide\d+\.xml$/,
  /^ppt\/notesSlides\/notesSlide\d+\.xml$/,
  /^(?:word|ppt)\/diagrams\/data\d+\.xml$/,
];

const BREAKS = new Set(['p', 'br', 'cr', 'tab', 'tc', 'si', 'is', 'c', 'comment']);
/** Fallback content for older programs, and the phonetic readings of Japanese words. */
const SKIPPED = new Set(['Fallback', 'rPh']);

const TEXT: MarkupRules = {
  isHtml: false,
  isSkipped: (name) => SKIPPED.has(name),
  hasText: (name) => name === 't',
  isBreak: (name) => BREAKS.has(name),
};

const SHEET_NAMES: MarkupRules = {
  ...TEXT,
  hasText: () => false,
  textOf: (name, { name: sheet }) => (name === 'sheet' ? sheet : undefined),
};

/** The values of cells: only numbers for shared strings, booleans and errors, which are left out. */
function cells(): MarkupRules {
  let isNumber = false;
  return {
    ...TEXT,
    isSkipped: (name: string, { t: type }: Attributes) => {
      if (name === 'c') isNumber = type === 's' || type === 'b' || type === 'e';
      return name === 'f' || (name === 'v' && isNumber);
    },
    hasText: (name) => name === 't' || name === 'v',
  };
}

/** Word and PowerPoint. */
export const readOffice: ReadText = async (fd, size, sink) => {
  const parts = await ZipParts.open(fd, size);
  const names = PARTS.flatMap((pattern) => parts.named(pattern));
  if (names.length === 0) throw new JobError('unsupported', 'no document of this kind');
  for (const name of names) await readPart(parts, name, sink, TEXT);
};

/** Excel. */
export const readSpreadsheet: ReadText = async (fd, size, sink) => {
  const parts = await ZipParts.open(fd, size);
  if (!parts.has('xl/workbook.xml')) throw new JobError('unsupported', 'no document of this kind');
  await readPart(parts, 'xl/workbook.xml', sink, SHEET_NAMES);
  await readPart(parts, 'xl/sharedStrings.xml', sink, TEXT);
  for (const name of parts.named(/^xl\/worksheets\/sheet\d+\.xml$/)) await readPart(parts, name, sink, cells());
  for (const name of parts.named(/^xl\/comments\d*\.xml$/)) await readPart(parts, name, sink, TEXT);
};

/** @throws JobError, Enough */
export async function readPart(parts: ZipParts, name: string, sink: TextSink, rules: MarkupRules): Promise<void> {
  const reader = new MarkupReader(sink, rules);
  for await (const chunk of parts.read(name)) reader.write(chunk);
  sink.add('\n');
}
