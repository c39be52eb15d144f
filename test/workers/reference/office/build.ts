import { buildPackedZip } from '../../../support/content/build-zip.ts';

// Documents of Office (ECMA-376) and OpenDocument (ODF 1.3), complete enough for the programs that show them.

const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';

type Parts = Readonly<Record<string, string>>;

const zip = (parts: Parts) => buildPackedZip(Object.entries(parts).map(([name, content]) => ({ name, content })));

/** @param targets by ids; the type is the id without its number */
const relationships = (targets: Parts) =>
  `${XML}<Relationships xmlns="${PACKAGE}/relationships">${Object.entries(targets)
    .map(([id, target]) => `<Relationship Id="${id}" Type="${OFFICE}/${id.replace(/\d+$/, '')}" Target="${target}"/>`)
    .join('')}</Relationships>`;

const WORD_TYPE = 'application/vnd.openxmlformats-officedocument.wordprocessingml';
const SHEET_TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

const types = (overrides: Parts) =>
  `${XML}<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/>${Object.entries(
    overrides,
  )
    .map(([name, type]) => `<Override PartName="/${name}" ContentType="${type}+xml"/>`)
    .join('')}</Types>`;

const NAMESPACES = [
  'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"',
  `xmlns:r="${OFFICE}"`,
  'xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"',
  'xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing"',
  'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"',
  'xmlns:wps="http://schemas.microsoft.com/office/word/2010/wordprocessingShape"',
  'xmlns:v="urn:schemas-microsoft-com:vml"',
  'xmlns:o="urn:schemas-microsoft-com:office:office"',
  'xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"',
  'xmlns:w14="http://schemas.microsoft.com/office/word/2010/wordml"',
].join(' ');

/** The kinds of parts beside the body: their root element. */
const ROOTS: Parts = {
  header: 'hdr',
  footer: 'ftr',
  footnotes: 'footnotes',
  endnotes: 'endnotes',
  comments: 'comments',
};

/**
 * @param body paragraphs
 * @param parts the content of headers, notes and so on, by their ids
 */
export function docx(body: string, parts: Parts = {}): Buffer {
  const kinds = Object.keys(parts).map((id) => [id, id.replace(/\d+$/, '')] as const);
  const sections = kinds
    .filter(([, kind]) => kind === 'header' || kind === 'footer')
    .map(([id, kind]) => `<w:${kind}Reference w:type="default" r:id="${id}"/>`)
    .join('');
  return zip({
    '[Content_Types].xml': types({
      'word/document.xml': `${WORD_TYPE}.document.main`,
      ...Object.fromEntries(kinds.map(([id, kind]) => [`word/${id}.xml`, `${WORD_TYPE}.${kind}`])),
    }),
    '_rels/.rels': relationships({ officeDocument: 'word/document.xml' }),
    'word/document.xml': `${XML}<w:document ${NAMESPACES}><w:body>${body}<w:sectPr>${sections}<w:pgSz w:w="11906" w:h="16838"/></w:sectPr></w:body></w:document>`,
    'word/_rels/document.xml.rels': relationships(Object.fromEntries(kinds.map(([id]) => [id, `${id}.xml`]))),
    ...Object.fromEntries(
      kinds.map(([id, kind]) => [
        `word/${id}.xml`,
        `${XML}<w:${ROOTS[kind]} ${NAMESPACES}>${parts[id]}</w:${ROOTS[kind]}>`,
      ]),
    ),
  });
}

/** A workbook. @param sheets their rows, by their names @param shared strings, in the syntax of their items */
export function xlsx(sheets: Parts, shared: readonly string[] = []): Buffer {
  const names = Object.keys(sheets);
  const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
  const worksheets = Object.fromEntries(
    names.map((_, index) => [`worksheet${index + 1}`, `worksheets/sheet${index + 1}.xml`]),
  );
  return zip({
    '[Content_Types].xml': types({
      'xl/workbook.xml': `${SHEET_TYPE}.sheet.main`,
      'xl/sharedStrings.xml': `${SHEET_TYPE}.sharedStrings`,
      ...Object.fromEntries(Object.values(worksheets).map((path) => [`xl/${path}`, `${SHEET_TYPE}.worksheet`])),
    }),
    '_rels/.rels': relationships({ officeDocument: 'xl/workbook.xml' }),
    'xl/workbook.xml': `${XML}<workbook xmlns="${main}" xmlns:r="${OFFICE}"><sheets>${names
      .map((name, index) => `<sheet name="${name}" sheetId="${index + 1}" r:id="worksheet${index + 1}"/>`)
      .join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': relationships({ ...worksheets, sharedStrings: 'sharedStrings.xml' }),
    'xl/sharedStrings.xml': `${XML}<sst xmlns="${main}">${shared.map((item) => `<si>${item}</si>`).join('')}</sst>`,
    ...Object.fromEntries(
      names.map((name, index) => [
        `xl/worksheets/sheet${index + 1}.xml`,
        `${XML}<worksheet xmlns="${main}"><sheetData>${sheets[name]}</sheetData></worksheet>`,
      ]),
    ),
  });
}

/** A cell, with the number or the code of its format. */
export interface FormattedCell {
  readonly format: string | number;
  readonly value: number;
}

const quoted = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

/**
 * A workbook with a row of numbers in different formats.
 * @param is1904 whether days begin in 1904, as on the Macintosh @param styles the part with the formats, if it is another one
 */
export function workbook(
  cells: readonly FormattedCell[],
  { is1904 = false, styles }: { readonly is1904?: boolean; readonly styles?: string } = {},
): Buffer {
  const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
  const own = cells.flatMap(({ format }) => (typeof format === 'string' ? [format] : []));
  const idOf = (format: string | number) => (typeof format === 'number' ? format : 164 + own.indexOf(format));
  const codes = own.map((code) => `<numFmt numFmtId="${idOf(code)}" formatCode="${quoted(code)}"/>`);
  const formats = ['0', ...cells.map(({ format }) => String(idOf(format)))];
  const used = `${XML}<styleSheet xmlns="${main}"><numFmts count="${codes.length}">${codes.join('')}</numFmts><fonts count="1"><font/></fonts><fills count="1"><fill><patternFill patternType="none"/></fill></fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf numFmtId="14"/></cellStyleXfs><cellXfs count="${formats.length}">${formats
    .map((id) => `<xf numFmtId="${id}" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>`)
    .join('')}</cellXfs></styleSheet>`;
  const row = cells.map(({ value }, index) => `<c r="${columnOf(index)}1" s="${index + 1}"><v>${value}</v></c>`);
  return zip({
    '[Content_Types].xml': types({
      'xl/workbook.xml': `${SHEET_TYPE}.sheet.main`,
      'xl/styles.xml': `${SHEET_TYPE}.styles`,
      'xl/worksheets/sheet1.xml': `${SHEET_TYPE}.worksheet`,
    }),
    '_rels/.rels': relationships({ officeDocument: 'xl/workbook.xml' }),
    'xl/workbook.xml': `${XML}<workbook xmlns="${main}" xmlns:r="${OFFICE}"><workbookPr${is1904 ? ' date1904="1"' : ''}/><sheets><sheet name="Sheet" sheetId="1" r:id="worksheet1"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': relationships({ worksheet1: 'worksheets/sheet1.xml', styles: 'styles.xml' }),
    'xl/styles.xml': styles ?? used,
    'xl/worksheets/sheet1.xml': `${XML}<worksheet xmlns="${main}"><sheetData><row r="1">${row.join('')}</row></sheetData></worksheet>`,
  });
}

/** The letters of a column. */
function columnOf(index: number): string {
  const letter = String.fromCharCode(65 + (index % 26));
  return index < 26 ? letter : `${columnOf(Math.floor(index / 26) - 1)}${letter}`;
}

const ODF = ['office', 'text', 'table', 'draw', 'style', 'presentation', 'meta', 'script', 'form', 'number'].map(
  (name) =>
    `xmlns:${name}="urn:oasis:names:tc:opendocument:xmlns:${name === 'draw' ? 'drawing' : name === 'number' ? 'datastyle' : name}:1.0"`,
);
const FOREIGN = [
  'xmlns:fo="urn:oasis:names:tc:opendocument:xmlns:xsl-fo-compatible:1.0"',
  'xmlns:svg="urn:oasis:names:tc:opendocument:xmlns:svg-compatible:1.0"',
  'xmlns:xlink="http://www.w3.org/1999/xlink"',
  'xmlns:dc="http://purl.org/dc/elements/1.1/"',
];
const DECLARED = `${[...ODF, ...FOREIGN].join(' ')} office:version="1.3"`;

const PAGE = `<office:automatic-styles><style:page-layout style:name="L"><style:page-layout-properties fo:page-width="21cm" fo:page-height="29.7cm" fo:margin="2cm"/><style:header-style/><style:footer-style/></style:page-layout></office:automatic-styles>`;

/** @param body of the kind's element @param page headers and footers of its pages */
export function opendocument(kind: 'text' | 'spreadsheet' | 'presentation', body: string, page = ''): Buffer {
  const mime = `application/vnd.oasis.opendocument.${kind}`;
  const files = ['content.xml', 'styles.xml'].map(
    (name) => `<manifest:file-entry manifest:full-path="${name}" manifest:media-type="text/xml"/>`,
  );
  return buildPackedZip([
    { name: 'mimetype', content: mime, method: 0 },
    {
      name: 'META-INF/manifest.xml',
      content: `${XML}<manifest:manifest xmlns:manifest="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0" manifest:version="1.3"><manifest:file-entry manifest:full-path="/" manifest:media-type="${mime}"/>${files.join('')}</manifest:manifest>`,
    },
    {
      name: 'content.xml',
      content: `${XML}<office:document-content ${DECLARED}><office:body><office:${kind}>${body}</office:${kind}></office:body></office:document-content>`,
    },
    {
      name: 'styles.xml',
      content: `${XML}<office:document-styles ${DECLARED}>${PAGE}<office:master-styles><style:master-page style:name="Standard" style:page-layout-name="L">${page}</style:master-page></office:master-styles></office:document-styles>`,
    },
  ]);
}
