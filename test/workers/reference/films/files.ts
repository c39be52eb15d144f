import {
  assetPlace,
  assetText,
  box,
  ftyp,
  keyed,
  largeBox,
  listed,
  mdat,
  moov,
  mvhd,
  since1904,
  since1970,
  track,
  udta,
  userText,
  xmp,
  xmpPacket,
} from './boxes.ts';
import { asf, avi, matroska } from './other.ts';

const DATES = ['2024-05-06T07:08:09Z', '2009-12-31T23:59:59Z', '1999-01-01T00:00:00Z', '2036-02-29T12:00:00Z'];
const LOCAL = [
  '2024-05-06T09:08:09+0200',
  '2013-06-01T12:00:00-0530',
  '2021-11-07T01:30:00+1245',
  '2018-03-25T02:30:00Z',
];
const PLACES = [
  '+37.3318-122.0312+010.000/',
  '+52.5200+013.4050/',
  '-33.8568+151.2153+000.000/',
  '-01.2921+036.8219+1795/',
  '+60.1699+024.9384/',
  // Degrees and minutes, and degrees, minutes and seconds (ISO 6709, annex H).
  '+3720.5000-12201.9000/',
  '-335124.5+1511255.1/',
];
const WORDS = ['The lake', 'Größe & Käse', 'Лето на даче', '夏の海', 'قلعة', 'Zoë’s “garden”', 'a; b, c'];
const CAMERAS = [
  ['Apple', 'iPhone 15'],
  ['samsung', 'SM-G991B'],
  ['Canon', 'Canon EOS R6'],
] as const;
const SIZES = [
  [1_920, 1_080],
  [3_840, 2_160],
  [320, 240],
  [1_080, 1_920],
] as const;

/** How Windows writes no stars to five. */
const PERCENT = [0, 1, 25, 50, 75, 99] as const;

const APPLE = 'com.apple.quicktime';
const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
const inXmp = (words: string) =>
  xmp(
    `<dc:title><rdf:Alt><rdf:li xml:lang="x-default">${escaped(words)}</rdf:li></rdf:Alt></dc:title><dc:creator><rdf:Seq><rdf:li>Ann</rdf:li></rdf:Seq></dc:creator>`,
  );

/** Films of a few hundred bytes with the metadata of phones, cameras and editors. */
export function films(): ReadonlyMap<string, Buffer> {
  const files = new Map<string, Buffer>();
  const add = (what: string, extension: string, ...parts: readonly Buffer[]) =>
    files.set(`${String(files.size).padStart(3, '0')}-${what}.${extension}`, Buffer.concat(parts));
  const at = <Value>(values: readonly Value[], index: number) => values[index % values.length] as Value;

  // Dates, in the old and the new form of the header, from either epoch.
  for (const [index, date] of DATES.entries()) {
    for (const version of [0, 1] as const) {
      const seconds = since1904(date);
      if (version === 0 && seconds >= 2 ** 32) continue;
      const brand = at(['isom', 'mp42', 'qt  ', '3gp4'], index);
      const extension = at(['mp4', 'm4v', 'mov', '3gp'], index);
      add(`date-${version}`, extension, ftyp(brand), moov(mvhd({ version, created: seconds }), track()), mdat());
      add(`date-last-${version}`, extension, ftyp(brand), mdat(), moov(track(), mvhd({ version, created: seconds })));
    }
    if (date > '1990' && date < '2030')
      add('date-1970', 'mov', ftyp('qt  '), moov(mvhd({ created: since1970(date) }), track()));
  }
  add('without-a-date', 'mp4', ftyp('isom'), moov(mvhd(), track()));
  add('without-a-type', 'mov', mdat(), moov(mvhd({ created: since1904('2005-05-05T05:05:05Z') }), track()));
  for (const first of ['wide', 'free', 'skip'])
    add(
      `after-${first}`,
      'mov',
      box(first),
      mdat(),
      moov(mvhd({ created: since1904('2006-06-06T06:06:06Z') }), track()),
    );
  add(
    'large-box',
    'mov',
    ftyp('qt  '),
    largeBox('mdat', Buffer.alloc(16)),
    moov(mvhd({ created: since1904('2007-07-07T07:07:07Z') }), track()),
  );

  // Lengths and sizes.
  for (const [index, [width, height]] of SIZES.entries()) {
    for (const turns of [0, 1, 2, 3]) {
      const length = {
        scale: at([600, 1_000, 90_000, 24_000], index),
        duration: at([6_000, 65_499, 333_333_333, 24_000 * 5_000], turns),
      };
      add(
        `turned-${turns}`,
        'mp4',
        ftyp('mp42'),
        moov(mvhd(length), track({ width, height, turns, ...length })),
        mdat(),
      );
    }
  }
  add('stretched', 'mp4', ftyp('isom'), moov(mvhd(), track({ width: 1_440, height: 1_080, shown: [1_920, 1_080] })));
  add('sound-first', 'mp4', ftyp('isom'), moov(mvhd(), track({ kind: 'soun' }), track({ width: 640, height: 360 })));
  add('new-track', 'mp4', ftyp('isom'), moov(mvhd({ version: 1 }), track({ version: 1, width: 640, height: 360 })));

  // Places, as phones write them.
  for (const [index, place] of PLACES.entries()) {
    add('place-udta', 'mov', ftyp('qt  '), moov(mvhd(), track(), udta(userText('©xyz', place))));
    if (index < 5)
      add('place-keys', 'mov', ftyp('qt  '), moov(mvhd(), track(), keyed({ [`${APPLE}.location.ISO6709`]: place })));
  }
  for (const [latitude, longitude] of [
    [48.8584, 2.2945],
    [-33.8568, 151.2153],
    [37.3318, -122.0312],
  ] as const)
    add('place-3gp', '3gp', ftyp('3gp4'), moov(mvhd(), track(), udta(assetPlace('Home', latitude, longitude))));

  // Texts, in every notation.
  for (const [index, words] of WORDS.entries()) {
    const [make, model] = at(CAMERAS, index);
    const local = at(LOCAL, index);
    const created = since1904('2020-02-02T02:02:02Z');
    add(
      'texts-udta',
      'mov',
      ftyp('qt  '),
      moov(
        mvhd({ created }),
        track(),
        udta(userText('©nam', words), userText('©ART', 'Ann'), userText('©mak', make), userText('©mod', model)),
      ),
    );
    add(
      'texts-keys',
      'mov',
      ftyp('qt  '),
      moov(
        mvhd({ created }),
        track(),
        keyed({
          [`${APPLE}.title`]: words,
          [`${APPLE}.author`]: 'Ann',
          [`${APPLE}.make`]: make,
          [`${APPLE}.model`]: model,
          [`${APPLE}.creationdate`]: local,
        }),
      ),
    );
    add(
      'texts-keys-mp4',
      'mp4',
      ftyp('mp42'),
      moov(
        mvhd({ created }),
        track(),
        udta(keyed({ [`${APPLE}.title`]: words, [`${APPLE}.creationdate`]: local }, true)),
      ),
    );
    add(
      'texts-list',
      'mp4',
      ftyp('mp42'),
      moov(mvhd({ created }), track(), udta(listed({ '©nam': words, '©ART': 'Ann' }))),
    );
    add('texts-list-wide', 'mp4', ftyp('mp42'), moov(mvhd({ created }), track(), udta(listed({ '©nam': words }, 2))));
    for (const encoding of ['utf8', 'utf16'] as const)
      add(
        `texts-3gp-${encoding}`,
        '3gp',
        ftyp('3gp4'),
        moov(mvhd({ created }), track(), udta(assetText('titl', words, encoding), assetText('auth', 'Ann', encoding))),
      );
    add('texts-xmp', 'mp4', ftyp('mp42'), moov(mvhd({ created }), track()), inXmp(words));
    add('day-udta', 'mov', ftyp('qt  '), moov(mvhd(), track(), udta(userText('©day', local))));
    add(
      'day-list',
      'm4v',
      ftyp('M4V '),
      moov(mvhd(), track(), udta(listed({ '©day': local.replace(/(\d\d)$/, ':$1').replace('Z', 'Z') }))),
    );
  }
  // Old programs of the Macintosh.
  for (const [bytes, language] of [
    [Buffer.from('5a6f8e204761728d6f6e', 'hex'), 0],
    [Buffer.from('47729aa765', 'hex'), 2],
  ] as const)
    add('texts-macintosh', 'mov', ftyp('qt  '), moov(mvhd(), track(), udta(userText('©nam', bytes, language))));

  // Matroska and WebM.
  for (const [index, words] of WORDS.entries()) {
    const date = at(DATES, index);
    add('title', 'mkv', matroska({ title: words, date, seconds: 10 + index * 63.4 }));
    add('title', 'webm', matroska({ type: 'webm', title: words, date, width: 640, height: 360 }));
    add('late', 'mkv', matroska({ title: words, isLate: true }));
  }

  // AVI, with the dates of cameras.
  const dates = [
    '2009-07-04 15:30:00',
    'Mon May 06 07:08:09 2024',
    'SUN JAN  3 14:05:06 2010\n',
    '2005/ 3/29/ 08:19',
    'Tue Mar 10 15:04:43 2003\n',
    '2008:12:24 18:00:00',
  ];
  for (const [index, date] of dates.entries()) {
    const [width, height] = at(SIZES, index);
    add('date', 'avi', avi({ width, height, date, rate: at([25, 30, 12.5], index), frames: 250 + index * 1_000 }));
  }
  for (const words of WORDS.slice(0, 2)) {
    add('texts', 'avi', avi({ texts: { INAM: Buffer.from(words, 'latin1'), IART: 'Ann' } }));
  }
  add('info-date', 'avi', avi({ texts: { ICRD: '2009-07-04' } }));

  // Windows Media.
  for (const [index, words] of WORDS.entries()) {
    const [width, height] = at(SIZES, index);
    add(
      'film',
      'wmv',
      asf({ title: words, author: 'Ann', date: at(DATES, index), seconds: 5 + index * 100, width, height }),
    );
  }
  add('without-texts', 'wmv', asf({}));
  for (const stars of [-1, 0, 1, 3, 5])
    add(
      'rating',
      at(['mp4', 'mov', 'm4v'], stars + 1),
      ftyp('mp42'),
      moov(mvhd({ created: since1904('2024-05-06T07:08:09Z') }), track()),
      xmp(`<xmp:Rating>${stars}</xmp:Rating>`),
    );
  for (const [stars, percent] of PERCENT.entries()) {
    add('rating', 'wmv', asf({ title: at(WORDS, stars), rating: percent }));
    add('rating', 'avi', avi({ xmp: Buffer.from(xmpPacket(`<xmp:Rating>${stars}</xmp:Rating>`)) }));
  }
  const titled = `<dc:title><rdf:Alt><rdf:li xml:lang="x-default">Lake</rdf:li></rdf:Alt></dc:title>`;
  add('title-xmp', 'avi', avi({ xmp: Buffer.from(xmpPacket(titled)) }));
  return files;
}
