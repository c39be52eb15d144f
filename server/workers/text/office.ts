import { JobError } from '../job-error.ts';
import { addAlternatives } from './alternative-parts.ts';
import type { DateFormat } from './date-format.ts';
import { type DateFormats, dateFormatsIn } from './date-styles.ts';
import { type Attributes, MarkupReader, type MarkupRules } from './markup.ts';
import { listedIds, mainPartOf, relationshipsOf } from './office-parts.ts';
import type { ReadText, TextSink } from './sink.ts';
import { ZipParts } from './zip-parts.ts';

/** The parts with text in documents and presentations (ECMA-376) that have no relationships, in reading order. */
const PARTS = [
  /^word\/document\d*\.xml$/i,
  /^word\/(?:header|footer|footnotes|endnotes|comments)\d*\.xml$/i,
  /^ppt\/slides\/slide\d+\.xml$/i,
  /^ppt\/notesSlides\/notesSlide\d+\.xml$/i,
  /^(?:word|ppt)\/diagrams\/data\d+\.xml$/i,
];
/** The types of related parts with text, in reading order. */
const RELATED = ['header', 'footer', 'footnotes', 'endnotes', 'comments', 'notesSlide', 'diagramData', 'chart'];

/** What stands where a program shows the number of the page, or a date (ECMA-376, part 1, 17.3.3). */
const SHOWN_VALUES = ['pgNum', 'dayLong', 'dayShort', 'monthLong', 'monthShort', 'yearLong', 'yearShort'];
const BREAKS = new Set([
  ...['p', 'br', 'cr', 'tab', 'ptab', 'tc', 'si', 'is', 'c', 'comment', 'oMath', 'oMathPara'],
  ...SHOWN_VALUES,
]);
/** The phonetic readings of Japanese words, and text that tracked changes delete or move elsewhere. */
const SKIPPED = new Set(['rPh', 'rt', 'del', 'moveFrom']);
/** Characters that have elements of their own (ECMA-376, part 1, 17.3.3.18 and 17.3.3.29). */
const CHARACTERS = new Map([
  ['noBreakHyphen', '-'],
  ['softHyphen', '\u00ad'],
]);

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

/**
 * The values of cells: only numbers for shared strings, booleans and errors, which are left out.
 * @param formats of dates, by the styles of cells
 */
function cells(formats: DateFormats): MarkupRules {
  let isNumber = false;
  let format: DateFormat | null = null;
  return {
    ...TEXT,
    isSkipped: (name: string, { t: type = 'n', s: style = '0' }: Attributes) => {
      if (name === 'c') {
        isNumber = type === 's' || type === 'b' || type === 'e';
        format = type === 'n' ? (formats[Number(style)] ?? null) : null;
      }
      return name === 'f' || (name === 'v' && isNumber);
    },
    hasText: (name) => name === 't' || name === 'v' || MARGINS.has(name),
    isBreak: (name) => BREAKS.has(name) || MARGINS.has(name),
    meaningOf: (name) => {
      if (MARGINS.has(name)) return marginText;
      return name === 'v' && format !== null ? meaningAs(format) : undefined;
    },
  };
}

/** The headers and footers of printed sheets. */
const MARGINS = new Set(['oddHeader', 'oddFooter', 'evenHeader', 'evenFooter', 'firstHeader', 'firstFooter']);
/** Codes in them: for the place, fonts, sizes, colours, and values such as the page (ECMA-376, part 1, 18.3.1.46). */
const MARGIN_CODE = /&(?:"[^"]*"|K(?:[\dA-F]{2}[+-]\d{3}|[\dA-F]{6})|\d{1,3}|(.))/gi;

function marginText(text: string): string {
  return text.replace(MARGIN_CODE, (_, sign: string | undefined) => {
    if (sign === '&') return '&';
    // Others change how the same word looks.
    return sign !== undefined && /[LCRPNDTFAZG]/i.test(sign) ? ' ' : '';
  });
}

function meaningAs(format: DateFormat): (text: string) => string {
  return (text) => (text.trim() === '' ? '' : format(Number(text)) || text);
}

/** Documents and presentations. */
function pages(): MarkupRules {
  let isChosen = false;
  return {
    ...TEXT,
    /** Of alternatives, the first choice; what older programs show instead only if there is no choice (ECMA-376, part 3, 7.5). */
    isSkipped(name) {
      const wasChosen = isChosen;
      if (name === 'AlternateContent') isChosen = false;
      if (name === 'Choice') isChosen = true;
      return SKIPPED.has(name) || ((name === 'Choice' || name === 'Fallback') && wasChosen);
    },
    // Letters as a drawing: a title, or a word across the page.
    textOf: (name, { string: letters }) => (name === 'textpath' ? letters : undefined),
    inlineOf: (name, attributes) => CHARACTERS.get(name) ?? (name === 'sym' ? symbolOf(attributes) : undefined),
  };
}

/** A character of a symbol font (ECMA-376, part 1, 17.3.3.30): its code, or one in the private area, which is no letter. */
function symbolOf({ 'w:char': code = '' }: Attributes): string {
  const unit = /^[\da-f]{1,4}$/i.test(code) ? Number.parseInt(code, 16) : 0;
  const char = String.fromCharCode(unit);
  return /\p{L}|\p{N}/u.test(char) ? char : ' ';
}

/** Comments of presentations have an element of their own for their text (ECMA-376, part 1, 19.4.5 and 19.4.7). */
function comments(): MarkupRules {
  return {
    ...pages(),
    hasText: (name) => name === 't' || name === 'text',
    isBreak: (name) => name === 'cm' || BREAKS.has(name),
  };
}

/** Word and PowerPoint. */
export const readOffice: ReadText = async (fd, size, sink) => {
  const parts = await ZipParts.open(fd, size);
  const main = await readPages(parts, sink);
  const imported = main === null ? [] : targetsOf(await relationshipsOf(parts, main), 'aFChunk');
  await addAlternatives(parts, imported, sink, {
    read: async (within, to) => void (await readPages(within, to)),
    rules: pages,
  });
};

/** @returns the main part, if the document names one */
async function readPages(parts: ZipParts, sink: TextSink): Promise<string | null> {
  const main = await mainPartOf(parts);
  const withText = main === null ? null : await partsWithText(parts, main);
  const names = withText?.names ?? PARTS.flatMap((pattern) => parts.named(pattern));
  if (names.length === 0) throw new JobError('unsupported', 'no document of this kind');
  for (const name of names) await readPart(parts, name, sink, withText?.comments.has(name) ? comments() : pages());
  return main;
}

/** The slides in the order of the presentation, or the document, then what belongs to them. */
async function partsWithText(
  parts: ZipParts,
  main: string,
): Promise<{ names: readonly string[]; comments: ReadonlySet<string> }> {
  const related = await relationshipsOf(parts, main);
  const ids = await listedIds(parts, main, 'sldId');
  const slides = listedTargets(ids, related, 'slide');
  const leading = slides.length === 0 ? [main] : [...new Set(slides)];
  const others: Related = [...related];
  for (const slide of leading) if (slide !== main) others.push(...(await relationshipsOf(parts, slide)));
  const names = [...new Set([...leading, ...RELATED.flatMap((type) => targetsOf(others, type))])];
  return { names, comments: new Set(targetsOf(others, 'comments')) };
}

type Related = { readonly id: string; readonly type: string; readonly target: string }[];

function listedTargets(ids: readonly string[], related: Readonly<Related>, type: string): string[] {
  const byId = new Map(related.filter((one) => one.type === type).map(({ id, target }) => [id, target]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

function targetsOf(related: Readonly<Related>, type: string): string[] {
  return related.filter((one) => one.type === type).map(({ target }) => target);
}

/** Excel. */
export const readSpreadsheet: ReadText = async (fd, size, sink) => {
  const parts = await ZipParts.open(fd, size);
  const main = (await mainPartOf(parts)) ?? 'xl/workbook.xml';
  if (!parts.has(main)) throw new JobError('unsupported', 'no document of this kind');
  await readPart(parts, main, sink, SHEET_NAMES);
  const related = await relationshipsOf(parts, main);
  const [shared = 'xl/sharedStrings.xml'] = targetsOf(related, 'sharedStrings');
  await readPart(parts, shared, sink, TEXT);
  const ids = await listedIds(parts, main, 'sheet');
  const listed = listedTargets(ids, related, 'worksheet');
  const sheets = listed.length === 0 ? parts.named(/^xl\/worksheets\/sheet\d+\.xml$/i) : [...new Set(listed)];
  const formats = await dateFormatsIn(parts, main, targetsOf(related, 'styles')[0]);
  for (const name of sheets) await readPart(parts, name, sink, cells(formats));
  const comments = new Set(parts.named(/^xl\/comments\d*\.xml$/i));
  for (const name of sheets) {
    for (const target of targetsOf(await relationshipsOf(parts, name), 'comments')) comments.add(target);
  }
  for (const name of comments) await readPart(parts, name, sink, TEXT);
  for (const name of await drawingsOf(parts, sheets)) await readPart(parts, name, sink, pages());
};

/** The drawings of sheets, with their text boxes, and the charts in them. */
async function drawingsOf(parts: ZipParts, sheets: readonly string[]): Promise<ReadonlySet<string>> {
  const drawings = new Set<string>();
  for (const sheet of sheets) {
    for (const drawing of targetsOf(await relationshipsOf(parts, sheet), 'drawing')) {
      drawings.add(drawing);
      for (const chart of targetsOf(await relationshipsOf(parts, drawing), 'chart')) drawings.add(chart);
    }
  }
  return drawings;
}

/** @throws JobError, Enough */
export async function readPart(parts: ZipParts, name: string, sink: TextSink, rules: MarkupRules): Promise<void> {
  const reader = new MarkupReader(sink, rules);
  for await (const chunk of parts.read(name)) reader.write(chunk);
  sink.add('\n');
}
