import { buildPackedZip } from './build-zip.ts';
import { makePdf } from './make-pdf.ts';

const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>';
const W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"';
const A = 'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"';

export const zip = (parts: Readonly<Record<string, string>>) =>
  buildPackedZip(Object.entries(parts).map(([name, content]) => ({ name, content })));

/** @param body of `w:body` */
export const docx = (body: string, parts: Readonly<Record<string, string>> = {}) =>
  zip({
    '[Content_Types].xml': `${XML}<Types/>`,
    'word/document.xml': `${XML}<w:document ${W}><w:body>${body}</w:body></w:document>`,
    ...parts,
  });

export const footer = (text: string) => `${XML}<w:ftr ${W}><w:p><w:r><w:t>${text}</w:t></w:r></w:p></w:ftr>`;

/** @param shared strings, referenced by index in the cells of `sheet` */
export const xlsx = (shared: readonly string[], sheet: string) =>
  zip({
    'xl/workbook.xml': `${XML}<workbook><sheets><sheet name="Haushalt 2026" sheetId="1"/></sheets></workbook>`,
    'xl/sharedStrings.xml': `${XML}<sst>${shared.map((text) => `<si>${text}</si>`).join('')}</sst>`,
    'xl/worksheets/sheet1.xml': `${XML}<worksheet><sheetData>${sheet}</sheetData></worksheet>`,
  });

export const pptx = (slides: readonly string[], notes: string) =>
  zip({
    'ppt/presentation.xml': `${XML}<p:presentation/>`,
    ...Object.fromEntries(slides.map((body, index) => [`ppt/slides/slide${index + 1}.xml`, slide(body)])),
    'ppt/notesSlides/notesSlide1.xml': slide(`<a:p><a:r><a:t>${notes}</a:t></a:r></a:p>`),
  });
const slide = (body: string) => `${XML}<p:sld ${A}><a:txBody>${body}</a:txBody></p:sld>`;

/** @param body of `office:body` */
export const opendocument = (type: 'text' | 'spreadsheet' | 'presentation', body: string, styles = '') =>
  buildPackedZip([
    { name: 'mimetype', content: `application/vnd.oasis.opendocument.${type}`, method: 0 },
    {
      name: 'content.xml',
      content: `${XML}<office:document-content><office:body><office:${type}>${body}</office:${type}></office:body></office:document-content>`,
    },
    { name: 'styles.xml', content: `${XML}<office:document-styles>${styles}</office:document-styles>` },
  ]);

/** @param chapters by their paths below the package, in reading order */
export const epub = (chapters: Readonly<Record<string, string>>, title = 'Das Buch') =>
  zip({
    mimetype: 'application/epub+zip',
    'META-INF/container.xml': `${XML}<container><rootfiles><rootfile full-path="OEBPS/book.opf"/></rootfiles></container>`,
    'OEBPS/book.opf': `${XML}<package><metadata><dc:title>${title}</dc:title><dc:creator>Ada Autorin</dc:creator></metadata>
      <manifest>${Object.keys(chapters)
        .map((path, index) => `<item id="c${index}" href="${encodeURI(path)}" media-type="application/xhtml+xml"/>`)
        .join('')}<item id="style" href="a.css" media-type="text/css"/></manifest>
      <spine>${Object.keys(chapters)
        .map((_, index) => `<itemref idref="c${index}"/>`)
        .join('')}</spine></package>`,
    ...Object.fromEntries(
      Object.entries(chapters).map(([path, body]) => [
        `OEBPS/${path}`,
        `${XML}<html xmlns="http://www.w3.org/1999/xhtml"><head><title/></head><body>${body}</body></html>`,
      ]),
    ),
  });

const paragraph = (text: string) => `<w:p><w:r><w:t>${text}</w:t></w:r></w:p>`;

/** One small document of each kind, all of them with the word `Rechnung`. */
export const documents: Readonly<Record<string, Buffer>> = {
  txt: Buffer.from('Eine Rechnung für Müller'),
  html: Buffer.from('<h1>Eine Rechnung</h1><p>für M&uuml;ller</p>'),
  pdf: makePdf([['Eine Rechnung', 'für Müller']]),
  docx: docx(paragraph('Eine Rechnung') + paragraph('für Müller')),
  xlsx: xlsx(['<t>Eine Rechnung</t>'], '<row><c t="s"><v>0</v></c><c t="inlineStr"><is><t>Müller</t></is></c></row>'),
  pptx: pptx(['<a:p><a:r><a:t>Eine Rechnung</a:t></a:r></a:p>'], 'für Müller'),
  odt: opendocument('text', '<text:p>Eine Rechnung</text:p><text:p>für Müller</text:p>'),
  ods: opendocument('spreadsheet', '<table:table-cell><text:p>Rechnung</text:p></table:table-cell>'),
  odp: opendocument('presentation', '<draw:page><text:p>Rechnung</text:p></draw:page>'),
  epub: epub({ 'one.xhtml': '<p>Eine Rechnung</p>' }),
  eml: Buffer.from('Subject: Eine Rechnung\r\nFrom: Ann <ann@example.org>\r\n\r\nfür Müller\r\n'),
  fb2: Buffer.from('<?xml version="1.0"?><FictionBook><body><p>Eine Rechnung</p></body></FictionBook>'),
  ics: Buffer.from('BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nSUMMARY:Eine Rech\r\n nung\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n'),
  vcf: Buffer.from('BEGIN:VCARD\r\nVERSION:3.0\r\nFN:Müller\r\nNOTE:Eine Rechnung\r\nEND:VCARD\r\n'),
};
