import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildPackedZip } from '../support/content/build-zip.ts';
import { openTextReader, type TextReading } from './text-support.ts';

let reading: TextReading;
beforeAll(async () => {
  reading = await openTextReader();
});
afterAll(() => reading.close());

type Parts = Readonly<Record<string, string | Buffer>>;

const packed = (parts: Parts) => buildPackedZip(Object.entries(parts).map(([name, content]) => ({ name, content })));
const words = (extension: string, parts: Parts) => reading.words(extension, packed(parts));

const BASES = {
  transitional: 'http://schemas.openxmlformats.org/officeDocument/2006/relationships/',
  strict: 'http://purl.oclc.org/ooxml/officeDocument/relationships/',
};

/** @param targets by type, a number after it tells several apart */
const rels = (targets: Readonly<Record<string, string>>, base = BASES.transitional) =>
  `<Relationships>${Object.entries(targets)
    .map(([id, target]) => `<Relationship Id="${id}" Type="${base}${id.replace(/\d+$/, '')}" Target="${target}"/>`)
    .join('')}</Relationships>`;

const text = (content: string) => `<x xmlns:r="r"><p><t>${content}</t></p></x>`;
const shared = '<sst><si><t>Strom</t></si></sst>';
const sheet = '<worksheet><c t="inlineStr"><is><t>inline</t></is></c></worksheet>';
const workbook = '<workbook><sheets><sheet name="Haus" sheetId="1" r:id="worksheet1"/></sheets></workbook>';

describe('a part of a workbook', () => {
  it.each([
    ['xl/workbook.xml', 'xl/SharedStrings.xml', 'xl/worksheets/sheet1.xml'],
    ['xl/workbook.xml', 'xl/sharedStrings.xml', 'xl/worksheets/Sheet1.xml'],
    ['xl\\workbook.xml', 'xl\\sharedStrings.xml', 'xl\\worksheets\\sheet1.xml'],
    ['XL/Workbook.XML', 'XL/SHAREDSTRINGS.XML', 'XL/Worksheets/SHEET1.XML'],
  ])('is found regardless of case and slashes: %s, %s, %s', async (main, strings, page) => {
    expect(await words('xlsx', { [main]: workbook, [strings]: shared, [page]: sheet })).toBe('haus strom inline');
  });

  it.each(['Mein%20Blatt.xml', 'Mein Blatt.xml', '%4dein%20Blatt.xml'])('is found as %s', async (name) => {
    const parts = {
      '_rels/.rels': rels({ officeDocument: 'xl/workbook.xml' }),
      'xl/workbook.xml': workbook,
      'xl/_rels/workbook.xml.rels': rels({ worksheet1: 'worksheets/Mein%20Blatt.xml' }),
      [`xl/worksheets/${name}`]: sheet,
    };
    expect(await words('xlsx', parts)).toBe('haus inline');
  });

  it.each(Object.entries(BASES))('can have any name that a %s relationship states', async (_form, base) => {
    const parts = {
      '_rels/.rels': rels({ officeDocument: '/book/main.xml' }, base),
      'book/main.xml': workbook,
      'book/_rels/main.xml.rels': rels({ sharedStrings: '../texts.xml', worksheet1: 'Mein%20Blatt.xml' }, base),
      'texts.xml': shared,
      'book/Mein Blatt.xml': sheet,
      'book/_rels/Mein Blatt.xml.rels': rels({ comments: 'notes.xml' }, base),
      'book/notes.xml': '<comments><comment><t>Notiz</t></comment></comments>',
    };
    expect(await words('xlsx', parts)).toBe('haus strom inline notiz');
  });
});

describe('a document', () => {
  it.each([
    ['the number of the page', 'one</t><pgNum/><t>two', 'one two'],
    ['a date', 'one</t><dayLong/><t>two', 'one two'],
    ['a formula', 'one</t></p><oMath><r><t>mc</t></r></oMath><p><t>two', 'one mc two'],
  ])('has separate words around %s', async (_what, content, found) => {
    const parts = { '_rels/.rels': rels({ officeDocument: 'word/document.xml' }), 'word/document.xml': text(content) };
    expect(await words('docx', parts)).toBe(found);
  });

  it('is read only with the parts of its relationships', async () => {
    const parts = {
      '_rels/.rels': rels({ officeDocument: 'word/document2.xml' }),
      'word/document2.xml': text('body'),
      'word/document.xml': text('earlier'),
      'word/_rels/document2.xml.rels': rels({
        comments: 'my-comments.xml',
        footnotes: 'notes/foot.xml',
        header1: '/word/top.xml',
        footer1: 'missing.xml',
        image: 'document.xml',
      }),
      'word/my-comments.xml': text('comment'),
      'word/notes/foot.xml': text('foot'),
      'word/top.xml': text('top'),
    };
    expect(await words('docx', parts)).toBe('body top foot comment');
  });

  it('can refer to itself, to missing parts, and to other places', async () => {
    const parts = {
      '_rels/.rels': rels({ officeDocument: 'word/document.xml' }),
      'word/document.xml': text('body'),
      'word/_rels/document.xml.rels': rels({
        header1: 'document.xml',
        header2: '../../../etc/passwd',
        header3: 'http://127.0.0.1:9/x.xml',
        header4: '%',
      }),
    };
    expect(await words('docx', parts)).toBe('body');
    expect(await words('docx', { ...parts, '_rels/.rels': rels({ officeDocument: 'none.xml' }) })).toBe('body');
  });
});

describe('a part in another format', () => {
  const document = (parts: Parts, targets: Readonly<Record<string, string>>, base?: string) => ({
    '_rels/.rels': rels({ officeDocument: 'word/document.xml' }),
    'word/document.xml': text('body'),
    'word/_rels/document.xml.rels': rels(targets, base),
    ...parts,
  });
  const inner = packed({
    '_rels/.rels': rels({ officeDocument: 'word/document.xml' }),
    'word/document.xml': text('inner'),
    'word/_rels/document.xml.rels': rels({ footnotes: 'foot.xml', aFChunk1: 'deeper.txt' }),
    'word/foot.xml': text('foot'),
    'word/deeper.txt': 'deeper',
  });
  const page = '<html><style>p{}</style><p>Gr=C3=BC=C3=9Fe</p></html>';

  it.each([
    ['a web page', 'chunk.html', '<html><script>x()</script><p>Gr&uuml;&szlig;e</p></html>', 'grusse'],
    ['a web page in UTF-8 with its mark', 'chunk.htm', '\ufeff<p>Grüße</p>', 'grusse'],
    [
      'a web page in a declared encoding',
      'chunk.htm',
      Buffer.from('<meta charset=iso-8859-1>Gr\xfc\xdfe', 'latin1'),
      'grusse',
    ],
    ['a text', 'chunk.txt', 'Grüße 1 < 2', 'grusse 1 2'],
    ['Rich Text', 'chunk.rtf', "{\\rtf1\\ansi Gr\\'fc\\'dfe}", 'grusse'],
    [
      'a page in a message',
      'chunk.mht',
      `MIME-Version: 1.0\nContent-Type: multipart/related; boundary="b"\n\n--b\nContent-Type: text/html; charset="utf-8"\nContent-Transfer-Encoding: quoted-printable\nContent-Location: file:///C:/x.htm\n\n${page}\n--b--\n`,
      'grusse',
    ],
    ['a document, without what is in that', 'chunk.docx', inner, 'inner foot'],
    [
      'a document in one file',
      'chunk.xml',
      `<pkg:package><pkg:part>${text('inner')}<pkg:binaryData>AAAA</pkg:binaryData></pkg:part></pkg:package>`,
      'inner',
    ],
    ['something else', 'chunk.bin', Buffer.alloc(100), ''],
    ['a damaged document', 'chunk.docx', inner.subarray(0, 60), ''],
  ])('is read: %s', async (_what, name, content, found) => {
    for (const base of Object.values(BASES)) {
      const parts = document(
        { [`word/${name}`]: content, 'word/last.txt': 'end' },
        { aFChunk1: name, aFChunk2: 'last.txt' },
        base,
      );
      expect(await words('docx', parts)).toBe(['body', found, 'end'].filter((one) => one !== '').join(' '));
    }
  });
});

describe('a presentation', () => {
  it('is read in slide order, followed by the notes', async () => {
    const ids = ['slide3', 'slide1', 'slide2'].map((id) => `<p:sldId id="256" r:id="${id}"/>`).join('');
    const parts = {
      '_rels/.rels': rels({ officeDocument: 'ppt/presentation.xml' }),
      'ppt/presentation.xml': `<p:presentation><p:sldIdLst>${ids}</p:sldIdLst></p:presentation>`,
      'ppt/_rels/presentation.xml.rels': rels({
        slide1: 'slides/a.xml',
        slide2: 'slides/b.xml',
        slide3: 'slides/c.xml',
      }),
      'ppt/slides/a.xml': text('second'),
      'ppt/slides/b.xml': text('third'),
      'ppt/slides/c.xml': text('first'),
      'ppt/slides/removed.xml': text('removed'),
      'ppt/slides/_rels/b.xml.rels': rels({ notesSlide: '../notes.xml' }),
      'ppt/notes.xml': text('note'),
    };
    expect(await words('pptx', parts)).toBe('first second third note');
  });
});

describe('comments of a presentation', () => {
  it.each([
    [
      'of earlier versions',
      '<p:cmLst><p:cm authorId="0" idx="1"><p:pos x="10" y="10"/><p:text>Too long</p:text></p:cm><p:cm><p:text>Why?</p:text></p:cm></p:cmLst>',
      BASES.transitional,
    ],
    [
      'of newer versions',
      '<p188:cmLst><p188:cm id="{1}"><p188:txBody><a:p><a:r><a:t>Too long</a:t></a:r></a:p></p188:txBody><p188:replyLst><p188:reply><p188:txBody><a:p><a:r><a:t>Why?</a:t></a:r></a:p></p188:txBody></p188:reply></p188:replyLst></p188:cm></p188:cmLst>',
      'http://schemas.microsoft.com/office/2018/10/relationships/',
    ],
  ])('are found: %s', async (_what, comments, base) => {
    const parts = {
      '_rels/.rels': rels({ officeDocument: 'ppt/presentation.xml' }),
      'ppt/presentation.xml':
        '<p:presentation><p:sldIdLst><p:sldId id="256" r:id="slide1"/></p:sldIdLst></p:presentation>',
      'ppt/_rels/presentation.xml.rels': rels({ slide1: 'slides/slide1.xml' }),
      'ppt/slides/slide1.xml': text('slide'),
      'ppt/slides/_rels/slide1.xml.rels': rels({ comments: '../comments/comment1.xml' }, base),
      'ppt/comments/comment1.xml': comments,
    };
    expect(await words('pptx', parts)).toBe('slide too long why');
  });
});

describe('headers and footers of a sheet', () => {
  it.each([
    ['&amp;LLeft&amp;CCentre&amp;RPage &amp;P of &amp;N', 'left centre page of'],
    ['&amp;"Arial,Bold"&amp;14Budget &amp;K00FF002024&amp;K01+000!', 'budget 2024'],
    ['&amp;C&amp;BB&amp;Bold &amp;&amp; new', 'bold new'],
    [`${'Strom &amp;&amp; Gas '.repeat(10)}Wasser`, `${'strom gas '.repeat(10)}wasser`],
  ])('are read without their codes: %s', async (header, found) => {
    const content = `<worksheet><c t="inlineStr"><is><t>inline</t></is></c><headerFooter><oddHeader>${header}</oddHeader><evenFooter>even</evenFooter></headerFooter></worksheet>`;
    const parts = { 'xl/workbook.xml': workbook, 'xl/worksheets/sheet1.xml': content };
    expect(await words('xlsx', parts)).toBe(`haus inline ${found} even`);
  });
});

describe('words outside of paragraphs', () => {
  const body = (inside: string) => `<x xmlns:r="r">${inside}</x>`;

  it('of drawings and charts in a workbook are found', async () => {
    const parts = {
      '_rels/.rels': rels({ officeDocument: 'xl/workbook.xml' }),
      'xl/workbook.xml': workbook,
      'xl/_rels/workbook.xml.rels': rels({ worksheet1: 'sheet.xml' }),
      'xl/sheet.xml': sheet,
      'xl/_rels/sheet.xml.rels': rels({ drawing: 'drawing.xml' }),
      'xl/drawing.xml': text('box'),
      'xl/_rels/drawing.xml.rels': rels({ chart: 'chart.xml' }),
      'xl/chart.xml': text('costs'),
    };
    expect(await words('xlsx', parts)).toBe('haus inline box costs');
  });

  it('of a chart in a document, and of WordArt, are found', async () => {
    const parts = {
      '_rels/.rels': rels({ officeDocument: 'word/document.xml' }),
      'word/document.xml': body('<p><t>under</t><shape><textpath string="Draft"/></shape></p>'),
      'word/_rels/document.xml.rels': rels({ chart: 'chart.xml' }),
      'word/chart.xml': text('costs'),
    };
    expect(await words('docx', parts)).toBe('under draft costs');
  });

  it.each([
    [
      'a note',
      'word<note><note-citation>1</note-citation><note-body><p>below</p></note-body></note> next',
      'word below next',
    ],
    [
      'a comment',
      'word<annotation><dc:creator>Ann</dc:creator><dc:date>2026-01-02T00:00:00</dc:date><p>said</p></annotation> next',
      'word ann said next',
    ],
    ['a reading', '<ruby><ruby-base>夏</ruby-base><ruby-text>なつ</ruby-text></ruby>', '夏'],
    ['a date', 'on <text:date text:date-value="2026-05-12">12 May</text:date>', 'on 12 may'],
  ])('of %s in OpenDocument are separated from other words', async (_what, inside, expected) => {
    const content = `<body><text><table table:name="Table1"><p>${inside}</p></table></text></body>`;
    expect(await words('odt', { 'content.xml': content })).toBe(expected);
  });

  it('of a sheet in OpenDocument include its name', async () => {
    const content = '<body><spreadsheet><table table:name="Budget"><p>12</p></table></spreadsheet></body>';
    expect(await words('ods', { 'content.xml': content })).toBe('budget 12');
  });
});
