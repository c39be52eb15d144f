import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { t } from '../../../dist/server/messages/messages.js';
import { launchBrowser } from '../../support/browser/browser.ts';
import { visit } from '../../support/browser/page.ts';
import { itInFull } from '../../support/forms.ts';
import { type Household, openHousehold } from '../../support/households/household.ts';
import { address, dropFiles, fillHome, names, ready, row, signInAt, toast } from './support.ts';

// Items are moved by dragging them, and moves and renames are undone.

let browser: Browser;
let household: Household;
let page: Page;
let complaints: string[];

const at = (...path: string[]) => join(household.home, ...path);

beforeAll(async () => {
  [browser, household] = await Promise.all([launchBrowser(), openHousehold()]);
  await fillHome(household.home, {
    'Inbox/one.txt': '1',
    'Inbox/two.txt': '2',
    'Inbox/three.txt': '3',
    'Inbox/Letters/old.txt': 'old',
    'Archive/kept.txt': 'kept',
  });
  ({ page, complaints } = await visit(browser));
  await page.goto(address(household, '/files/?path=/ROOT/HOME/Inbox'));
  await signInAt(page);
  await ready(page);
});
afterAll(async () => {
  await browser?.close();
  await household?.close();
});

async function openInbox(): Promise<void> {
  await page.goto(address(household, '/files/?path=/ROOT/HOME/Inbox'));
  await ready(page);
}

/** The pointer, with what it carries, comes to an element. */
async function over(target: Locator): Promise<void> {
  const box = await target.boundingBox();
  if (box === null) throw new Error('it is not on the page');
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2, { steps: 3 });
}

/** Drags an element over another one, and holds it there. */
async function carry(source: Locator, target: Locator): Promise<void> {
  await source.hover();
  await page.mouse.down();
  await over(target);
}

const undo = () =>
  page
    .locator('.toast')
    .last()
    .getByRole('button', { name: t('files.toast.undo') })
    .click();

it('a dragged file moves into the folder that it is dropped on, and back', async () => {
  await row(page, 'one.txt').dragTo(row(page, 'Letters'));
  await toast(page, t('files.toast.moved', { count: 1 }));
  await expect.poll(() => names(page)).toEqual(['Letters', 'three.txt', 'two.txt']);
  expect(existsSync(at('Inbox/Letters/one.txt'))).toBe(true);
  await undo();
  await toast(page, t('files.toast.undone'));
  await expect.poll(() => names(page)).toContain('one.txt');
  expect(existsSync(at('Inbox/Letters/one.txt'))).toBe(false);
});

/** Files of the computer are sent, nothing that was dragged before is moved, and the list follows what changes. */
async function expectNothingDragged(): Promise<void> {
  await page.locator('.crumbs a', { hasText: 'Inbox' }).click();
  await expect.poll(() => names(page)).toContain('Letters');
  await dropFiles(page, { 'sent.txt': 'sent' }, row(page, 'Letters'));
  await expect.poll(() => existsSync(at('Inbox/Letters/sent.txt'))).toBe(true);
  expect(existsSync(at('Inbox/one.txt'))).toBe(true);
  await dropFiles(page, { 'seen.txt': 'seen' });
  await expect.poll(() => names(page)).toContain('seen.txt');
  for (const name of ['Letters/sent.txt', 'seen.txt']) await rm(at('Inbox', name));
}

it('a folder opens below a dragged file, takes it, and the drag has ended then', async () => {
  await openInbox();
  await carry(row(page, 'one.txt'), row(page, 'Letters'));
  await expect.poll(() => names(page)).toEqual(['old.txt']);
  await over(row(page, 'old.txt'));
  await page.locator('.listing.drop-here').waitFor();
  await page.mouse.up();
  await toast(page, t('files.toast.moved', { count: 1 }));
  await expect.poll(() => names(page)).toEqual(['old.txt', 'one.txt']);
  expect(existsSync(at('Inbox/Letters/one.txt'))).toBe(true);
  await undo();
  await expect.poll(() => names(page)).toEqual(['old.txt']);
  await expectNothingDragged();
});

it('a drag that ends outside of the page leaves nothing dragged, although its row is gone', async () => {
  await openInbox();
  await carry(row(page, 'one.txt'), row(page, 'Letters'));
  await expect.poll(() => names(page)).toEqual(['old.txt']);
  await page.mouse.move(2, 2);
  await page.mouse.up();
  await expectNothingDragged();
});

it('a move that loses the connection shows what has moved, and what did not', async () => {
  const many = Array.from({ length: 60 }, (_, index) => `${String(index).padStart(2, '0')}.txt`);
  await fillHome(household.home, Object.fromEntries(many.map((name) => [`Lost/Many/${name}`, name])));
  await page.goto(address(household, '/files/?path=/ROOT/HOME/Lost/Many'));
  await ready(page);
  let requests = 0;
  await page.route(/\/files\/do\/move/, async (route) => {
    requests += 1;
    if (requests === 2) await route.abort('connectionreset');
    else await route.continue();
  });
  await row(page, '01.txt').locator('.open').press('Control+a');
  await page
    .locator('#count')
    .getByText(t('files.selection.count', { count: 60, total: 60 }))
    .waitFor();
  await row(page, '01.txt').dragTo(page.locator('.crumbs a', { hasText: 'Lost' }));
  await toast(page, t('files.toast.moved', { count: 25 }));
  await expect.poll(() => page.locator('.listing').getAttribute('data-total')).toBe('35');
  expect((await readdir(at('Lost'))).length).toBe(26);
  await page.unroute(/\/files\/do\/move/);
  // The browser reports the lost connection.
  complaints.length = 0;
});

itInFull('all selected items move together, onto the sidebar and onto breadcrumbs', async () => {
  await openInbox();
  for (const name of ['one.txt', 'two.txt']) await row(page, name).locator('.pick input').check();
  const home = page.locator('.file-nav').getByRole('link', { name: t('files.myFiles') });
  await row(page, 'two.txt').locator('.open').dragTo(home);
  await toast(page, t('files.toast.moved', { count: 2 }));
  await expect.poll(() => names(page)).toEqual(['Letters', 'three.txt']);
  expect((await readdir(at())).filter((name) => name.endsWith('.txt')).toSorted()).toEqual(['one.txt', 'two.txt']);
  await undo();
  await expect.poll(() => names(page)).toEqual(['Letters', 'one.txt', 'three.txt', 'two.txt']);
  await page.goto(address(household, '/files/?path=/ROOT/HOME/Inbox/Letters'));
  await ready(page);
  await row(page, 'old.txt').dragTo(page.locator('.crumbs a', { hasText: 'Inbox' }));
  await toast(page, t('files.toast.moved', { count: 1 }));
  expect(existsSync(at('Inbox/old.txt'))).toBe(true);
  await undo();
  await expect.poll(() => names(page)).toEqual(['old.txt']);
});

itInFull('nothing moves into itself, or if it is dropped elsewhere', async () => {
  await openInbox();
  const [sourcePosition, targetPosition] = [
    { x: 120, y: 20 },
    { x: 400, y: 20 },
  ];
  await row(page, 'Letters').dragTo(row(page, 'Letters'), { sourcePosition, targetPosition });
  await row(page, 'one.txt').dragTo(row(page, 'two.txt'));
  await row(page, 'one.txt').dragTo(page.locator('.file-nav').getByRole('link', { name: 'Trash' }));
  // A later move, which happens.
  await row(page, 'three.txt').dragTo(row(page, 'Letters'));
  await toast(page, t('files.toast.moved', { count: 1 }));
  await expect.poll(() => names(page)).toEqual(['Letters', 'one.txt', 'two.txt']);
  await undo();
  await expect.poll(() => names(page)).toEqual(['Letters', 'one.txt', 'three.txt', 'two.txt']);
});

itInFull('undo affects only the moved item: another one that took its place is not moved', async () => {
  await row(page, 'one.txt').dragTo(row(page, 'Letters'));
  await toast(page, t('files.toast.moved', { count: 1 }));
  await expect.poll(() => names(page)).not.toContain('one.txt');
  const api = await household.signIn();
  const replies = [
    await api.post('files/createfolder', { path: '/ROOT/HOME', name: 'Elsewhere' }),
    await api.post('files/move', { path: '/ROOT/HOME/Inbox/Letters/one.txt', moveTo: '/ROOT/HOME/Elsewhere' }),
    await api.put({ path: '/ROOT/HOME/Inbox/Letters/one.txt' }, 'another'),
  ];
  expect(replies.map(({ body }) => body)).toMatchObject(replies.map(() => ({ success: true })));
  await undo();
  await toast(page, t('files.errors.movedOn'));
  expect(existsSync(at('Inbox/one.txt'))).toBe(false);
  expect(existsSync(at('Inbox/Letters/one.txt'))).toBe(true);
});

it('a move that replaced a file offers no undo, because the item has the history of that file now', async () => {
  const api = await household.signIn();
  await api.put({ path: '/ROOT/HOME/Inbox/Letters/budget.txt' }, 'old');
  await api.put({ path: '/ROOT/HOME/Inbox/budget.txt' }, 'new');
  await api.put({ path: '/ROOT/HOME/Inbox/plan.txt' }, 'plan');
  const move = async (name: string, isReplacing: boolean) => {
    await page.goto(address(household, '/files/?path=/ROOT/HOME/Inbox'));
    await ready(page);
    await row(page, name).click({ button: 'right' });
    await page.getByRole('menuitem', { name: t('files.actions.move') }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('link', { name: 'Letters' }).click();
    await dialog.getByText(t('files.forms.move.submit', { folder: 'Letters' })).waitFor();
    await dialog.locator('[name=overwrite]').setChecked(isReplacing);
    await dialog.getByText(t('files.forms.move.submit', { folder: 'Letters' })).click();
    await toast(page, t('files.toast.moved', { count: 1 }));
  };
  await move('budget.txt', true);
  expect(await page.getByRole('button', { name: t('files.toast.undo') }).count()).toBe(0);
  await move('plan.txt', true);
  await undo();
  await expect.poll(() => existsSync(at('Inbox/plan.txt'))).toBe(true);
  await api.post('files/delete', { path: '/ROOT/HOME/Inbox/Letters/budget.txt', permanent: 1 });
  await api.post('files/delete', { path: '/ROOT/HOME/Inbox/plan.txt', permanent: 1 });
});

itInFull('a rename can be undone', async () => {
  await page.goto(address(household, '/files/?path=/ROOT/HOME/Archive'));
  await ready(page);
  await row(page, 'kept.txt').locator('.open').focus();
  await page.keyboard.press('F2');
  await page.getByRole('textbox', { name: t('files.forms.name') }).fill('renamed.txt');
  await page.keyboard.press('Enter');
  await toast(page, t('files.toast.renamed'));
  await expect.poll(() => names(page)).toEqual(['renamed.txt']);
  await undo();
  await expect.poll(() => names(page)).toEqual(['kept.txt']);
  expect(complaints).toEqual([]);
});

it('a file that comes to the destination during a move is replaced without an offer to undo it', async () => {
  const points = await mkdtemp(join(tmpdir(), 'larder-moving-'));
  await household.restart({ failPoints: `${points};files.move.begun=pause` });
  const visited = await visit(browser);
  const other = visited.page;
  await other.goto(address(household, '/files/?path=/ROOT/HOME/Inbox'));
  await signInAt(other);
  await ready(other);
  await row(other, 'three.txt').click({ button: 'right' });
  await other.getByRole('menuitem', { name: t('files.actions.move') }).click();
  const dialog = other.getByRole('dialog');
  await dialog.getByRole('link', { name: 'Letters' }).click();
  const submit = dialog.getByText(t('files.forms.move.submit', { folder: 'Letters' }));
  await submit.waitFor();
  await dialog.locator('[name=overwrite]').setChecked(true);
  expect(existsSync(at('Inbox/Letters/three.txt'))).toBe(false);
  await submit.click();
  await expect.poll(() => existsSync(join(points, 'files.move.begun.reached'))).toBe(true);
  await writeFile(at('Inbox/Letters/three.txt'), 'came meanwhile');
  await writeFile(join(points, 'files.move.begun.go'), '');
  await toast(other, t('files.toast.moved', { count: 1 }));
  expect(await other.getByRole('button', { name: t('files.toast.undo') }).count()).toBe(0);
  expect(String(await readFile(at('Inbox/Letters/three.txt')))).toBe('3');
  const api = await household.signIn();
  const versions = await api.get('files/versions/list', { path: '/ROOT/HOME/Inbox/Letters/three.txt' });
  expect(versions.body.data.versions).toHaveLength(2);
  await visited.context.close();
  await household.restart({ failPoints: '' });
  await rm(points, { recursive: true });
});
