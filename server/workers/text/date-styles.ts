import { Parser } from 'htmlparser2';
import { type DateForm, type DateFormat, dateFormatOf } from './date-format.ts';
import { elements } from './office-parts.ts';
import type { ZipParts } from './zip-parts.ts';

/** Excel has at most 65,490 styles. */
const MAX_FORMATS = 65_536;

/** The formats of the styles of cells, by their numbers; null for those that are no dates. */
export type DateFormats = readonly (DateFormat | null)[];

/**
 * The formats of dates in a workbook (ECMA-376, part 1, 18.8).
 * @param workbook the main part, which says with which year days begin @param styles the part with the styles
 */
export async function dateFormatsIn(
  parts: ZipParts,
  workbook: string,
  styles = 'xl/styles.xml',
  form: DateForm = 'words',
): Promise<DateFormats> {
  const [properties] = await elements(parts, workbook, 'workbookPr');
  const is1904 = /^(?:1|true|on)$/.test(properties?.date1904 ?? '');
  const codes = new Map<number, string>();
  const ofCells: number[] = [];
  let isInCells = false;
  const parser = new Parser(
    {
      onopentag(full, attributes) {
        const name = full.slice(full.indexOf(':') + 1);
        if (name === 'numFmt' && codes.size < MAX_FORMATS) {
          codes.set(Number(attributes.numFmtId), attributes.formatCode ?? '');
        }
        if (name === 'cellXfs') isInCells = true;
        if (name === 'xf' && isInCells && ofCells.length < MAX_FORMATS) ofCells.push(Number(attributes.numFmtId ?? 0));
      },
      onclosetag(full) {
        if (full.slice(full.indexOf(':') + 1) === 'cellXfs') isInCells = false;
      },
    },
    { xmlMode: true },
  );
  for await (const chunk of parts.read(styles)) parser.write(chunk);
  parser.end();
  const known = new Map<number, DateFormat | null>();
  return ofCells.map((id) => {
    const before = known.get(id);
    if (before !== undefined) return before;
    const format = dateFormatOf(id, codes.get(id), is1904, form);
    known.set(id, format);
    return format;
  });
}
