import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launchBrowser } from '../../support/browser/browser.ts';
import { inspect } from '../../support/browser/page.ts';
import { itInFull, sampled } from '../../support/forms.ts';
import { homeOf } from '../../support/households/member.ts';
import { addField } from '../../support/requests/fields.ts';
import { openSharingHousehold, type SharingHousehold } from '../../support/requests/sharing.ts';
import { like, t } from '../../support/server-texts.ts';
import { address, enterAt, fillHome, row, sampleHome, toast } from './support.ts';

const HOME = '/ROOT/HOME';
const MARKUP = '<img src=x onerror="document.title=1">';

let browser: Browser;
let household: SharingHousehold;
beforeAll(async () => {
  [browser, household] = await Promise.all([launchBrowser(), openSharingHousehold()]);
  await household.control('settings.update', { householdName: 'Orchard House' });
  await sampleHome(homeOf(household, 'olga'));
  await addField(household, { name: 'Where the original is', kind: 'text' });
  await addField(household, { name: 'Notes', kind: 'longtext' });
  await addField(household, { name: 'Bought', kind: 'date' });
  await addField(household, { name: 'Price', kind: 'number' });
  await addField(household, { name: 'Room', kind: 'choice', options: ['Kitchen', 'Attic'] });
  await addField(household, { name: 'For', kind: 'choices', options: ['Ann', 'Ben', 'Gil'] });
});
afterAll(async () => {
  await browser?.close();
  await household?.close();
});

const item = (path: string) => `/files/item?path=${encodeURIComponent(path)}`;

async function enter(username: string, path: string, options: { javaScriptEnabled?: boolean } = {}) {
  return enterAt({ browser, household }, path, { username, ...options });
}

const tags = (page: Page) => page.locator('.tags bdi').allTextContents();
const facts = async (page: Page) =>
  Object.fromEntries(
    await page
      .locator('.details dl > div')
      .evaluateAll((rows) =>
        rows.map((row) => [row.querySelector('dt')?.textContent ?? '', row.querySelector('dd')?.textContent ?? '']),
      ),
  );

describe('a tag for several items', () => {
  const tagsOf = async (...names: string[]) => {
    return Promise.all(
      names.map(async (name) => {
        const { body } = await household.as('olga').get('files/metadata', { path: `${HOME}/Tagged/${name}` });
        return body.data.tags.map(({ text }: { text: string }) => text);
      }),
    );
  };

  it('is added to all selected items, and an error is shown in the dialog', async () => {
    await fillHome(homeOf(household, 'olga'), { 'Tagged/a.txt': 'a', 'Tagged/b.txt': 'b', 'Tagged/in/c.txt': 'c' });
    const { page, complaints, context } = await enter('olga', `/files/?path=${encodeURIComponent(`${HOME}/Tagged`)}`);
    for (const name of ['a.txt', 'in']) await row(page, name).getByRole('checkbox').check();
    await page
      .getByRole('toolbar')
      .getByRole('button', { name: t('files.actions.tag') })
      .click();
    const dialog = page.getByRole('dialog', { name: t('files.forms.tag.heading', { count: 2, name: '' }) });
    await dialog.getByLabel(t('files.forms.tag.label')).fill('x'.repeat(101));
    await dialog.getByRole('button', { name: t('files.actions.tag') }).click();
    await dialog.getByText(t('details.problems.mark', { kind: 'tooLong', max: 100 })).waitFor();
    await inspect(page, 'files-tag-wrong');
    await dialog.getByLabel(t('files.forms.tag.label')).fill(' summer ');
    await dialog.getByRole('button', { name: t('files.actions.tag') }).click();
    await toast(page, t('files.toast.tagged', { count: 2 }));
    expect(await tagsOf('a.txt', 'b.txt', 'in')).toEqual([['summer'], [], ['summer']]);
    expect(complaints.filter((line) => !/status of 4/.test(line))).toEqual([]);
    await context.close();
  });

  itInFull('works for one item without a script', async () => {
    await fillHome(homeOf(household, 'olga'), { 'Tagged/d.txt': 'd' });
    const form = `/files/do/tag?path=${encodeURIComponent(`${HOME}/Tagged/d.txt`)}`;
    const { page, context } = await enter('olga', form, { javaScriptEnabled: false });
    await page.getByLabel(t('files.forms.tag.label')).fill('winter');
    await page.getByRole('button', { name: t('files.actions.tag') }).click();
    await page.getByText(t('files.done.tagged')).waitFor();
    expect(await tagsOf('d.txt')).toEqual([['winter']]);
    await context.close();
  });
});

describe('details on the page of a file', () => {
  it.each(sampled([true, false], 1))('are added and removed, with a script: %s', async (javaScriptEnabled) => {
    const name = `FormAction ${javaScriptEnabled}.txt`;
    await fillHome(homeOf(household, 'olga'), { [name]: 'one' });
    const { page, complaints, context } = await enter('olga', item(`${HOME}/${name}`), { javaScriptEnabled });
    const tag = async (text: string) => {
      await page.getByPlaceholder(t('details.tags.new')).fill(text);
      await page.getByRole('button', { name: t('details.tags.add'), exact: true }).click();
      await page.getByText(t('files.done.tagged')).waitFor();
    };
    await tag('house|#2f6fd0');
    await tag(MARKUP);
    await tag('בית');
    expect(await tags(page)).toEqual(['house', MARKUP, 'בית']);
    await expect.poll(() => page.locator('.tags img').count()).toBe(0);
    await page.getByRole('button', { name: t('details.rating.give', { stars: 4 }) }).click();
    await page.getByText(t('files.done.rated')).waitFor();
    await page.getByText(t('details.label.set')).click();
    await page.getByLabel(t('details.label.text'), { exact: true }).fill('Urgent');
    await page.getByLabel(t('details.label.color')).selectOption(t('details.label.colors.red'));
    await page
      .getByRole('button', { name: t('details.label.submit') })
      .first()
      .click();
    await page.getByText(t('files.done.labelled')).waitFor();
    await expect.poll(() => page.locator('.details .label bdi').textContent()).toBe('Urgent');
    await page.getByText(t('details.fields.edit')).click();
    await page.getByLabel('Where the original is').fill('Safe, second shelf');
    await page.getByLabel('Notes').fill('Line one\nLine two');
    await page.getByLabel('Bought').fill('1998-05-17');
    await page.getByLabel('Room').selectOption('Attic');
    await page.getByLabel('Ben').check();
    await page.getByLabel('Gil').check();
    if (javaScriptEnabled) await inspect(page, 'details-filling');
    await page
      .locator('.filling')
      .getByRole('button', { name: t('details.label.submit') })
      .click();
    await page.getByText(t('files.done.filled')).waitFor();
    expect(await facts(page)).toEqual({
      'Where the original is': 'Safe, second shelf',
      Notes: 'Line one\nLine two',
      Bought: '17 May 1998',
      Room: 'Attic',
      For: 'Ben, Gil',
    });
    if (javaScriptEnabled) await inspect(page, 'details');

    await page.getByText(t('details.fields.edit')).click();
    await page.getByLabel('Ben').uncheck();
    await page.getByLabel('Gil').uncheck();
    await page.getByLabel('Room').selectOption('');
    await page.getByLabel('Notes').fill('');
    await page
      .locator('.filling')
      .getByRole('button', { name: t('details.label.submit') })
      .click();
    await page.getByText(t('files.done.filled')).waitFor();
    expect(Object.keys(await facts(page))).toEqual(['Where the original is', 'Bought']);
    await page.getByRole('button', { name: t('details.tags.remove', { tag: 'house' }) }).click();
    await page.getByText(t('files.done.tagged')).waitFor();
    await page.getByRole('button', { name: t('details.rating.remove', { stars: 4 }) }).click();
    await page.getByText(t('files.done.rated')).waitFor();
    await page.locator('.labelling summary').click();
    await page.getByLabel(t('details.label.text'), { exact: true }).fill('');
    await page
      .getByRole('button', { name: t('details.label.submit') })
      .first()
      .click();
    await page.getByText(t('files.done.labelled')).waitFor();
    const { body } = await household.as('olga').post('files/metadata', { path: `${HOME}/${name}` });
    expect(body.data).toMatchObject({ rating: null, label: null, tags: [{ text: MARKUP }, { text: 'בית' }] });
    expect(complaints).toEqual([]);
    await context.close();
  });

  itInFull('show why a value is refused, and keep all values', async () => {
    const { page, context } = await enter('olga', item(`${HOME}/Plum jam.txt`));
    await page.getByText(t('details.fields.edit')).click();
    await page.getByLabel('Price').fill('a lot');
    await page.getByLabel('Notes').fill('Kept');
    await page
      .locator('.filling')
      .getByRole('button', { name: t('details.label.submit') })
      .click();
    await page.getByText(like('details.problems.field', { kind: 'number' })).waitFor();
    await inspect(page, 'details-refused');
    await expect.poll(() => page.getByLabel('Price').inputValue()).toBe('a lot');
    await expect.poll(() => page.getByLabel('Notes').inputValue()).toBe('Kept');
    await page.getByPlaceholder(t('details.tags.new')).fill('a|blue');
    await page.getByRole('button', { name: t('details.tags.add'), exact: true }).click();
    await page.getByText(t('details.problems.mark', { kind: 'color', max: 0 })).waitFor();
    await context.close();
  });

  it('are shown and changed as far as the share and the account allow', async () => {
    await fillHome(homeOf(household, 'olga'), { 'Rights/one.txt': 'one' });
    const path = `${HOME}/Rights/one.txt`;
    await household.as('olga').post('files/tags/add', { path, 'tags[]': 'theirs' });
    await household.as('olga').post('files/rating', { path, rating: 2 });
    const share = async (alter: number) =>
      item(
        `/ROOT/${household.ids.olga}/${await household.share(`${HOME}/Rights`, { uid: household.ids.ben, alter })}/one.txt`,
      );
    const { page, context } = await enter('ben', await share(0));
    expect(await tags(page)).toEqual(['theirs']);
    await expect.poll(() => page.getByRole('img', { name: t('details.rating.value', { stars: 2 }) }).count()).toBe(1);
    await expect.poll(() => page.locator('.details form').count()).toBe(0);
    await inspect(page, 'details-read');
    await page.goto(address(household, await share(1)));
    await expect.poll(() => page.getByPlaceholder(t('details.tags.new')).count()).toBe(1);
    await household.control('accounts.update', { username: 'ben', permissions: { metadata: false } });
    await page.reload();
    await expect.poll(() => page.locator('.details').count()).toBe(0);
    await household.control('accounts.update', { username: 'ben', permissions: { metadata: true } });
    await context.close();
  });

  itInFull('are found by a search for their text, and the label is shown beside the name', async () => {
    const olga = household.as('olga');
    await olga.post('files/createfolder', { path: HOME, name: 'Found' });
    for (const name of ['First.txt', 'Second.txt']) await olga.put({ path: `${HOME}/Found/${name}` }, name);
    await olga.post('files/tags/add', { path: `${HOME}/Found/First.txt`, 'tags[]': 'paper work' });
    await olga.post('files/label', { path: `${HOME}/Found/Second.txt`, label: 'Later|#2f6fd0' });
    const { page, context, complaints } = await enter('olga', `/files/?path=${HOME}/Found`);
    const rows = page.locator('.items .item');
    await expect.poll(() => rows.filter({ hasText: 'Second.txt' }).locator('.labelled').innerText()).toContain('Later');
    await expect.poll(() => rows.filter({ hasText: 'First.txt' }).locator('.labelled').count()).toBe(0);
    await inspect(page, 'details-list');
    const expectFound = async (words: string, names: readonly string[]) => {
      await page.getByRole('searchbox').fill(words);
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { level: 1, name: words }).waitFor();
      await expect.poll(() => page.locator('.group[data-group=details] .item .name').allInnerTexts()).toEqual(names);
    };
    await expectFound('PAPER wo', ['First.txt']);
    await expectFound('later', ['Second.txt']);
    await expectFound('nothing like it', []);
    expect(complaints).toEqual([]);
    await context.close();
  });
});
