import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { launchBrowser } from '../support/browser/browser.ts';
import { axe, sidewaysScroll, takePicture, visit } from '../support/browser/page.ts';
import { type Household, openHousehold } from '../support/households/household.ts';
import { addMembersWithHomes, MEMBER, signInAs } from '../support/households/member.ts';
import { address, ready, row, sampleHome, signInAt } from './files/support.ts';
import { LAKE, linkTo } from './links/links-support.ts';

/** Addresses that are no pages: content, data for scripts, and actions. */
const NO_PAGES =
  /^\/(?:ca\.crt|files\/(?:download|thumbnail|content|view|session|last-seen)|account\/picture|wl\/(?:get|content|thumbnail|play|view)|trust\/.+|oauth2\/logo\/.*|icons\/.*|panel\/.*|assets\/.*)$/;

/** Pages that no link leads to, and the file that inspects them. */
const INSPECTED_ELSEWHERE: Readonly<Record<string, string>> = {
  '/oauth2/authorize': 'web-flow.test.ts',
  '/account/reset': 'forgotten.test.ts',
  '/account/forgotten': 'forgotten.test.ts',
  '/guest': 'guest.test.ts',
  '/account/connect': 'connect-app.test.ts',
};

const LOOKS = [
  { width: 1280, height: 832, colorScheme: 'light' },
  { width: 390, height: 844, colorScheme: 'dark' },
] as const;

/** Entries per kind of page: what differs only in its items is the same page. */
const VISITS = 2;

let browser: Browser;
let household: Household;
let link: string;
const visited = new Set<string>();

beforeAll(async () => {
  [browser, household] = await Promise.all([launchBrowser(), openHousehold()]);
  await sampleHome(household.home);
  await addMembersWithHomes(household, { [MEMBER.username]: {} });
  const uid = Number((await (await signInAs(household, MEMBER.username)).get('account/info')).body.id);
  const api = await household.signIn();
  for (const [operation, form] of [
    ['files/share', { path: LAKE, uid }],
    ['files/star', { path: '/ROOT/HOME/Plum jam.txt' }],
    ['files/delete', { path: '/ROOT/HOME/Scans 2024.zip' }],
  ] as const)
    expect([operation, (await api.post(operation, form)).status]).toEqual([operation, 200]);
  for (const text of ['Halve the plums', 'Halve the plums, and take out the stones'])
    expect((await api.put({ filePath: '/ROOT/HOME/Plum jam.txt' }, text)).body.success).toBe(true);
  link = await linkTo(household, LAKE, { show_comments: 1, show_comments_names: 1, show_metadata: 1 });
});
afterAll(async () => {
  await browser?.close();
  await household?.close();
});

/** @returns what is wrong with the page, as lines; empty if nothing is */
async function problemsOf(page: Page, name: string): Promise<string[]> {
  const problems: string[] = [];
  for (const { width, height, colorScheme } of LOOKS) {
    await page.setViewportSize({ width, height });
    await page.emulateMedia({ colorScheme });
    await takePicture(page, `every${name.replaceAll(/\W+/g, '-')}-${width}`);
    const found = await axe(page);
    if ((await sidewaysScroll(page)) !== 0) found.push('scrolls sideways');
    problems.push(...found.map((problem) => `${name} at ${width}: ${problem}`));
  }
  await page.setViewportSize({ width: LOOKS[0].width, height: LOOKS[0].height });
  await page.emulateMedia({ colorScheme: 'light' });
  return problems;
}

/** What distinguishes pages with the same path: which parameters they have, the view, and the top folder. */
function kindOf({ pathname, searchParams }: URL): string {
  const [, top = '', second = ''] = (searchParams.get('path') ?? '').split('/');
  const view = searchParams.get('view') ?? searchParams.get('mode') ?? '';
  return [pathname, [...searchParams.keys()].sort().join(), view, top === 'ROOT' ? second : ''].join(' ');
}

/** Inspects the pages at these addresses, and all pages that links lead to from there. */
async function walk(page: Page, starts: readonly string[]): Promise<{ count: number; problems: string[] }> {
  const queue = starts.map((path) => new URL(path, address(household, '/')).href);
  const seen = new Set(queue);
  const kinds = new Map<string, number>();
  const problems: string[] = [];
  let count = 0;
  for (let href = queue.shift(); href !== undefined; href = queue.shift()) {
    const url = new URL(href);
    const kind = kindOf(url);
    const times = kinds.get(kind) ?? 0;
    if (times >= VISITS) continue;
    kinds.set(kind, times + 1);
    visited.add(url.pathname.replace(/(.)\/$/, '$1'));
    const response = await page.goto(href);
    expect([href, (response?.status() ?? 500) < 500]).toEqual([href, true]);
    problems.push(...(await problemsOf(page, `${url.pathname}${url.search}`)));
    count += 1;
    const found: string[] = await page.evaluate(
      '[...document.querySelectorAll("a[href]:not([download])")].map(({ href }) => href)',
    );
    for (const next of found) {
      const to = new URL(next);
      to.hash = '';
      if (to.origin !== url.origin || NO_PAGES.test(to.pathname) || seen.has(to.href)) continue;
      seen.add(to.href);
      queue.push(to.href);
    }
  }
  return { count, problems };
}

it('axe finds nothing on the pages that need no sign-in', async () => {
  const { page, context } = await visit(browser);
  const { count, problems } = await walk(page, ['/', '/trust', '/account/sign-in', '/files/', link, '/nowhere']);
  expect(problems).toEqual([]);
  expect(count).toBeGreaterThan(8);
  await context.close();
});

it.each(['ann', MEMBER.username])('axe finds nothing on the pages of %s', async (username) => {
  const { page, context } = await visit(browser);
  await page.goto(address(household));
  if (username === MEMBER.username) await signInAt(page, username, MEMBER.password);
  else await signInAt(page);
  await ready(page);
  const { count, problems } = await walk(page, ['/files/', '/account/', '/files/?path=/ROOT/NOWHERE']);
  expect(problems).toEqual([]);
  expect(count).toBeGreaterThan(20);
  await context.close();
});

/** The actions of the menu that have a dialog; the others act at once, or lead to a page. */
const WITH_DIALOG = ['rename', 'share', 'link', 'copy', 'move'];

it('axe finds nothing in the menu of a file and in its dialogs', async () => {
  const { page, context } = await visit(browser);
  await page.goto(address(household, '/files/?path=/ROOT/HOME'));
  await signInAt(page);
  await ready(page);
  const menu = page.getByRole('menu');
  const openMenu = async () => {
    await row(page, 'Plum jam.txt').locator('.more').click();
    await menu.waitFor();
  };
  await openMenu();
  const problems = await problemsOf(page, 'menu');
  const actions = await menu.locator('[data-do]').evaluateAll((all) => all.map(({ dataset }) => String(dataset.do)));
  expect(actions).toEqual(expect.arrayContaining(WITH_DIALOG));
  await page.keyboard.press('Escape');
  for (const action of actions.filter((one) => WITH_DIALOG.includes(one))) {
    await openMenu();
    await menu.locator(`[data-do="${action}"]`).click();
    await page.locator('dialog[open]').waitFor();
    problems.push(...(await problemsOf(page, action)));
    await page.keyboard.press('Escape');
    await page.locator('dialog[open]').waitFor({ state: 'detached' });
  }
  await page.locator('.page-actions [data-do="create-folder"]').click();
  await page.locator('dialog[open]').waitFor();
  problems.push(...(await problemsOf(page, 'create-folder')));
  expect(problems).toEqual([]);
  await context.close();
});

it('every page is inspected', async () => {
  const folder = fileURLToPath(new URL('../../server/web', import.meta.url));
  const names = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith('.ts'));
  const sources = await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')));
  const routes = sources.flatMap((source) =>
    [...source.matchAll(/router\.get\(\s*'(\/[^']*)'/g)].map(([, path = '']) => path),
  );
  expect(routes.length).toBeGreaterThan(25);
  const pages = routes.filter((path) => !NO_PAGES.test(path) && !NO_PAGES.test(`/trust${path}`) && !/[:.]/.test(path));
  const left = pages.filter((path) => !visited.has(path) && !Object.hasOwn(INSPECTED_ELSEWHERE, path));
  expect(left).toEqual([]);
  for (const file of Object.values(INSPECTED_ELSEWHERE))
    expect(await readFile(fileURLToPath(new URL(file, import.meta.url)), 'utf8')).toContain('inspect(page');
});

it('the check finds problems', async () => {
  const { page, context } = await visit(browser);
  await page.goto(address(household, '/'));
  await page.evaluate("document.documentElement.removeAttribute('lang')");
  expect((await problemsOf(page, 'landing')).join(' ')).toContain('html-has-lang');
  await context.close();
});
