// What people do with the product from beginning to end, each step by what the page before it shows. `npm run screenshots` makes
// the pictures of docs/design from them.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { DAY } from '../../dist/server/lib/clock.js';
import { t } from '../../dist/server/messages/messages.js';
import { launchBrowser, launchCheckingBrowser } from '../support/browser/browser.ts';
import { visit } from '../support/browser/page.ts';
import { t as panelText } from '../support/browser/panel-texts.ts';
import { ANN, firstRunPage, PASSWORD } from '../support/households/first-run.ts';
import { type Household, OWNER, openHousehold } from '../support/households/household.ts';
import { address, fillHome, picture, ready, row, sampleHome, signInAt } from './files/support.ts';
import { DEVICES, type Device, EACH_DEVICE, enterAs, menuItem, recorder } from './journey-support.ts';
import { isWhole, viewer } from './photos/viewer-support.ts';
import { AGENTS, nextCertificate, passWarning } from './trust-support.ts';

let browser: Browser;
let household: Household;

beforeAll(async () => {
  browser = await launchBrowser();
});
beforeEach(async () => {
  household = await openHousehold();
  await household.control('settings.update', { householdName: 'Orchard House' });
  await household.control('accounts.update', { username: OWNER.username, name: 'Ann' });
});
afterEach(() => household?.close());

const enter = (path: string, device: Device) => enterAs(browser, household, path, device);

describe.each(EACH_DEVICE)('on a %s', (device) => {
  it('a person gets from the set-up to the first file', async () => {
    const shoot = recorder('set-up', device);
    await household.close();
    household = await openHousehold({ owner: null });
    const { page, context, complaints } = await visit(browser, DEVICES[device]);
    await page.goto(String((await household.control('panel.link')).url));
    const { button, fill, goOn, asks } = firstRunPage(page);
    await asks('you');
    await fill(ANN);
    await shoot(page);
    await goOn('address');
    await fill({ [panelText('firstRun.address.household')]: 'Orchard House' });
    await shoot(page);
    await goOn('apps');
    await shoot(page);
    await button(panelText('firstRun.apps.submit')).click();
    const done = panelText('firstRun.done.heading', { household: 'Orchard House' });
    await page.getByRole('heading', { level: 1, name: done }).waitFor();
    await shoot(page);
    const [files] = await Promise.all([
      context.waitForEvent('page'),
      page.getByRole('link', { name: panelText('firstRun.done.openFiles') }).click(),
    ]);
    await signInAt(files, ANN[panelText('firstRun.you.username')], PASSWORD);
    await ready(files);
    const [chooser] = await Promise.all([
      files.waitForEvent('filechooser'),
      files.getByRole('link', { name: t('files.actions.upload') }).click(),
    ]);
    const buffer = Buffer.from('Dear Gran, we come on Saturday.');
    await chooser.setFiles({ name: 'Letter to Gran.txt', mimeType: 'text/plain', buffer });
    await row(files, 'Letter to Gran.txt').waitFor();
    await files.getByRole('region', { name: t('uploads.heading') }).waitFor();
    await shoot(files);
    expect(await readFile(join(household.folder, 'homes', 'ann', 'Letter to Gran.txt'), 'utf8')).toContain('Saturday');
    expect(complaints).toEqual([]);
    await context.close();
  });

  it('a device is added, which then trusts the server', async () => {
    const shoot = recorder('add-device', device);
    const owner = await visit(browser, DEVICES.desktop);
    await owner.page.goto(String((await household.control('panel.link')).url));
    await owner.page.getByRole('heading', { name: panelText('overview.heading') }).waitFor();
    await owner.page.goto(`${new URL(owner.page.url()).origin}/#/household`);
    await owner.page.getByRole('heading', { name: panelText('household.title') }).waitFor();
    if (device === 'desktop') await shoot(owner.page);
    const shown = (await owner.page.locator('main').textContent()) ?? '';
    await owner.context.close();
    const [digits = ''] = /(?:[0-9A-F]{2}[: ]){7}[0-9A-F]{2}/.exec(shown) ?? [];
    const number = ((await household.control('status')) as { authorityFingerprint: string }).authorityFingerprint;
    // What the panel shows is only reachable from elsewhere where there is a network; the digits are the same.
    const typed = digits === '' ? number.slice(0, 23) : digits;

    const next = await nextCertificate(household);
    const checking = await launchCheckingBrowser([`--ignore-certificate-errors-spki-list=${next.publicKeyHash}`]);
    try {
      const userAgent = device === 'phone' ? AGENTS.android : AGENTS.windows;
      const { page, context } = await visit(checking, { ...DEVICES[device], userAgent });
      await passWarning(household, page, address(household, ''));
      await page.goto(address(household, '/'));
      await shoot(page);
      await page.getByRole('link', { name: t('landing.trust.add') }).click();
      await page.locator('[data-state=untrusted]').waitFor();
      await page.getByLabel(t('trust.number.label')).fill(typed);
      await page.getByRole('button', { name: t('trust.number.compare') }).click();
      await page.getByText(t('trust.number.same'), { exact: true }).waitFor();
      await page.locator('[data-state=untrusted]').waitFor();
      await shoot(page);
      await next.use();
      const kind = device === 'phone' ? 'phone' : 'computer';
      await page.getByRole('heading', { name: t('trust.done.heading', { device: kind }) }).waitFor();
      await shoot(page);
      await page.getByRole('link', { name: t('trust.done.open') }).click();
      await page.getByLabel(t('signIn.username')).waitFor();
      await shoot(page);
      await context.close();
    } finally {
      await checking.close();
      await next.remove();
    }
  });

  it('the owner opens the panel on the next day without a terminal', async () => {
    const shoot = recorder('next-day', device);
    const { page, context, complaints } = await visit(browser, DEVICES[device]);
    await page.goto(`http://127.0.0.1:${household.controlPort}/#/people`);
    await page.getByRole('heading', { name: panelText('locked.signInHeading') }).waitFor();
    await shoot(page);
    await page.getByRole('link', { name: panelText('locked.signIn') }).click();
    await page.getByLabel(panelText('panelSignIn.username')).fill(OWNER.username);
    await page.getByLabel(panelText('panelSignIn.password'), { exact: true }).fill(OWNER.password);
    await shoot(page);
    await page.getByRole('button', { name: panelText('panelSignIn.submit') }).click();
    await page.getByRole('heading', { name: panelText('people.title') }).waitFor();
    await shoot(page);
    household.clock.advance(DAY);
    const later = await context.newPage();
    await later.goto(`https://localhost:${household.port}/panel/`);
    await later.getByRole('heading', { name: panelText('overview.heading') }).waitFor();
    await later.getByText(panelText('overview.activity')).waitFor();
    await shoot(later);
    expect(complaints).toEqual([]);
    await context.close();
  });

  it('an earlier version of a letter is restored', async () => {
    const shoot = recorder('earlier-version', device);
    await sampleHome(household.home);
    const letters = { filePath: '/ROOT/HOME/Letters/Letter to Gran.md' };
    const contents = [
      '# Dear Gran\n\nWe come on Saturday.\nBen brings the cake.\n\nLove, Ann\n',
      '# Dear Gran\n\nWe come on Sunday.\nBen brings the cake.\n\nLove, Ann and Ben\n',
    ];
    for (const content of contents) {
      const lastModified = Math.floor(household.clock.now() / 1_000);
      const { body } = await (await household.signIn()).put({ ...letters, lastModified }, content);
      expect(body.success).toBe(true);
      household.clock.advance(2 * DAY);
    }
    const { page, context, complaints } = await enter('/files/?path=/ROOT/HOME/Letters', device);
    await row(page, 'Letter to Gran.md').locator('.more').click();
    await menuItem(page, t('files.actions.versions')).waitFor();
    await shoot(page);
    await menuItem(page, t('files.actions.versions')).click();
    await page.locator('.version').last().click();
    await page.locator('.older').waitFor();
    await page.frameLocator('iframe').getByRole('heading', { name: 'Dear Gran' }).waitFor();
    await page.frameLocator('iframe').getByText('We come on Saturday.').waitFor();
    await shoot(page);
    await page.getByRole('link', { name: t('versions.compare') }).click();
    await page.getByRole('heading', { name: t('versions.comparison.heading') }).waitFor();
    await shoot(page);
    await page.getByRole('button', { name: t('versions.restore') }).click();
    await page.getByText(t('versions.done.restored')).waitFor();
    await page.frameLocator('iframe').getByRole('heading', { name: 'Dear Gran' }).waitFor();
    await page.frameLocator('iframe').getByText('We come on Saturday.').waitFor();
    await shoot(page);
    expect(await readFile(join(household.home, 'Letters', 'Letter to Gran.md'), 'utf8')).toBe(contents[0]);
    expect(complaints).toEqual([]);
    await context.close();
  });

  it('a photo is sent to a person without an account', async () => {
    const shoot = recorder('photo-to-gran', device);
    await sampleHome(household.home);
    const name = 'Gran and the dog.jpg';
    await fillHome(household.home, { [`Photos/Summer at the lake/${name}`]: await picture(3, 1600, 1100) });
    const { page, context, complaints } = await enter('/files/?path=/ROOT/HOME/Photos/Summer at the lake', device);
    await row(page, name).locator('.more').click();
    await menuItem(page, t('files.actions.link')).click();
    const dialog = page.getByRole('dialog', { name: t('weblinks.heading', { name }) });
    await dialog.waitFor();
    await shoot(page);
    await dialog.getByRole('button', { name: t('weblinks.create'), exact: true }).click();
    await dialog.getByText(t('weblinks.done.created')).waitFor();
    await shoot(page);
    const link = await dialog.getByLabel(t('weblinks.address'), { exact: true }).inputValue();
    const gran = await visit(browser, DEVICES[device]);
    await gran.page.goto(link);
    await gran.page.locator('.stage .enlarge').waitFor();
    await shoot(gran.page);
    await gran.page.locator('.stage .enlarge').click();
    await viewer(gran.page, name).waitFor();
    await isWhole(gran.page);
    await shoot(gran.page);
    const [saved] = await Promise.all([
      gran.page.waitForEvent('download'),
      viewer(gran.page)
        .getByRole('button', { name: t('files.actions.download') })
        .click(),
    ]);
    const original = await readFile(join(household.home, 'Photos', 'Summer at the lake', name));
    expect(original.equals(await readFile((await saved.path()) ?? ''))).toBe(true);
    expect([...complaints, ...gran.complaints]).toEqual([]);
    await Promise.all([context.close(), gran.context.close()]);
  });
});
