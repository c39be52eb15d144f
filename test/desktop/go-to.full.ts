import { afterEach, beforeEach, expect, it } from 'vitest';
import { SETTINGS } from '../../dist/renderer-modules/panel/go-to/places.js';
import { focused } from '../support/browser/focus.ts';
import { t } from '../support/browser/panel-texts.ts';
import { openStage, type Stage } from './stage.ts';

let stage: Stage;
beforeEach(async () => {
  stage = await openStage();
});
afterEach(() => stage.close());

it('Go to moves the focus to each setting of this computer', async () => {
  const { page } = await stage.launchServing();
  page.setDefaultTimeout(120_000);
  await page.getByRole('heading', { name: t('overview.heading') }).waitFor();
  const settings = SETTINGS.filter(({ route }) => route === 'computer');
  expect(settings.length).toBeGreaterThan(2);
  for (const { name } of settings) {
    await page.keyboard.press('Control+k');
    const field = page.getByRole('combobox', { name: t('goTo.label') });
    await field.fill(name);
    await page
      .getByRole('group', { name: t('goTo.groups.settings') })
      .getByText(name, { exact: true })
      .click();
    await field.waitFor({ state: 'detached' });
    // Of one that cannot be changed here, its label.
    await expect.poll(() => focused(page), { message: name }).toEqual({ name, isInSight: true, hasRing: true });
  }
});
