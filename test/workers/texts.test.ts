import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildPackedZip } from '../support/content/build-zip.ts';
import { documents, docx, epub, footer, opendocument, pptx, xlsx } from '../support/content/documents.ts';
import { encode } from '../support/content/encode.ts';
import { makePdf } from '../support/content/make-pdf.ts';
import { itInFull } from '../support/forms.ts';
import { outcomeOf } from './support.ts';
import { openTextReader, type TextReading } from './text-support.ts';

let reading: TextReading;
beforeAll(async () => {
  reading = await openTextReader();
});
afterAll(() => reading.close());

const words = (extension: string, content: Uint8Array | string) => reading.words(extension, content);

describe('plain text', () => {
  const german = 'Die Rechnung für die Straße: Größe, Äpfel, Œuvre — später zurückzugeben. Schöne Grüße';
  const read = 'die rechnung fur die strasse grosse apfel oeuvre spater zuruckzugeben schone grusse';
  const utf16 = Buffer.from(`\ufeff${german}`, 'utf16le');

  it.each([
    ['UTF-8', Buffer.from(german)],
    ['UTF-8 with its mark', Buffer.from(`\ufeff${german}`)],
    ['UTF-16, little end first', utf16],
    ['UTF-16, big end first', Buffer.from(utf16).swap16()],
    ['UTF-16 without a mark', utf16.subarray(2)],
    ['windows-1252', encode(german, 'windows-1252')],
  ])('is read in %s', async (_encoding, bytes) => {
    expect(await words('txt', bytes)).toBe(read);
  });

  it.each([
    ['windows-1252', 'Les élèves étaient très heureux à l’école, près de la forêt'],
    ['windows-1252', 'Name;Straße\nMüller;Hauptstraße 5\nSchröder;Gänseweg 3\n'],
    ['windows-1252', 'Größe'],
    ['windows-1251', 'Счёт за электричество: заплатить до конца месяца, пожалуйста.'],
    ['windows-1250', 'Zażółć gęślą jaźń, proszę zapłacić rachunek za prąd do końca miesiąca'],
    ['shift_jis', '電気料金の請求書を確認してください。ありがとうございます。'],
    ['gb18030', '请确认电费账单，谢谢您的合作。我们明天去北京大学。'],
    ['euc-kr', '전기 요금 청구서를 확인해 주세요. 감사합니다'],
    ['euc-jp', '電気料金の請求書を確認してください。ありがとうございます。'],
    ['big5', '請確認電費帳單，謝謝您的合作。我們明天去台北。'],
    ['koi8-r', 'Договор аренды: заплатить до конца месяца'],
    ['windows-1256', 'فاتورة الكهرباء يجب دفعها قبل نهاية الشهر'],
    ['windows-1253', 'Ο λογαριασμός του ρεύματος πρέπει να πληρωθεί'],
  ])('of %s without a byte order mark is detected by its letters', async (encoding, text) => {
    expect(await words('txt', encode(text, encoding))).toBe(await words('txt', text));
  });

  it.each([
    ['\x1b$B@A5a=q\x1b(B', '請 求 書'],
    ['total: \x1b$BEE5$\x1b(B 5\n', 'total 電 気 5'],
    ['\x1b(I6E6\x1b(B', 'カ ナ カ'],
    ['\x1b[1mbold\x1b[0m text', '1mbold 0m text'],
  ])('of ISO-2022-JP is detected by its escape sequences: %j', async (bytes, found) => {
    expect(await words('txt', bytes)).toBe(found);
  });

  it.each(['Счёт за воду', '请确认 电费账单', 'חשבון החשמל\n', '전기 요금 청구서'])(
    'of UTF-16 without a byte order mark is detected in any script: %s',
    async (text) => {
      const bytes = Buffer.from(text, 'utf16le');
      expect(await words('txt', bytes)).toBe(await words('txt', text));
      expect(await words('txt', Buffer.from(bytes).swap16())).toBe(await words('txt', text));
    },
  );

  itInFull('is cut at the limit, and not read beyond', async () => {
    const line = Buffer.alloc(200 * 1024 * 1024, 'x'.repeat(9_999).concat(' '));
    const found = await words('log', line);
    expect(new Set(found.split(' '))).toEqual(new Set(['x'.repeat(64)]));
    const long = await words('txt', 'ǆ word '.repeat(300_000));
    expect(long.length).toBeLessThanOrEqual(1_000_000);
    expect(long).toMatch(/ (?:word|dz)$/);
  });

  it.each([
    ['a program', Buffer.from('\x7fELF\x02\x01\x01'.concat('\0'.repeat(200)), 'latin1')],
    ['noise', Buffer.from(Array.from({ length: 4_000 }, (_, index) => (index * 7919 + (index >> 3) * 31) & 255))],
  ])('is refused if only its extension is one of text: %s', async (_what, bytes) => {
    expect(await outcomeOf(words('txt', bytes))).toBe('unsupported');
  });

  it('can be empty or without words', async () => {
    expect(await words('txt', '')).toBe('');
    expect(await words('txt', ' -- !\n')).toBe('');
  });
});

describe('a page of HTML', () => {
  it('yields its visible text and the alternative texts of pictures', async () => {
    const page = `<!doctype html><html><head><title>Haus &amp; Hof</title><style>.hidden{}</style>
      <script>var secret = "<p>script</p>";</script></head><body onload="run()"><h1>Kauf<b>ver</b>trag</h1>
      <p>eins<br>zwei<table><tr><td>drei</td><td>vier</td></tr></table><img src="x.png" alt="Ein Foto" title="Garten">
      <!-- comment --><p>M&uuml;ller &#8364; so&shy;fort <unclosed`;
    expect(await words('html', page)).toBe('haus hof kaufvertrag eins zwei drei vier ein foto garten muller sofort');
  });

  it.each([
    ['<meta charset="windows-1251"><p>Счёт'],
    ['<meta http-equiv="Content-Type" content="text/html; charset=windows-1251"><p>Счёт'],
  ])('is decoded with the encoding that it states: %s', async (page) => {
    expect(await words('html', encode(page, 'windows-1251'))).toBe('счет');
  });

  it.each([
    ['Guten Tag<br>Anna', 'guten tag anna'],
    ['<!doctype html><meta charset=utf-8>Grüße', 'grusse'],
    ['<script>no()</script>eins <style>.no{}</style>zwei', 'eins zwei'],
    ['<p>eins</p> zwei </div> drei', 'eins zwei drei'],
  ])('is read also outside of all elements: %s', async (page, found) => {
    expect(await words('html', page)).toBe(found);
    expect(await words('eml', `Content-Type: text/html; charset=utf-8\r\n\r\n${page}`)).toBe(found);
  });

  it('can be nested extremely deeply', async () => {
    expect(await words('html', `<p>before</p>${'<b><div>'.repeat(500_000)}after`)).toBe('before');
  });
});

describe('a PDF', () => {
  const pages = [['Eine Rechnung (Kopie)', 'für Müller'], ['Zweite Seite']];
  const read = 'eine rechnung kopie fur muller zweite seite';

  it.each([
    ['plain', {}],
    ['compressed', { isCompressed: true }],
    ['with a broken table of offsets', { isBroken: true }],
    ['encrypted for everybody', { password: '' }],
    ['compressed and encrypted for everybody', { password: '', isCompressed: true }],
  ])('is read page by page: %s', async (_how, options) => {
    expect(await words('pdf', makePdf(pages, options))).toBe(read);
  });

  it('yields whole words that are hyphenated at line ends', async () => {
    expect(await words('pdf', makePdf([['Eine Doku-', 'mentation je E-', 'Mail']]))).toBe(
      'eine dokumentation je e mail',
    );
  });

  it('yields whole words that go on with the next page', async () => {
    const pages = [['Eine Doku-'], ['mentation je E-'], ['Mail']];
    expect(await words('pdf', makePdf(pages))).toBe('eine dokumentation je e mail');
  });

  it.each(['\r', '\f', '\u2028', '\n> ', '\n>> '])(
    'yields a whole word that is divided by a soft hyphen and %j',
    async (end) => {
      expect(await words('txt', `Doku\u00ad${end}mentation`)).toBe('dokumentation');
    },
  );

  it('yields whole words that contain soft hyphens', async () => {
    for (const line of ['Doku\u00ad\nmentation', 'Doku\u00ad \r\n  mentation', 'Do\u00adku\u00admentation']) {
      expect(await words('txt', line), line).toBe('dokumentation');
      expect(await words('html', `<p>${line}`), line).toBe('dokumentation');
    }
    expect(await words('txt', 'a\u00ad\n\nb')).toBe('a b');
  });

  it.each([
    ['90ms-RKSJ-H', 'Japan1', 'shift_jis', '請求書と契約書'],
    ['EUC-H', 'Japan1', 'euc-jp', '請求書'],
    ['UniGB-UCS2-H', 'GB1', 'utf-16be', '电费账单'],
    ['GBK-EUC-H', 'GB1', 'gb18030', '合同'],
    ['ETen-B5-H', 'CNS1', 'big5', '電費'],
    ['KSCms-UHC-H', 'Korea1', 'euc-kr', '전기'],
  ])('yields words in a predefined character map: %s', async (map, ordering, encoding, text) => {
    const line = encoding === 'utf-16be' ? Buffer.from(text, 'utf16le').swap16() : encode(text, encoding);
    const pdf = makePdf([[line.toString('latin1')]], { characters: { map, ordering } });
    expect(await words('pdf', pdf)).toBe(await words('txt', text));
  });

  it('is refused if it needs a password', async () => {
    expect(await outcomeOf(words('pdf', makePdf(pages, { password: 'secret' })))).toBe('unsupported');
  });

  it('is refused if it is not a PDF, or only the beginning of one', async () => {
    expect(await outcomeOf(words('pdf', 'only called so'))).toBe('unsupported');
    expect(await outcomeOf(words('pdf', '%PDF-1.7\n'))).toBe('corrupt');
  });

  it('is read up to the limit', async () => {
    const lines = Array.from({ length: 50 }, (_, index) => `line ${index} ${'word '.repeat(20)}`);
    const found = await words('pdf', makePdf(Array(300).fill(lines)));
    expect(found.length).toBeGreaterThan(900_000);
    expect(found.length).toBeLessThanOrEqual(1_000_000);
  });
});

describe('an Office document', () => {
  it('of Word: yields words split over runs as one, and separates paragraphs and cells', async () => {
    const body = `<w:p><w:r><w:t>Kauf</w:t></w:r><w:r><w:rPr/><w:t>vertrag</w:t></w:r></w:p><w:p><w:r><w:t>Haus</w:t><w:tab/><w:t>Hof</w:t>
      <w:br/><w:t xml:space="preserve"> Garten</w:t></w:r><w:del><w:r><w:delText>removed</w:delText></w:r></w:del></w:p>
      <w:tbl><w:tr><w:tc><w:p><w:r><w:t>A1</w:t></w:r></w:p></w:tc><w:tc><w:p><w:r><w:t>B1</w:t></w:r></w:p></w:tc></w:tr></w:tbl>
      <w:p><mc:AlternateContent><mc:Choice><w:t>box</w:t></mc:Choice><mc:Fallback><w:t>box</w:t></mc:Fallback></mc:AlternateContent></w:p>`;
    expect(await words('docx', docx(body, { 'word/footer1.xml': footer('Seite &amp; Fuß') }))).toBe(
      'kaufvertrag haus hof garten a1 b1 box seite fuss',
    );
  });

  it.each([
    ['<w:t>E</w:t><w:noBreakHyphen/><w:t>Mail</w:t>', 'e mail'],
    ['<w:t>Doku</w:t><w:softHyphen/><w:t>mentation</w:t>', 'dokumentation'],
    ['<w:t>eins</w:t><w:ptab w:alignment="right"/><w:t>zwei</w:t><w:cr/><w:t>drei</w:t>', 'eins zwei drei'],
    ['<w:t>zwei</w:t><w:sym w:font="Wingdings" w:char="F0E0"/><w:t>drei</w:t>', 'zwei drei'],
    ['<w:t>5</w:t><w:sym w:font="Arial" w:char="006D"/><w:t>m</w:t>', '5mm'],
    ['<w:t>Sei</w:t><w:lastRenderedPageBreak/><w:t>te</w:t>', 'seite'],
    ['<w:t>a</w:t></w:r><w:del><w:r><w:t>old</w:t></w:r></w:del><w:moveFrom><w:r><w:t>x</w:t></w:r></w:moveFrom>', 'a'],
    ['<w:ruby><w:rt><w:r><w:t>かな</w:t></w:r></w:rt><w:rubyBase><w:r><w:t>漢</w:t></w:r></w:rubyBase></w:ruby>', '漢'],
    [
      '<mc:AlternateContent><mc:Choice><w:t>one</w:t></mc:Choice><mc:Choice><w:t>two</w:t></mc:Choice></mc:AlternateContent>',
      'one',
    ],
    ['<mc:AlternateContent><mc:Fallback><w:t>box</w:t></mc:Fallback></mc:AlternateContent>', 'box'],
  ])('of Word: yields its visible words: %s', async (run, found) => {
    expect(await words('docx', docx(`<w:p><w:r>${run}</w:r></w:p>`))).toBe(found);
  });

  it('of Excel: yields shared and inline texts, numbers, and sheet names', async () => {
    const sheet = `<row><c t="s"><v>0</v></c><c t="s"><v>1</v></c><c t="inlineStr"><is><t>inline</t></is></c>
      <c><f>SUM(A1)</f><v>4711</v></c><c t="str"><f>A1</f><v>formula</v></c><c t="b"><v>1</v></c><c t="e"><v>#N/A</v></c></row>`;
    const shared = ['<t>Strom</t>', '<r><t>Was</t></r><r><t>ser</t></r><rPh><t>phonetic</t></rPh>'];
    expect(await words('xlsx', xlsx(shared, sheet))).toBe('haushalt 2026 strom wasser inline 4711 formula');
  });

  it('of PowerPoint: yields slides in order, and notes', async () => {
    const slides = Array.from(
      { length: 11 },
      (_, index) => `<a:p><a:r><a:t>s</a:t></a:r><a:r><a:t>${index + 1}</a:t></a:r></a:p>`,
    );
    expect(await words('pptx', pptx(slides, 'Notiz'))).toBe('s1 s2 s3 s4 s5 s6 s7 s8 s9 s10 s11 notiz');
  });

  it('that is older or encrypted is refused', async () => {
    expect(await outcomeOf(words('docx', Buffer.from('d0cf11e0a1b11ae1', 'hex')))).toBe('unsupported');
    expect(await outcomeOf(words('docx', buildPackedZip([{ name: 'other.xml', content: '' }])))).toBe('unsupported');
    const flags = 0x801;
    const locked = buildPackedZip([{ name: 'word/document.xml', content: '<w:t>x</w:t>', flags }]);
    expect(await outcomeOf(words('docx', locked))).toBe('unsupported');
  });
});

describe('an OpenDocument', () => {
  it('of text: yields paragraphs, notes and headers, without deleted text', async () => {
    const body = `<text:tracked-changes><text:p>removed</text:p></text:tracked-changes><text:h>Kauf<text:span>vertrag</text:span></text:h>
      <text:p>Haus<text:s/>Hof<text:tab/>Garten<text:line-break/>Tor<text:note><text:note-body><text:p>Note</text:p></text:note-body></text:note></text:p>`;
    const styles = '<style:header><text:p>Kopf</text:p></style:header>';
    expect(await words('odt', opendocument('text', body, styles))).toBe('kaufvertrag haus hof garten tor note kopf');
  });

  it('of sheets: yields their names, and cells as displayed', async () => {
    const body = `<table:table table:name="Konto"><table:table-row><table:table-cell office:value="1.5"><text:p>1,50 €</text:p></table:table-cell>
      <table:table-cell><text:p>Strom</text:p></table:table-cell></table:table-row></table:table>`;
    expect(await words('ods', opendocument('spreadsheet', body))).toBe('konto 1 50 strom');
  });

  it('of slides: yields them with their notes', async () => {
    const body =
      '<draw:page><draw:text-box><text:p>Folie</text:p></draw:text-box><presentation:notes><text:p>Notiz</text:p></presentation:notes></draw:page>';
    expect(await words('odp', opendocument('presentation', body))).toBe('folie notiz');
  });
});

describe('a book', () => {
  it('of EPUB is read in the order of its spine, wherever its chapters are stored', async () => {
    const chapters = {
      'text/b 2.xhtml': '<p>zuerst &nbsp;<img alt="Karte" src="http://127.0.0.1:9/x.png"/></p><script>no()</script>',
      'a.xhtml': '<p>da<i>nach</i></p>',
      '../../outside.xhtml': '<p>never</p>',
    };
    const found = await words('epub', epub(chapters, 'Tom &amp; Huck'));
    expect(found).toBe('tom huck ada autorin zuerst karte danach');
  });

  it('of FictionBook is read without its pictures', async () => {
    const book =
      '<FictionBook><body><p>Ein<emphasis>mal</emphasis></p><p>war</p></body><binary id="x">AAAA</binary></FictionBook>';
    expect(await words('fb2', book)).toBe('einmal war');
  });
});

describe('an e-mail message', () => {
  const part = (headers: string, body: string) => `--B\r\n${headers}\r\n\r\n${body}\r\n`;

  it('yields its headers, its texts in any encoding, and the names of attachments', async () => {
    const message = [
      'Received: from secret',
      'Subject: =?utf-8?B?UmVjaG51bmcgZsO8cg==?= =?iso-8859-1?Q?_M=FCller?=',
      'From: "Ann" <ann@example.org>',
      'Content-Type: multipart/mixed;\r\n boundary="B"',
      '',
      'preamble',
      part(
        'Content-Type: text/plain; charset=iso-8859-1\r\nContent-Transfer-Encoding: quoted-printable',
        'Gr=FC=\r\n=DFe',
      ),
      part(
        'Content-Type: text/html; charset="utf-8"\r\nContent-Transfer-Encoding: base64',
        Buffer.from('<p>Straße<style>x</style>').toString('base64'),
      ),
      part('Content-Type: application/pdf; name="Vertrag.pdf"\r\nContent-Transfer-Encoding: base64', 'c2VjcmV0'),
      part('Content-Type: message/rfc822', 'Subject: inner\r\n\r\nletter'),
      '--B--',
      'epilogue',
    ].join('\r\n');
    expect(await words('eml', message)).toBe(
      'rechnung fur muller ann ann example org grusse strasse vertrag pdf inner letter',
    );
  });

  it('can be nested or very long, and is refused if it is not a message', async () => {
    const nested = 'Content-Type: multipart/mixed; boundary=B\r\n\r\n--B\r\n'.repeat(10_000);
    expect(await words('eml', `${nested}\r\ntext`)).toBe('');
    expect(
      await words('eml', `Content-Type: multipart/mixed; boundary=B\r\n\r\n${'--B\r\n\r\nx\r\n'.repeat(1_000_000)}`),
    ).toBe('x '.repeat(1_000).trim());
    expect(await outcomeOf(words('eml', 'just a text'))).toBe('unsupported');
  });
});

it.each(Object.keys(documents))('finds the word in the sample of %s', async (kind) => {
  expect((await words(kind, documents[kind] ?? '')).split(' ')).toContain('rechnung');
});
