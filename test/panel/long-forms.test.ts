import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { t } from '../support/browser/panel-texts.ts';
import { type PanelVisit, visitPanel } from '../support/browser/panel-visit.ts';

// The panel is used without a mouse, and long forms are saved where the eye is.

let panel: PanelVisit;
beforeAll(async () => {
  panel = await visitPanel();
  await panel.household.control('accounts.add', { username: 'mia', name: 'Mia', password: 'correct horse battery' });
});
beforeEach(() => panel.fresh());
afterAll(() => panel?.close());

const SIZES = { wide: { width: 1280, height: 600 }, narrow: { width: 390, height: 640 } } as const;

it.each(['wide', 'narrow'] as const)('the link that skips comes first, and leads to the page: %s', async (size) => {
  const { page, button } = panel;
  await page.setViewportSize(SIZES[size]);
  await page.keyboard.press('Tab');
  const skip = button(t('common.skip'));
  expect(await skip.evaluate((element) => element === document.activeElement)).toBe(true);
  await expect.poll(async () => (await skip.boundingBox())?.height ?? 0).toBeGreaterThan(20);
  await page.keyboard.press('Enter');
  const main = page.getByRole('main');
  expect(await main.evaluate((element) => element === document.activeElement)).toBe(true);
  expect((await skip.boundingBox())?.height ?? 0).toBeLessThan(5);
  // The next key leads into the page, past the navigation.
  await page.keyboard.press('Tab');
  expect(await main.evaluate((element) => element.contains(document.activeElement))).toBe(true);
});

/** Whether all of the bar is in the window, and how far the page can be scrolled. */
async function barIn(page: Page) {
  const box = await page.locator('[data-save-bar]').boundingBox();
  const { height = 0 } = page.viewportSize() ?? {};
  const isShown = box !== null && box.y >= 0 && box.y + box.height <= height + 1;
  return { isShown, scrollable: await page.evaluate<number>('document.documentElement.scrollHeight - innerHeight') };
}

it.each([
  ['wide', 'settings'],
  ['narrow', 'settings'],
  ['wide', 'a person'],
  ['narrow', 'a person'],
] as const)('the bar that saves a long form stays in the window: %s, %s', async (size, form) => {
  const { page, button, household } = panel;
  await page.setViewportSize(SIZES[size]);
  const { id } = await household.control('accounts.get', { username: 'mia' });
  const [route, label] =
    form === 'settings'
      ? ['security', t('security.passwords.limit')]
      : [`people/users/${Number(id)}`, t('people.user.fields.lastName')];
  await page.evaluate(`location.hash = '#/${route}'`);
  const field = page.getByLabel(label);
  await field.waitFor();
  await field.fill('7');
  await button(t('saveBar.discard')).waitFor();
  for (const share of [0, 0.5, 1]) {
    await page.evaluate(`scrollTo(0, (document.documentElement.scrollHeight - innerHeight) * ${share})`);
    const { isShown, scrollable } = await barIn(page);
    expect(isShown, `at ${share}`).toBe(true);
    // Otherwise nothing would be seen of it.
    expect(scrollable).toBeGreaterThan(200);
  }
  await button(t('saveBar.save')).click();
  await button(t('saveBar.discard')).waitFor({ state: 'detached' });
  const { wrongPasswordLimit } = await household.control('settings.get');
  const { lastName } = await household.control('accounts.get', { username: 'mia' });
  expect([wrongPasswordLimit, lastName]).toEqual(form === 'settings' ? [7, ''] : [5, '7']);
  await household.control('settings.update', { wrongPasswordLimit: 5 });
  await household.control('accounts.update', { username: 'mia', lastName: '' });
});
