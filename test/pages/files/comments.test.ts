import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createComments } from '../../../dist/server/comments/comments.js';
import { openDatabase } from '../../../dist/server/database/database.js';
import { t } from '../../../dist/server/messages/messages.js';
import { layoutOf } from '../../../dist/server/storage/layout.js';
import { launchBrowser } from '../../support/browser/browser.ts';
import { inspect } from '../../support/browser/page.ts';
import { WebVisitor } from '../../support/browser/web-visitor.ts';
import { itInFull } from '../../support/forms.ts';
import { homeOf, MEMBER } from '../../support/households/member.ts';
import { openSharingHousehold, type SharingHousehold } from '../../support/requests/sharing.ts';
import { address, enterAt, fillHome, sampleHome, toast, withoutTokens } from './support.ts';

let browser: Browser;
let household: SharingHousehold;

const MARKUP = '<img src=x onerror="document.title=1">';

beforeAll(async () => {
  [browser, household] = await Promise.all([launchBrowser(), openSharingHousehold()]);
  await household.control('settings.update', { householdName: 'Orchard House' });
  for (const [username, name, lastName] of [
    ['olga', 'Olga', 'Ohm'],
    ['ben', 'Ben', '</bdi><b>Bell'],
    ['gil', 'גיל', ''],
    ['sam', 'Sam', ''],
  ]) {
    await household.control('accounts.update', { username, name, lastName });
  }
  await sampleHome(homeOf(household, 'olga'));
});
afterAll(async () => {
  await browser?.close();
  await household?.close();
});

const HOME = '/ROOT/HOME';
const item = (path: string) => `/files/item?path=${encodeURIComponent(path)}`;

async function enter(username: string, path: string, options: { javaScriptEnabled?: boolean } = {}) {
  return enterAt({ browser, household }, path, { username, ...options });
}

const words = (page: Page) => page.locator('.comment-list .comment-text').allTextContents();
const names = (page: Page) => page.locator('.comment-list bdi').allTextContents();
const box = (page: Page) => page.getByRole('textbox', { name: t('comments.write') });
const button = (page: Page) => page.getByRole('button', { name: t('comments.submit'), exact: true });
const say = (username: 'olga' | 'ben' | 'gil', path: string, comment: string) =>
  household.as(username).post('files/comments/add', { path, comment });

/** What a visitor of a link writes. */
async function sayAsVisitor(fileName: string, visitorName: string, comment: string): Promise<void> {
  await household.whileStopped(async () => {
    const { database: file, backups } = layoutOf(household.folder);
    const database = await openDatabase(file, backups);
    const row = await database.get<{ id: number }>('SELECT id FROM items WHERE name = ?', [fileName]);
    const comments = createComments(database, household.clock);
    await database.write((tx) => comments.add(tx, { itemId: row?.id ?? 0, accountId: null, visitorName, comment }));
    await database.close();
  });
  for (const person of ['olga', 'ben', 'gil'] as const) await household.signInAgain(person);
}

describe('comments on the page of a file', () => {
  it('are added and deleted without leaving the page, and shown as plain text', async () => {
    const file = `${HOME}/Gran’s recipes.pdf`;
    const shared = await household.share(file, { uid: household.ids.ben });
    const toGil = await household.share(file, { gid: household.family });
    await say('ben', `/ROOT/${household.ids.olga}/${shared}`, `Less sugar for the yellow ones.\n\n${MARKUP}`);
    await say('gil', `/ROOT/${household.ids.olga}/${toGil}`, 'טוב מאוד');
    await sayAsVisitor('Gran’s recipes.pdf', `Aunt May ${MARKUP}`, 'Which plums do you take?');
    const { page, complaints, context } = await enter('olga', item(file));
    expect(await names(page)).toEqual(['Ben </bdi><b>Bell', 'גיל', `Aunt May ${MARKUP}`]);
    expect(await words(page)).toEqual([
      `Less sugar for the yellow ones.\n\n${MARKUP}`,
      'טוב מאוד',
      'Which plums do you take?',
    ]);
    await expect.poll(() => page.locator('.comment-list img, .comment-list b').count()).toBe(0);
    await expect
      .poll(() =>
        page
          .locator('.comment-list li')
          .filter({ hasText: t('comments.visitor') })
          .count(),
      )
      .toBe(1);
    await page.evaluate('window.isSamePage = true');

    await box(page).fill(`The dark ones,\nof course ${MARKUP}`);
    await button(page).click();
    await toast(page, t('files.toast.commented'));
    await expect.poll(async () => (await words(page)).at(-1)).toBe(`The dark ones,\nof course ${MARKUP}`);
    expect((await names(page)).at(-1)).toBe('Olga Ohm');
    await expect.poll(() => box(page).inputValue()).toBe('');
    await box(page).pressSequentially('By the keyboard');
    await page.keyboard.press('Control+Enter');
    await expect.poll(async () => (await words(page)).at(-1)).toBe('By the keyboard');
    await page.locator('.toast').first().waitFor({ state: 'detached' });
    await inspect(page, 'comments');

    await box(page).fill('Not sent yet');
    const last = page.locator('.comment-list li').last();
    await last.getByLabel(t('comments.remove.label', { name: 'Olga Ohm' })).click();
    await inspect(page, 'comments-delete');
    await last.getByRole('button', { name: t('comments.remove.submit') }).click();
    await expect.poll(async () => (await words(page)).length).toBe(4);
    await expect.poll(() => box(page).inputValue()).toBe('Not sent yet');
    await page.locator('.facts').getByText(t('files.actions.star'), { exact: true }).click();
    await page.getByText(t('files.actions.unstar')).waitFor();
    await expect.poll(() => box(page).inputValue()).toBe('Not sent yet');
    await page.locator('.comment-list li').nth(2).locator('summary').click();
    await page
      .locator('.comment-list li')
      .nth(2)
      .getByRole('button', { name: t('comments.remove.submit') })
      .click();
    await expect.poll(async () => (await words(page)).length).toBe(3);
    expect(await page.evaluate('window.isSamePage')).toBe(true);
    expect(await page.title()).toContain('Gran’s recipes.pdf');
    await page.reload();
    expect((await words(page)).length).toBe(3);
    expect(complaints).toEqual([]);
    await context.close();
  });

  itInFull('show why one is refused, and keep the text', async () => {
    const { page, context } = await enter('olga', item(`${HOME}/Plum jam.txt`));
    await box(page).fill('   ');
    await button(page).click();
    await page.getByText(t('comments.problem', { kind: 'empty', max: 0 })).waitFor();
    await inspect(page, 'comments-refused');
    await expect.poll(() => box(page).inputValue()).toBe('   ');
    await household.as('olga').post('files/delete', { path: `${HOME}/Plum jam.txt` });
    await box(page).fill('Too late');
    await button(page).click();
    await page.getByText(t('files.errors.notFound')).waitFor();
    await expect.poll(() => box(page).inputValue()).toBe('Too late');
    await context.close();
  });

  it('are shown as far as a share allows', async () => {
    await fillHome(homeOf(household, 'olga'), { 'Rights/one.txt': 'one' });
    const path = `${HOME}/Rights`;
    await say('olga', `${path}/one.txt`, 'Said first');
    const share = async (form: Record<string, number>) => {
      const id = await household.share(path, { uid: household.ids.ben, ...form });
      return item(`/ROOT/${form.anonymous === 1 ? 0 : household.ids.olga}/${id}/one.txt`);
    };
    const { page, context } = await enter('ben', await share({}));
    const seen = async () => ({
      words: await words(page),
      boxes: await box(page).count(),
      deletes: await page.locator('.remove').count(),
      headings: await page.getByRole('heading', { name: t('comments.heading') }).count(),
    });
    expect(await seen()).toEqual({ words: ['Said first'], boxes: 1, deletes: 0, headings: 1 });
    await box(page).fill('From Ben');
    await button(page).click();
    await expect.poll(seen).toEqual({ words: ['Said first', 'From Ben'], boxes: 1, deletes: 1, headings: 1 });
    await page.goto(address(household, await share({ comment: 0 })));
    expect(await seen()).toEqual({ words: ['Said first', 'From Ben'], boxes: 0, deletes: 0, headings: 1 });
    await page.goto(address(household, await share({ comment: 1, read_comments: 0 })));
    expect(await seen()).toEqual({ words: [], boxes: 1, deletes: 0, headings: 1 });
    await inspect(page, 'comments-unread');
    await page.goto(address(household, await share({ comment: 0, read_comments: 0 })));
    expect(await seen()).toEqual({ words: [], boxes: 0, deletes: 0, headings: 0 });
    await household.as('olga').post('files/unshare', { path, uid: household.ids.ben });
    await page.goto(address(household, await share({ anonymous: 1 })));
    expect(await names(page)).toEqual([t('comments.anonymous'), 'Ben </bdi><b>Bell']);
    expect(withoutTokens(await page.locator('.facts').innerHTML())).not.toMatch(/olga|ohm/i);
    await context.close();
  });

  itInFull('work without JavaScript, on folders, too', async () => {
    await fillHome(homeOf(household, 'olga'), { 'Plain/one.txt': 'one' });
    const { page, context } = await enter('olga', item(`${HOME}/Plain`), { javaScriptEnabled: false });
    await box(page).fill(' \n ');
    await button(page).click();
    await page.getByText(t('comments.problem', { kind: 'empty', max: 0 })).waitFor();
    await box(page).fill('\n\nFirst line\nsecond line');
    await button(page).click();
    await page.getByText(t('files.done.commented')).waitFor();
    expect(await words(page)).toEqual(['First line\nsecond line']);
    await page.reload();
    expect((await words(page)).length).toBe(1);
    await page.getByLabel(t('comments.remove.label', { name: 'Olga Ohm' })).click();
    await page.getByRole('button', { name: t('comments.remove.submit') }).click();
    await page.getByText(t('files.done.uncommented')).waitFor();
    expect(await words(page)).toEqual([]);
    await context.close();
  });

  itInFull('are refused from other sites, with a wrong token, and without a session', async () => {
    const visitor = new WebVisitor(household);
    const form = await visitor.get('/files/');
    const fields = { path: `${HOME}/School`, do: 'add', comment: 'Forged' };
    expect((await visitor.post('/files/comments', { ...fields, form_token: form.field('form_token') })).status).toBe(
      200,
    );
    const person = {
      form_token: form.field('form_token'),
      next: '/files/',
      username: 'olga',
      password: MEMBER.password,
    };
    await visitor.post('/account/sign-in', person);
    expect((await visitor.post('/files/comments', { ...fields, form_token: 'x' })).status).toBe(403);
    const foreign = { origin: 'https://elsewhere.example' };
    const token = (await visitor.get(item(`${HOME}/School`))).field('form_token');
    expect((await visitor.post('/files/comments', { ...fields, form_token: token }, foreign)).status).toBe(403);
    const { body } = await household.as('olga').get('files/comments/list', { path: `${HOME}/School` });
    expect(body.data.comments).toEqual([]);
    expect((await visitor.post('/files/comments', { ...fields, form_token: token })).location).toContain('#comments');
  });
});
