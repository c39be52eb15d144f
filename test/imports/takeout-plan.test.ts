import { describe, expect, it } from 'vitest';
import type { ExportEntry } from '../../dist/server/imports/exports/entries.js';
import { placeExport, planTakeout } from '../../dist/server/imports/takeout/plan.js';
import { MAX_JSON, type PhotoSidecar, readSidecar } from '../../dist/server/imports/takeout/sidecar.js';

/** The JSON of a photo. */
const photo = (more: object = {}) =>
  JSON.stringify({ title: 'IMG_1.jpg', photoTakenTime: { timestamp: '1560326400' }, ...more });
const album = (title: string, more: object = {}) => JSON.stringify({ title, description: '', ...more });

/** An export: the text of each JSON by its path; other files have none. Each list is a archive. */
async function planOf(...archives: readonly (readonly (string | readonly [path: string, text: string])[])[]) {
  const texts = new Map<string, string>();
  const entries: ExportEntry[] = archives.flatMap((list, archive) =>
    list.map((one, index) => {
      const [path, text = ''] = typeof one === 'string' ? [one] : one;
      if (text !== '') texts.set(`${archive} ${path}`, text);
      return { archive, index, path, size: text.length };
    }),
  );
  const placed = await placeExport(entries);
  const read = new Map(
    placed.jsons.map((entry) => [entry, readSidecar(texts.get(`${entry.archive} ${entry.path}`) ?? '')]),
  );
  const plan = await planTakeout(placed, read);
  const files = plan.files.map(({ stated, albums: [album = null], ...file }) => ({
    ...file,
    sidecar: stated as PhotoSidecar | null,
    album,
  }));
  const fileAt = (path: string) => files.find(({ entry }) => entry.path === path);
  return { files, notes: plan.notes, fileAt };
}

const YEAR = 'Takeout/Google Photos/Photos from 2019';
const LAKE = 'Takeout/Google Photos/At the lake';

/** Which photo of a year folder has which JSON, by their titles; null for none. */
async function matches(photos: readonly string[], jsons: readonly string[]): Promise<Record<string, string | null>> {
  const { files } = await planOf([
    ...photos.map((name) => `${YEAR}/${name}`),
    // The title says which JSON it is, and matches no name.
    ...jsons.map((name) => [`${YEAR}/${name}`, photo({ title: `of ${name}` })] as const),
  ]);
  return Object.fromEntries(files.map(({ name, sidecar }) => [name, sidecar?.title.slice(3) ?? null]));
}

describe('the JSON of a photo', () => {
  it('is found by its name, in the older and the newer form', async () => {
    expect(await matches(['a.jpg', 'b.jpg'], ['a.jpg.json', 'b.jpg.supplemental-metadata.json'])).toEqual({
      'a.jpg': 'a.jpg.json',
      'b.jpg': 'b.jpg.supplemental-metadata.json',
    });
  });

  it.each([
    ['IMG_20190612_143000123_LONG.jpg', 'IMG_20190612_143000123_LONG.jpg.supplemental-m.json'],
    ['PXL_20190612_143000123.PORTRAIT.ORIGINAL.jpg', 'PXL_20190612_143000123.PORTRAIT.ORIGINAL.jpg.s.json'],
    ['PXL_20190612_143000123.PORTRAIT-02.ORIGIN.jpg', 'PXL_20190612_143000123.PORTRAIT-02.ORIGIN.jpg..json'],
    ['original_0123456789-0123456789-0123456789_P.jpg', 'original_0123456789-0123456789-0123456789_P.jp.json'],
    ['0123456789-0123456789-0123456789-0123456789-012.jpg', '0123456789-0123456789-0123456789-0123456789-01.json'],
  ])('is found if its name is cut at 46 characters: %s', async (name, json) => {
    expect(json.replace('.json', '').length).toBeLessThanOrEqual(46);
    expect(await matches([name], [json])).toEqual({ [name]: json });
  });

  it('is found with the number of the photo at the end of its name', async () => {
    const jsons = ['IMG_1.jpg.json', 'IMG_1.jpg(1).json', 'IMG_2.jpg.supplemental-metadata(1).json', 'IMG_2.jpg.json'];
    expect(await matches(['IMG_1.jpg', 'IMG_1(1).jpg', 'IMG_2(1).jpg', 'IMG_2.jpg'], jsons)).toEqual({
      'IMG_1.jpg': 'IMG_1.jpg.json',
      'IMG_1(1).jpg': 'IMG_1.jpg(1).json',
      'IMG_2(1).jpg': 'IMG_2.jpg.supplemental-metadata(1).json',
      'IMG_2.jpg': 'IMG_2.jpg.json',
    });
  });

  it('can belong to a photo with a number in its own name', async () => {
    expect(await matches(['Lake (38).JPG', 'Sea(2).jpg'], ['Lake (38).JPG.json', 'Sea(2).jpg.json'])).toEqual({
      'Lake (38).JPG': 'Lake (38).JPG.json',
      'Sea(2).jpg': 'Sea(2).jpg.json',
    });
  });

  it('is that of the original for an edited copy, in every language', async () => {
    const photos = ['A.jpg', 'A-edited.jpg', 'A-bearbeitet.jpg', 'A-modifié.jpg', 'A-編集済み.jpg', 'A-ha editado.jpg'];
    const found = await matches(
      [...photos, 'A-edi.jpg', 'B-edited.jpg', 'C-2.jpg'],
      ['A.jpg.json', 'B.HEIC.json', 'C.jpg.json'],
    );
    for (const name of [...photos, 'A-edi.jpg']) expect(found[name], name).toBe('A.jpg.json');
    expect(found['B-edited.jpg']).toBe('B.HEIC.json');
    expect(found['C-2.jpg']).toBeNull();
  });

  it('is that of the original with the same number for an edited duplicate', async () => {
    const found = await matches(['A(1).jpg', 'A-edited(1).jpg', 'A-edited.jpg'], ['A.jpg(1).json', 'A.jpg.json']);
    expect(found).toEqual({
      'A(1).jpg': 'A.jpg(1).json',
      'A-edited(1).jpg': 'A.jpg(1).json',
      'A-edited.jpg': 'A.jpg.json',
    });
  });

  it('is shared by a photo and its video', async () => {
    const jsons = [
      'IMG_1.HEIC.json',
      'IMG_2.HEIC.supplemental-metadata.json',
      'IMG_2.HEIC.supplemental-metadata(1).json',
    ];
    const films = ['IMG_1.MP4', 'IMG_2.MOV', 'IMG_2(1).MOV'];
    expect(await matches([...films, 'IMG_1.HEIC', 'IMG_2.HEIC', 'IMG_2(1).HEIC'], jsons)).toEqual({
      'IMG_1.MP4': 'IMG_1.HEIC.json',
      'IMG_2.MOV': 'IMG_2.HEIC.supplemental-metadata.json',
      'IMG_2(1).MOV': 'IMG_2.HEIC.supplemental-metadata(1).json',
      'IMG_1.HEIC': 'IMG_1.HEIC.json',
      'IMG_2.HEIC': 'IMG_2.HEIC.supplemental-metadata.json',
      'IMG_2(1).HEIC': 'IMG_2.HEIC.supplemental-metadata(1).json',
    });
  });

  it('is shared with the video of a motion photo, whose name ends in .MP', async () => {
    expect(
      await matches(['PXL_1.MP.jpg', 'PXL_1.MP', 'PXL_2.MP~2'], ['PXL_1.MP.jpg.json', 'PXL_2.MP~2.jpg.json']),
    ).toEqual({
      'PXL_1.MP.jpg': 'PXL_1.MP.jpg.json',
      'PXL_1.MP': 'PXL_1.MP.jpg.json',
      'PXL_2.MP~2': 'PXL_2.MP~2.jpg.json',
    });
  });

  it('is found without the extension of the photo', async () => {
    expect(await matches(['Scan.jpg', 'Scan(1).jpg'], ['Scan.json', 'Scan(1).json'])).toEqual({
      'Scan.jpg': 'Scan.json',
      'Scan(1).jpg': 'Scan(1).json',
    });
  });

  it('is found by its title if characters of the name were replaced', async () => {
    const { fileAt } = await planOf([
      `${YEAR}/Tom _ Ann_s.jpg`,
      [`${YEAR}/Tom _38; Ann.json`, photo({ title: "Tom & Ann's.jpg" })],
    ]);
    expect(fileAt(`${YEAR}/Tom _ Ann_s.jpg`)?.sidecar?.taken).toBe(1_560_326_400);
  });

  it('does not belong to a photo with a similar name or in another folder', async () => {
    expect(await matches(['IMG_10.jpg', 'IMG_1(2).jpg'], ['IMG_1.jpg.json'])).toEqual({
      'IMG_10.jpg': null,
      'IMG_1(2).jpg': null,
    });
    const { fileAt } = await planOf([`${YEAR}/a.jpg`, ['Takeout/Google Photos/Lake/a.jpg.json', photo()]]);
    expect(fileAt(`${YEAR}/a.jpg`)?.sidecar).toBeNull();
  });

  it('is found regardless of the case and the Unicode form of names', async () => {
    const composed = 'Été.JPG';
    expect((await matches([composed], [`${composed.normalize('NFD').toLowerCase()}.json`]))[composed]).not.toBeNull();
  });

  it('can be in another archive than the photo', async () => {
    const { fileAt, notes } = await planOf([`${YEAR}/a.jpg`], [[`${YEAR}/a.jpg.json`, photo()]]);
    expect(fileAt(`${YEAR}/a.jpg`)?.sidecar?.taken).toBe(1_560_326_400);
    expect(notes).toEqual([]);
  });
});

describe('folders', () => {
  it.each([
    'Photos from 2019',
    'Fotos von 2019',
    'Photos de 2019',
    'Fotos de 2019',
    'Foto del 2019',
    "Foto's uit 2019",
    'Zdjęcia z 2019',
    '2019年の写真',
    '2019-06-12',
    '2019-06-12 #2',
  ])('of a year or day are not albums: %s', async (name) => {
    const folder = `Takeout/Google Photos/${name}`;
    const { files, notes } = await planOf([`${folder}/a.jpg`, [`${folder}/a.jpg.json`, photo()]]);
    expect(files.map(({ folders, album: of }) => [folders, of])).toEqual([[[name], null]]);
    expect(notes).toEqual([]);
  });

  it.each(['metadata.json', 'Metadaten.json', 'métadonnées.json', 'метаданные.json', 'metadata(1).json'])(
    'with %s are albums',
    async (json) => {
      const folder = 'Takeout/Google Fotos/Am See 2019';
      const { files, notes } = await planOf([
        `${folder}/a.jpg`,
        [`${folder}/a.jpg.json`, photo()],
        [`${folder}/${json}`, album('Am See 2019!', { access: 'protected' })],
      ]);
      expect(files[0]?.album).toEqual({ folder: 'Am See 2019', title: 'Am See 2019!' });
      expect(notes).toEqual([]);
    },
  );

  it.each(['2019-07-14 Wedding', '2019-07-14 - Lake', '2019-07-14 2'])(
    'with a date in their title are albums: %s',
    async (name) => {
      const folder = `Takeout/Google Photos/${name}`;
      const { files } = await planOf([`${folder}/a.jpg`, [`${folder}/metadata.json`, album(name)]]);
      expect(files[0]?.album).toEqual({ folder: name, title: name });
    },
  );

  it('without a title are albums named after the folder, and descriptions of albums are reported', async () => {
    const folder = 'Takeout/Google Photos/Untitled(1)';
    const { files, notes } = await planOf([
      [`${folder}/metadata.json`, album('', { description: 'Our first' })],
      `${folder}/a.jpg`,
      [`${folder}/a.jpg.json`, photo()],
    ]);
    expect(files[0]?.album?.title).toBe('Untitled(1)');
    expect(notes).toEqual([{ entry: `${folder}/metadata.json`, reason: 'album_description' }]);
  });

  it('with the same title are two albums, and one that is split across archives is one', async () => {
    const [one, two] = ['Takeout/Google Photos/Party', 'Takeout/Google Photos/Party(1)'];
    const { files } = await planOf(
      [`${one}/a.jpg`, [`${two}/metadata.json`, album('Party')]],
      [`${one}/b.jpg`, `${two}/c.jpg`, [`${one}/metadata.json`, album('Party')]],
    );
    expect(files.map(({ name, album: of }) => [name, of?.folder])).toEqual([
      ['a.jpg', 'Party'],
      ['b.jpg', 'Party'],
      ['c.jpg', 'Party(1)'],
    ]);
  });

  it('of years come first, and others in the order of the archives', async () => {
    const lake = 'Takeout/Google Photos/Lake';
    const { files } = await planOf(
      [[`${lake}/metadata.json`, album('Lake')], `${lake}/b.jpg`, `${YEAR}/z.jpg`],
      [`${YEAR}/a.jpg`, `${lake}/a.jpg`],
    );
    expect(files.map(({ folders, name }) => `${folders}/${name}`)).toEqual([
      'Photos from 2019/z.jpg',
      'Photos from 2019/a.jpg',
      'Lake/b.jpg',
      'Lake/a.jpg',
    ]);
  });

  it('are albums without the videos of motion photos', async () => {
    const { files } = await planOf([
      `${LAKE}/a.MP.jpg`,
      `${LAKE}/a.MP`,
      [`${LAKE}/a.MP.jpg.json`, photo()],
      [`${LAKE}/metadata.json`, album('Lake')],
    ]);
    expect(files.map(({ name, album: of }) => [name, of?.title])).toEqual([
      ['a.MP.jpg', 'Lake'],
      ['a.MP', undefined],
    ]);
  });

  it('of other kinds are reported, and their photos are stored', async () => {
    const folder = 'Takeout/Google Photos/Archive';
    const { files, notes } = await planOf([`${folder}/a.jpg`, [`${folder}/a.jpg.json`, photo()]]);
    expect(files.map(({ folders, album: of }) => [folders, of])).toEqual([[['Archive'], null]]);
    expect(notes).toEqual([{ entry: 'Archive', reason: 'no_album' }]);
  });

  it('of other products are skipped, each reported once', async () => {
    const { files, notes } = await planOf([
      'Takeout/archive_browser.html',
      'Takeout/Drive/a.jpg',
      'Takeout/Drive/b/c.txt',
      `${YEAR}/a.jpg`,
      [`${YEAR}/a.jpg.json`, photo()],
    ]);
    expect(files.map(({ entry }) => entry.path)).toEqual([`${YEAR}/a.jpg`]);
    expect(notes.map(({ entry, reason }) => [entry, reason])).toContainEqual(['Drive', 'other_product']);
    expect(notes.some(({ entry }) => entry.includes('c.txt'))).toBe(false);
  });

  it.each(['Takeout/Valokuvat', 'Google Foto', ''])('are found in an archive with photos in "%s"', async (top) => {
    const folder = [top, 'Photos from 2019'].filter((one) => one !== '').join('/');
    const { files } = await planOf([`${folder}/a.jpg`, [`${folder}/a.jpg.json`, photo()]]);
    expect(files.map(({ folders, sidecar }) => [folders, sidecar?.taken])).toEqual([
      [['Photos from 2019'], 1_560_326_400],
    ]);
  });

  it('and files get valid names', async () => {
    const { files } = await planOf([`${YEAR}/x/Trip to Rome. /what?.jpg`, `${YEAR}/con/ü.jpg`]);
    expect(files.map(({ folders, name }) => [...folders, name])).toEqual([
      ['Photos from 2019', 'x', 'Trip to Rome', 'what_.jpg'],
      ['Photos from 2019', '_con', 'ü.jpg'],
    ]);
  });
});

describe('unrecognized content', () => {
  it('is reported: other files, JSONs without photos, photos without JSONs, photos in the trash', async () => {
    const { files, notes } = await planOf([
      `${YEAR}/a.jpg`,
      `${YEAR}/notes.txt`,
      [`${YEAR}/gone.jpg.json`, photo()],
      `${YEAR}/old.jpg`,
      [`${YEAR}/old.jpg.json`, photo({ trashed: true })],
      [`${YEAR}/broken.jpg.json`, '{"photoTakenTime":'],
      ['Takeout/Google Photos/print-subscriptions.json', '{}'],
    ]);
    expect(files.map(({ name }) => name)).toEqual(['a.jpg']);
    expect(notes.map(({ entry, reason }) => [entry.split('/').at(-1), reason]).sort()).toEqual([
      ['a.jpg', 'no_description'],
      ['broken.jpg.json', 'unreadable_description'],
      ['gone.jpg.json', 'no_photo'],
      ['notes.txt', 'not_photo'],
      ['old.jpg', 'trashed'],
    ]);
  });

  it('includes too large JSONs, which are not read', async () => {
    const entry = { archive: 0, index: 0, path: `${YEAR}/a.jpg.json`, size: MAX_JSON + 1 };
    const placed = await placeExport([entry]);
    expect(placed.jsons).toEqual([]);
    expect((await planTakeout(placed, new Map())).notes).toEqual([{ entry: entry.path, reason: 'large_description' }]);
  });
});

describe('a JSON', () => {
  it('states date, place, description and favourite', async () => {
    const sidecar = readSidecar(
      photo({
        description: ' At the lake ',
        favorited: true,
        geoData: { latitude: 46.9, longitude: 7.4, altitude: 500 },
      }),
    );
    expect(sidecar).toEqual({
      kind: 'photo',
      title: 'IMG_1.jpg',
      taken: 1_560_326_400,
      place: { latitude: 46.9, longitude: 7.4 },
      description: 'At the lake',
      isFavourite: true,
      isTrashed: false,
      isLocked: false,
      isArchived: false,
      hasPeople: false,
    });
  });

  it('states the place of the file if it has no other, and ignores 0, 0', async () => {
    const none = { latitude: 0, longitude: 0 };
    const some = { latitude: -33.8, longitude: 151.2 };
    expect(readSidecar(photo({ geoData: none, geoDataExif: some }))).toMatchObject({ place: some });
    expect(readSidecar(photo({ geoData: none, geoDataExif: none }))).toMatchObject({ place: null });
    expect(readSidecar(photo({ geoData: { latitude: 91, longitude: 7 } }))).toMatchObject({ place: null });
  });

  it.each([
    ['-86400', -86_400],
    ['0', null],
    ['x', null],
    [1_560_326_400, 1_560_326_400],
    ['9'.repeat(15), null],
    [[], null],
  ])('states the time %j', (timestamp, taken) => {
    expect(readSidecar(photo({ photoTakenTime: { timestamp } }))).toMatchObject({ kind: 'photo', taken });
  });

  it('with unexpected types states nothing, and is unreadable if malformed', async () => {
    expect(readSidecar(photo({ title: 7, description: [], favorited: 'yes', geoData: 'here' }))).toEqual({
      ...{ kind: 'photo', title: '', taken: 1_560_326_400, place: null, description: '' },
      ...{ isFavourite: false, isTrashed: false, isLocked: false, isArchived: false, hasPeople: false },
    });
    for (const text of ['', '[', '[]', '"a"', 'null', '\0']) expect(readSidecar(text)).toEqual({ kind: 'unreadable' });
    expect(readSidecar(`\ufeff${photo()}`)).toMatchObject({ kind: 'photo' });
  });

  it('can be nested as deeply as its size allows', async () => {
    const deep = `${'['.repeat(MAX_JSON / 2 - 100)}${']'.repeat(MAX_JSON / 2 - 100)}`;
    expect(readSidecar(`{"photoTakenTime":{"timestamp":"1"},"people":${deep}}`)).toMatchObject({ taken: 1 });
    const objects = `${'{"a":'.repeat(40_000)}1${'}'.repeat(40_000)}`;
    expect(readSidecar(objects)).toEqual({ kind: 'other' });
    expect(readSidecar(`{"photoTakenTime":${objects}}`)).toMatchObject({ kind: 'photo', taken: null });
  });

  it('never determines a path: its title is only used to find a file', async () => {
    const title = '../../../../etc/passwd';
    const { files } = await planOf([`${YEAR}/a.jpg`, [`${YEAR}/a.jpg.json`, photo({ title })]]);
    expect(files.map(({ folders, name, sidecar }) => [...folders, name, sidecar?.title])).toEqual([
      ['Photos from 2019', 'a.jpg', title],
    ]);
  });

  it('cannot change the prototype by names such as __proto__', async () => {
    expect(readSidecar('{"__proto__":{"photoTakenTime":{"timestamp":"1"}},"title":"x"}')).toEqual({
      ...{ kind: 'album', title: 'x', description: '' },
    });
  });
});
