import { describe, expect, it } from 'vitest';
import type { ExportEntry } from '../../dist/server/imports/exports/entries.js';
import { readSidecar } from '../../dist/server/imports/takeout/sidecar.js';
import { fileKind } from '../../dist/server/lib/names/file-types.js';
import { albumJson, detailsOf, detailsRow, JUNE, LAKE, photoJson, planOfTexts, YEAR } from './support.ts';

/** The plan of one archive: the text of each description by its path; other files have none. */
async function planOf(...files: readonly (string | readonly [path: string, text: string])[]) {
  const texts = new Map<ExportEntry, string>();
  const entries = files.map((one, index): ExportEntry => {
    const [path, text = ''] = typeof one === 'string' ? [one] : one;
    const entry = { archive: 0, index, path, size: text.length };
    if (text !== '') texts.set(entry, text);
    return entry;
  });
  const plan = await planOfTexts(entries, texts);
  return {
    stored: plan.files.map(({ folders, name, stated }) => [[...folders, name].join('/'), stated?.taken ?? null]),
    albums: plan.files.flatMap(({ name, albums }) => albums.map(({ title }) => `${title}: ${name}`)),
    notes: plan.notes.map(({ entry, reason }) => `${entry} ${reason}`),
  };
}

describe('files of other types', () => {
  it('are stored if a description of Google names them', async () => {
    const { stored, notes } = await planOf(
      `${YEAR}/film.odd`,
      [`${YEAR}/film.odd.supplemental-metadata.json`, photoJson({ title: 'film.odd' })],
      `${YEAR}/IMG_0001`,
      [`${YEAR}/IMG_0001.json`, photoJson({ title: 'IMG_0001' })],
      `${YEAR}/IMG_0002(1)`,
      [`${YEAR}/IMG_0002.supplemental-metadata(1).json`, photoJson({ title: 'IMG_0002' })],
      `${YEAR}/notes.txt`,
      `${YEAR}/other.odd`,
    );
    expect(stored).toEqual([
      ['Photos from 2019/film.odd', JUNE],
      ['Photos from 2019/IMG_0001', JUNE],
      ['Photos from 2019/IMG_0002(1)', JUNE],
    ]);
    expect(notes).toEqual([`${YEAR}/notes.txt not_photo`, `${YEAR}/other.odd not_photo`]);
  });

  it('are stored if a description of iCloud names them', async () => {
    const { stored, notes } = await planOf('Photos/film.odd', 'Photos/other.odd', 'Photos/more.zip', [
      'Photos/Photo Details.csv',
      detailsOf(detailsRow('film.odd', { year: 2019 })),
    ]);
    expect(stored).toEqual([['2019/film.odd', JUNE]]);
    expect(notes).toEqual(['Photos/other.odd not_photo', 'Photos/more.zip nested_archive']);
  });

  it('are not taken for photos of an album by its description', async () => {
    const { stored, notes } = await planOf(`${LAKE}/metadata`, [`${LAKE}/metadata.json`, albumJson('Lake')]);
    expect(stored).toEqual([]);
    expect(notes).toEqual([`${LAKE}/metadata not_photo`]);
  });

  it.each([
    ...['a.3g2', 'a.mod', 'a.asf', 'a.divx', 'a.mpe', 'a.tod', 'a.m2t', 'a.MMV'].map((name) => [name, 'video']),
    ...['a.nrw', 'a.CRW'].map((name) => [name, 'raw']),
    ['a.insp', 'image'],
    ['go.mod', 'other'],
  ])('have a known type: %s is %s', (name, type) => {
    expect(fileKind(name, false).type).toBe(type);
  });
});

describe('what Google says of a photo', () => {
  it('puts those of the locked folder into a folder of their own, outside of albums', async () => {
    const { stored, albums, notes } = await planOf(
      `${LAKE}/a.jpg`,
      [`${LAKE}/a.jpg.json`, photoJson({ title: 'a.jpg', inLockedFolder: true })],
      `${LAKE}/b.jpg`,
      [`${LAKE}/b.jpg.json`, photoJson({ title: 'b.jpg', inLockedFolder: false })],
      [`${LAKE}/metadata.json`, albumJson('Lake')],
    );
    expect(stored).toEqual([
      ['Hidden/At the lake/a.jpg', JUNE],
      ['At the lake/b.jpg', JUNE],
    ]);
    expect(albums).toEqual(['Lake: b.jpg']);
    expect(notes).toEqual([`${LAKE}/a.jpg hidden`]);
  });

  it('is reported once if it is not kept: people, and that it was archived', async () => {
    const more = { archived: true, people: [{ name: 'Ann' }] };
    const { notes } = await planOf(
      ...['a.jpg', 'b.jpg'].flatMap((name) => [
        `${YEAR}/${name}`,
        [`${YEAR}/${name}.json`, photoJson({ title: name, ...more })] as const,
      ]),
      `${YEAR}/c.jpg`,
      [`${YEAR}/c.jpg.json`, photoJson({ title: 'c.jpg', archived: false, people: [] })],
    );
    expect(notes).toEqual(['Takeout/Google Photos archived', 'Takeout/Google Photos people']);
  });

  it('makes no album of a photo without a date', async () => {
    const undated = { title: 'a.jpg', creationTime: { timestamp: '1' }, geoData: { latitude: 46, longitude: 7 } };
    const { stored, albums, notes } = await planOf(
      `${LAKE}/a.jpg`,
      [`${LAKE}/a.jpg.json`, JSON.stringify(undated)],
      [`${LAKE}/metadata.json`, albumJson('Lake')],
    );
    expect(stored).toEqual([['At the lake/a.jpg', null]]);
    expect(albums).toEqual(['Lake: a.jpg']);
    expect(notes).toEqual([]);
    for (const photoTakenTime of [null, 'soon', [], {}]) {
      expect(readSidecar(JSON.stringify({ title: 'a.jpg', photoTakenTime, description: 'Gran' }))).toMatchObject({
        kind: 'photo',
        taken: null,
        description: 'Gran',
      });
    }
  });

  it('is an album if it says so, also with a place', () => {
    const geoData = { latitude: 46, longitude: 7 };
    const kinds = [
      { title: 'Lake', access: 'protected', date: { timestamp: '1' }, geoData },
      { albumData: { title: 'Lake' }, geoData },
      { title: 'Lake', description: '' },
    ].map((one) => readSidecar(JSON.stringify(one)));
    for (const one of kinds) expect(one).toMatchObject({ kind: 'album', title: 'Lake' });
  });
});

describe('a film of iCloud', () => {
  it('belongs to the HEIC of two photos with its name', async () => {
    const { stored, notes } = await planOf('Photos/IMG_1.HEIC', 'Photos/IMG_1.JPG', 'Photos/IMG_1.MOV', [
      'Photos/Photo Details.csv',
      detailsOf(detailsRow('IMG_1.JPG', { year: 2024 }), detailsRow('IMG_1.HEIC', { year: 2022 })),
    ]);
    expect(stored.map(([path]) => path)).toEqual(['2022/IMG_1.HEIC', '2024/IMG_1.JPG', '2022/IMG_1.MOV']);
    expect(notes).toEqual([]);
  });

  it('is stored with its photo if its own date is that of the year before', async () => {
    const dated = (name: string, date: string) =>
      detailsRow(name, { year: 2022 }).replace(/"Wednesday[^"]*"/, `"${date}"`);
    const { stored } = await planOf('Photos/IMG_1.HEIC', 'Photos/IMG_1.MOV', 'Photos/IMG_2.HEIC', 'Photos/IMG_2.MOV', [
      'Photos/Photo Details.csv',
      detailsOf(
        dated('IMG_1.HEIC', 'Saturday January 1,2022 12:00 AM GMT'),
        dated('IMG_1.MOV', 'Friday December 31,2021 11:59 PM GMT'),
        dated('IMG_2.HEIC', 'Saturday January 1,2022 12:00 AM GMT'),
        // Another film with the name of a photo.
        dated('IMG_2.MOV', 'Friday December 31,2021 11:00 PM GMT'),
      ),
    ]);
    const paths = ['2022/IMG_1.HEIC', '2022/IMG_1.MOV', '2022/IMG_2.HEIC', '2021/IMG_2.MOV'];
    expect(stored.map(([path]) => path)).toEqual(paths);
  });

  it('is stored with its photo if a list of another folder describes the photo', async () => {
    const { stored } = await planOf('Part 1/Photos/IMG_1.HEIC', 'Part 1/Photos/IMG_1.MOV', [
      'Part 2/Photos/Photo Details.csv',
      detailsOf(detailsRow('IMG_1.HEIC', { year: 2022 })),
    ]);
    expect(stored.map(([path]) => path)).toEqual(['2022/IMG_1.HEIC', '2022/IMG_1.MOV']);
  });
});
