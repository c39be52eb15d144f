import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { xmpFactsIn } from '../../dist/server/workers/embedded/xmp-facts.js';
import { type Household, openHousehold } from '../support/households/household.ts';

import type { ApiClient } from '../support/requests/api-client.ts';
import { fixture } from '../workers/embedded-support.ts';
import {
  albumJson,
  albumsOf,
  HOME,
  imported,
  LAKE,
  memberWithHome,
  photo,
  planOfTexts,
  putArchives,
  storedIn,
  YEAR,
} from './support.ts';

/** As Photos of macOS writes it beside an exported photo: positive degrees with their directions apart. */
const XMP = `<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?>
<x:xmpmeta xmlns:x="adobe:ns:meta/" x:xmptk="XMP Core 6.0.0">
 <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
  <rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:exif="http://ns.adobe.com/exif/1.0/"
    xmlns:photoshop="http://ns.adobe.com/photoshop/1.0/">
   <dc:title><rdf:Alt><rdf:li xml:lang="x-default">The pier</rdf:li></rdf:Alt></dc:title>
   <dc:description><rdf:Alt><rdf:li xml:lang="x-default">Gran at the sea</rdf:li></rdf:Alt></dc:description>
   <dc:subject><rdf:Seq><rdf:li>sea</rdf:li><rdf:li>Gran</rdf:li></rdf:Seq></dc:subject>
   <photoshop:DateCreated>1998-08-02T10:30:00+02:00</photoshop:DateCreated>
   <exif:GPSLatitude>33.9</exif:GPSLatitude><exif:GPSLatitudeRef>S</exif:GPSLatitudeRef>
   <exif:GPSLongitude>18.4</exif:GPSLongitude><exif:GPSLongitudeRef>E</exif:GPSLongitudeRef>
  </rdf:Description>
 </rdf:RDF>
</x:xmpmeta>`;

let household: Household;
let api: ApiClient;
let home = '';
let next = 0;
beforeAll(async () => {
  household = await openHousehold();
});
afterAll(() => household.close());

async function newMember(): Promise<void> {
  const name = `mac${++next}`;
  ({ api, home } = await memberWithHome(household, name));
}

const metadataOf = async (path: string) => (await api.get('files/metadata', { path })).body.data;

describe('an export of Photos on a Mac', () => {
  it('is stored in its folders, with what the XMP beside each photo says', async () => {
    await newMember();
    const paths = await putArchives(home, [
      { name: 'The sea/IMG_1.jpeg', content: await fixture('pictures/plain.jpg') },
      { name: 'The sea/IMG_1.mov', content: await fixture('video/apple-keys.mov') },
      { name: 'The sea/IMG_1.xmp', content: XMP },
      { name: 'The sea/IMG_2.jpg', content: await fixture('pictures/camera.jpg') },
      { name: 'The sea/IMG_2.AAE', content: '<plist/>' },
      { name: 'The sea/IMG_1.AAE', content: '<plist/>' },
      { name: 'Home/IMG_1.jpg', content: 'another one' },
      { name: 'Home/IMG_9.xmp', content: XMP },
      { name: 'Home/bad.xmp', content: Buffer.from([0xff, 0xfe, 0xfd]) },
      { name: 'Home/notes.txt', content: 'text' },
    ]);
    const { import: done, notes } = await imported(api, paths);
    expect(done).toMatchObject({ total: 4, stored: 4, undated: 0, inAlbums: 0 });
    expect(await storedIn(home, 'Photos')).toEqual(
      ['Home/IMG_1.jpg', 'The sea/IMG_1.jpeg', 'The sea/IMG_1.mov', 'The sea/IMG_2.jpg'].map((one) => `Photos/${one}`),
    );
    expect(notes.map(({ entry, reason }) => `${entry} ${reason}`).sort()).toEqual([
      'Home/IMG_9.xmp no_photo',
      'Home/bad.xmp unreadable_description',
      'Home/notes.txt not_photo',
      'The sea edits',
    ]);
    const read = await metadataOf(`${HOME}/Photos/The sea/IMG_1.jpeg`);
    expect(read.gps).toEqual({ x: -33.9, y: 18.4 });
    for (const text of ['The pier', 'Gran at the sea', '1998-08-02T08:30:00Z', 'sea', 'Gran'])
      expect(JSON.stringify(read)).toContain(text);
    const film = JSON.stringify(await metadataOf(`${HOME}/Photos/The sea/IMG_1.mov`));
    for (const text of ['The pier', '1998-08-02T08:30:00Z']) expect(film).toContain(text);
    // Without XMP, the file says it itself.
    expect(JSON.stringify(await metadataOf(`${HOME}/Photos/The sea/IMG_2.jpg`))).toContain('2024-05-06T07:08:09');
  });

  it('is told from a Google Takeout of the same import', async () => {
    await newMember();
    const paths = await putArchives(
      home,
      [
        { name: 'Trip/IMG_1.jpg', content: 'one' },
        { name: 'Trip/IMG_1.jpg.xmp', content: XMP },
      ],
      [...photo(`${YEAR}/IMG_2.jpg`, 'two'), { name: `${YEAR}/IMG_2.xmp`, content: XMP }],
    );
    const { import: done, notes } = await imported(api, paths);
    expect(done).toMatchObject({ total: 2, stored: 2, undated: 0 });
    expect(notes).toEqual([{ entry: `${YEAR}/IMG_2.xmp`, reason: 'not_photo' }]);
    expect(JSON.stringify(await metadataOf(`${HOME}/Photos/Trip/IMG_1.jpg`))).toContain('The pier');
  });
});

describe('folders of photos', () => {
  const moments = [
    { name: 'Moments/Rome/IMG_1.jpg', content: 'one' },
    { name: 'Moments/Rome/IMG_1.xmp', content: XMP },
    { name: 'Moments/Rome/IMG_2.jpg', content: 'two' },
    { name: 'Moments/2019/Sea/IMG_3.jpg', content: 'three' },
    { name: 'Moments/2020/Sea/IMG_4.jpg', content: 'four' },
    { name: 'Moments/2020/Sea/IMG_1.jpg', content: 'one' },
    { name: 'Moments/2020/Plans/notes.txt', content: 'text' },
    { name: 'IMG_5.jpg', content: 'five' },
  ];

  it('become albums of an export of Photos on a Mac only if that is requested', async () => {
    await newMember();
    const paths = await putArchives(home, moments);
    const before = await imported(api, paths);
    expect(before.import).toMatchObject({ folderAlbums: false, stored: 5, known: 1, inAlbums: 0 });
    expect(await albumsOf(api)).toEqual({ Favourites: [] });
    const { import: done } = await imported(api, paths, { folderAlbums: '1' });
    expect(done).toMatchObject({ folderAlbums: true, stored: 0, known: 6, inAlbums: 5 });
    // One that lies in two folders is in both albums, and stored once.
    expect(await albumsOf(api)).toEqual({
      Favourites: [],
      Rome: ['IMG_1.jpg', 'IMG_2.jpg'],
      'Moments / 2019 / Sea': ['IMG_3.jpg'],
      'Moments / 2020 / Sea': ['IMG_1.jpg', 'IMG_4.jpg'],
    });
  });

  it('become albums if nothing describes them, beside the albums that a Takeout has', async () => {
    await newMember();
    const paths = await putArchives(
      home,
      [
        { name: 'Trip/IMG_1.jpg', content: 'one' },
        { name: 'Trip/IMG_1.mp4', content: 'film' },
      ],
      [
        ...photo(`${YEAR}/IMG_2.jpg`, 'two'),
        ...photo(`${LAKE}/IMG_3.jpg`, 'three'),
        { name: `${LAKE}/metadata.json`, content: albumJson('At the lake') },
        { name: 'Takeout/Google Photos/Other/IMG_4.jpg', content: 'four' },
      ],
    );
    await imported(api, paths, { folderAlbums: '1' });
    expect(await albumsOf(api)).toEqual({
      Favourites: [],
      Trip: ['IMG_1.jpg', 'IMG_1.mp4'],
      'At the lake': ['IMG_3.jpg'],
    });
  });

  it('are stored with one remark for all of them if nothing describes them', async () => {
    await newMember();
    const names = Array.from({ length: 40 }, (_, index) => `Trip/${index % 4}/IMG_${index}.jpg`);
    const paths = await putArchives(
      home,
      names.map((name) => ({ name, content: name })),
    );
    const { import: done, notes } = await imported(api, paths);
    expect(done).toMatchObject({ stored: 40, undated: 0, inAlbums: 0 });
    expect(notes).toEqual([{ entry: 'Trip', reason: 'no_descriptions' }]);
    expect(await storedIn(home, 'Photos')).toEqual(names.map((name) => `Photos/${name}`).sort());
  });

  it('are described by the JSONs of another archive that has the same folder', async () => {
    const entry = (archive: number, path: string, index = 0) => ({ archive, index, path, size: 10 });
    const json = entry(1, 'Trip/a.jpg.json');
    const entries = [entry(0, 'Trip/a.jpg'), entry(0, 'Trip/b.jpg', 1), json, entry(2, 'Home/c.jpg')];
    const texts = new Map([[json, JSON.stringify({ title: 'a.jpg', photoTakenTime: { timestamp: '1560326400' } })]]);
    const { files, notes } = await planOfTexts(entries, texts);
    expect(files.map((file) => [file.entry.path, file.stated?.taken ?? null])).toEqual([
      ['Trip/a.jpg', 1_560_326_400],
      ['Trip/b.jpg', null],
      ['Home/c.jpg', null],
    ]);
    expect(notes).toEqual([
      { entry: 'Trip', reason: 'no_album' },
      { entry: 'Trip/b.jpg', reason: 'no_description' },
      { entry: 'Home', reason: 'no_descriptions' },
    ]);
  });
});

describe('a file of XMP', () => {
  it('says when and where a photo was taken, and what it is called', () => {
    expect(xmpFactsIn(XMP)).toEqual({
      takenAt: Date.UTC(1998, 7, 2, 8, 30),
      place: { latitude: -33.9, longitude: 18.4 },
      title: 'The pier',
      description: 'Gran at the sea',
      keywords: ['sea', 'Gran'],
    });
  });

  it.each(['', 'text', '<a>'.repeat(100_000), '\0', XMP.slice(0, 300)])('says nothing if it is damaged: %#', (text) => {
    const nothing = { takenAt: null, place: null, title: '', description: '', keywords: [] };
    expect(xmpFactsIn(text)).toEqual(nothing);
  });
});
