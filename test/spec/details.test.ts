import { copyFile, readFile, utimes } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DETAIL_KEYS } from '../../dist/server/listing/details.js';
import { type LinkHousehold, openLinkHousehold } from '../support/requests/links.ts';
import { fixture } from '../workers/thumbnail-support.ts';

let household: LinkHousehold;
let box: string;

beforeAll(async () => {
  household = await openLinkHousehold();
  box = `/ROOT/HOME/${await household.newBox()}`;
  const olga = household.as('olga');
  const path = `${box}/photo.JPG`;
  await olga.put({ path }, 'the first content');
  await copyFile(fixture('pictures/plain.jpg'), household.at(`${box.slice(11)}/other.jpg`));
  await olga.post('files/rename', { path: `${box}/other.jpg`, newName: 'photo.JPG', overwrite: 1 });
  await utimes(household.at(`${box.slice(11)}/photo.JPG`), 1_700_000_000, 1_700_000_000);
  await olga.post('files/weblink', { path });
  await olga.post('files/label', { path, label: 'Urgent|#d33' });
  for (const comment of ['One', 'Two']) await olga.post('files/comments/add', { path, comment });
  await olga.post('files/lock', { path });
  await household.share(path, { uid: household.ids.ben });
  await household.share(`${box}/sub`, { uid: household.ids.ben });
});
afterAll(() => household.close());

/** An item with these details, or its list without any. */
async function item(name: string, ...details: string[]): Promise<Record<string, unknown>> {
  const query = { path: box, itemType: 'any', ...(details.length > 0 ? { 'details[]': details } : {}) };
  const { body } = await household.as('olga').get('files/browse', query);
  return body.data.files.find(({ filename }: { filename: string }) => filename === name);
}

/** The table of §2.5, typed by hand: the key, and what it is for a photo. */
const DETAILS: readonly (readonly [key: string, value: unknown])[] = [
  ['uuid', expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)],
  ['mdate', '2023-11-14T22:13:20Z'],
  ['mdateHuman', expect.stringMatching(/^1[45] November 2023$/)],
  ['cdate', expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/)],
  ['hasWebLink', true],
  ['weblink', expect.stringMatching(/^https:\/\/127\.0\.0\.1:\d+\/wl\/\?id=[A-Za-z0-9]{32}$/)],
  ['weblink-full', expect.objectContaining({ url: expect.stringContaining('/wl/?id='), downloads: 0 })],
  ['description', 'JPEG image'],
  ['ext', 'jpg'],
  ['type', 'image'],
  ['icon', 'image.svg'],
  ['hasThumb', true],
  ['fileSize', expect.any(Number)],
  ['nicerFileSize', expect.stringMatching(/^[\d.]+ (bytes|KB)$/)],
  ['commentsCount', 2],
  ['label', 'Urgent|#d33'],
  ['isLocked', true],
  ['version', 2],
  ['isShared', true],
];

describe('a detail of §2.5', () => {
  it.each(DETAILS)('%s: is a property of its name, where it is asked for', async (key, value) => {
    const bare = { filename: 'photo.JPG', is_dir: false, path: `${box}/photo.JPG` };
    expect(await item('photo.JPG')).toEqual(bare);
    expect(await item('photo.JPG', key)).toEqual({ ...bare, [key]: value });
  });

  it('all of them come together, for a file and for a folder', async () => {
    const keys = DETAILS.map(([key]) => key);
    expect(Object.keys(await item('photo.JPG', ...keys)).sort()).toEqual(
      ['filename', 'is_dir', 'path', ...keys].sort(),
    );
    expect(await item('sub', ...keys)).toMatchObject({ is_dir: true, isShared: true, hasWebLink: false });
  });

  it('of a web link are false or not there where there is none', async () => {
    expect(await item('a.txt', 'hasWebLink', 'weblink', 'weblink-full', 'isLocked', 'isShared', 'hasThumb')).toEqual({
      ...{ filename: 'a.txt', is_dir: false, path: `${box}/a.txt` },
      ...{ hasWebLink: false, isLocked: false, isShared: false, hasThumb: false },
    });
  });

  it('is the same in a search', async () => {
    for (const [key, value] of DETAILS) {
      const form = { path: box, filename: 'photo', 'details[]': key };
      const { body } = await household.as('olga').post('files/search', form);
      expect(body.data.files[0], key).toEqual({
        ...{ filename: 'photo.JPG', is_dir: false, path: `${box}/photo.JPG` },
        [key]: value,
      });
    }
  });
});

it('docs/api-notes.md lists all details of listings', async () => {
  const notes = await readFile(new URL('../../docs/api-notes.md', import.meta.url), 'utf8');
  const table = /^### Details$([\s\S]*?)^###? /m.exec(notes)?.[1] ?? '';
  const listed = [...table.matchAll(/^\| (`.*?) \|/gm)].flatMap(([, cell = '']) =>
    cell.replaceAll('`', '').split(', '),
  );
  expect(listed.sort()).toEqual([...DETAIL_KEYS].sort());
});
