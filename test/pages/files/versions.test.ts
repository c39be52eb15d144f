import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DAY, HOUR, MINUTE } from '../../../dist/server/lib/clock.js';
import { t } from '../../../dist/server/messages/messages.js';
import { launchBrowser } from '../../support/browser/browser.ts';
import { inspect } from '../../support/browser/page.ts';
import { docx, xlsx } from '../../support/content/documents.ts';
import { itInFull } from '../../support/forms.ts';
import { homeOf } from '../../support/households/member.ts';
import { openSharingHousehold, type SharingHousehold } from '../../support/requests/sharing.ts';
import { address, enterAt, picture, row, sampleHome } from './support.ts';

const HOME = '/ROOT/HOME';
const LETTER = `${HOME}/Letters/Letter to Gran.md`;
const FIRST = '# Dear Gran\n\nWe come on Saturday.\nBen brings the cake.\n\nLove, Olga\n';
const SECOND = '# Dear Gran\n\nWe come on Sunday.\nBen brings the cake.\n\nLove, Olga and Ben\n';
const THIRD = `${SECOND}\nPS: The dog comes, too.\n`;

let browser: Browser;
let household: SharingHousehold;

beforeAll(async () => {
  [browser, household] = await Promise.all([launchBrowser(), openSharingHousehold()]);
  await household.control('settings.update', { householdName: 'Orchard House' });
  for (const [username, name] of [
    ['olga', 'Olga'],
    ['ben', 'Ben'],
  ])
    await household.control('accounts.update', { username, name });
  await sampleHome(homeOf(household, 'olga'));
});
afterAll(async () => {
  await browser?.close();
  await household?.close();
});

/** Olga saves a file. Its time is that of the clock. */
async function save(path: string, content: string | Buffer): Promise<void> {
  // Tokens do not last for days.
  await household.signInAgain('olga');
  const lastModified = Math.floor(household.clock.now() / 1_000);
  const { text, body } = await household.as('olga').put({ filePath: path, lastModified }, content);
  if (body.success !== true) throw new Error(text);
}

/** A letter of three contents, each saved on another day. */
async function writeLetter(path: string): Promise<void> {
  await save(path, FIRST);
  household.clock.advance(9 * DAY);
  await save(path, SECOND);
  household.clock.advance(DAY - HOUR);
  await save(path, THIRD);
  household.clock.advance(HOUR);
}

async function enter(username: string, path: string, options: { javaScriptEnabled?: boolean } = {}) {
  return enterAt({ browser, household }, path, { username, ...options });
}

const versionsAt = (path: string) => `/files/versions?path=${encodeURIComponent(path)}`;
const listed = (page: Page) => page.locator('.version-list .version').count();
const content = async (path: string) => {
  await household.signInAgain('olga');
  return (await household.as('olga').get('files/download', { path })).text;
};

describe('the versions of a file', () => {
  it('are opened from the menu of a row, viewed, compared, restored and deleted', async () => {
    await writeLetter(LETTER);
    const { page, complaints, context } = await enter('olga', `/files/?path=${HOME}/Letters`);
    await row(page, 'Letter to Gran.md').locator('.more').click();
    await page.getByRole('menuitem', { name: t('files.actions.versions') }).click();
    await expect.poll(() => listed(page)).toBe(3);
    const now = page.frameLocator('iframe');
    await now.getByText('PS: The dog comes, too.').waitFor();
    await page.locator('.version').last().click();
    await page.locator('.older').waitFor();
    await page.frameLocator('iframe').getByText('We come on Saturday.').waitFor();
    await inspect(page, 'versions');

    await page.getByRole('link', { name: t('versions.compare') }).click();
    await page.getByRole('heading', { name: t('versions.comparison.heading') }).waitFor();
    const marked = (side: string) => page.locator(`.compared .${side} mark`).allTextContents();
    expect(await marked('removed')).toEqual(['Saturday']);
    expect(await marked('added')).toEqual(['Sunday', ' and Ben', '', 'PS: The dog comes, too.']);
    await inspect(page, 'versions-comparison');
    await page.getByRole('button', { name: t('versions.restore') }).click();
    await page.getByText(t('versions.done.restored')).waitFor();
    expect(await content(LETTER)).toBe(FIRST);
    await expect.poll(() => listed(page)).toBe(4);

    await page.locator('.version').nth(1).click();
    await page.locator('.version-delete summary').click();
    await page.getByRole('button', { name: t('versions.deleteSubmit') }).click();
    await page.getByText(t('versions.done.deleted')).waitFor();
    await expect.poll(() => listed(page)).toBe(3);
    // Back at the file by its name at the top.
    await page.locator('.facts .title').click();
    await page.getByRole('link', { name: t('item.versionsLink') }).waitFor();
    expect(await page.locator('.of-versions').count()).toBe(0);
    // And to the versions again, which have a style of their own.
    await page.getByRole('link', { name: t('item.versionsLink') }).click();
    await page.locator('.of-versions').waitFor();
    const style = () =>
      page
        .locator('.version-list')
        .first()
        .evaluate((list) => getComputedStyle(list).listStyleType);
    await expect.poll(style).toBe('none');
    expect(complaints).toEqual([]);
    await context.close();
  });

  it('show the sheets and the text of an earlier version as those of the present one', async () => {
    const workbook = (text: string) => xlsx([], `<row><c t="str"><v>${text}</v></c></row>`);
    const letter = (text: string) => docx(`<w:p><w:r><w:t>${text}</w:t></w:r></w:p>`);
    const files = { 'Jars.xlsx': workbook, 'Plan.docx': letter };
    for (const [name, of] of Object.entries(files)) {
      await save(`${HOME}/Letters/${name}`, of('Plums'));
      household.clock.advance(DAY);
      await save(`${HOME}/Letters/${name}`, of('Quinces'));
    }
    const { page, complaints, context } = await enter('olga', `/files/?path=${HOME}/Letters`);
    for (const name of Object.keys(files)) {
      await page.goto(address(household, versionsAt(`${HOME}/Letters/${name}`)));
      await page.locator('.paper').getByText('Quinces').waitFor();
      await page.locator('.version').last().click();
      await page.locator('.older').waitFor();
      await page.locator('.paper').getByText('Plums').waitFor();
      expect(await page.locator('.paper').getByText('Quinces').count()).toBe(0);
      await inspect(page, `versions-of-${name.split('.')[1]}`);
    }
    expect(complaints).toEqual([]);
    await context.close();
  });

  itInFull('are restored from their page without a script, and an earlier picture is shown', async () => {
    const path = `${HOME}/Boat.jpg`;
    const [before, after] = [await picture(1), await picture(2)];
    await save(path, before);
    await save(path, after);
    const { page, complaints, context } = await enter('olga', versionsAt(path), { javaScriptEnabled: false });
    await page.locator('.version').last().click();
    await page.locator('.older').waitFor();
    const source = await page.locator('.shown img').getAttribute('src');
    const sent = await context.request.get(new URL(source ?? '', page.url()).href, { ignoreHTTPSErrors: true });
    expect(Buffer.compare(await sent.body(), before)).toBe(0);
    await page.getByRole('button', { name: t('versions.restore') }).click();
    await page.getByText(t('versions.done.restored')).waitFor();
    const now = await household.as('olga').get('files/download', { path, version: 3 });
    expect(now.headers['content-length']).toBe(String(before.length));
    expect(complaints).toEqual([]);
    await context.close();
  });

  itInFull(
    'have messages for a missing version, no earlier one, a folder, and texts that differ too much',
    async () => {
      const path = `${HOME}/One.txt`;
      await save(path, 'one\n');
      const { page, context } = await enter('olga', versionsAt(path));
      await page.getByText(t('versions.none')).waitFor();
      await page.goto(address(household, `${versionsAt(path)}&version=7`));
      await page.getByRole('heading', { name: t('files.errors.missing.heading') }).waitFor();
      await page.goto(address(household, versionsAt(`${HOME}/Photos`)));
      await page.getByRole('heading', { name: t('files.errors.missing.heading') }).waitFor();

      const lines = (word: string) => Array.from({ length: 4_000 }, (_, line) => `${word} ${line}`).join('\n');
      await save(path, lines('before'));
      await save(path, lines('after'));
      await page.goto(address(household, `/files/versions/compare?path=${encodeURIComponent(path)}&version=2`));
      await page.getByText(t('versions.comparison.tooDifferent')).waitFor();
      await context.close();
    },
  );

  it('offer a recipient the actions that the share allows', async () => {
    const path = `${HOME}/Shared/Plan.txt`;
    await save(path, 'before the share\n');
    household.clock.advance(MINUTE);
    await save(path, 'at the start\n');
    household.clock.advance(MINUTE);
    const id = await household.share(`${HOME}/Shared`, { uid: household.ids.ben, download: 1, alter: 1, upload: 1 });
    household.clock.advance(MINUTE);
    await save(path, 'since then\n');
    const shared = `/ROOT/${household.ids.olga}/${id}/Plan.txt`;
    const { page, context } = await enter('ben', versionsAt(shared));
    await page.getByText(t('versions.shared')).waitFor();
    expect(await listed(page)).toBe(2);
    await page.locator('.version').last().click();
    await page.getByText('at the start').waitFor();
    expect(await page.locator('.version-delete').count()).toBe(0);
    await page.getByRole('button', { name: t('versions.restore') }).click();
    await page.getByText(t('versions.done.restored')).waitFor();
    expect(await content(path)).toBe('at the start\n');
    await page.goto(address(household, `${versionsAt(shared)}&version=1`));
    await page.getByRole('heading', { name: t('files.errors.missing.heading') }).waitFor();
    await context.close();
  });
});
