import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launchBrowser } from '../support/browser/browser.ts';
import { inspect, type Visit, visit } from '../support/browser/page.ts';
import { itInFull } from '../support/forms.ts';
import { type Household, OWNER, openHousehold } from '../support/households/household.ts';
import type { ApiClient } from '../support/requests/api-client.ts';
import { t } from '../support/server-texts.ts';

let browser: Browser;
let household: Household;
let api: ApiClient;

beforeAll(async () => {
  [browser, household] = await Promise.all([launchBrowser(), openHousehold()]);
  api = await household.signIn();
});
afterAll(async () => {
  await browser?.close();
  await household?.close();
});

const address = (path: string) => `https://127.0.0.1:${household.port}${path}`;
const link = (page: Page) => page.getByRole('link', { name: t('account.hidden.heading') });

async function atAccount({ username, password }: { username: string; password: string } = OWNER): Promise<Visit> {
  const visited = await visit(browser);
  const { page } = visited;
  await page.goto(address('/account/'));
  await page.getByLabel(t('signIn.username')).fill(username);
  await page.getByLabel(t('signIn.password')).fill(password);
  await page.getByRole('button', { name: t('signIn.submit') }).click();
  await page.getByRole('heading', { name: username, level: 1 }).waitFor();
  return visited;
}

describe('files of macOS and Windows', () => {
  it('are counted on the account page, and go to the trash once the person confirms it', async () => {
    await mkdir(join(household.home, 'Trips'));
    const paths = ['Photo.jpg', '._Photo.jpg', 'Trips/.DS_Store', 'Trips/notes.txt', 'Trips/DESKTOP.INI'];
    for (const path of paths)
      expect((await api.put({ path: `/ROOT/HOME/${path}` }, Buffer.alloc(2_048))).status).toBe(201);
    const { page, context, complaints } = await atAccount();
    await page.getByText(t('account.storage.hidden', { files: 3, size: '6.0 KB' })).waitFor();
    await inspect(page, 'account-hidden-files');
    await link(page).click();
    await page.getByText(t('account.hidden.lead', { files: 3, size: '6.0 KB' })).waitFor();
    await inspect(page, 'hidden-files');
    await page.getByRole('button', { name: t('account.hidden.submit') }).click();
    await page.getByText(t('account.done.hiddenFiles')).waitFor();
    expect(await link(page).count()).toBe(0);
    expect(await readdir(household.home)).not.toContain('._Photo.jpg');
    expect(await readdir(household.home)).toContain('Photo.jpg');
    expect(await readdir(join(household.home, 'Trips'))).toEqual(['notes.txt']);

    await page.goto(address('/files/?path=/TRASH'));
    await page.getByText(t('files.empty.hidden.heading')).waitFor();
    await inspect(page, 'trash-hidden-files');
    await page.getByText(t('files.actions.emptyTrash')).click();
    await page.getByText(t('files.forms.emptyTrash.lead', { count: 3 })).waitFor();
    await page.getByRole('button', { name: t('files.actions.emptyTrash') }).click();
    await page.getByText(t('files.empty.trash.heading')).waitFor();
    const left = await api.get('files/browse', { path: '/TRASH' });
    expect(left.body.data.files).toEqual([]);
    expect(complaints).toEqual([]);
    await context.close();
  });

  itInFull('are removed in several requests, however many there are', async () => {
    const folder = join(household.home, 'Many');
    await mkdir(folder);
    for (let number = 0; number < 520; number += 1) await writeFile(join(folder, `._${number}.jpg`), 'attributes');
    await writeFile(join(folder, '1.jpg'), 'photo');
    await api.get('files/browse', { path: '/ROOT/HOME/Many' });
    const { page, context, complaints } = await atAccount();
    await link(page).click();
    const replies: number[] = [];
    page.on('response', (response) => {
      if (response.request().method() === 'POST') replies.push(response.status());
    });
    await page.getByRole('button', { name: t('account.hidden.submit') }).click();
    await page.getByText(t('account.done.hiddenFiles')).waitFor();
    expect(replies).toEqual([200, 303]);
    expect(await readdir(folder)).toEqual(['1.jpg']);
    const { body } = await api.get('files/browse', { path: '/TRASH', limit: 1 });
    expect(body.data.meta.total).toBe(520);
    expect(complaints).toEqual([]);
    await context.close();
  });

  it('are not removed if the account may only read', async () => {
    const password = 'correct horse battery';
    await household.control('accounts.add', { username: 'mia', name: 'mia', password, createHomeFolder: true });
    const home = join(household.home, '..', 'mia');
    expect(await readdir(home)).toBeDefined();
    await writeFile(join(home, '.DS_Store'), 'settings');
    const { page, context } = await atAccount({ username: 'mia', password });
    await page.goto(address('/files/'));
    await page.goto(address('/account/'));
    await link(page).click();
    await household.control('accounts.update', { username: 'mia', permissions: { readonly: true } });
    await page.getByRole('button', { name: t('account.hidden.submit') }).click();
    await page.getByRole('heading', { name: t('failed.heading') }).waitFor();
    await page.goto(address('/account/'));
    await page.getByText(t('account.storage.hidden', { files: 1, size: '8 bytes' })).waitFor();
    expect(await link(page).count()).toBe(0);
    expect(await readdir(home)).toContain('.DS_Store');
    await context.close();
  });
});
