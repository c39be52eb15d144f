/** The readers of text. Loaded in the worker only. */
export const TEXT_READERS = [
  'plain',
  'html',
  'pdf',
  'office',
  'spreadsheet',
  'word',
  'excel',
  'powerpoint',
  'opendocument',
  'rtf',
  'epub',
  'fictionbook',
  'mail',
  'contactsAndEvents',
] as const;

export type TextReader = (typeof TEXT_READERS)[number];

/** The only table of files with readable text, by extension. All others of the kinds `text` and `code` are plain text. */
const BY_EXTENSION: ReadonlyMap<string, TextReader> = new Map(
  Object.entries({
    html: 'html htm xhtml',
    pdf: 'pdf',
    office: 'docx docm dotx pptx pptm ppsx',
    spreadsheet: 'xlsx xlsm',
    word: 'doc dot',
    excel: 'xls',
    powerpoint: 'ppt pps',
    opendocument: 'odt ott ods ots odp otp',
    rtf: 'rtf',
    epub: 'epub',
    fictionbook: 'fb2',
    mail: 'eml',
    contactsAndEvents: 'ics vcf',
    plain: 'csv tsv',
  }).flatMap(([reader, extensions]) => extensions.split(' ').map((extension) => [extension, reader as TextReader])),
);

/** Documents whose text is shown to people. Sheets are shown as tables. */
const SHOWN: ReadonlySet<TextReader> = new Set([
  'office',
  'word',
  'powerpoint',
  'opendocument',
  'rtf',
  'epub',
  'fictionbook',
  'mail',
]);
const OPENDOCUMENT_SHEETS: ReadonlySet<string> = new Set(['ods', 'ots']);

/** The readers of cells. */
export const SHEET_READERS = ['spreadsheet', 'excel', 'opendocument'] as const satisfies readonly TextReader[];

export type SheetReader = (typeof SHEET_READERS)[number];

/** The reader for a spreadsheet whose cells are shown, or null. */
export function sheetReaderOf(extension: string): SheetReader | null {
  const reader = BY_EXTENSION.get(extension);
  if (reader === 'spreadsheet' || reader === 'excel') return reader;
  return reader === 'opendocument' && OPENDOCUMENT_SHEETS.has(extension) ? reader : null;
}

/** The reader for a document whose text can be shown, or null. */
export function shownTextReaderOf(extension: string): TextReader | null {
  const reader = BY_EXTENSION.get(extension) ?? null;
  return reader !== null && SHOWN.has(reader) && sheetReaderOf(extension) === null ? reader : null;
}

const MARKUP: ReadonlySet<string> = new Set([
  'html',
  'htm',
  'xhtml',
  'xml',
  'svg',
  'fb2',
  'xsl',
  'xslt',
  'xsd',
  'rss',
  'atom',
  'gpx',
  'kml',
]);

/** Whether files of this kind may declare their encoding (HTML 13.2.3, XML 4.3.3). */
export function isMarkup(extension: string): boolean {
  return MARKUP.has(extension);
}

/** The reader for a file, or null. @param kind its kind in the file type table */
export function textReaderOf(extension: string, kind: string): TextReader | null {
  return BY_EXTENSION.get(extension) ?? (kind === 'text' || kind === 'code' ? 'plain' : null);
}
