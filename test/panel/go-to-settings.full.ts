import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { SETTINGS } from '../../dist/renderer-modules/panel/go-to/places.js';
import { focused } from '../support/browser/focus.ts';
import { inspectPanel } from '../support/browser/panel-page.ts';
import { t } from '../support/browser/panel-texts.ts';
import { type PanelVisit, visitPanel } from '../support/browser/panel-visit.ts';

let panel: PanelVisit;
beforeAll(async () => {
  panel = await visitPanel();
});
beforeEach(() => panel.fresh());
afterAll(() => panel?.close());

/** A label as *Go to* shows it. */
const plain = (label: string) => label.replace(` ${t('common.optional')}`, '');
const settings = SETTINGS.filter(({ route }) => route !== 'computer');
const options = () => panel.page.getByRole('group', { name: t('goTo.groups.settings') }).getByRole('option');

/** The one of this page: some names are on several. */
async function choose(label: string, by: 'mouse' | 'keys' = 'mouse'): Promise<void> {
  const { page } = panel;
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: t('goTo.label') }).fill(plain(label));
  const option = options()
    .filter({ has: page.getByText(plain(label), { exact: true }) })
    .first();
  await option.waitFor();
  if (by === 'mouse') await option.click();
  else {
    while ((await option.getAttribute('aria-selected')) !== 'true') await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
  }
  await page.getByRole('combobox', { name: t('goTo.label') }).waitFor({ state: 'detached' });
}

const arrived = (label: string) =>
  expect.poll(() => focused(panel.page), { message: label }).toEqual({ name: label, isInSight: true, hasRing: true });

describe('go to', () => {
  it('moves the focus to each setting, and scrolls it into view', async () => {
    const { page, complaints } = panel;
    // Low, so that most of them are out of sight at first.
    await page.setViewportSize({ width: 1280, height: 560 });
    for (const [at, { name }] of settings.entries()) {
      await choose(name, at % 5 === 0 ? 'keys' : 'mouse');
      await arrived(name);
    }
    await page.setViewportSize({ width: 1280, height: 832 });
    expect(settings.length).toBeGreaterThan(30);
    expect(complaints).toEqual([]);
  });

  it('works in a window as narrow as a phone, and for a setting on the current page', async () => {
    const { page, complaints } = panel;
    await page.setViewportSize({ width: 390, height: 700 });
    for (const name of [
      t('security.proxies.list'),
      t('security.passwords.limit'),
      t('files.thumbnails.title'),
      t('security.passwords.limit'),
    ]) {
      await choose(name);
      await arrived(name);
    }
    // The ring is around what one was brought to, as long as one is there.
    await page.keyboard.press('Tab');
    await expect.poll(() => page.locator('[data-arrived]').count()).toBe(0);
    await choose(t('files.thumbnails.title'));
    await arrived(t('files.thumbnails.title'));
    await page.setViewportSize({ width: 1280, height: 832 });
    await inspectPanel(page, 'go-to-arrived', ['usual', 'phone']);
    expect(complaints).toEqual([]);
  });

  it('asks first if there is unsaved input, and then continues or stays', async () => {
    const { page, dialog, complaints } = panel;
    await choose(t('security.passwords.limit'));
    await arrived(t('security.passwords.limit'));
    await page.keyboard.press('Control+a');
    await page.keyboard.type('9');
    // On the same page nothing is left.
    await choose(t('security.proxies.list'));
    await arrived(t('security.proxies.list'));
    await choose(t('panelApi.settings.enable'));
    await dialog()
      .getByRole('button', { name: t('saveBar.stay') })
      .click();
    await dialog().waitFor({ state: 'detached' });
    await page.getByText(t('saveBar.changes', { count: 1 })).waitFor();
    await choose(t('panelApi.settings.enable'));
    await dialog()
      .getByRole('button', { name: t('saveBar.leaveDo') })
      .click();
    await arrived(t('panelApi.settings.enable'));
    expect(complaints).toEqual([]);
  });

  it('does not move the focus after another action of the person', async () => {
    const { page, household, complaints } = panel;
    // The page of the setting is slow to come.
    let answer: () => void = () => undefined;
    const held = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await page.route('**/control/settings.get', async (route) => {
      await held;
      await route.continue();
    });
    await choose(t('security.passwords.least'));
    await page.getByRole('heading', { level: 1, name: t('nav.security') }).waitFor();
    await page.getByRole('button', { name: t('goTo.open') }).focus();
    await page.keyboard.press('Shift');
    answer();
    await page.getByLabel(t('security.passwords.least')).waitFor();
    expect(await household.control('settings.get')).toHaveProperty('passwordMinLength');
    expect((await focused(page)).name).not.toBe(t('security.passwords.least'));
    await page.unroute('**/control/settings.get');
    expect(complaints).toEqual([]);
  });
});

describe('a dialog', () => {
  it('returns the focus to the element that had it, also if a menu opened the dialog', async () => {
    const { page, open, button, dialog, pick } = panel;
    const active = () =>
      page.evaluate('document.activeElement.getAttribute("aria-label") ?? document.activeElement.innerText');
    const close = async () => {
      await dialog().waitFor();
      await page.keyboard.press('Escape');
      await dialog().waitFor({ state: 'detached' });
    };
    await page.getByRole('button', { name: t('goTo.open') }).click();
    await close();
    await expect.poll(active).toContain(t('goTo.open'));
    await open(t('nav.api'));
    await button(t('panelApi.clients.add')).click();
    await close();
    await expect.poll(active).toContain(t('panelApi.clients.add'));
    await pick('Tests', t('people.list.remove'));
    await close();
    await expect.poll(active).toBe(t('panelApi.clients.actionsOf', { name: 'Tests' }));
  });
});
