import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SECOND } from '../../../dist/server/lib/clock.js';
import { t } from '../../../dist/server/messages/messages.js';
import { launchBrowser } from '../../support/browser/browser.ts';
import { inspect, sidewaysScroll } from '../../support/browser/page.ts';
import { itInFull } from '../../support/forms.ts';
import { type Household, openHousehold } from '../../support/households/household.ts';
import { addMembersWithHomes, homeOf, MEMBER, setPermissions } from '../../support/households/member.ts';
import { address, enterAt, fillHome, names, picture, ready, row, toast } from './support.ts';

let browser: Browser;
let household: Household;

beforeAll(async () => {
  [browser, household] = await Promise.all([launchBrowser(), openHousehold()]);
  await household.control('settings.update', { householdName: 'Orchard House' });
  await addMembersWithHomes(household, { mia: {}, tom: {} });
  await household.control('accounts.add', { ...MEMBER, username: 'guest', name: 'Gran' });
});
afterAll(async () => {
  await browser?.close();
  await household?.close();
});

async function as(username: string, path = '/files/') {
  return enterAt({ browser, household }, path, { username });
}

const go = async (page: Page, path: string) => {
  await page.goto(address(household, path));
  await ready(page);
};

describe('lists and pages other than ordinary folders', () => {
  itInFull('an empty home, starred items, photos and music explain their purpose', async () => {
    const { page, complaints, context } = await as('tom');
    await page.getByText(t('files.empty.folder.heading')).waitFor();
    await inspect(page, 'files-empty');
    const places = {
      Recent: t('files.empty.recent.heading'),
      Starred: t('files.empty.starred.heading'),
      Photos: t('files.empty.photos.heading'),
      Music: t('files.empty.music.heading'),
      Trash: t('files.empty.trash.heading'),
    };
    for (const [place, text] of Object.entries(places)) {
      await page
        .getByRole('navigation', { name: t('files.nav') })
        .getByRole('link', { name: place })
        .click();
      await page.getByText(text).waitFor();
    }
    expect(complaints).toEqual([]);
    await context.close();
  });

  itInFull('all pages can be reached in a narrow window without horizontal scrolling', async () => {
    const { page, complaints, context } = await as('tom');
    await page.setViewportSize({ width: 320, height: 640 });
    const nav = page.getByRole('navigation', { name: t('files.nav') });
    const shown = async () => (await nav.getByRole('link').allTextContents()).map((text) => text.trim());
    expect(await shown()).toEqual(['My Files', 'Recent', 'Photos']);
    await nav.getByText(t('files.nav.more')).click();
    const further = ['Shared with me', 'Starred', 'Music', 'My shares', 'My links', 'Trash'];
    expect((await shown()).slice(3, -1)).toEqual(further);
    await inspect(page, 'files-places');
    await page.setViewportSize({ width: 320, height: 640 });
    expect(await sidewaysScroll(page)).toBe(0);
    await nav.getByRole('link', { name: 'Shared with me' }).click();
    await page.getByText(t('files.empty.sharedWithMe.heading')).waitFor();
    expect(await shown()).toEqual(['My Files', 'Shared with me', 'Recent']);
    await nav.getByText(t('files.nav.more')).click();
    await nav.getByRole('link', { name: t('files.storage.label') }).click();
    await page.waitForURL('**/account/#storage');
    expect(complaints).toEqual([]);
    await context.close();
  });

  it('the trash shows dates and folders, restores, and deletes permanently', async () => {
    await fillHome(homeOf(household, 'mia'), {
      'Photos/lake.jpg': await picture(1),
      'letter.txt': 'dear',
      'old.txt': 'old',
    });
    const { page, complaints, context } = await as('mia');
    for (const name of ['letter.txt', 'old.txt', 'Photos']) {
      await row(page, name).locator('.open').focus();
      await page.keyboard.press('Delete');
      await toast(page, t('files.toast.deleted', { count: 1 }));
      await expect.poll(() => names(page)).not.toContain(name);
      household.clock.advance(SECOND);
    }
    await go(page, '/files/?path=/TRASH');
    expect(await names(page)).toEqual(['Photos', 'old.txt', 'letter.txt']);
    await row(page, 'Photos')
      .getByText(t('files.row.from', { folder: t('files.myFiles') }))
      .waitFor();
    await inspect(page, 'files-trash');
    await row(page, 'old.txt')
      .getByRole('link', { name: t('files.row.more', { name: 'old.txt' }) })
      .click();
    await page.getByRole('menuitem', { name: t('files.actions.erase') }).click();
    await page.getByRole('dialog', { name: t('files.forms.erase.heading', { count: 1, name: 'old.txt' }) }).waitFor();
    await inspect(page, 'files-erase');
    await page.getByRole('button', { name: t('files.actions.erase') }).click();
    await toast(page, t('files.toast.erased', { count: 1 }));
    await expect.poll(() => names(page)).toEqual(['Photos', 'letter.txt']);
    await row(page, 'Photos').locator('.pick input').check();
    await page
      .getByRole('toolbar')
      .getByRole('button', { name: t('files.actions.restore') })
      .click();
    await toast(page, t('files.actions.restore'));
    await page.getByRole('link', { name: t('files.actions.emptyTrash') }).click();
    await page
      .getByRole('dialog', { name: t('files.forms.emptyTrash.heading') })
      .getByRole('button', { name: t('files.actions.emptyTrash') })
      .click();
    await page.getByText(t('files.empty.trash.help')).waitFor();
    await go(page, '/files/do/move?path=/ROOT/HOME/Photos/lake.jpg');
    await inspect(page, 'files-form');
    await go(page, '/files/?path=/PHOTOS');
    await expect.poll(() => names(page)).toEqual(['lake.jpg']);
    expect(complaints).toEqual([]);
    await context.close();
  });

  itInFull('a search finds items in subfolders by name and contents', async () => {
    await fillHome(homeOf(household, 'mia'), {
      'Letters/Gran/plum jam.txt': 'Halve the plums and take out the stones.',
      'Letters/stones.txt': 'nothing',
    });
    const { page, complaints, context } = await as('mia');
    await expect
      .poll(async () => {
        await go(page, '/files/search?q=plum');
        return names(page);
      })
      .toEqual(['plum jam.txt']);
    await page.locator('.items .item', { hasText: 'plum jam.txt' }).getByText('Gran', { exact: true }).waitFor();
    await inspect(page, 'files-search');
    await page.getByRole('searchbox').fill('zebra');
    await page.keyboard.press('Enter');
    await page.getByText(t('search.none.heading')).waitFor();
    await inspect(page, 'files-search-none');
    expect(complaints).toEqual([]);
    await context.close();
  });

  itInFull('an account that may only read is offered no action that would be refused', async () => {
    await fillHome(homeOf(household, 'tom'), { 'a.txt': 'text', 'folder/b.txt': 'more' });
    await setPermissions(household, { tom: { readonly: true, download_folders: false } });
    const { page, complaints, context } = await as('tom');
    await page.getByText(t('files.readOnly')).waitFor();
    await expect
      .poll(() =>
        page
          .getByRole('link', { name: new RegExp(`${t('files.actions.upload')}|${t('files.actions.createFolder')}`) })
          .count(),
      )
      .toBe(0);
    await row(page, 'folder').locator('.open').focus();
    await page.keyboard.press('Shift+F10');
    expect(await page.getByRole('menuitem').allTextContents()).toEqual([
      `${t('files.actions.open')}${t('files.keys.enter')}`,
      t('files.actions.star'),
      t('files.actions.share'),
      t('files.actions.link'),
      t('files.actions.details'),
      `${t('files.actions.select')}${t('files.keys.space')}`,
    ]);
    await page.keyboard.press('Escape');
    const download = page.getByRole('toolbar').getByRole('button', { name: t('files.actions.download') });
    await row(page, 'a.txt').getByRole('checkbox').check();
    await download.waitFor();
    await row(page, 'folder').getByRole('checkbox').check();
    await download.waitFor({ state: 'hidden' });
    await page.keyboard.press('Escape');
    await page.keyboard.press('Delete');
    await page.keyboard.press('F2');
    await expect.poll(() => page.locator('dialog, .toast').count()).toBe(0);
    await inspect(page, 'files-read-only');
    await setPermissions(household, { tom: { download: false } });
    await go(page, '/files/item?path=/ROOT/HOME/a.txt');
    await page.getByText(t('item.preview.denied')).waitFor();
    await expect.poll(() => page.getByRole('link', { name: t('files.actions.link'), exact: true }).count()).toBe(0);
    expect(complaints).toEqual([]);
    await setPermissions(household, { tom: {} });
    await context.close();
  });

  itInFull('an account without a home starts at the items shared with it', async () => {
    const { page, complaints, context } = await as('guest');
    await page.getByRole('heading', { name: 'Shared with me' }).waitFor();
    await page.getByText(t('files.empty.sharedWithMe.heading')).waitFor();
    await expect.poll(() => page.getByRole('link', { name: t('files.myFiles') }).count()).toBe(0);
    await inspect(page, 'files-no-home');
    expect(complaints).toEqual([]);
    await context.close();
  });

  itInFull('missing items and an unavailable disk are explained in words', async () => {
    const { page, context } = await as('mia');
    const gone = await page.goto(address(household, '/files/?path=/ROOT/HOME/nowhere'));
    expect(gone?.status()).toBe(404);
    await page.getByRole('heading', { name: t('files.errors.missing.heading') }).waitFor();
    await inspect(page, 'files-gone');
    const home = homeOf(household, 'mia');
    await rename(home, join(household.folder, 'away'));
    try {
      const offline = await page.goto(address(household, '/files/?path=/ROOT/HOME'));
      expect([offline?.status(), offline?.headers()['retry-after']]).toEqual([503, '30']);
      await page.getByText(t('files.errors.offline.heading')).waitFor();
      await inspect(page, 'files-offline');
    } finally {
      await rename(join(household.folder, 'away'), home);
    }
    await context.close();
  });
});
