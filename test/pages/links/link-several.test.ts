import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { t } from '../../../dist/server/messages/messages.js';
import { launchBrowser } from '../../support/browser/browser.ts';
import { inspect, visit } from '../../support/browser/page.ts';
import { t as panelText } from '../../support/browser/panel-texts.ts';
import { WebVisitor } from '../../support/browser/web-visitor.ts';
import { readZip } from '../../support/content/read-zip.ts';
import { itInFull } from '../../support/forms.ts';
import { homeOf, MEMBER } from '../../support/households/member.ts';
import { openSharingHousehold, type SharingHousehold } from '../../support/requests/sharing.ts';
import { address, fillHome, names, picture, ready, row, signInAt } from '../files/support.ts';

// One link that opens several files and folders, and nothing else.

let browser: Browser;
let household: SharingHousehold;
let page: Page;
let complaints: string[];

beforeAll(async () => {
  [browser, household] = await Promise.all([launchBrowser(), openSharingHousehold()]);
  await household.control('settings.update', { householdName: 'Orchard House' });
  await fillHome(homeOf(household, 'olga'), {
    'Box/Lake.jpg': await picture(2),
    'Box/Plums.txt': 'two kilograms',
    'Box/Secret.txt': 'nobody reads this',
    'Box/Trip/Map.txt': 'the way',
    'Box/Trip/Inner/Deep.txt': 'deep',
    'Other/Plums.txt': 'three kilograms',
  });
  ({ page, complaints } = await visit(browser));
  await page.goto(address(household, '/files/?path=/ROOT/HOME/Box'));
  await signInAt(page, 'olga', MEMBER.password);
  await ready(page);
});
afterAll(async () => {
  await browser?.close();
  await household?.close();
});

const button = (name: string) => page.getByRole('button', { name, exact: true });

/** Selects entries of the shown list and makes a link to them. @returns its address below the household's */
async function linkTo(all: readonly string[], kind = t('weblinks.create')): Promise<string> {
  for (const name of all) await row(page, name).locator('.pick input').check();
  await page
    .getByRole('toolbar')
    .getByRole('button', { name: t('files.actions.link'), exact: true })
    .click();
  const dialog = page.getByRole('dialog', { name: t('weblinks.several.heading', { count: all.length }) });
  await dialog.getByText(t('weblinks.lead.several', { reach: 'home', count: all.length })).waitFor();
  await button(kind).click();
  await dialog.locator('.note.good').waitFor();
  const url = new URL(await page.getByLabel(t('weblinks.address'), { exact: true }).inputValue());
  return url.pathname + url.search;
}

async function close(): Promise<void> {
  await button(t('weblinks.close')).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
}

async function go(path: string): Promise<void> {
  await page.goto(address(household, `/files/?path=${path}`));
  await ready(page);
}

const visitor = () => new WebVisitor(household);
const olga = () => household.as('olga');

/** What the page of a link lists. */
async function listed(link: string): Promise<string[]> {
  const { text } = await visitor().get(`${link}&mode=list`);
  return [...text.matchAll(/name="path" value="([^"]*)"/g)].map(([, path = '']) => path);
}

/** A request of the API that has to succeed. */
async function did(path: string, form: Record<string, string | number>): Promise<void> {
  expect((await olga().post(path, form)).body).toMatchObject({ success: true });
}

describe('a link to several items', () => {
  let link = '';

  it('is made from a selection, and its page shows exactly these items', async () => {
    await go('/ROOT/HOME/Box');
    link = await linkTo(['Lake.jpg', 'Plums.txt', 'Trip']);
    await page
      .getByRole('dialog')
      .getByText(t('weblinks.several.items', { count: 3 }))
      .click();
    await inspect(page, 'link-several-made');
    await close();

    const guest = await visit(browser);
    await guest.page.goto(address(household, link));
    await guest.page.getByRole('heading', { level: 1, name: t('files.count.items', { count: 3 }) }).waitFor();
    expect(await guest.page.locator('form.take').innerText()).not.toContain('Secret');
    await inspect(guest.page, 'link-several-page');
    const [all] = await Promise.all([
      guest.page.waitForEvent('download'),
      guest.page.getByRole('button', { name: new RegExp(`^${t('links.folder.downloadAll')}`) }).click(),
    ]);
    const zip = await readZip(await readFile(await all.path()));
    expect(Object.keys(zip).sort()).toEqual(
      ['Lake.jpg', 'Plums.txt', 'Trip/', 'Trip/Inner/', 'Trip/Inner/Deep.txt', 'Trip/Map.txt'].filter(
        (name) => name in zip || !name.endsWith('/'),
      ),
    );
    await guest.page.getByRole('link', { name: /Plums/ }).click();
    const [one] = await Promise.all([
      guest.page.waitForEvent('download'),
      guest.page.getByRole('button', { name: new RegExp(`^${t('files.actions.download')}`) }).click(),
    ]);
    expect(await readFile(await one.path(), 'utf8')).toBe('two kilograms');
    await guest.page.goto(address(household, `${link}&path=/Trip&mode=list`));
    await guest.page.getByRole('link', { name: /Map/ }).waitFor();
    await guest.page
      .locator('.crumbs')
      .getByText(t('files.count.items', { count: 3 }))
      .click();
    await guest.page.getByRole('link', { name: /Trip/ }).waitFor();
    expect(guest.complaints).toEqual([]);
    await guest.context.close();
  });

  it.each([
    ...['/Secret.txt', '/Box/Secret.txt', '/Trip/../Secret.txt', '/..', '/Box', '/ROOT/HOME/Box/Secret.txt'],
    ...['/Plums.txt/Secret.txt', '/Other/Plums.txt', '/Lake.jpg/../Secret.txt', '/%2e%2e/Secret.txt'],
  ])('opens nothing at %s', async (path) => {
    for (const mode of ['preview', 'open', 'download']) {
      const reply = await visitor().get(`${link}&path=${path}&fmode=${mode}`);
      expect(reply.status, mode).toBeGreaterThanOrEqual(400);
      expect(reply.text).not.toContain('nobody reads this');
    }
    const form = { all: '1' };
    const taken = await visitor().post(`${link.replace('/wl/', '/wl/get')}&path=${path}`, form);
    const reply = taken.location === null ? taken : await visitor().get(taken.location);
    expect(reply.status).toBeGreaterThanOrEqual(400);
  });

  it('follows its items, omits deleted ones, and ends with the last one', async () => {
    expect(await listed(link)).toEqual(['/Trip', '/Lake.jpg', '/Plums.txt']);
    await did('files/move', { path: '/ROOT/HOME/Box/Plums.txt', moveTo: '/ROOT/HOME/Other/', overwrite: 1 });
    await did('files/rename', { path: '/ROOT/HOME/Box/Trip', newName: 'Journey' });
    expect(await listed(link)).toEqual(['/Journey', '/Lake.jpg', '/Plums.txt']);
    expect((await visitor().get(`${link}&path=/Plums.txt&fmode=download`)).text).toBe('two kilograms');

    await did('files/delete', { path: '/ROOT/HOME/Box/Lake.jpg' });
    expect(await listed(link)).toEqual(['/Journey', '/Plums.txt']);
    expect((await visitor().get(`${link}&path=/Lake.jpg&fmode=download`)).status).toBe(404);
    await did('files/delete', { path: '/ROOT/HOME/Other/Plums.txt' });
    await did('files/trash/empty', {});
    expect(await listed(link)).toEqual(['/Journey']);
    await did('files/delete', { path: '/ROOT/HOME/Box/Journey' });
    expect((await visitor().get(link)).status).toBe(404);
    await go('/LINKS');
    await page.getByText(t('weblinks.several.none')).waitFor();
    await did('files/trash/empty', {});
    await go('/LINKS');
    await page.getByText(t('files.empty.links.heading')).waitFor();
  });

  it('has the limits of other links, and is changed and ended in the list of links', async () => {
    await fillHome(homeOf(household, 'olga'), { 'Set/a.txt': 'first', 'Set/b.txt': 'second', 'Set/c.txt': 'third' });
    await go('/ROOT/HOME/Set');
    const limited = await linkTo(['a.txt', 'c.txt']);
    await page.getByText(t('weblinks.options'), { exact: true }).click();
    await page.getByLabel(t('weblinks.password.label')).fill('plum');
    await page.getByLabel(t('weblinks.limit.label')).fill('1');
    await button(t('weblinks.save')).click();
    await page.getByRole('dialog').getByText(t('weblinks.done.saved')).waitFor();
    await close();
    expect((await visitor().get(limited)).text).toContain(t('links.password.heading'));
    const guest = visitor();
    const id = new URLSearchParams(limited.split('?')[1]).get('id') ?? '';
    const opened = await guest.post('/wl/open', { id, password: 'plum', next: '' });
    expect(opened.status).toBe(303);
    const all = await guest.get(`${limited}&fmode=download`);
    expect(all.headers['content-type']).toBe('application/zip');
    expect((await guest.get(limited)).status).toBe(410);

    await go('/LINKS');
    const entry = page.locator('.links-to-several a');
    await entry.getByText(t('weblinks.state.usedUp', { limit: 1 })).waitFor();
    await inspect(page, 'links-to-several');
    await entry.click();
    await page.getByRole('dialog').getByText(t('weblinks.several.ended')).waitFor();
    await page.getByText(t('weblinks.remove.label')).first().click();
    await page
      .locator('.end')
      .getByRole('button', { name: t('weblinks.remove.submit') })
      .click();
    await page.getByRole('dialog').getByText(t('weblinks.done.ended')).waitFor();
    await close();
    await page.getByText(t('files.empty.links.heading')).waitFor();
    expect((await visitor().get(limited)).status).toBe(404);
    expect(complaints).toEqual([]);
  });

  it('does not affect the links of its items, and cannot be accessed by other accounts', async () => {
    await go('/ROOT/HOME/Set');
    const several = await linkTo(['a.txt', 'b.txt'], t('weblinks.quick.temporary'));
    await close();
    await expect.poll(() => names(page)).toEqual(['a.txt', 'b.txt', 'c.txt']);
    const api = olga();
    const { body } = await api.get('files/browse', { path: '/ROOT/HOME/Set', 'details[]': 'hasWebLink' });
    expect(body.data.files.map((file: { hasWebLink: boolean }) => file.hasWebLink)).toEqual([false, false, false]);
    expect((await api.post('files/unweblink', { path: '/ROOT/HOME/Set/a.txt' })).body.code).toBe('no_weblink');
    expect(await listed(several)).toEqual(['/a.txt', '/b.txt']);

    const { links } = (await household.control('links.list', { text: 'a.txt', limit: 1 })) as { links: unknown[] };
    expect(links).toMatchObject([{ item: { name: 'a.txt' }, items: 2, by: { username: 'olga' } }]);

    await go('/LINKS');
    const href = await page.locator('.links-to-several a').first().getAttribute('href');
    const other = await visit(browser);
    await other.page.goto(address(household, href ?? ''));
    await signInAt(other.page, 'ben', MEMBER.password);
    await ready(other.page);
    expect(await other.page.locator('.weblink').count()).toBe(0);
    expect(await other.page.content()).not.toContain('a.txt');
    await other.context.close();
    household.clock.advance(16 * 60_000);
    expect((await visitor().get(several)).status).toBe(410);
  });
});

describe('a link to several items first asks', () => {
  const ADDRESSES = ['', '&mode=list', '&path=/a.txt', '&path=/a.txt&fmode=open', '&fmode=download'];

  /** @returns its address, and the dialog with its options */
  async function withOptions(): Promise<string> {
    await fillHome(homeOf(household, 'olga'), { 'Gated/a.txt': 'plums in jars', 'Gated/b.txt': 'pears in jars' });
    await go('/ROOT/HOME/Gated');
    const link = await linkTo(['a.txt', 'b.txt']);
    await page.getByText(t('weblinks.options'), { exact: true }).click();
    return link;
  }

  async function save(): Promise<void> {
    await button(t('weblinks.save')).click();
    await page.getByRole('dialog').getByText(t('weblinks.done.saved')).waitFor();
    await close();
  }

  /** Nothing of the items is in any page, and nobody gets their contents. */
  async function revealsNothing(link: string, heading: string): Promise<void> {
    const { text } = await visitor().get(link);
    expect(text).toContain(heading);
    for (const more of ADDRESSES) {
      const reply = await visitor().get(`${link}${more}`);
      expect(reply.text, more).not.toMatch(/>a\.txt<|in jars/);
    }
    for (const form of [{ all: '1' }, { path: '/a.txt' }]) {
      const reply = await visitor().post(link.replace('/wl/', '/wl/get'), form);
      const next = reply.location === null ? reply : await visitor().get(reply.location);
      expect(next.text).not.toContain('in jars');
    }
  }

  it('for the terms to be accepted', async () => {
    const link = await withOptions();
    await page.getByLabel(t('weblinks.terms.label')).fill('Be kind');
    await save();
    await revealsNothing(link, t('links.terms.heading'));
    const guest = visitor();
    const id = new URLSearchParams(link.split('?')[1]).get('id') ?? '';
    const accepted = await guest.post('/wl/accept', { id, next: link });
    expect([accepted.status, accepted.location]).toEqual([303, link]);
    expect((await guest.get(`${link}&path=/a.txt&fmode=download`)).text).toBe('plums in jars');
  });

  it('for a sign-in', async () => {
    const link = await withOptions();
    await page.getByLabel(t('weblinks.flags.requireLogin')).check();
    await save();
    await revealsNothing(link, t('signIn.submit'));
    const context = await browser.newContext({ ignoreHTTPSErrors: true });
    const member = await context.newPage();
    await member.goto(address(household, link));
    await signInAt(member, 'ben', MEMBER.password);
    await member.getByRole('link', { name: /a\.txt/ }).waitFor();
    await context.close();
  });
});

itInFull('a link whose file is missing on the disk shows a message', async () => {
  const home = homeOf(household, 'olga');
  await fillHome(home, { 'Lost/away.txt': 'away', 'Lost/here.txt': 'here' });
  await did('files/weblink', { path: '/ROOT/HOME/Lost/away.txt' });
  await rm(join(home, 'Lost/away.txt'));
  await olga().get('files/browse', { path: '/ROOT/HOME/Lost' });
  await go('/LINKS');
  const gone = page.locator('.gone-link').filter({ hasText: 'away.txt' });
  await gone.getByText(t('weblinks.gone.missing')).waitFor();
  await gone.getByRole('button', { name: t('weblinks.gone.removeOf', { name: 'away.txt' }) }).click();
  await gone.waitFor({ state: 'detached' });
  // It does not come back with the file.
  await fillHome(home, { 'Lost/away.txt': 'back' });
  await olga().get('files/browse', { path: '/ROOT/HOME/Lost' });
  const { body } = await olga().get('files/browse', { path: '/LINKS' });
  expect(body.data.files.map(({ filename }: { filename: string }) => filename)).not.toContain('away.txt');
});

it('a link whose file is in the trash is marked in the list of links, and can be removed', async () => {
  await fillHome(homeOf(household, 'olga'), { 'Gone/kept.txt': 'kept', 'Gone/lost.txt': 'lost' });
  for (const name of ['kept', 'lost']) await did('files/weblink', { path: `/ROOT/HOME/Gone/${name}.txt` });
  await did('files/delete', { path: '/ROOT/HOME/Gone/lost.txt' });
  await go('/LINKS');
  await expect.poll(() => names(page)).toEqual(['kept.txt']);
  const gone = page.locator('.gone-link');
  expect(await gone.locator('.name').allInnerTexts()).toEqual(['lost.txt']);
  await gone.getByText(t('weblinks.gone.trashed')).waitFor();
  await inspect(page, 'links-gone');
  await gone.getByRole('button', { name: t('weblinks.gone.removeOf', { name: 'lost.txt' }) }).click();
  await gone.waitFor({ state: 'detached' });
  await expect.poll(() => names(page)).toEqual(['kept.txt']);
});

itInFull('an item that moves to another home is removed from the link, and the others stay', async () => {
  await fillHome(homeOf(household, 'olga'), { 'Mine/a.txt': 'first', 'Mine/b.txt': 'second' });
  await fillHome(homeOf(household, 'ben'), { 'Theirs/kept.txt': 'kept' });
  const { body } = await household
    .as('ben')
    .post('files/share', { path: '/ROOT/HOME/Theirs', uid: household.ids.olga, upload: 1, alter: 1, download: 1 });
  expect(body).toMatchObject({ success: true });
  await go('/ROOT/HOME/Mine');
  const link = await linkTo(['a.txt', 'b.txt']);
  await close();
  const shares = await olga().get('files/browse', { path: `/ROOT/${household.ids.ben}` });
  await did('files/move', { path: '/ROOT/HOME/Mine/a.txt', moveTo: shares.body.data.files[0].path });
  expect(await listed(link)).toEqual(['/b.txt']);
  await did('files/move', { path: '/ROOT/HOME/Mine/b.txt', moveTo: shares.body.data.files[0].path });
  expect((await visitor().get(link)).status).toBe(404);
});

itInFull('the activity log contains the number of items when a link is created, changed and ended', async () => {
  await fillHome(homeOf(household, 'olga'), { 'Told/a.txt': 'a', 'Told/b.txt': 'b', 'Told/c.txt': 'c' });
  await go('/ROOT/HOME/Told');
  await linkTo(['a.txt', 'b.txt', 'c.txt']);
  await page.getByText(t('weblinks.options'), { exact: true }).click();
  await page.getByLabel(t('weblinks.limit.label')).fill('5');
  await button(t('weblinks.save')).click();
  await page.getByRole('dialog').getByText(t('weblinks.done.saved')).waitFor();
  await close();
  const { links } = (await household.control('links.list', { text: 'a.txt', limit: 1 })) as {
    links: { number: number }[];
  };
  expect(await household.control('links.remove', { numbers: links.map(({ number }) => number) })).toBeTruthy();
  const { entries } = (await household.control('activity.list', { limit: 100, text: 'Told/' })) as {
    entries: { kind: string; details: { items?: number } }[];
  };
  const told = entries.filter(({ kind }) => kind === 'weblink.changed' || kind === 'weblink.removed');
  expect(told.map(({ kind, details }) => [kind, details.items])).toEqual([
    ['weblink.removed', 3],
    ['weblink.changed', 3],
  ]);
  const values = { actor: 'person', who: 'olga', what: 'Told/a.txt', attempts: 1, further: 2 };
  expect(panelText('activity.entry.weblink.removed', values)).toBe(
    'olga ended the link to Told/a.txt and 2 more items',
  );
  expect(panelText('activity.entry.weblink.removed', { ...values, further: 0 })).toBe(
    'olga ended the link to Told/a.txt',
  );
});

itInFull('a link to an item that is no longer shared shows a message without the name', async () => {
  await fillHome(homeOf(household, 'ben'), { 'Shared once/plans.txt': 'plans' });
  const ben = household.as('ben');
  await ben.get('files/browse', { path: '/ROOT/HOME' });
  const folder = { path: '/ROOT/HOME/Shared once', uid: household.ids.olga };
  expect((await ben.post('files/share', { ...folder, share: 1 })).body).toMatchObject({ success: true });
  const { body } = await olga().get('files/browse', { path: `/ROOT/${household.ids.ben}` });
  const shared = body.data.files.find(({ filename }: { filename: string }) => filename === 'Shared once');
  await did('files/weblink', { path: `${shared.path}/plans.txt` });
  expect((await ben.post('files/unshare', folder)).body).toMatchObject({ success: true });
  await go('/LINKS');
  const gone = page.locator('.gone-link').filter({ hasText: t('weblinks.gone.lost') });
  await gone.waitFor();
  expect(await gone.innerText()).toContain(t('weblinks.gone.shared'));
  expect(await page.content()).not.toContain('plans.txt');
  await gone.getByRole('button', { name: t('weblinks.gone.removeOf', { name: t('weblinks.gone.shared') }) }).click();
  await gone.waitFor({ state: 'detached' });
});
