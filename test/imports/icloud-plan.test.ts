import { describe, expect, it } from 'vitest';
import type { ExportEntry } from '../../dist/server/imports/exports/entries.js';
import { secondsOf } from '../../dist/server/imports/icloud/lists.js';
import { DETAILS_HEADER, detailsOf, detailsRow, planOfTexts } from './support.ts';

/** An entry: its path, or its path and its text. */
type Described = string | readonly [path: string, text: string];

/** The plan of archives. Files without a text are photos; of a text that is null nothing can be read. */
async function planOf(...archives: readonly (readonly Described[])[]) {
  const texts = new Map<ExportEntry, string>();
  const entries = archives.flatMap((list, archive) =>
    list.map((one, index): ExportEntry => {
      const [path, text] = typeof one === 'string' ? [one] : one;
      const entry = { archive, index, path, size: text?.length ?? 1 };
      if (text !== undefined) texts.set(entry, text);
      return entry;
    }),
  );
  const plan = await planOfTexts(entries, texts);
  const stored = Object.fromEntries(
    plan.files.map(({ entry, folders, name }) => [entry.path, [...folders, name].join('/')]),
  );
  const fileAt = (path: string) => plan.files.find(({ entry }) => entry.path === path);
  const notes = plan.notes.map(({ entry, reason }) => `${entry} ${reason}`).sort();
  return { ...plan, stored, fileAt, notes };
}

const albums = (plan: Awaited<ReturnType<typeof planOf>>) =>
  Object.fromEntries(plan.files.map(({ entry, albums: of }) => [entry.path, of.map(({ title }) => title)]));

describe('the date of a photo', () => {
  it.each([
    ['Saturday January 15,2022 7:31 PM GMT', '2022-01-15T19:31:00Z'],
    ['Thursday August 29,2013 7:08 AM GMT', '2013-08-29T07:08:00Z'],
    ['Tuesday October 1,2019 12:00 AM GMT', '2019-10-01T00:00:00Z'],
    ['Tuesday October 1,2019 12:05 PM GMT', '2019-10-01T12:05:00Z'],
    ['Tuesday October 1, 2019 5:20\u202fPM GMT', '2019-10-01T17:20:00Z'],
    ['Sunday June 3,1956 23:59:58 UTC', '1956-06-03T23:59:58Z'],
  ])('is read: %s', (text, time) => {
    expect(secondsOf(text)).toBe(Date.parse(time) / 1_000);
  });

  it.each(['', 'yesterday', 'Sunday Smarch 3,2019 1:00 PM GMT', 'Sunday June 31,2019 1:00 PM GMT', '2019-10-01'])(
    'is unknown: %j',
    (text) => {
      expect(secondsOf(text)).toBeNull();
    },
  );
});

describe('the plan of a copy of iCloud Photos', () => {
  it('stores photos in folders of years, by the descriptions in the same folder', async () => {
    const one = 'iCloud Photos Part 1 of 2/Photos';
    const two = 'iCloud-bilder Del 2 av 2/Photos';
    const plan = await planOf(
      [`${one}/IMG_0403.MOV`, [`${one}/Photo Details-37.csv`, detailsOf(detailsRow('IMG_0403.MOV', { year: 2013 }))]],
      [
        [`${two}/Photo Details.csv`, detailsOf(detailsRow('IMG_0403.MOV', { year: 2017, isFavourite: true }))],
        `${two}/IMG_0403.MOV`,
      ],
    );
    expect(plan.stored).toEqual({
      [`${one}/IMG_0403.MOV`]: '2013/IMG_0403.MOV',
      [`${two}/IMG_0403.MOV`]: '2017/IMG_0403.MOV',
    });
    expect(plan.fileAt(`${one}/IMG_0403.MOV`)?.stated).toMatchObject({ isFavourite: false });
    expect(plan.fileAt(`${two}/IMG_0403.MOV`)?.stated).toEqual({
      taken: Date.parse('2017-06-12T08:00:00Z') / 1_000,
      place: null,
      description: '',
      isFavourite: true,
    });
    expect(plan.notes).toEqual([]);
  });

  it('uses the description of a photo for its video, and one of another folder if it is the only one', async () => {
    const plan = await planOf(
      [
        'A/Photos/IMG_1.HEIC',
        'A/Photos/img_1.mov',
        [
          'A/Photos/Photo Details.csv',
          detailsOf(detailsRow('IMG_1.HEIC', { year: 2015 }), detailsRow('IMG_2.JPG', { year: 2016 })),
        ],
      ],
      ['B/Photos/IMG_2.JPG', ['B/Photos/Photo Details.csv', detailsOf(detailsRow('IMG_3.JPG', { year: 2018 }))]],
    );
    expect(Object.values(plan.stored)).toEqual(['2015/IMG_1.HEIC', '2015/img_1.mov', '2016/IMG_2.JPG']);
    expect(plan.notes).toEqual(['B/Photos/IMG_3.JPG no_photo']);
  });

  it('takes no description of another photo with the same name', async () => {
    const trip = 'iCloud Shared Albums/Trip/IMG_1.JPG';
    const plan = await planOf(
      [
        'A/Photos/IMG_1.JPG',
        'A/Photos/IMG_2.JPG',
        [
          'A/Photos/Photo Details.csv',
          detailsOf(
            detailsRow('IMG_1.JPG', { year: 2015, isDeleted: true }),
            detailsRow('IMG_2.JPG', { year: 2016 }),
            detailsRow('IMG_3.JPG', { year: 2017, isHidden: true }),
          ),
        ],
      ],
      [trip, 'iCloud Shared Albums/Trip/IMG_3.JPG', 'B/Photos/IMG_2.JPG'],
    );
    expect(plan.stored).toEqual({
      'A/Photos/IMG_2.JPG': '2016/IMG_2.JPG',
      [trip]: 'Trip/IMG_1.JPG',
      'iCloud Shared Albums/Trip/IMG_3.JPG': 'Trip/IMG_3.JPG',
      'B/Photos/IMG_2.JPG': 'IMG_2.JPG',
    });
    expect(plan.fileAt(trip)?.stated).toBeNull();
    expect(plan.notes).toEqual([
      'A/Photos/IMG_1.JPG trashed',
      'A/Photos/IMG_3.JPG no_photo',
      'B/Photos/IMG_2.JPG no_description',
    ]);
  });

  it('ignores contradicting descriptions', async () => {
    const plan = await planOf([
      'Photos/IMG_1.JPG',
      ['Photos/Photo Details.csv', detailsOf(detailsRow('IMG_1.JPG', { year: 2015 }))],
      ['Photos/Photo Details-1.csv', detailsOf(detailsRow('IMG_1.JPG', { year: 2016 }))],
    ]);
    expect(plan.fileAt('Photos/IMG_1.JPG')).toMatchObject({ folders: [], stated: null });
    expect(plan.notes).toEqual(['Photos/IMG_1.JPG no_description']);
  });

  it('skips deleted photos, and keeps hidden ones separate', async () => {
    const plan = await planOf([
      'P/Photos/a.jpg',
      'P/Photos/b.jpg',
      'P/Recently Deleted/c.jpg',
      [
        'P/Photos/Photo Details.csv',
        detailsOf(
          detailsRow('a.jpg', { year: 2015, isHidden: true }),
          detailsRow('b.jpg', { year: 2015, isDeleted: true }),
          detailsRow('gone.jpg', { year: 2015, isDeleted: true }),
        ),
      ],
    ]);
    expect(plan.stored).toEqual({ 'P/Photos/a.jpg': 'Hidden/2015/a.jpg' });
    expect(plan.notes).toEqual(['P/Photos/a.jpg hidden', 'P/Photos/b.jpg trashed', 'P/Recently Deleted/c.jpg trashed']);
  });

  it('finds the photos of albums by their names, unless a name is ambiguous', async () => {
    const photos = ['a.jpg', 'b.jpg', 'c, d.jpg', 'e.MOV'];
    const plan = await planOf(
      [
        ...photos.map((name) => `P1/Photos/${name}`),
        ['P1/Photos/Photo Details.csv', detailsOf(...photos.map((name) => detailsRow(name, { year: 2020 })))],
        ['P1/Albums/Lake.csv', 'imgName\r\nA.JPG\r\n"c, d.jpg"\r\n'],
        ['P1/Albums/All.csv', 'Images\na.jpg\ne.MOV\n'],
        ['P1/Albums/Twice.csv', 'imageName\nb.jpg\nmissing.jpg\n'],
        ['P1/Memories/Summer.csv', 'imageName\na.jpg\n'],
        ['P1/Memories/Winter.csv', 'imageName\nb.jpg\n'],
      ],
      [
        'P2/Photos/b.jpg',
        ['P2/Photos/Photo Details.csv', detailsOf(detailsRow('b.jpg', { year: 2021 }))],
        // The rest of the same album.
        ['P2/Albums/Lake.csv', 'imgName\ne.mov\n'],
      ],
    );
    expect(albums(plan)).toEqual({
      'P1/Photos/a.jpg': ['Lake', 'All'],
      'P1/Photos/b.jpg': [],
      'P1/Photos/c, d.jpg': ['Lake'],
      'P1/Photos/e.MOV': ['Lake', 'All'],
      'P2/Photos/b.jpg': [],
    });
    expect(plan.notes).toEqual(['P1/Albums/Twice.csv album_incomplete', 'P1/Memories memories']);
  });

  it('creates albums for shared albums', async () => {
    const plan = await planOf(['iCloud Shared Albums/Gran: 80/a.jpg', 'iCloud Shared Albums/Gran: 80/notes.txt']);
    expect(plan.stored).toEqual({ 'iCloud Shared Albums/Gran: 80/a.jpg': 'Gran_ 80/a.jpg' });
    expect(Object.values(albums(plan))).toEqual([['Gran: 80']]);
    expect(plan.notes).toEqual(['iCloud Shared Albums/Gran: 80/notes.txt not_photo']);
  });

  it('reports what it does not understand', async () => {
    const plan = await planOf([
      'P/Photos/a.jpg',
      'P/iCloud Shared Albums-1.zip',
      'P/readme.html',
      ['P/Photos/Photo Details.csv', `${DETAILS_HEADER}\na.jpg,"never closed`.padEnd(40_000, 'x')],
      ['P/Photos/Photo Details-1.csv', ''],
      ['P/Albums/Numbers.csv', 'name,number\na.jpg,1\n'],
    ]);
    expect(plan.stored).toEqual({ 'P/Photos/a.jpg': 'a.jpg' });
    expect(plan.notes).toEqual([
      'P/Albums/Numbers.csv not_photo',
      'P/Photos/Photo Details-1.csv not_photo',
      'P/Photos/Photo Details.csv unreadable_description',
      'P/Photos/a.jpg no_description',
      'P/iCloud Shared Albums-1.zip nested_archive',
      'P/readme.html not_photo',
    ]);
  });

  it('never uses names in lists as paths', async () => {
    const names = ['../../escape.jpg', '/etc/passwd.jpg', 'C:\\x.jpg', 'a.jpg'];
    const plan = await planOf([
      'Photos/a.jpg',
      ['Photos/Photo Details.csv', detailsOf(...names.map((name) => detailsRow(name, { year: 2020 })))],
      ['Albums/x.csv', `imgName\n${names.join('\n')}\n`],
    ]);
    expect(Object.values(plan.stored)).toEqual(['2020/a.jpg']);
  });
});

it('plans each archive by the service that it comes from', async () => {
  const plan = await planOf(
    ['Takeout/Google Photos/Photos from 2019/g.jpg'],
    ['P/Photos/a.jpg', ['P/Photos/Photo Details.csv', detailsOf(detailsRow('a.jpg', { year: 2020 }))]],
    ['P/Photos/b.jpg'],
  );
  expect(plan.stored).toEqual({
    'Takeout/Google Photos/Photos from 2019/g.jpg': 'Photos from 2019/g.jpg',
    'P/Photos/a.jpg': '2020/a.jpg',
    'P/Photos/b.jpg': 'b.jpg',
  });
});
