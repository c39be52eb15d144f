import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { t } from '../../../dist/server/messages/messages.js';
import { launchBrowser } from '../../support/browser/browser.ts';
import { inspect } from '../../support/browser/page.ts';
import { WebVisitor } from '../../support/browser/web-visitor.ts';
import { itInFull } from '../../support/forms.ts';
import { homeOf, setPermissions } from '../../support/households/member.ts';
import { openSharingHousehold, type SharingHousehold } from '../../support/requests/sharing.ts';
import { address, enterAt, fillHome, ready, row } from './support.ts';

let browser: Browser;
let household: SharingHousehold;

beforeAll(async () => {
  [browser, household] = await Promise.all([launchBrowser(), openSharingHousehold()]);
  await household.control('accounts.update', { username: 'olga', name: 'Olga', lastName: 'Ohm' });
  await household.control('accounts.update', { username: 'ben', name: 'Ben', lastName: '<b>Bell' });
  await fillHome(homeOf(household, 'olga'), {
    'Plain/one.txt': 'one',
    'Open/two.txt': 'two',
    'Closed/three.txt': 'three',
    'A <b>bold & "quoted" name.txt': 'four',
  });
});
afterAll(async () => {
  await browser?.close();
  await household?.close();
});

async function enter(username: string, path: string, options: BrowserContextOptions = {}) {
  return enterAt({ browser, household }, path, { username, ...options });
}

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const addressOf = (page: Page) => page.getByLabel(t('weblinks.address'), { exact: true }).inputValue();
const pageOf = (path: string) => address(household, `/files/link?path=${encodeURIComponent(path)}`);

/** What somebody without an account gets at an address. */
async function outside(link: string): Promise<number> {
  const { pathname, search } = new URL(link);
  return (await new WebVisitor(household).get(`${pathname}${search}`)).status;
}

async function offered(page: Page, name: string): Promise<string[]> {
  await row(page, name).locator('.more').click();
  const entries = await page.getByRole('menuitem').locator('span').allTextContents();
  await page.keyboard.press('Escape');
  return entries;
}

describe('the page for the links of an item', () => {
  it('works without JavaScript, and keeps everything entered except for a password', async () => {
    const options = { javaScriptEnabled: false };
    const { page, context } = await enter('olga', '/files/link?path=/ROOT/HOME/Plain', options);
    await page.getByRole('heading', { name: t('weblinks.heading', { name: 'Plain' }) }).waitFor();
    await page.getByText(t('weblinks.more')).click();
    await page.getByRole('radio', { name: t('weblinks.visitors.both.label') }).check();
    await page.getByLabel(t('weblinks.password.label')).fill('hush hush');
    await page.getByLabel(t('weblinks.limit.label')).fill('7');
    await page.getByLabel(t('weblinks.expiry.label')).fill('2020-01-31');
    await page.getByLabel(t('weblinks.terms.label')).fill('\nOne\n</textarea><b>two</b>');
    await page.getByLabel(t('weblinks.flags.forceSave')).check();
    await button(page, t('weblinks.create')).click();
    await page.getByText(t('weblinks.problems.expiry')).waitFor();
    await expect
      .poll(() => page.getByRole('radio', { name: t('weblinks.visitors.both.label') }).isChecked())
      .toBe(true);
    await expect.poll(() => page.getByLabel(t('weblinks.limit.label')).inputValue()).toBe('7');
    await expect.poll(() => page.getByLabel(t('weblinks.expiry.label')).inputValue()).toBe('2020-01-31');
    await expect
      .poll(() => page.getByLabel(t('weblinks.terms.label')).inputValue())
      .toBe('\nOne\n</textarea><b>two</b>');
    await expect.poll(() => page.getByLabel(t('weblinks.flags.forceSave')).isChecked()).toBe(true);
    expect(await page.content()).not.toContain('hush');
    // That it is gone is to be seen: a link without it would be open to all.
    await page.getByText(t('weblinks.password.retype')).waitFor();
    await page.getByLabel(t('weblinks.password.label')).fill('hush hush');
    await page.getByLabel(t('weblinks.expiry.label')).fill('');
    await button(page, t('weblinks.create')).click();
    await page.getByText(t('weblinks.done.created')).waitFor();
    const state = () => page.locator('.known li').allTextContents();
    expect(await state()).toEqual([
      t('weblinks.state.both'),
      t('weblinks.state.used', { used: 0, limit: 7 }),
      t('weblinks.state.password'),
      t('weblinks.state.terms'),
    ]);
    const link = await addressOf(page);
    await page.getByText(t('weblinks.options'), { exact: true }).click();
    await page.getByRole('radio', { name: t('weblinks.visitors.look.label') }).check();
    await page.getByLabel(t('weblinks.limit.label')).fill('');
    await button(page, t('weblinks.save')).click();
    await page.getByText(t('weblinks.done.saved')).waitFor();
    expect(await state()).toEqual([t('weblinks.state.password'), t('weblinks.state.terms')]);
    await button(page, t('weblinks.quick.single')).click();
    await page.getByText(t('weblinks.done.single')).waitFor();
    const once = await page.getByLabel(t('weblinks.extras.address', { state: t('weblinks.state.once') })).inputValue();
    expect(await outside(once)).toBe(200);
    await page.getByText(t('weblinks.end.labelAll')).click();
    await button(page, t('weblinks.end.submitAll')).click();
    await page.getByText(t('weblinks.done.ended')).waitFor();
    for (const ended of [link, once]) expect(await outside(ended)).toBe(404);
    await context.close();
  });

  itInFull('keeps the time at which a link expires until another day is chosen', async () => {
    const olga = household.as('olga');
    const path = '/ROOT/HOME/Plain/one.txt';
    const year = new Date().getFullYear() + 1;
    await olga.post('files/weblink', { path, expiry: `${year}-06-30 12:34:56`, notify: 1 });
    const { page, context } = await enter('olga', `/files/link?path=${path}`, { javaScriptEnabled: false });
    const known = async () => {
      const query = { path: '/ROOT/HOME/Plain', 'details[]': 'weblink-full' };
      return (await olga.get('files/browse', query)).body.data.files[0]['weblink-full'];
    };
    await page.getByText(t('weblinks.options'), { exact: true }).click();
    await page.getByLabel(t('weblinks.flags.showMetadata')).check();
    await button(page, t('weblinks.save')).click();
    await page.getByText(t('weblinks.done.saved')).waitFor();
    expect(await known()).toMatchObject({ expiry: `${year}-06-30 12:34:56`, notify: true, show_metadata: true });
    await page.getByText(t('weblinks.options'), { exact: true }).click();
    await page.getByLabel(t('weblinks.flags.notify')).uncheck();
    await page.getByLabel(t('weblinks.expiry.label')).fill(`${year}-07-01`);
    await button(page, t('weblinks.save')).click();
    await page.getByText(t('weblinks.done.saved')).waitFor();
    expect(await known()).toMatchObject({ expiry: `${year}-07-01 23:59:59`, notify: false, show_metadata: true });
    await context.close();
  });

  itInFull('reports if a link exists already, and does not change it', async () => {
    const path = '/ROOT/HOME/Closed/three.txt';
    const { page, context } = await enter('olga', `/files/link?path=${path}`, { javaScriptEnabled: false });
    const made = await household.as('olga').post('files/weblink', { path, download_limit: 3 });
    await page.getByText(t('weblinks.more')).click();
    await page.getByLabel(t('weblinks.limit.label')).fill('9');
    await button(page, t('weblinks.create')).click();
    await page.getByText(t('weblinks.done.existing')).waitFor();
    expect(await addressOf(page)).toBe(made.body.data.url);
    expect(await page.locator('.known li').allTextContents()).toEqual([
      t('weblinks.state.used', { used: 0, limit: 3 }),
    ]);
    await context.close();
  });

  itInFull('escapes names', async () => {
    const name = 'A <b>bold & "quoted" name.txt';
    const { page, complaints, context } = await enter('olga', '/files/?path=/ROOT/HOME');
    await page.locator('.items .item').filter({ hasText: name }).locator('.more').click();
    await page.getByRole('menuitem', { name: t('files.actions.link'), exact: true }).click();
    const dialog = page.getByRole('dialog', { name: t('weblinks.heading', { name }) });
    await dialog.waitFor();
    await button(page, t('weblinks.create')).click();
    await dialog.getByText(t('weblinks.done.created')).waitFor();
    await expect.poll(() => dialog.locator('b').count()).toBe(0);
    await page.goto(pageOf(`/ROOT/HOME/${name}`));
    await expect
      .poll(() => page.getByRole('heading', { level: 1 }).textContent())
      .toBe(t('weblinks.heading', { name }));
    await inspect(page, 'link-page-made');
    await page.getByText(t('weblinks.options'), { exact: true }).click();
    await page.getByLabel(t('weblinks.expiry.label')).fill('2020-01-31');
    await button(page, t('weblinks.save')).click();
    await page.getByText(t('weblinks.problems.expiry')).waitFor();
    await inspect(page, 'link-page-refused');
    // The day that was refused.
    expect(complaints.filter((complaint) => !complaint.includes('400'))).toEqual([]);
    await context.close();
  });
});

describe('an account without the permission for links', () => {
  it('is not offered the action, and cannot open the page', async () => {
    await setPermissions(household, { gil: { weblink: false } });
    await fillHome(homeOf(household, 'gil'), { 'mine.txt': 'mine', 'folder/other.txt': 'other' });
    const { page, context } = await enter('gil', '/files/?path=/ROOT/HOME');
    expect(await offered(page, 'mine.txt')).not.toContain(t('files.actions.link'));
    expect(await offered(page, 'folder')).not.toContain(t('files.actions.link'));
    await expect.poll(() => page.getByRole('link', { name: 'My links' }).count()).toBe(0);
    await page.goto(address(household, '/files/item?path=/ROOT/HOME/mine.txt'));
    await expect.poll(() => page.getByRole('link', { name: t('files.actions.link'), exact: true }).count()).toBe(0);
    const refused = await page.goto(pageOf('/ROOT/HOME/mine.txt'));
    expect(refused?.status()).toBe(403);
    const token = await page.locator('.files').getAttribute('data-token');
    const sent = await page.evaluate(`fetch('/files/link', { method: 'POST', headers: { Accept: 'application/json' },
      body: new URLSearchParams({ form_token: '${token}', path: '/ROOT/HOME/mine.txt', do: 'create' }) })
      .then((response) => response.json())`);
    expect(sent).toMatchObject({ success: false, code: 'permission_denied' });
    await context.close();
  });

  it('cannot link to files if it may not download, but can make file requests for folders', async () => {
    await setPermissions(household, { sam: { download: false } });
    await fillHome(homeOf(household, 'sam'), { 'mine.txt': 'mine', 'folder/other.txt': 'other' });
    const { page, context } = await enter('sam', '/files/?path=/ROOT/HOME');
    expect(await offered(page, 'mine.txt')).not.toContain(t('files.actions.link'));
    expect(await offered(page, 'folder')).toContain(t('files.actions.link'));
    expect((await page.goto(pageOf('/ROOT/HOME/mine.txt')))?.status()).toBe(403);
    await page.goto(pageOf('/ROOT/HOME/folder'));
    await button(page, t('weblinks.create')).click();
    await page.getByText(t('weblinks.done.created')).waitFor();
    expect(await page.locator('.known li').allTextContents()).toEqual([t('weblinks.state.request')]);
    await context.close();
  });

  itInFull('cannot link to items of a share without the right to share further', async () => {
    const { olga, ben } = household.ids;
    const uid = Number(ben);
    const open = await household.share('/ROOT/HOME/Open', { uid, share: 1 });
    const closed = await household.share('/ROOT/HOME/Closed', { uid });
    const [mine, theirs] = [`/ROOT/${olga}/${open}`, `/ROOT/${olga}/${closed}`];
    const { page, context } = await enter('ben', `/files/?path=${mine}`);
    expect(await offered(page, 'two.txt')).toContain(t('files.actions.link'));
    await page.goto(address(household, `/files/?path=${theirs}`));
    await ready(page);
    expect(await offered(page, 'three.txt')).not.toContain(t('files.actions.link'));
    for (const path of [theirs, `${theirs}/three.txt`]) expect((await page.goto(pageOf(path)))?.status()).toBe(403);
    expect((await page.goto(pageOf('/ROOT/HOME')))?.status()).toBe(400);
    expect((await page.goto(pageOf(`${mine}/nothing`)))?.status()).toBe(404);

    await page.goto(pageOf(mine));
    await page.getByText(t('weblinks.more')).click();
    // It is shared to be looked at: nobody sends anything there.
    await expect.poll(() => page.getByRole('radio').count()).toBe(1);
    await button(page, t('weblinks.create')).click();
    await page.getByText(t('weblinks.done.created')).waitFor();
    const link = await addressOf(page);
    expect(await outside(link)).toBe(200);

    // Whose it is sees who has made one, and ends it with their own.
    const other = await enter('olga', '/files/link?path=/ROOT/HOME/Open');
    await other.page.getByText(t('weblinks.others.by', { name: 'Ben <b>Bell' })).waitFor();
    await inspect(other.page, 'link-page-others');
    expect(await other.page.content()).not.toContain(new URL(link).search);
    await other.context.close();

    await household.share('/ROOT/HOME/Open', { uid, share: 0 });
    expect(await outside(link)).toBe(404);
    await page.reload();
    await page.getByText(t('weblinks.noPermission')).waitFor();
    await expect.poll(() => button(page, t('weblinks.quick.single')).count()).toBe(0);
    await expect.poll(() => page.getByText(t('weblinks.options'), { exact: true }).count()).toBe(0);
    await inspect(page, 'link-page-closed');
    await page.getByText(t('weblinks.end.label')).first().click();
    await button(page, t('weblinks.end.label')).click();
    await page.getByText(t('weblinks.done.ended')).waitFor();
    // There is nothing more to be done there.
    await expect.poll(() => page.locator('.weblink button').count()).toBe(0);
    expect((await page.goto(pageOf(mine)))?.status()).toBe(403);
    await context.close();
  });
});
