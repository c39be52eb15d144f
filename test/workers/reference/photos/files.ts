import { buildExif, buildIptc, buildJpeg, buildPng, buildWebp, type Directories, type Parts } from './build.ts';

/** Tags of EXIF. */
const DESCRIPTION = 0x010e;
const MAKE = 0x010f;
const MODEL = 0x0110;
const ORIENTATION = 0x0112;
const ARTIST = 0x013b;
const COPYRIGHT = 0x8298;
const EXPOSURE = 0x829a;
const APERTURE = 0x829d;
const ISO = 0x8827;
const TAKEN = 0x9003;
const DIGITIZED = 0x9004;
const OFFSET_TAKEN = 0x9011;
const FOCAL = 0x920a;
const SUBSECOND_TAKEN = 0x9291;
const LENS = 0xa434;
const RATING = 0x4746;
const RATING_PERCENT = 0x4749;
const XP_TITLE = 0x9c9b;
const XP_KEYWORDS = 0x9c9e;

const wide = (text: string) => Buffer.from(`${text}\0`, 'utf16le');
const fraction = (over: number, under: number) => ({ fractions: [[over, under]] as const });

const DATES = ['2024:05:06 07:08:09', '1999:12:31 23:59:59', '1975:06:01 00:00:00', '2024:02:29 12:00:00'];
const OFFSETS = ['+02:00', '-05:30', '+00:00', '+05:45', '-11:00'];
const WORDS = ['The lake', 'Größe & Käse', 'Лето на даче', '夏の海', 'قلعة', 'Zoë’s “garden”', 'a; b, c'];
const CAMERAS = [
  ['Canon', 'Canon EOS R6'],
  ['NIKON CORPORATION', 'NIKON Z 6'],
  ['SONY', 'ILCE-7M3'],
  ['Apple', 'iPhone 15'],
  ['samsung', 'SM-G991B'],
] as const;

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}

const NAMESPACES: Readonly<Record<string, string>> = {
  dc: 'http://purl.org/dc/elements/1.1/',
  xmp: 'http://ns.adobe.com/xap/1.0/',
  photoshop: 'http://ns.adobe.com/photoshop/1.0/',
  exif: 'http://ns.adobe.com/exif/1.0/',
  tiff: 'http://ns.adobe.com/tiff/1.0/',
  exifEX: 'http://cipa.jp/exif/1.0/',
  aux: 'http://ns.adobe.com/exif/1.0/aux/',
  MicrosoftPhoto: 'http://ns.microsoft.com/photo/1.0/',
};

/** @param prefixes of the namespaces; `as` may differ from the usual ones */
function packet(body: string, attributes = '', as: (prefix: string) => string = (prefix) => prefix): string {
  const declared = Object.entries(NAMESPACES).map(([prefix, uri]) => `xmlns:${as(prefix)}="${uri}"`);
  return `<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?><x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="" ${declared.join(' ')} ${attributes}>${body}</rdf:Description></rdf:RDF></x:xmpmeta><?xpacket end="w"?>`;
}

const list = (kind: 'Bag' | 'Seq', values: readonly string[]) =>
  `<rdf:${kind}>${values.map((value) => `<rdf:li>${escaped(value)}</rdf:li>`).join('')}</rdf:${kind}>`;
const inLanguages = (text: string, other: string) =>
  `<rdf:Alt><rdf:li xml:lang="de">${escaped(other)}</rdf:li><rdf:li xml:lang="x-default">${escaped(text)}</rdf:li></rdf:Alt>`;

/** Small photos with every combination that cameras and programs write. */
export function photos(): ReadonlyMap<string, Buffer> {
  const files = new Map<string, Buffer>();
  const add = (what: string, parts: Parts) => {
    const number = String(files.size).padStart(3, '0');
    const kinds = ['jpg', 'png', 'webp'] as const;
    const kind = parts.iptc ? 'jpg' : kinds[files.size % kinds.length];
    const build = { jpg: buildJpeg, png: buildPng, webp: buildWebp }[kind ?? 'jpg'];
    files.set(`${number}-${what}.${kind}`, build(parts));
  };
  const addExif = (what: string, directories: Directories) => {
    add(what, { exif: buildExif(directories, files.size % 2 === 0) });
  };

  for (const date of DATES) {
    addExif('taken', { exif: { [TAKEN]: date } });
    addExif('digitized', { exif: { [DIGITIZED]: date } });
    addExif('both', { exif: { [TAKEN]: date, [DIGITIZED]: '2001:01:01 01:01:01', [SUBSECOND_TAKEN]: '25' } });
    for (const offset of OFFSETS) addExif('offset', { exif: { [TAKEN]: date, [OFFSET_TAKEN]: offset } });
  }
  for (let orientation = 1; orientation <= 8; orientation += 1) {
    for (let kind = 0; kind < 3; kind += 1) addExif('orientation', { main: { [ORIENTATION]: [orientation] } });
  }
  for (const [latitude, reference] of [
    [[48, 51, 30.12], 'N'],
    [[33, 52, 7.68], 'S'],
    [[0, 0, 1], 'N'],
    [[89, 59, 59.9], 'S'],
  ] as const)
    for (const [longitude, side] of [
      [[2, 17, 40.1], 'E'],
      [[151, 12, 33.48], 'W'],
      [[179, 59, 59], 'E'],
      [[0, 30, 0], 'W'],
    ] as const) {
      const angle = (values: readonly number[]) => ({
        fractions: values.map((value) => [Math.round(value * 100), 100] as const),
      });
      addExif('place', { gps: { 1: reference, 2: angle(latitude), 3: side, 4: angle(longitude) } });
    }
  for (const [make, model] of CAMERAS) {
    for (const lens of ['RF35mm F1.8', '50mm f/1.4'])
      addExif('camera', { main: { [MAKE]: make, [MODEL]: model }, exif: { [LENS]: lens } });
  }
  for (const [over, under] of [
    [1, 250],
    [1, 8000],
    [1, 2],
    [13, 10],
    [30, 1],
    [10, 600],
    [1, 3],
  ] as const)
    for (const [[opening, unit], iso] of [
      [[18, 10], 100],
      [[56, 10], 6400],
      [[4, 1], 12800],
    ] as const)
      addExif('exposure', {
        exif: {
          [EXPOSURE]: fraction(over, under),
          [APERTURE]: fraction(opening, unit),
          [ISO]: [iso],
          [FOCAL]: fraction(596, 100),
        },
      });
  for (const words of WORDS) {
    addExif('words', {
      main: { [DESCRIPTION]: words, [ARTIST]: words.replaceAll(';', ''), [COPYRIGHT]: `© ${words}` },
    });
    addExif('windows', { main: { [XP_TITLE]: wide(words), [XP_KEYWORDS]: wide(`one;${words.replaceAll(';', '')}`) } });
    for (const isAscii of [false, true]) {
      const shape = (text: string) =>
        isAscii ? text.replace(/[^\0-\x7f]/g, (char) => `&#${char.codePointAt(0)};`) : text;
      const parts = (usual: (prefix: string) => string) => {
        const tag = (name: string, body: string) => {
          const [prefix = '', local = ''] = name.split(':');
          return `<${usual(prefix)}:${local}>${body}</${usual(prefix)}:${local}>`;
        };
        return (
          tag('dc:title', inLanguages(words, 'Titel')) +
          tag('dc:description', inLanguages(`About ${words}`, 'Über')) +
          tag('dc:creator', list('Seq', [words, 'Ann'])) +
          tag('dc:subject', list('Bag', [words, 'summer', 'lake'])) +
          tag('dc:rights', inLanguages(`© ${words}`, 'Alle'))
        );
      };
      const own = (prefix: string) => `my${prefix}`;
      add('xmp', { xmp: shape(packet(parts((prefix) => prefix))) });
      add('xmp-prefix', { xmp: shape(packet(parts(own), '', own)) });
    }
    const utf8 = [1, 90, Buffer.from('\x1b%G')] as const;
    const sets = (encode: (text: string) => Buffer) =>
      [
        [2, 5, encode(words)],
        [2, 25, encode(words)],
        [2, 25, encode('summer')],
        [2, 80, encode('Ann')],
        [2, 116, encode(words)],
        [2, 120, encode(words)],
      ] as const;
    add('iptc', { iptc: buildIptc([utf8, ...sets((text) => Buffer.from(text))]) });
    if (/^[\0-\xff]*$/.test(words))
      add('iptc-latin', { iptc: buildIptc([...sets((text) => Buffer.from(text, 'latin1'))]) });
    add('xmp-over-iptc', {
      xmp: packet(`<dc:title>${inLanguages(`XMP ${words}`, 'Titel')}</dc:title>`),
      iptc: buildIptc([utf8, [2, 5, Buffer.from(words)]]),
    });
  }
  for (const date of [
    '2024-05-06T07:08:09',
    '2024-05-06T07:08:09+02:00',
    '2024-05-06T07:08:09.25Z',
    '2024-05-06T07:08',
    '2024-05-06',
  ]) {
    for (const name of ['exif:DateTimeOriginal', 'photoshop:DateCreated', 'xmp:CreateDate']) {
      add('xmp-date', { xmp: packet(`<${name}>${date}</${name}>`) });
      add('xmp-date-short', { xmp: packet('', `${name}="${date}"`) });
    }
  }
  for (const [latitude, longitude] of [
    ['48,51.502N', '2,17.66835E'],
    ['33,52,7S', '151,12,33W'],
    ['0,0.5S', '179,59.99W'],
  ]) {
    const place = `exif:GPSLatitude="${latitude}" exif:GPSLongitude="${longitude}"`;
    add('xmp-place', { xmp: packet('', place) });
    add('xmp-place', {
      xmp: packet('', `${place} tiff:Make="Canon" tiff:Model="Canon EOS R6" exifEX:LensModel="RF35mm F1.8"`),
    });
  }
  for (let stars = -1; stars <= 5; stars += 1) {
    add('rating-xmp', { xmp: packet('', `xmp:Rating="${stars}"`) });
    add('rating-xmp-element', { xmp: packet(`<xmp:Rating>${stars}</xmp:Rating>`) });
    if (stars < 0) continue;
    const percent = [0, 1, 25, 50, 75, 99][stars] ?? 0;
    addExif('rating-exif', { main: { [RATING]: [stars] } });
    addExif('rating-percent', { main: { [RATING_PERCENT]: [percent] } });
    addExif('rating-both', { main: { [RATING]: [stars], [RATING_PERCENT]: [percent] } });
    add('rating-windows', { xmp: packet('', `MicrosoftPhoto:Rating="${percent}"`) });
    add('rating-xmp-over-exif', {
      xmp: packet('', `xmp:Rating="${stars}"`),
      exif: buildExif({ main: { [RATING]: [(stars + 1) % 6] } }),
    });
  }
  return files;
}
