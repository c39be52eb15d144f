/** What can take the text out of a file. Loaded in the worker only. */
export const TEXT_READERS = [
  'plain',
  'html',
  'pdf',
  'office',
  'spreadsheet',
  'opendocument',
  'epub',
  'fictionbook',
  'mail',
] as const;

export type TextReader = (typeof TEXT_READERS)[number];

/** The one table of which files have text that is read, by their extensions. All others of the family `text` or `code` are plain. */
const BY_EXTENSION: ReadonlyMap<string, TextReader> = new Map(
  Object.entries({
    html: 'html htm xhtml',
    pdf: 'pdf',
    office: 'docx docm dotx pptx pptm ppsx',
    spreadsheet: 'xlsx xlsm',
    opendocument: 'odt ott ods ots odp otp',
    epub: 'epub',
    fictionbook: 'fb2',
    mail: 'eml',
    plain: 'csv tsv',
  }).flatMap(([reader, extensions]) => extensions.split(' ').map((extension) => [extension, reader as TextReader])),
);

/** Which reader takes a file, or null when none does. @param kind its family in the file type table */
export function textReaderOf(extension: string, kind: string): TextReader | null {
  return BY_EXTENSION.get(extension) ?? (kind === 'text' || kind === 'code' ? 'plain' : null);
}
