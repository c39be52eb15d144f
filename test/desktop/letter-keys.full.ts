import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { t } from '../support/browser/panel-texts.ts';
import { clickMenu, closeWindow, settingsFile, windowCount } from './application.ts';
import { openStage, type Stage } from './stage.ts';
import { running, stateOf } from './window-page.ts';

let stage: Stage;
beforeEach(async () => {
  stage = await openStage();
});
afterEach(() => stage.close());

const list = (page: Page) => page.getByRole('dialog').getByRole('heading', { name: t('keys.title') });
const kept = () => readFile(settingsFile(stage.home), 'utf8').then(JSON.parse);

async function ready(page: Page): Promise<void> {
  page.setDefaultTimeout(120_000);
  await page.getByRole('heading', { name: t('overview.heading') }).waitFor();
}

/** A letter does nothing, and what needs Ctrl works: the page has heard both. */
async function lettersDoNothing(page: Page): Promise<void> {
  await page.keyboard.press('?');
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: t('goTo.label') }).waitFor();
  await expect.poll(() => list(page).count()).toBe(0);
}

/** In the list of keys, opened by its name. */
async function toggleLetters(page: Page): Promise<void> {
  await page.keyboard.type(t('goTo.keys'));
  await page.keyboard.press('Enter');
  await page.getByRole('switch', { name: t('keys.letters') }).press(' ');
  await page
    .getByRole('dialog')
    .getByRole('button', { name: t('keys.done') })
    .click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
}

it('the application stores that letter keys are off, and its window stores nothing', async () => {
  const { desktop, page } = await stage.launchServing();
  await ready(page);
  expect((await stateOf(page)).letterKeys).toBe(true);
  await page.keyboard.press('?');
  await list(page).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.keyboard.press('Control+k');
  await toggleLetters(page);
  await expect.poll(kept).toMatchObject({ letterKeys: false });
  expect(await page.evaluate('localStorage.length')).toBe(0);

  // In the next window, and in the next start of the application.
  await closeWindow(desktop);
  await expect.poll(() => windowCount(desktop)).toBe(0);
  await clickMenu(desktop, 'app.open');
  const second = await desktop.window();
  await ready(second);
  await lettersDoNothing(second);
  await clickMenu(desktop, 'app.quit');
  expect(await desktop.exited).toBe(0);
  const again = await stage.launch();
  const third = await again.window();
  await running(third);
  await ready(third);
  await lettersDoNothing(third);
  await toggleLetters(third);
  await expect.poll(kept).toMatchObject({ letterKeys: true });
  await third.keyboard.press('?');
  await list(third).waitFor();
});
