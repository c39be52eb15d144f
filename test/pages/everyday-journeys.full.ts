// What a family does with its files from one day to the next. `npm run screenshots` makes the pictures of docs/design from them.
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { t } from '../../dist/server/messages/messages.js';
import { launchBrowser } from '../support/browser/browser.ts';
import { visit } from '../support/browser/page.ts';
import { makePdf } from '../support/content/make-pdf.ts';
import { type Household, OWNER, openHousehold } from '../support/households/household.ts';
import { eventually } from '../support/system/eventually.ts';
import { fillHome, picture, row, sampleHome } from './files/support.ts';
import { DEVICES, type Device, EACH_DEVICE, enterAs, menuItem, recorder } from './journey-support.ts';
import { choose, list, onDevice, readyToSend } from './links/link-send-support.ts';

let browser: Browser;
let household: Household;

beforeAll(async () => {
  browser = await launchBrowser();
});
beforeEach(async () => {
  household = await openHousehold();
  await household.control('settings.update', { householdName: 'Orchard House' });
  await household.control('accounts.update', { username: OWNER.username, name: 'Ann' });
  await sampleHome(household.home);
});
afterEach(() => household?.close());

const enter = (path: string, device: Device) => enterAs(browser, household, path, device);

/** Files whose names say nothing: what is in them does. */
const SCANS = {
  'Scan 0412.pdf': ['Hansen Electrical', 'Invoice 20931', 'Washing machine WM 7', '2 years of guarantee', '489.00'],
  'Scan 0413.pdf': ['Hansen Electrical', 'Invoice 20977', 'Kettle', '2 years of guarantee', '29.00'],
  'Scan 0520.pdf': ['Orchard School', 'Letter to parents', 'The summer fair is in June.'],
};

describe.each(EACH_DEVICE)('on a %s', (device) => {
  it('a person finds the invoice of the washing machine', async () => {
    const shoot = recorder('find-invoice', device);
    const scans = Object.entries(SCANS).map(([name, lines]) => [`Documents/Scans/${name}`, makePdf([lines])] as const);
    await fillHome(household.home, Object.fromEntries(scans));
    const api = await household.signIn();
    await eventually(
      () => api.post('files/search', { path: '/ROOT/HOME', contents: 'washing machine' }),
      ({ body }) => body.data?.files.length === 1,
    );
    const { page, context, complaints } = await enter('/files/', device);
    if (device === 'phone') await page.getByRole('link', { name: t('search.open') }).tap();
    else await page.keyboard.press('/');
    await page.getByRole('searchbox', { name: t('search.label') }).pressSequentially('invoice');
    for (const words of ['Kettle', 'Washing machine']) await page.locator('.passage', { hasText: words }).waitFor();
    await shoot(page);
    await page.getByRole('searchbox', { name: t('search.label') }).pressSequentially(' washing machine');
    const found = page.locator('.group[data-group=contents] .item');
    await expect.poll(() => found.count()).toBe(1);
    await found.locator('.passage').waitFor();
    await shoot(page);
    await found.locator('.open').click();
    await page.getByRole('heading', { level: 1, name: 'Scan 0412.pdf' }).waitFor();
    const paper = page.frameLocator('iframe');
    await paper.getByText('Washing machine WM 7').first().waitFor();
    await shoot(page);
    const [saved] = await Promise.all([
      page.waitForEvent('download'),
      page
        .locator('.facts')
        .getByRole('link', { name: t('files.actions.download') })
        .click(),
    ]);
    const original = await readFile(join(household.home, 'Documents', 'Scans', 'Scan 0412.pdf'));
    expect(original.equals(await readFile((await saved.path()) ?? ''))).toBe(true);
    expect(complaints).toEqual([]);
    await context.close();
  });

  it('guests of a wedding send their photos', async () => {
    const shoot = recorder('wedding-photos', device);
    const { page, context, complaints } = await enter('/files/', device);
    await page.getByRole('link', { name: t('files.actions.createFolder') }).click();
    await page.getByLabel(t('files.forms.name')).fill('Wedding photos');
    await page.getByRole('button', { name: t('files.forms.createFolder.submit') }).click();
    await row(page, 'Wedding photos').locator('.more').click();
    await menuItem(page, t('files.actions.link')).click();
    const dialog = page.getByRole('dialog', { name: t('weblinks.heading', { name: 'Wedding photos' }) });
    await dialog.waitFor();
    const options = dialog.getByText(t('weblinks.more'));
    await options.click();
    await dialog.getByLabel(t('weblinks.visitors.send.label')).check();
    await shoot(page);
    await dialog.getByRole('button', { name: t('weblinks.create'), exact: true }).click();
    await dialog.getByText(t('weblinks.done.created')).waitFor();
    await shoot(page);
    const link = await dialog.getByLabel(t('weblinks.address'), { exact: true }).inputValue();

    const bob = await visit(browser, DEVICES[device]);
    const own = await mkdtemp(join(tmpdir(), 'larder-guest-'));
    try {
      const files: Record<string, Buffer> = {};
      for (const number of [1, 2, 3]) files[`Wedding ${number}.jpg`] = await picture(number, 1_200, 900);
      await bob.page.goto(link);
      await readyToSend(bob.page);
      await bob.page.getByLabel(t('links.send.name')).fill('Uncle Bob');
      await shoot(bob.page);
      await choose(
        bob.page,
        await onDevice(own, files),
        t(device === 'phone' ? 'links.send.choose' : 'links.send.chooseHere'),
      );
      await list(bob.page)
        .getByText(t('links.send.list.done', { count: 3 }))
        .waitFor();
      await shoot(bob.page);
    } finally {
      await rm(own, { recursive: true, force: true });
    }

    await dialog.getByRole('button', { name: t('weblinks.close') }).click();
    await row(page, 'Wedding photos').locator('.open').click();
    await page.getByRole('heading', { level: 1, name: 'Wedding photos' }).waitFor();
    await page.getByRole('link', { name: t('files.view.gallery') }).click();
    const photos = page.locator('.gallery .item img');
    const widths = () => photos.evaluateAll((all) => all.map((one) => (one as HTMLImageElement).naturalWidth > 0));
    await expect.poll(widths).toEqual([true, true, true]);
    await shoot(page);
    expect((await readdir(join(household.home, 'Wedding photos'))).length).toBe(3);
    expect([...complaints, ...bob.complaints]).toEqual([]);
    await Promise.all([context.close(), bob.context.close()]);
  });
});
