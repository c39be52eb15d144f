import { afterAll, beforeAll, expect, it } from 'vitest';
import { t } from '../../../dist/server/messages/messages.js';
import { WebVisitor } from '../../support/browser/web-visitor.ts';
import { homeOf, MEMBER } from '../../support/households/member.ts';
import { openSharingHousehold, type SharingHousehold } from '../../support/requests/sharing.ts';
import { eventually } from '../../support/system/eventually.ts';
import { fillHome, picture } from './support.ts';

// Lists of what lies anywhere, where it lies in what somebody else shares.

let household: SharingHousehold;
let ben: WebVisitor;
let closed = '';
let open = '';

beforeAll(async () => {
  household = await openSharingHousehold();
  await household.control('accounts.update', { username: 'olga', name: 'Olga', lastName: 'Ohm' });
  await fillHome(homeOf(household, 'olga'), {
    'Closed/note.txt': 'note',
    'Closed/closed.jpg': await picture(1),
    'Open/open.jpg': await picture(2),
    'Open/deep/deeper.jpg': await picture(3),
  });
  const uid = Number(household.ids.ben);
  closed = `/ROOT/${household.ids.olga}/${await household.share('/ROOT/HOME/Closed', { uid, download: 0 })}`;
  const alias = 'Olga’s pictures';
  open = `/ROOT/0/${await household.share('/ROOT/HOME/Open', { uid, alter: 1, anonymous: 1, alias })}`;
  for (const path of [`${closed}/note.txt`, `${open}/open.jpg`, open, closed]) {
    expect((await household.as('ben').post('files/star', { path })).status).toBe(200);
  }
  ben = new WebVisitor(household);
  const page = await ben.get('/files/');
  const fields = { form_token: page.field('form_token'), next: '/files/' };
  await ben.post('/account/sign-in', { ...fields, username: 'ben', password: MEMBER.password });
});
afterAll(() => household.close());

/** Each entry with the place that is said of it. */
async function placesAt(path: string): Promise<string[]> {
  const { text } = await ben.get(path);
  const rows = [...text.matchAll(/class="name">(.*?)<\/span><span class="item-folder">([^<]*)</g)];
  return rows.map(([, name = '', place]) => `${name.replaceAll(/<[^>]+>/g, '')} in ${place}`).toSorted();
}

it('every item shows its location in words', async () => {
  expect(await placesAt('/files/?path=/STARRED')).toEqual([
    'Closed in Olga Ohm',
    'Olga’s pictures in Shared with me',
    'note.txt in Closed',
    'open.jpg in Olga’s pictures',
  ]);
  const photos = await eventually(
    () => placesAt('/files/?path=/PHOTOS&view=list'),
    ({ length }) => length === 3,
  );
  expect(photos).toEqual(['closed.jpg in Closed', 'deeper.jpg in deep', 'open.jpg in Olga’s pictures']);
  expect(await placesAt(`/files/search?q=e&in=${open}`)).toEqual([
    'deep in Olga’s pictures',
    'deeper.jpg in deep',
    'open.jpg in Olga’s pictures',
  ]);
});

it('recent files show when they were added, whatever their modification time', async () => {
  const lastModified = Date.UTC(1999, 5, 1) / 1000;
  await household.as('olga').put({ path: '/ROOT/HOME/Open/new.txt', lastModified }, 'came today');
  const { text } = await ben.get('/files/?path=/RECENT');
  const [first = ''] = text.match(/<li class="item.*?<\/li>/s) ?? [];
  expect(first).toContain('new.txt');
  expect(first).not.toContain('1999');
  expect(text).toContain(t('files.sort.columns.recent'));
  expect(text).toMatch(/aria-current="page"[^>]*><svg[^>]*>.*?<\/svg><span>Recent<\/span>/);
});

it('shared items are shown at once, grouped by person', async () => {
  const { text } = await ben.get('/files/?path=/ROOT/SHARED');
  const names = (html: string) => [...html.matchAll(/class="name">(.*?)<\/span>/g)].map(([, name]) => name);
  const [, person = '', shares = ''] = /aria-labelledby="(person-\d+)">(.*?)<\/section>/s.exec(text) ?? [];
  expect(person).toBe(`person-${household.ids.olga}`);
  expect(shares).toContain('Olga Ohm');
  expect(names(shares)).toEqual(['Closed']);
  // Anonymous shares have no person.
  expect(names(text)).toEqual(['Closed', 'Olga’s pictures']);
});

it('pictures without the right to download are not requested', async () => {
  const { text } = await ben.get('/files/?path=/PHOTOS');
  const pictures = [...text.matchAll(/class="photo" src="([^"]*)"/g)].map(([, source = '']) => source);
  const requested = pictures.map((source) => /path=[^&]*\/([^&]*)/.exec(source)?.[1]);
  expect(requested.toSorted()).toEqual(['deeper.jpg', 'open.jpg']);
});

it('an item opened from such a list offers exactly the actions that its share allows', async () => {
  const note = await ben.get(`/files/item?path=${closed}/note.txt&from=/STARRED`);
  expect(note.status).toBe(200);
  expect(note.text).toContain(t('item.preview.denied'));
  expect(note.text).not.toMatch(/data-do="(?:download|copy|rename|delete|move|share)"/);
  const photo = await ben.get(`/files/item?path=${open}/open.jpg&from=/PHOTOS`);
  for (const action of ['download', 'copy', 'rename', 'delete', 'move'])
    expect(photo.text).toContain(`data-do="${action}"`);
  expect(photo.text).not.toContain('data-do="share"');
  expect(photo.text).not.toMatch(/Olga O|ohm/i);
});
