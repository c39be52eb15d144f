import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebVisitor } from '../support/browser/web-visitor.ts';
import { type LinkHousehold, openLinkHousehold } from '../support/requests/links.ts';

const HOME = '/ROOT/HOME';
let household: LinkHousehold;

beforeAll(async () => {
  household = await openLinkHousehold();
  await household.control('accounts.update', { username: 'ben', name: 'Benjamin', lastName: 'Birch' });
});
afterAll(() => household.close());

const details = async (box: string) => (await household.details(HOME, box)) ?? {};

/** Every option of files/weblink that stays with the link, typed by hand: what is sent, and what is told of it. */
const OPTIONS: readonly (readonly [option: string, off: unknown, sent: string | number, told: unknown])[] = [
  ['password', false, 'plums', true],
  ['expiry', null, '2099-06-30 12:34:56', '2099-06-30 12:34:56'],
  ['download_limit', 0, 3, 3],
  ['allow_uploads', false, 1, true],
  ['allow_downloads', false, 1, true],
  ['force_save', false, 1, true],
  ['show_comments', false, 1, true],
  ['show_comments_names', false, 1, true],
  ['show_metadata', false, 1, true],
  ['notify', false, 1, true],
  ['download_terms', '', 'Be kind', 'Be kind'],
  ['require_login', false, 1, true],
];

describe('an option of files/weblink', () => {
  it.each(OPTIONS)('%s: is off by itself, and on where it is sent, alone', async (option, off, sent, told) => {
    const box = await household.newBox();
    await household.link(`${HOME}/${box}`);
    const plain = await details(box);
    expect(plain[option]).toEqual(off);
    await household.as('olga').post('files/unweblink', { path: `${HOME}/${box}` });
    await household.link(`${HOME}/${box}`, { [option]: sent });
    const asked = await details(box);
    const changed = Object.keys(asked).filter((name) => JSON.stringify(asked[name]) !== JSON.stringify(plain[name]));
    expect(changed.filter((name) => !['id', 'url', 'created'].includes(name))).toEqual(
      // Files that are to be taken can be sent as well: it is a file request, too.
      option === 'allow_downloads' ? ['allow_uploads', option] : [option],
    );
    expect(asked[option]).toEqual(told);
  });
});

it('comments are shown where the link shows them, and named where it names them', async () => {
  const box = await household.newBox();
  const path = `${HOME}/${box}/a.txt`;
  const share = await household.share(path, { uid: household.ids.ben });
  const said = { path: `/ROOT/${household.ids.olga}/${share}`, comment: 'What a nice text' };
  expect((await household.as('ben').post('files/comments/add', said)).status).toBe(200);
  const id = await household.link(path);
  const seen = async () => {
    const { text } = await new WebVisitor(household).get(`/wl/?id=${id}`);
    return [text.includes('What a nice text'), text.includes('Benjamin Birch')];
  };
  expect(await seen()).toEqual([false, false]);
  await household.as('olga').post('files/weblink/edit', { path, show_comments: 1 });
  expect(await seen()).toEqual([true, false]);
  await household.as('olga').post('files/weblink/edit', { path, show_comments_names: 1 });
  expect(await seen()).toEqual([true, true]);
  await household.as('olga').post('files/weblink/edit', { path, show_comments: 0 });
  expect(await seen()).toEqual([false, false]);
});
