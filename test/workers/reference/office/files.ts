import { docx, opendocument, xlsx } from './build.ts';

const WORDS = ['lake', 'Größe', 'Лето', '夏の海', 'Ελλάδα', 'đường'];

const run = (text: string, properties = '') => `<w:r>${properties}<w:t xml:space="preserve">${text}</w:t></w:r>`;
const paragraph = (...runs: readonly string[]) => `<w:p>${runs.join('')}</w:p>`;
const separators = (kind: string) =>
  `<w:${kind} w:type="separator" w:id="-1"><w:p><w:r><w:separator/></w:r></w:p></w:${kind}><w:${kind} w:type="continuationSeparator" w:id="0"><w:p><w:r><w:continuationSeparator/></w:r></w:p></w:${kind}>`;
const shape = (inside: string) =>
  `<w:drawing><wp:inline><wp:extent cx="3600000" cy="1800000"/><wp:docPr id="1" name="box"/><a:graphic><a:graphicData uri="http://schemas.microsoft.com/office/word/2010/wordprocessingShape"><wps:wsp><wps:cNvSpPr txBox="1"/><wps:spPr><a:xfrm><a:off x="0" y="0"/><a:ext cx="3600000" cy="1800000"/></a:xfrm><a:prstGeom prst="rect"><a:avLst/></a:prstGeom></wps:spPr><wps:txbx><w:txbxContent>${inside}</w:txbxContent></wps:txbx><wps:bodyPr/></wps:wsp></a:graphicData></a:graphic></wp:inline></w:drawing>`;

/** What is in documents of Word, around a word. */
const WORD: Readonly<Record<string, (word: string) => Buffer>> = {
  runs: (word) => docx(paragraph(run('one '), run(word), run(' three'))),
  'split-word': (word) =>
    docx(paragraph(run(word.slice(0, 2), '<w:rPr><w:b/></w:rPr>'), run(word.slice(2)), run(' next'))),
  breaks: (word) =>
    docx(paragraph(`<w:r><w:t>ab</w:t><w:tab/><w:t>${word}</w:t><w:br/><w:t>after</w:t><w:cr/><w:t>last</w:t></w:r>`)),
  'proofed-word': (word) =>
    docx(
      paragraph(
        run(word.slice(0, 2)),
        '<w:proofErr w:type="spellStart"/><w:bookmarkStart w:id="1" w:name="b"/>',
        run(word.slice(2)),
        '<w:bookmarkEnd w:id="1"/>',
      ),
    ),
  table: (word) =>
    docx(
      `<w:tbl><w:tblPr/><w:tblGrid><w:gridCol w:w="4000"/><w:gridCol w:w="4000"/></w:tblGrid><w:tr><w:tc><w:tcPr/>${paragraph(run(word))}</w:tc><w:tc><w:tcPr/>${paragraph(run('second'))}</w:tc></w:tr></w:tbl>${paragraph(run('below'))}`,
    ),
  footnote: (word) =>
    docx(paragraph(run('noted '), '<w:r><w:footnoteReference w:id="1"/></w:r>', run(' further')), {
      footnotes1: `${separators('footnote')}<w:footnote w:id="1">${paragraph(run(` below ${word}`))}</w:footnote>`,
    }),
  'header-and-footer': (word) =>
    docx(paragraph(run('body')), { header1: paragraph(run(`above ${word}`)), footer1: paragraph(run('beneath')) }),
  'text-box': (word) => docx(paragraph(run('outside'), `<w:r>${shape(paragraph(run(`inside ${word}`)))}</w:r>`)),
  'text-box-in-two-forms': (word) =>
    docx(
      paragraph(
        run('outside'),
        `<w:r><mc:AlternateContent><mc:Choice Requires="wps">${shape(paragraph(run(`inside ${word}`)))}</mc:Choice><mc:Fallback><w:pict><v:shape style="width:100pt;height:50pt"><v:textbox><w:txbxContent>${paragraph(run(`inside ${word}`))}</w:txbxContent></v:textbox></v:shape></w:pict></mc:Fallback></mc:AlternateContent></w:r>`,
      ),
    ),
  inserted: (word) => docx(paragraph(run('kept '), `<w:ins w:id="1" w:author="Ann">${run(word)}</w:ins>`)),
  field: (word) =>
    docx(
      paragraph(
        run('see '),
        '<w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText>HYPERLINK "https://example.org/secret"</w:instrText></w:r><w:r><w:fldChar w:fldCharType="separate"/></w:r>',
        run(word),
        '<w:r><w:fldChar w:fldCharType="end"/></w:r>',
      ),
    ),
  link: (word) => docx(paragraph(run('to '), `<w:hyperlink w:anchor="b">${run(word)}</w:hyperlink>`)),
  control: (word) => docx(`<w:sdt><w:sdtPr/><w:sdtContent>${paragraph(run(`chosen ${word}`))}</w:sdtContent></w:sdt>`),
  capitals: (word) => docx(paragraph(run(`${word} in capitals`, '<w:rPr><w:caps/></w:rPr>'))),
  'no-break-hyphen': (word) => docx(paragraph(`<w:r><w:t>half</w:t><w:noBreakHyphen/><w:t>${word}</w:t></w:r>`)),
};

const p = (inside: string) => `<text:p>${inside}</text:p>`;

/** The same for OpenDocument. */
const OPEN: Readonly<Record<string, (word: string) => Buffer>> = {
  spans: (word) => opendocument('text', p(`one <text:span>${word.slice(0, 2)}</text:span>${word.slice(2)} three`)),
  breaks: (word) => opendocument('text', p(`ab<text:tab/>${word}<text:line-break/>after<text:s text:c="3"/>last`)),
  heading: (word) => opendocument('text', `<text:h text:outline-level="1">title ${word}</text:h>${p('body')}`),
  footnote: (word) =>
    opendocument(
      'text',
      p(
        `noted<text:note text:id="n1" text:note-class="footnote"><text:note-citation text:label="*">*</text:note-citation><text:note-body>${p(`below ${word}`)}</text:note-body></text:note> further`,
      ),
    ),
  table: (word) =>
    opendocument(
      'text',
      `<table:table table:name="T"><table:table-column table:number-columns-repeated="2"/><table:table-row><table:table-cell>${p(word)}</table:table-cell><table:table-cell>${p('second')}</table:table-cell></table:table-row></table:table>${p('below')}`,
    ),
  list: (word) =>
    opendocument(
      'text',
      `<text:list><text:list-item>${p(`item ${word}`)}</text:list-item><text:list-item>${p('other')}</text:list-item></text:list>`,
    ),
  frame: (word) =>
    opendocument(
      'text',
      p(
        `outside<draw:frame text:anchor-type="paragraph" svg:width="6cm" svg:height="2cm"><draw:text-box>${p(`inside ${word}`)}</draw:text-box></draw:frame>`,
      ),
    ),
  'header-and-footer': (word) =>
    opendocument(
      'text',
      p('body'),
      `<style:header>${p(`above ${word}`)}</style:header><style:footer>${p('beneath')}</style:footer>`,
    ),
  link: (word) =>
    opendocument('text', p(`to <text:a xlink:type="simple" xlink:href="https://example.org/secret">${word}</text:a>`)),
  'marked-word': (word) =>
    opendocument(
      'text',
      p(`${word.slice(0, 2)}<text:bookmark text:name="b"/><text:soft-page-break/>${word.slice(2)} next`),
    ),
};

const OTHERS: Readonly<Record<string, (word: string) => readonly [extension: string, content: Buffer]>> = {
  slide: (word) => [
    'odp',
    opendocument(
      'presentation',
      `<draw:page draw:name="page1" draw:master-page-name="Standard"><draw:frame svg:x="1cm" svg:y="1cm" svg:width="15cm" svg:height="3cm"><draw:text-box>${p(`slide ${word}`)}</draw:text-box></draw:frame><draw:custom-shape svg:x="1cm" svg:y="6cm" svg:width="8cm" svg:height="3cm">${p('in a shape')}<draw:enhanced-geometry draw:type="rectangle" svg:viewBox="0 0 100 100" draw:enhanced-path="M 0 0 L 100 0 100 100 0 100 Z N"/></draw:custom-shape></draw:page>`,
    ),
  ],
  cells: (word) => [
    'ods',
    opendocument(
      'spreadsheet',
      `<table:table table:name="Budget"><table:table-row><table:table-cell office:value-type="string">${p(word)}</table:table-cell><table:table-cell office:value-type="float" office:value="12.5">${p('12.5')}</table:table-cell></table:table-row></table:table><table:table table:name="Second"><table:table-row><table:table-cell office:value-type="string">${p('other')}</table:table-cell></table:table-row></table:table>`,
    ),
  ],
  shared: (word) => [
    'xlsx',
    xlsx(
      { Budget: '<row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" t="s"><v>1</v></c><c r="C1"><v>12.5</v></c></row>' },
      [`<t>${word}</t>`, `<r><t>rich</t></r><r><rPr><b/></rPr><t xml:space="preserve"> text</t></r>`],
    ),
  ],
  inline: (word) => [
    'xlsx',
    xlsx({
      Budget: `<row r="1"><c r="A1" t="inlineStr"><is><t>${word}</t></is></c><c r="B1" t="str"><f>"a"&amp;"b"</f><v>ab</v></c></row>`,
      Second: '<row r="1"><c r="A1" t="inlineStr"><is><t>other</t></is></c></row>',
    }),
  ],
  phonetic: (word) => [
    'xlsx',
    xlsx({ Budget: '<row r="1"><c r="A1" t="s"><v>0</v></c></row>' }, [
      `<t>${word}</t><rPh sb="0" eb="1"><t>よみ</t></rPh>`,
    ]),
  ],
};

/** Small documents with the same words in different places. */
export function officeFiles(): ReadonlyMap<string, Buffer> {
  const files = new Map<string, Buffer>();
  const add = (what: string, extension: string, content: Buffer) =>
    files.set(`${String(files.size).padStart(3, '0')}-${what}.${extension}`, content);
  for (const word of WORDS) {
    for (const [what, build] of Object.entries(WORD)) add(what, 'docx', build(word));
    for (const [what, build] of Object.entries(OPEN)) add(what, 'odt', build(word));
    for (const [what, build] of Object.entries(OTHERS)) add(what, ...build(word));
  }
  return files;
}
