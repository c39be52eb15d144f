import sharp from 'sharp';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { Connection } from '../../dist/server/database/connection.js';
import { fillHome } from '../pages/files/support.ts';
import { WebVisitor } from '../support/browser/web-visitor.ts';
import { isFullForm, itInFull } from '../support/forms.ts';
import { homeOf, MEMBER } from '../support/households/member.ts';
import { openSharingHousehold, type SharingHousehold } from '../support/requests/sharing.ts';
import { eventually } from '../support/system/eventually.ts';

// The search of the pages by someone with whom a lot is shared.

const SHARES = isFullForm ? 300 : 60;

let household: SharingHousehold;
let ben: WebVisitor;
const all = vi.spyOn(Connection.prototype, 'all');

beforeAll(async () => {
  household = await openSharingHousehold();
  const boxes = Array.from({ length: SHARES }, (_, index) => `Box ${index}`);
  const files = boxes.flatMap((box, index) => [[`${box}/pear ${index}.txt`, `fruit ${index}`] as const]);
  await fillHome(homeOf(household, 'olga'), {
    ...Object.fromEntries(files),
    'Box 7/deep/quince.txt': 'a medlar',
    'Box 8/other.txt': 'a medlar',
    'Not shared/quince tree.txt': 'a medlar',
    'Lone quince.txt': 'alone',
  });
  const uid = Number(household.ids.ben);
  for (const [index, box] of boxes.entries())
    await household.share(`/ROOT/HOME/${box}`, { uid, ...(index === 8 ? { download: 0 } : {}) });
  await household.share('/ROOT/HOME/Box 7/deep', { uid });
  await household.share('/ROOT/HOME/Lone quince.txt', { uid });
  ben = new WebVisitor(household);
  const page = await ben.get('/files/');
  const fields = { form_token: page.field('form_token'), next: '/files/' };
  await ben.post('/account/sign-in', { ...fields, username: 'ben', password: MEMBER.password });
});
afterAll(async () => {
  vi.restoreAllMocks();
  await household?.close();
});

async function found(words: string, more = ''): Promise<string[]> {
  const { status, text } = await ben.get(`/files/search?q=${encodeURIComponent(words)}${more}`);
  expect(status).toBe(200);
  return [...text.matchAll(/class="name">(.*?)<\/span>/gs)].map(([, name = '']) => name.replaceAll(/<[^>]+>/g, ''));
}

/** The statements of a search. */
async function statementsOf(words: string): Promise<number> {
  all.mockClear();
  await found(words);
  return all.mock.calls.length;
}

it('finds items in each share once, and none outside of them', async () => {
  // Once the catalogue has everything.
  const pears = await eventually(
    () => found('pear', '&group=names'),
    (names) => names.length >= SHARES,
  );
  expect(new Set(pears).size).toBe(SHARES);
  const quinces = await eventually(
    () => found('quince'),
    (names) => names.length > 1,
  );
  expect(quinces.toSorted()).toEqual(['Lone quince.txt', 'quince.txt']);
  // Contents, except where downloads are forbidden.
  await eventually(
    () => found('medlar'),
    (names) => names.length > 0,
  );
  expect(await found('medlar')).toEqual(['quince.txt']);
});

it('does not search each share separately', async () => {
  await found('nothing like it');
  expect(await statementsOf('nothing like it')).toBeLessThan(4 * SHARES);
  expect(await statementsOf('quince')).toBeLessThan(4 * SHARES);
});

itInFull('limits photos by the time they were taken, and files by their last change', async () => {
  const photo = sharp({ create: { width: 40, height: 40, channels: 3, background: 'teal' } });
  const taken = { IFD2: { DateTimeOriginal: '2019:05:06 12:00:00' } };
  await fillHome(homeOf(household, 'ben'), { 'Lake.jpg': await photo.withExif(taken).jpeg().toBuffer() });
  const earlier = await eventually(
    () => found('lake', '&time=earlier'),
    (names) => names.length > 0,
  );
  // The file came today, so it is also among those of this week.
  expect(await found('lake', '&time=week')).toEqual(earlier);
  expect(await found('lake', '&time=lastYear')).toEqual([]);
  expect(await found('quince', '&time=earlier')).toEqual([]);
});
