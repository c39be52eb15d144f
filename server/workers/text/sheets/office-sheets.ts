import { Parser } from 'htmlparser2';
import { JobError } from '../../job-error.ts';
import { type DateFormats, dateFormatsIn } from '../date-styles.ts';
import type { Attributes } from '../markup.ts';
import { elements, mainPartOf, relationshipsOf } from '../office-parts.ts';

import { ZipParts } from '../zip-parts.ts';
import { MAX_CELL_TEXT, numberText, type ReadSheets, type SheetCollector } from './collector.ts';

/** UTF-16 units of all shared strings that are kept: far more than are shown. */
const MAX_SHARED_TEXT = 8 * MAX_CELL_TEXT;
const MAX_SHARED = 1_000_000;
/** UTF-16 units of the value of one cell; Excel has at most 32,767. */
const MAX_VALUE = 32_767;

/** Workbooks of Excel from 2007 on (ECMA-376, part 1, 18). */
export const readOfficeSheets: ReadSheets = async (fd, size, collector) => {
  const parts = await ZipParts.open(fd, size);
  const main = (await mainPartOf(parts)) ?? 'xl/workbook.xml';
  if (!parts.has(main)) throw new JobError('unsupported', 'no document of this kind');
  const related = await relationshipsOf(parts, main);
  const targetOf = (wanted: string) => related.find(({ type }) => type === wanted)?.target;
  const formats = await dateFormatsIn(parts, main, targetOf('styles'), 'shown');
  const shared = await sharedStrings(parts, targetOf('sharedStrings') ?? 'xl/sharedStrings.xml', collector);
  const worksheets = new Map(related.filter(({ type }) => type === 'worksheet').map(({ id, target }) => [id, target]));
  const listed = await elements(parts, main, 'sheet');
  // Without relationships, the sheets have their usual names.
  const usual = parts.named(/^xl\/worksheets\/sheet\d+\.xml$/i);
  for (const [index, attributes] of listed.entries()) {
    const part = worksheets.size === 0 ? usual[index] : worksheets.get(idIn(attributes));
    // A sheet that is only a chart has no cells.
    if (part === undefined) continue;
    if (!collector.begin(attributes.name ?? '')) return;
    await readCells(parts, part, { collector, shared, formats });
  }
};

function idIn(attributes: Attributes): string {
  const key = Object.keys(attributes).find((name) => /^[^:]+:id$/.test(name));
  return key === undefined ? '' : (attributes[key] ?? '');
}

async function sharedStrings(parts: ZipParts, name: string, collector: SheetCollector): Promise<readonly string[]> {
  const strings: string[] = [];
  let [length, text, inText, inReading] = [0, '', false, false];
  let isFull = false;
  const parser = new Parser(
    {
      onopentag(full) {
        const tag = localName(full);
        if (tag === 'si') text = '';
        if (tag === 'rPh') inReading = true;
        if (tag === 't') inText = !inReading;
      },
      ontext(part) {
        if (inText && text.length < MAX_VALUE) text += part.slice(0, MAX_VALUE);
      },
      onclosetag(full) {
        const tag = localName(full);
        if (tag === 'rPh') inReading = false;
        if (tag === 't') inText = false;
        if (tag !== 'si' || isFull) return;
        strings.push(text);
        length += text.length;
        isFull = length > MAX_SHARED_TEXT || strings.length >= MAX_SHARED;
      },
    },
    { xmlMode: true },
  );
  for await (const chunk of parts.read(name)) {
    parser.write(chunk);
    if (!isFull) continue;
    collector.cut();
    break;
  }
  return strings;
}

interface Sheet {
  readonly collector: SheetCollector;
  readonly shared: readonly string[];
  readonly formats: DateFormats;
}

/** The cells of one part. Rows and cells may state where they are; otherwise they follow each other. */
async function readCells(parts: ZipParts, name: string, { collector, shared, formats }: Sheet): Promise<void> {
  let [row, column] = [-1, -1];
  let cell: Attributes = {};
  let [value, inValue, inReading] = ['', false, false];
  const parser = new Parser(
    {
      onopentag(full, attributes) {
        const tag = localName(full);
        if (tag === 'row') {
          row = attributes.r === undefined ? row + 1 : Number(attributes.r) - 1;
          column = -1;
        } else if (tag === 'c') {
          cell = attributes;
          value = '';
          column = columnIn(attributes.r) ?? column + 1;
        } else if (tag === 'rPh') inReading = true;
        else if (tag === 'v' || tag === 't') inValue = !inReading;
      },
      ontext(text) {
        if (inValue && value.length < MAX_VALUE) value += text.slice(0, MAX_VALUE);
      },
      onclosetag(full) {
        const tag = localName(full);
        if (tag === 'rPh') inReading = false;
        if (tag === 'v' || tag === 't') inValue = false;
        if (tag === 'c') collector.add(row, column, shownValue(cell, value, shared, formats));
      },
    },
    { xmlMode: true },
  );
  for await (const chunk of parts.read(name)) {
    parser.write(chunk);
    if (collector.isSheetFull) return;
  }
}

/** A value by the type of its cell (18.18.11). */
function shownValue(
  { t: type = 'n', s: style = '0' }: Attributes,
  value: string,
  shared: readonly string[],
  formats: DateFormats,
): string {
  const trimmed = value.trim();
  switch (type) {
    case 's':
      return shared[Number(trimmed)] ?? '';
    case 'b':
      return trimmed === '' ? '' : /^(?:1|true)$/.test(trimmed) ? 'TRUE' : 'FALSE';
    case 'd':
      return trimmed.replace('T', ' ');
    case 'n': {
      const number = Number(trimmed);
      if (trimmed === '' || !Number.isFinite(number)) return trimmed;
      return formats[Number(style)]?.(number) || numberText(number);
    }
    default:
      return value;
  }
}

/** The column of a reference such as `AB12`, from 0. */
function columnIn(reference: string | undefined): number | null {
  const letters = /^([A-Z]{1,3})\d*$/i.exec(reference ?? '')?.[1]?.toUpperCase();
  if (letters === undefined) return null;
  return [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1;
}

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}
