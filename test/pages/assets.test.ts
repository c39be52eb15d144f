import { afterAll, beforeAll, expect, it } from 'vitest';
import { WebVisitor } from '../support/browser/web-visitor.ts';
import { makePdf } from '../support/content/make-pdf.ts';
import { type Household, OWNER, openHousehold } from '../support/households/household.ts';
import { fillHome } from './files/support.ts';
import { linkTo } from './links/links-support.ts';

let household: Household;
let visitor: WebVisitor;

beforeAll(async () => {
  household = await openHousehold();
  await fillHome(household.home, { 'a.pdf': makePdf([['Words']]), 'notes.md': '# Notes', 'box/in.txt': 'in' });
  visitor = new WebVisitor(household);
  const page = await visitor.get('/files/');
  const fields = { form_token: page.field('form_token'), next: page.field('next') };
  await visitor.post('/account/sign-in', { ...fields, username: OWNER.username, password: OWNER.password });
});
afterAll(() => household?.close());

const addressesIn = (text: string) => [
  ...new Set([...text.matchAll(/(?:href|src|srcset)="(\/assets\/[^"]+)"/g)].map(([, path = '']) => path)),
];

/** What a script or style loads later, by its own words. */
const namesIn = (text: string) =>
  [...text.matchAll(/[`'"]\.\/([\w-]+\.(?:js|css))[`'"]/g)].map(([, name = '']) => name);

it('all assets of pages exist, and browsers may cache those with a hash permanently', async () => {
  const item = '/files/item?path=/ROOT/HOME/box/in.txt';
  const sheets = ['share', 'link'].map((name) => `/files/${name}?path=/ROOT/HOME/box`);
  const views = ['a.pdf', 'notes.md'].map((name) => `/files/view?path=/ROOT/HOME/${name}`);
  const links = [
    await linkTo(household, '/ROOT/HOME/box', { allow_downloads: 1 }),
    await linkTo(household, '/ROOT/HOME/notes.md'),
  ];
  const stranger = new WebVisitor(household);
  const found = new Set<string>();
  for (const path of [
    '/',
    '/account/',
    '/files/?path=/ROOT/HOME',
    item,
    ...sheets,
    ...views,
    ...links,
    '/nothing-there',
  ]) {
    const own = addressesIn((await visitor.get(path)).text);
    expect(own.length, path).toBeGreaterThan(1);
    for (const address of own) found.add(address);
  }
  for (const address of addressesIn((await stranger.get('/files/')).text)) found.add(address);
  const queue = [...found];
  for (const address of queue) {
    const { status, headers, text } = await stranger.get(address, { 'accept-encoding': 'identity' });
    expect([address, status]).toEqual([address, 200]);
    const isHashed = /-[\w-]{8}\.(?:js|css)$/.test(address);
    expect([address, headers['cache-control']]).toEqual([
      address,
      isHashed ? 'public, max-age=31536000, immutable' : 'public, max-age=3600',
    ]);
    expect(headers.vary).toContain('Accept-Encoding');
    if (!isHashed) continue;
    for (const name of namesIn(text)) {
      const next = address.slice(0, address.lastIndexOf('/') + 1) + name;
      if (!queue.includes(next)) queue.push(next);
    }
  }
  expect(queue.length).toBeGreaterThan(20);
});

it('only a fixed list of the built files is served', async () => {
  for (const name of ['manifest.json', 'viewer/manifest.json', 'files.js', '..%2Fserver%2Flarder.cjs', 'viewer/', '']) {
    const { status } = await visitor.get(`/assets/${name}`, { accept: '*/*' });
    expect([name, status]).toEqual([name, 404]);
  }
});
