import { FILTERS, HELVETICA, hex, lines, onePage, type Page, stream, toUnicode, type Written, write } from './build.ts';

const escaped = (text: string) => `(${text.replaceAll(/[\\()]/g, '\\$&')})`;
const latin = (text: string) => Buffer.from(lines(...text.split('\n').map(escaped)), 'latin1');

const WORDS = [
  'The lake in summer',
  'Größe Käse Straße',
  'Лето на даче',
  '夏の海 旅行',
  'Ελληνική γλώσσα',
  'Zoë garden',
];

/** Texts in the encodings of predefined character maps (9.7.5.2), as the hexadecimal digits of their bytes. */
const PREDEFINED: readonly (readonly [map: string, ordering: string, digits: string])[] = [
  ['90ms-RKSJ-H', 'Japan1', '89c482cc8a43'],
  ['EUC-H', 'Japan1', 'b2c6a4ceb3a4'],
  ['UniJIS-UCS2-H', 'Japan1', '590f306e6d77'],
  ['UniJIS-UTF16-H', 'Japan1', '590f306e6d77'],
  ['GBK-EUC-H', 'GB1', 'cfc4ccecb5c4baa3'],
  ['UniGB-UCS2-H', 'GB1', '590f592976846d77'],
  ['UniGB-UTF16-H', 'GB1', '590f592976846d77'],
  ['ETen-B5-H', 'CNS1', 'ae4caabaae fc'.replaceAll(' ', '')],
  ['UniCNS-UCS2-H', 'CNS1', '590f76846d77'],
  ['UniCNS-UTF16-H', 'CNS1', '590f76846d77'],
  ['KSCms-UHC-H', 'Korea1', 'bfa9b8a7b9d9b4d9'],
  ['UniKS-UCS2-H', 'Korea1', 'c5ecb984bc14b2e4'],
  ['UniKS-UTF16-H', 'Korea1', 'c5ecb984bc14b2e4'],
];

/** A font of two-byte codes with a map to Unicode, and the text in it. */
function mapped(
  text: string,
  form: 'chars' | 'ranges' | 'list',
  first = 3,
): Pick<Page, 'content' | 'fonts' | 'further'> {
  const codes = new Map([...new Set(text)].map((character, index) => [character, first + index] as const));
  const bytes = Buffer.concat(
    [...text].map((character) => Buffer.from([(codes.get(character) ?? 0) >> 8, (codes.get(character) ?? 0) & 255])),
  );
  return {
    content: lines(hex(bytes)),
    fonts: {
      F: '<</Type/Font/Subtype/Type0/BaseFont/AAAAAA+Serif/Encoding/Identity-H/DescendantFonts[#0]/ToUnicode #1>>',
    },
    further: [
      '<</Type/Font/Subtype/CIDFontType2/BaseFont/AAAAAA+Serif/CIDSystemInfo<</Registry(Adobe)/Ordering(Identity)/Supplement 0>>/FontDescriptor #2/DW 600>>',
      stream(toUnicode(codes, form), 'flate'),
      '<</Type/FontDescriptor/FontName/AAAAAA+Serif/Flags 4/FontBBox[0 0 1000 1000]/ItalicAngle 0/Ascent 800/Descent -200/CapHeight 700/StemV 80>>',
    ],
  };
}

const named = (encoding: string) => `<</Type/Font/Subtype/TrueType/BaseFont/Arial${encoding}>>`;

/** A field of a form, with what it shows. */
function field(name: string, value: string, at: number): { annotation: string; appearance: Buffer } {
  return {
    annotation: `<</Type/Annot/Subtype/Widget/FT/Tx/T(${name})/V(${value})/F 4/Rect[50 ${at} 300 ${at + 20}]/DA(/F 12 Tf)/AP<</N #${at}>>>>`,
    appearance: stream(
      `/Tx BMC BT /F 12 Tf 2 5 Td (${value}) Tj ET EMC`,
      'none',
      `/Type/XObject/Subtype/Form/BBox[0 0 250 20]/Resources<</Font<</F ${HELVETICA}>>>>`,
    ),
  };
}

/** PDFs of a page or two with texts in many ways. */
export function pdfs(): ReadonlyMap<string, Buffer> {
  const files = new Map<string, Buffer>();
  const add = (what: string, page: Page, written: Written = {}) =>
    files.set(`${String(files.size).padStart(3, '0')}-${what}.pdf`, write(onePage(page), written));
  const show = (content: string | Buffer) => ({ content });

  // Filters and structures.
  for (const filter of Object.keys(FILTERS) as (keyof typeof FILTERS)[])
    add(`filter-${filter}`, { content: latin('The lake in summer\nSecond line'), filter });
  for (const table of ['plain', 'streams', 'broken', 'missing'] as const)
    for (const filter of ['none', 'flate'] as const)
      add(`table-${table}-${filter}`, { content: latin('Tables and trailers'), filter }, { table });
  add('before-the-signature', show(latin('Something stands before it')), { before: 'HTTP/1.1 200 OK\r\n\r\n' });
  add('updated', show(latin('Old words')), { update: new Map([[4, stream(latin('New words'), 'flate')]]) });
  const parts = ['BT /F 12 Tf 50 700 Td', ' (Contents in) Tj 0 -14 Td', ' (three parts) Tj ET'];
  add('parts', {
    content: parts[0] ?? '',
    entries: '/Contents[4 0 R #0 #1]',
    further: parts.slice(1).map((part) => stream(part, 'flate')),
  });

  // Encodings of one byte.
  for (const [name, bytes] of [
    ['WinAnsiEncoding', Buffer.from('Größe Käse Straße', 'latin1')],
    ['MacRomanEncoding', Buffer.from('47729aa765204b8a7365', 'hex')],
    ['StandardEncoding', Buffer.from('4772fb6572', 'hex')],
  ] as const) {
    add(`type1-${name}`, { content: lines(hex(bytes)), fonts: { F: HELVETICA.replace('WinAnsiEncoding', name) } });
    if (name !== 'StandardEncoding')
      add(`truetype-${name}`, { content: lines(hex(bytes)), fonts: { F: named(`/Encoding/${name}`) } });
  }
  for (const [what, differences, codes] of [
    ['letters', '1/a/b/c/space/Adieresis/odieresis/germandbls', '0102030405060704'],
    ['unicode', '65/uni041B/uni0435/uni0442/uni043E', '41424344'],
    ['code-points', '65/u1D400/u00E9/u20AC', '414243'],
    ['ligatures', '65/fi/fl/ffi/c/e/o', '444643454142'],
  ] as const)
    add(`differences-${what}`, {
      content: lines(`<${codes}>`),
      fonts: { F: HELVETICA.replace('/WinAnsiEncoding', `<</Type/Encoding/Differences[${differences}]>>`) },
    });

  // Maps to Unicode, as office programs and browsers write them.
  for (const words of WORDS) {
    for (const form of ['chars', 'ranges', 'list'] as const) {
      add(`mapped-${form}`, mapped(words, form));
      if (form === 'chars') add('mapped-streams', { ...mapped(words, form), filter: 'flate' }, { table: 'streams' });
    }
  }
  for (const [map, ordering, digits] of PREDEFINED)
    for (const vertical of [false, true]) {
      const name = vertical ? map.replace(/H$/, 'V') : map;
      add(`predefined-${name}`, {
        content: lines(`<${digits}>`),
        fonts: { F: `<</Type/Font/Subtype/Type0/BaseFont/Serif-${name}/Encoding/${name}/DescendantFonts[#0]>>` },
        further: [
          `<</Type/Font/Subtype/CIDFontType0/BaseFont/Serif/CIDSystemInfo<</Registry(Adobe)/Ordering(${ordering})/Supplement 2>>/FontDescriptor #1/DW 1000>>`,
          '<</Type/FontDescriptor/FontName/Serif/Flags 4/FontBBox[0 0 1000 1000]/ItalicAngle 0/Ascent 800/Descent -200/CapHeight 700/StemV 80>>',
        ],
      });
    }

  // Letters and words in their places.
  const layouts: Readonly<Record<string, string>> = {
    'one-piece-per-word': 'BT /F 12 Tf 50 700 Td (Three) Tj 40 0 Td (separate) Tj 60 0 Td (words) Tj ET',
    'kerned-spaces': 'BT /F 12 Tf 50 700 Td [(Kerned)-400(words)-350(here)] TJ ET',
    'kerned-letters': 'BT /F 12 Tf 50 700 Td [(W)80(A)60(T)30(E)10(R)] TJ ET',
    'single-letters': `BT /F 12 Tf ${[...'letter'].map((letter, index) => `1 0 0 1 ${50 + ([0, 2.67, 9.34, 12.68, 16.02, 22.69][index] ?? 0)} 700 Tm (${letter}) Tj`).join(' ')} ET`,
    'word-spacing': 'BT /F 12 Tf 5 Tw 50 700 Td (spaced by a number) Tj ET',
    'character-spacing': 'BT /F 12 Tf 1 Tc 50 700 Td (stretched letters) Tj ET',
    'wide-spacing': 'BT /F 12 Tf 2 Tc 50 700 Td (stretched more) Tj ET',
    'lines-by-quote': 'BT /F 12 Tf 14 TL 50 700 Td (first) Tj (second) \' 0 0 (third) " ET',
    turned: 'BT /F 12 Tf 0 1 -1 0 300 400 Tm (upwards on the page) Tj ET',
    invisible: 'BT 3 Tr /F 12 Tf 50 700 Td (recognised by a scanner) Tj ET',
    columns:
      'BT /F 12 Tf 50 700 Td (left one) Tj 250 0 Td (right one) Tj -250 -14 Td (left two) Tj 250 0 Td (right two) Tj ET',
    divided: 'BT /F 12 Tf 14 TL 50 700 Td (a divi-) Tj T* (ded word) Tj ET',
    'soft-hyphen': 'BT /F 12 Tf 14 TL 50 700 Td (a divi\\255) Tj T* (ded word) Tj ET',
    'capital-hyphen': 'BT /F 12 Tf 14 TL 50 700 Td (an E-) Tj T* (Mail came) Tj ET',
    superscript: 'BT /F 12 Tf 50 700 Td (area in m) Tj 8 Ts /F 7 Tf (2) Tj 0 Ts /F 12 Tf ( of land) Tj ET',
    scaled: 'q 2 0 0 2 0 0 cm BT /F 6 Tf 25 350 Td (scaled by the matrix) Tj ET Q',
    'tiny-unit': 'BT 12 0 0 12 50 700 Tm /F 1 Tf (size in the matrix) Tj ET',
    mirrored:
      'q 1 0 0 -1 0 842 cm BT 1 0 0 -1 50 100 Tm /F 12 Tf (from the top) Tj 1 0 0 -1 50 114 Tm (second line) Tj ET Q',
    'octal-escapes': 'BT /F 12 Tf 50 700 Td (Gr\\366\\337e \\(brackets\\) back\\\\slash) Tj ET',
    'broken-line': 'BT /F 12 Tf 50 700 Td (con\\\ntinued) Tj ET',
    'nested-brackets': 'BT /F 12 Tf 50 700 Td (outer (inner) outer) Tj ET',
    marked: '/P <</MCID 0>> BDC BT /F 12 Tf 50 700 Td (marked content) Tj ET EMC',
    artifact: '/Artifact BMC BT /F 12 Tf 50 20 Td (page header) Tj ET EMC BT /F 12 Tf 50 700 Td (body) Tj ET',
  };
  for (const [what, content] of Object.entries(layouts)) {
    add(what, show(content));
    if (!/turned|mirrored|capital|superscript/.test(what)) add(`${what}-rotated`, { content, entries: '/Rotate 90' });
  }

  // Inside of other objects.
  const form = stream(
    'BT /F 12 Tf 50 700 Td (inside of a form) Tj ET',
    'flate',
    `/Type/XObject/Subtype/Form/BBox[0 0 595 842]/Resources<</Font<</F ${HELVETICA}>>>>`,
  );
  add('form-object', { content: 'q /X Do Q', resources: '/XObject<</X #0>>', further: [form] });
  add('form-twice', {
    content: 'q /X Do Q q 1 0 0 1 0 -100 cm /X Do Q',
    resources: '/XObject<</X #0>>',
    further: [form],
  });
  const [first, second] = [field('Name', 'Marlene Dietrich', 0), field('City', 'Berlin', 1)];
  add('filled-form', {
    content: latin('Please fill in'),
    entries: '/Annots[#2 #3]',
    catalog: `/AcroForm<</Fields[#2 #3]/DR<</Font<</F ${HELVETICA}>>>>>>`,
    further: [first.appearance, second.appearance, first.annotation, second.annotation],
  });
  add('note-on-the-page', {
    content: latin('A contract'),
    entries: '/Annots[#0]',
    further: [
      '<</Type/Annot/Subtype/FreeText/F 4/Rect[50 600 300 620]/Contents(Signed by grandmother)/DA(/F 12 Tf)/AP<</N #1>>>>',
      stream(
        `BT /F 12 Tf 2 5 Td (Signed by grandmother) Tj ET`,
        'none',
        `/Type/XObject/Subtype/Form/BBox[0 0 250 20]/Resources<</Font<</F ${HELVETICA}>>>>`,
      ),
    ],
  });
  return files;
}
