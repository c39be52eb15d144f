import { readFile, writeFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { extensionsByType, fileKind } from '../../dist/server/lib/names/file-types.js';
import { frameKindOf } from '../../dist/server/web/viewer/kinds.js';
import { embeddedReaderOf } from '../../dist/server/workers/embedded/kinds.js';
import { textReaderOf } from '../../dist/server/workers/text/kinds.js';
import { thumbnailSourceOf } from '../../dist/server/workers/thumbnails/kinds.js';

const ROOT = new URL('../../', import.meta.url);
const DOCUMENT = new URL('docs/formats.md', ROOT);

/** What the readers of `workers/embedded` find. */
const METADATA = {
  image: 'date, camera, place, words, rating',
  video: 'date, camera, place, words, rating, length',
  audio: 'tags, length',
  pdf: 'dates, words, pages',
  office: 'dates, words, pages',
  binaryOffice: 'dates, words, pages',
  opendocument: 'dates, words, pages',
  epub: 'dates, words',
} as const;

/** What the pictures of `workers/thumbnails` show. */
const THUMBNAILS = {
  picture: 'the picture',
  drawing: 'the drawing',
  raw: 'its preview',
  audio: 'the cover',
  comic: 'the first page',
  epub: 'the cover',
  office: 'its own preview',
  opendocument: 'its own preview',
  pdf: 'the first page',
  video: 'a frame, with ffmpeg',
} as const;

const UNITS = {
  bytes: 'MiB',
  characters: 'characters',
  pixels: 'million pixels',
  sheets: 'sheets',
  rows: 'rows',
  columns: 'columns',
  cells: 'cells',
} as const;

/** Limits, by the constants of the readers. */
const LIMITS: readonly (readonly [what: string, file: string, constant: string, unit: keyof typeof UNITS])[] = [
  ['words of one file that are found', 'text/jobs.ts', 'MAX_TEXT', 'characters'],
  ['a text that is shown; the rest is left out', 'text/jobs.ts', 'MAX_SHOWN', 'bytes'],
  ['the sheets of a spreadsheet that are shown', 'text/sheets/collector.ts', 'MAX_SHEETS', 'sheets'],
  ['the rows of a sheet that are shown', 'text/sheets/collector.ts', 'MAX_ROWS', 'rows'],
  ['the columns of a sheet that are shown', 'text/sheets/collector.ts', 'MAX_COLUMNS', 'columns'],
  ['the cells of a spreadsheet that are shown', 'text/sheets/collector.ts', 'MAX_CELLS', 'cells'],
  ['the texts of these cells', 'text/sheets/collector.ts', 'MAX_CELL_TEXT', 'characters'],
  ['a web page or book in markup, for its words', 'text/html.ts', 'MAX_BYTES', 'bytes'],
  ['a message, for its words', 'text/mail.ts', 'MAX_BYTES', 'bytes'],
  ['a calendar or address book, for its words', 'text/contacts-and-events.ts', 'MAX_BYTES', 'bytes'],
  ['Rich Text, for its words', 'text/rtf.ts', 'MAX_RTF', 'bytes'],
  ['the text of an Office file before 2007', 'compound/compound-file.ts', 'MAX_STREAM', 'bytes'],
  ['a PDF, for its words', 'text/pdf.ts', 'MAX_BYTES', 'bytes'],
  ['the parts of an Office file or book, unpacked', 'text/zip-parts.ts', 'MAX_INFLATED', 'bytes'],
  ['a part in another format in a Word document, for its words', 'text/alternative-parts.ts', 'MAX_BYTES', 'bytes'],
  ['XMP in a photo', 'embedded/image/tiff.ts', 'MAX_XMP', 'bytes'],
  ['the second part of XMP in a JPEG', 'embedded/image/extended-xmp.ts', 'MAX_LENGTH', 'bytes'],
  ['the compressed texts of a PNG picture, unpacked', 'embedded/png.ts', 'MAX_INFLATED', 'bytes'],
  ['a chunk of a PNG or WebP picture, for its metadata', 'embedded/chunks.ts', 'MAX_CHUNK', 'bytes'],
  ['a box of a film or HEIF picture, for its metadata', 'embedded/boxes.ts', 'MAX_BODY', 'bytes'],
  ['a part of an Office file, for its metadata', 'embedded/document/office.ts', 'MAX_PART', 'bytes'],
  ['a PDF, for its dates and title', 'embedded/document/pdf.ts', 'MAX_BYTES', 'bytes'],
  ['a PDF, for its thumbnail', 'pictures/pdf-page.ts', 'MAX_BYTES', 'bytes'],
  ['a drawing, for its thumbnail', 'pictures/drawing.ts', 'MAX_BYTES', 'bytes'],
  ['an HEIC picture, for its thumbnail', 'pictures/heic.ts', 'MAX_BYTES', 'bytes'],
  ['an HEIC picture, for its thumbnail', 'pictures/heic.ts', 'MAX_PIXELS', 'pixels'],
  ['another picture, for its thumbnail', 'pictures/shrink.ts', 'MAX_PIXELS', 'pixels'],
  ['the content of a ZIP archive that is extracted', 'archives/archive-jobs.ts', 'MAX_UNPACKED', 'bytes'],
];

async function limitRows(): Promise<string[]> {
  return Promise.all(
    LIMITS.map(async ([what, file, constant, unit]) => {
      const source = await readFile(new URL(`server/workers/${file}`, ROOT), 'utf8');
      const [, written = ''] = new RegExp(`const ${constant} = ([\\d_ *]+);`).exec(source) ?? [];
      expect(written, `${constant} in ${file}`).not.toBe('');
      const value = written.split(' * ').reduce((product, part) => {
        const [base = '', power = '1'] = part.replaceAll('_', '').split(' ** ');
        return product * Number(base) ** Number(power);
      }, 1);
      const divided = unit === 'bytes' ? value / 1024 ** 2 : unit === 'pixels' ? value / 1_000_000 : value;
      return `| ${what} | ${divided.toLocaleString('en')} ${UNITS[unit]} |`;
    }),
  );
}

/** Extensions of a type that are treated alike share a row. */
function formatRows(): string[] {
  const rows = new Map<string, string[]>();
  for (const [type, extensions] of Object.entries(extensionsByType())) {
    for (const extension of extensions.split(' ')) {
      const text = textReaderOf(extension, type);
      const embedded = embeddedReaderOf(extension);
      const thumbnail = thumbnailSourceOf(extension);
      const kind = frameKindOf(`a.${extension}`, fileKind(`a.${extension}`, false).type);
      const shown = kind === 'document' ? 'its text' : kind === 'sheets' ? 'its cells' : kind;
      const isExtracted = extension === 'zip';
      if (text === null && embedded === null && thumbnail === null && shown === null && !isExtracted) continue;
      const cells = [
        type,
        text === null ? '' : 'words',
        embedded === null ? '' : METADATA[embedded],
        thumbnail === null ? '' : THUMBNAILS[thumbnail],
        isExtracted ? 'extracted' : (shown ?? ''),
      ].join(' | ');
      rows.set(cells, [...(rows.get(cells) ?? []), extension]);
    }
  }
  return [...rows].map(([cells, extensions]) => {
    const [type = '', ...others] = cells.split(' | ');
    return `| ${type} | ${extensions.join(' ')} | ${others.join(' | ')} |`.replace(/ {2,}/g, ' ');
  });
}

it('docs/formats.md lists the supported formats and limits', async () => {
  const tables = [
    ['| Type | Extensions | Search | Metadata | Thumbnail | Shown as |\n|---|---|---|---|---|---|\n', formatRows()],
    ['| What | At most |\n|---|---|\n', await limitRows()],
  ] as const;
  let text = await readFile(DOCUMENT, 'utf8');
  for (const [head, rows] of tables) {
    const at = text.indexOf(head);
    expect(at).toBeGreaterThan(0);
    const table = `${head}${rows.join('\n')}\n`;
    const end = text.indexOf('\n\n', at) + 1 || text.length;
    if (process.env.LARDER_REFERENCE === 'store') {
      text = text.slice(0, at) + table + text.slice(end);
      await writeFile(DOCUMENT, text);
    } else expect(text.slice(at, end)).toBe(table);
  }
});
