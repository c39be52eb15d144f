import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launchBrowser } from '../support/browser.ts';
import { homeOf, MEMBER, setPermissions } from '../support/member.ts';
import { inspect, visit } from '../support/page.ts';
import { openSharingHousehold, type SharingHousehold } from '../support/sharing.ts';
import { WebVisitor } from '../support/web-visitor.ts';
import { address, fillHome, ready, row, signInAt } from './files-support.ts';

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
}, 90_000);
afterAll(async () => {
  await browser?.close();
  await household?.close();
});

async function enter(username: string, path: string, options: BrowserContextOptions = {}) {
  const visited = await visit(browser, options);
  await visited.page.goto(address(household, path));
  await signInAt(visited.page, username, MEMBER.password);
  if (options.javaScriptEnabled !== false) await ready(visited.page);
  return visited;
}

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const addressOf = (page: Page) => page.getByLabel('Address', { exact: true }).inputValue();
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

describe('a page of its own for links', () => {
  it('works without JavaScript, with everything that was typed kept but a password', async () => {
    const options = { javaScriptEnabled: false };
    const { page, context } = await enter('olga', '/files/link?path=/ROOT/HOME/Plain', options);
    await page.getByRole('heading', { name: 'Link to “Plain”' }).waitFor();
    await page.getByText('More options').click();
    await page.getByRole('radio', { name: 'Look, download and send' }).check();
    await page.getByLabel('Password (optional)').fill('hush hush');
    await page.getByLabel('Downloads (optional)').fill('7');
    await page.getByLabel('Open until (optional)').fill('2020-01-31');
    await page.getByLabel('Terms to accept first').fill('\nOne\n</textarea><b>two</b>');
    await page.getByLabel('Download only').check();
    await button(page, 'Create link').click();
    await page.getByText('Choose a day that is not over yet.').waitFor();
    await expect.poll(() => page.getByRole('radio', { name: 'Look, download and send' }).isChecked()).toBe(true);
    await expect.poll(() => page.getByLabel('Downloads (optional)').inputValue()).toBe('7');
    await expect.poll(() => page.getByLabel('Open until (optional)').inputValue()).toBe('2020-01-31');
    await expect.poll(() => page.getByLabel('Terms to accept first').inputValue()).toBe('\nOne\n</textarea><b>two</b>');
    await expect.poll(() => page.getByLabel('Download only').isChecked()).toBe(true);
    expect(await page.content()).not.toContain('hush');
    // That it is gone is to be seen: a link without it would be open to all.
    await page.getByText('Type the password again.').waitFor();
    await page.getByLabel('Password (optional)').fill('hush hush');
    await page.getByLabel('Open until (optional)').fill('');
    await button(page, 'Create link').click();
    await page.getByText('The link is made.').waitFor();
    const state = () => page.locator('.known li').allTextContents();
    expect(await state()).toEqual(['Visitors can send files', '0 of 7 downloads used', 'Password', 'Terms']);
    const link = await addressOf(page);
    await page.getByText('Options', { exact: true }).click();
    await page.getByRole('radio', { name: 'Look and download' }).check();
    await page.getByLabel('Downloads (optional)').fill('');
    await button(page, 'Save changes').click();
    await page.getByText('Saved.').waitFor();
    expect(await state()).toEqual(['Password', 'Terms']);
    await button(page, 'For one download').click();
    await page.getByText('A link for one download is made.').waitFor();
    const once = await page.getByLabel('Address: For one download').inputValue();
    expect(await outside(once)).toBe(200);
    await page.getByText('End these links').click();
    await button(page, 'End all links').click();
    await page.getByText('The link has ended.').waitFor();
    for (const ended of [link, once]) expect(await outside(ended)).toBe(404);
    await context.close();
  });

  it('keeps the hour that a link ends at, until another day is chosen', async () => {
    const olga = household.as('olga');
    const path = '/ROOT/HOME/Plain/one.txt';
    const year = new Date().getFullYear() + 1;
    await olga.post('files/weblink', { path, expiry: `${year}-06-30 12:34:56`, notify: 1 });
    const { page, context } = await enter('olga', `/files/link?path=${path}`, { javaScriptEnabled: false });
    const known = async () => {
      const query = { path: '/ROOT/HOME/Plain', 'details[]': 'weblink-full' };
      return (await olga.get('files/browse', query)).body.data.files[0]['weblink-full'];
    };
    await page.getByText('Options', { exact: true }).click();
    await page.getByLabel('Show details of files').check();
    await button(page, 'Save changes').click();
    await page.getByText('Saved.').waitFor();
    expect(await known()).toMatchObject({ expiry: `${year}-06-30 12:34:56`, notify: true, show_metadata: true });
    await page.getByText('Options', { exact: true }).click();
    await page.getByLabel('Tell me by mail').uncheck();
    await page.getByLabel('Open until (optional)').fill(`${year}-07-01`);
    await button(page, 'Save changes').click();
    await page.getByText('Saved.').waitFor();
    expect(await known()).toMatchObject({ expiry: `${year}-07-01 23:59:59`, notify: false, show_metadata: true });
    await context.close();
  });

  it('says so where there is one already, and changes nothing of it', async () => {
    const path = '/ROOT/HOME/Closed/three.txt';
    const { page, context } = await enter('olga', `/files/link?path=${path}`, { javaScriptEnabled: false });
    const made = await household.as('olga').post('files/weblink', { path, download_limit: 3 });
    await page.getByText('More options').click();
    await page.getByLabel('Downloads (optional)').fill('9');
    await button(page, 'Create link').click();
    await page.getByText('There is a link already.').waitFor();
    expect(await addressOf(page)).toBe(made.body.data.url);
    expect(await page.locator('.known li').allTextContents()).toEqual(['0 of 3 downloads used']);
    await context.close();
  });

  it('shows names as text', async () => {
    const name = 'A <b>bold & "quoted" name.txt';
    const { page, complaints, context } = await enter('olga', '/files/?path=/ROOT/HOME');
    await page.locator('.items .item').filter({ hasText: name }).locator('.more').click();
    await page.getByRole('menuitem', { name: 'Link', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: `Link to “${name}”` });
    await dialog.waitFor();
    await button(page, 'Create link').click();
    await dialog.getByText('The link is made.').waitFor();
    await expect.poll(() => dialog.locator('b').count()).toBe(0);
    await page.goto(pageOf(`/ROOT/HOME/${name}`));
    await expect.poll(() => page.getByRole('heading', { level: 1 }).textContent()).toBe(`Link to “${name}”`);
    await inspect(page, 'link-page-made');
    await page.getByText('Options', { exact: true }).click();
    await page.getByLabel('Open until (optional)').fill('2020-01-31');
    await button(page, 'Save changes').click();
    await page.getByText('Choose a day that is not over yet.').waitFor();
    await inspect(page, 'link-page-refused');
    // The day that was refused.
    expect(complaints.filter((complaint) => !complaint.includes('400'))).toEqual([]);
    await context.close();
  });
});

describe('who may not make links', () => {
  it('is offered none, and finds no page to make them', async () => {
    await setPermissions(household, { gil: { weblink: false } });
    await fillHome(homeOf(household, 'gil'), { 'mine.txt': 'mine', 'folder/other.txt': 'other' });
    const { page, context } = await enter('gil', '/files/?path=/ROOT/HOME');
    expect(await offered(page, 'mine.txt')).not.toContain('Link');
    expect(await offered(page, 'folder')).not.toContain('Link');
    await expect.poll(() => page.getByRole('link', { name: 'My links' }).count()).toBe(0);
    await page.goto(address(household, '/files/item?path=/ROOT/HOME/mine.txt'));
    await expect.poll(() => page.getByRole('link', { name: 'Make a link' }).count()).toBe(0);
    const refused = await page.goto(pageOf('/ROOT/HOME/mine.txt'));
    expect(refused?.status()).toBe(403);
    const token = await page.locator('.files').getAttribute('data-token');
    const sent = await page.evaluate(`fetch('/files/link', { method: 'POST', headers: { Accept: 'application/json' },
      body: new URLSearchParams({ form_token: '${token}', path: '/ROOT/HOME/mine.txt', do: 'create' }) })
      .then((response) => response.json())`);
    expect(sent).toMatchObject({ success: false, code: 'permission_denied' });
    await context.close();
  });

  it('is who may not download, of files; of folders they can ask for files', async () => {
    await setPermissions(household, { sam: { download: false } });
    await fillHome(homeOf(household, 'sam'), { 'mine.txt': 'mine', 'folder/other.txt': 'other' });
    const { page, context } = await enter('sam', '/files/?path=/ROOT/HOME');
    expect(await offered(page, 'mine.txt')).not.toContain('Link');
    expect(await offered(page, 'folder')).toContain('Link');
    expect((await page.goto(pageOf('/ROOT/HOME/mine.txt')))?.status()).toBe(403);
    await page.goto(pageOf('/ROOT/HOME/folder'));
    await button(page, 'Create link').click();
    await page.getByText('The link is made.').waitFor();
    expect(await page.locator('.known li').allTextContents()).toEqual(['File request']);
    await context.close();
  });

  it('of what somebody shares is who may not share it further', async () => {
    const { olga, ben } = household.ids;
    const uid = Number(ben);
    const open = await household.share('/ROOT/HOME/Open', { uid, share: 1 });
    const closed = await household.share('/ROOT/HOME/Closed', { uid });
    const [mine, theirs] = [`/ROOT/${olga}/${open}`, `/ROOT/${olga}/${closed}`];
    const { page, context } = await enter('ben', `/files/?path=${mine}`);
    expect(await offered(page, 'two.txt')).toContain('Link');
    await page.goto(address(household, `/files/?path=${theirs}`));
    await ready(page);
    expect(await offered(page, 'three.txt')).not.toContain('Link');
    for (const path of [theirs, `${theirs}/three.txt`]) expect((await page.goto(pageOf(path)))?.status()).toBe(403);
    expect((await page.goto(pageOf('/ROOT/HOME')))?.status()).toBe(400);
    expect((await page.goto(pageOf(`${mine}/nothing`)))?.status()).toBe(404);

    await page.goto(pageOf(mine));
    await page.getByText('More options').click();
    // It is shared to be looked at: nobody sends anything there.
    await expect.poll(() => page.getByRole('radio').count()).toBe(1);
    await button(page, 'Create link').click();
    await page.getByText('The link is made.').waitFor();
    const link = await addressOf(page);
    expect(await outside(link)).toBe(200);

    // Whose it is sees who has made one, and ends it with their own.
    const other = await enter('olga', '/files/link?path=/ROOT/HOME/Open');
    await other.page.getByText('By Ben <b>Bell').waitFor();
    await inspect(other.page, 'link-page-others');
    expect(await other.page.content()).not.toContain(new URL(link).search);
    await other.context.close();

    await household.share('/ROOT/HOME/Open', { uid, share: 0 });
    expect(await outside(link)).toBe(404);
    await page.reload();
    await page.getByText('so your link opens nothing').waitFor();
    await expect.poll(() => button(page, 'For one download').count()).toBe(0);
    await expect.poll(() => page.getByText('Options', { exact: true }).count()).toBe(0);
    await inspect(page, 'link-page-closed');
    await page.getByText('End the link').first().click();
    await button(page, 'End the link').click();
    await page.getByText('The link has ended.').waitFor();
    // There is nothing more to be done there.
    await expect.poll(() => page.locator('.weblink button').count()).toBe(0);
    expect((await page.goto(pageOf(mine)))?.status()).toBe(403);
    await context.close();
  });
});
