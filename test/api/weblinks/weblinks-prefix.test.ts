import { afterAll, beforeAll, expect, it } from 'vitest';
import { WebVisitor } from '../../support/browser/web-visitor.ts';
import { type Household, openHousehold } from '../../support/households/household.ts';

let household: Household;
beforeAll(async () => {
  household = await openHousehold({ config: { basePath: '/larder' } });
});
afterAll(() => household.close());

it('a link leads to pages below the prefix of the installation, at every step', async () => {
  const api = await household.signIn();
  await api.put({ filePath: '/ROOT/HOME/box/a.txt' }, 'the content');
  const form = { path: '/ROOT/HOME/box', password: 'plums', download_terms: 'Be kind', allow_downloads: 1 };
  const made = await api.post('files/weblink', form);
  const { pathname, search } = new URL(made.body.data.url);
  expect(pathname).toBe('/larder/wl/');
  const visitor = new WebVisitor(household);
  const asked = await visitor.get(`${pathname}${search}`);
  const id = asked.field('id');
  expect(asked.text).toContain('action="/larder/wl/open"');
  const entered = await visitor.post('/larder/wl/open', { id, password: 'plums', next: asked.field('next') });
  expect(entered.location).toBe(`/larder/wl/?id=${id}`);
  const terms = await visitor.get(entered.location ?? '');
  const accepted = await visitor.post('/larder/wl/accept', { id, next: terms.field('next') });
  const page = await visitor.get(accepted.location ?? '');
  const leading = [...page.text.matchAll(/(?:href|src|action|data-upload)="([^"#]*)"/g)].map(([, to = '']) => to);
  expect(leading.length).toBeGreaterThan(8);
  for (const to of leading) expect(to).toMatch(/^\/larder\//);
  const pressed = await visitor.post(`/larder/wl/get?id=${id}&path=/a.txt`, { all: '1' });
  expect(pressed.location).toMatch(/^\/larder\/wl\/get\?/);
  expect((await visitor.get(pressed.location ?? '')).text).toBe('the content');
  expect((await visitor.get(`/larder/wl?id=${id}`)).location).toBe(`/larder/wl/?id=${id}`);
});
