import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { inspectPanel } from '../support/browser/panel-page.ts';
import { like, t } from '../support/browser/panel-texts.ts';
import { type PanelVisit, visitPanel } from '../support/browser/panel-visit.ts';

let panel: PanelVisit;
beforeAll(async () => {
  panel = await visitPanel();
});
beforeEach(() => panel.fresh());
afterAll(() => panel?.close());

const here = () => panel.page.evaluate('location.hash') as Promise<string>;
const back = () => panel.page.evaluate('history.back()');
const forward = () => panel.page.evaluate('history.forward()');
const tries = () => panel.page.getByLabel(t('security.passwords.limit'));
const question = () => panel.dialog().getByRole('heading', { name: t('saveBar.leave') });
const limit = async () => (await panel.household.control('settings.get')).wrongPasswordLimit;

async function answer(word: string): Promise<void> {
  await question().waitFor();
  await panel.dialog().getByRole('button', { name: word }).click();
  await panel.dialog().waitFor({ state: 'detached' });
}

/** Overview, People, Security with something typed, and Mail ahead of it. */
async function typeInTheMiddle(): Promise<void> {
  const { page, open } = panel;
  await open(t('nav.people'));
  await open(t('nav.security'));
  await tries().waitFor();
  await open(t('nav.mail'));
  await page.getByRole('heading', { level: 1, name: t('nav.mail') }).waitFor();
  await back();
  await tries().fill('7');
  await page.getByText(t('saveBar.changes', { count: 1 })).waitFor();
}

describe('leaving with unsaved input', () => {
  it('asks at each Back, and then goes to its target', async () => {
    const { page, complaints } = panel;
    await typeInTheMiddle();
    for (let times = 0; times < 3; times += 1) {
      await back();
      await question().waitFor();
      if (times === 0) await inspectPanel(page, 'leaving', ['usual', 'phone']);
      await answer(t('saveBar.stay'));
      await expect.poll(here).toBe('#/security');
      await expect.poll(() => tries().inputValue()).toBe('7');
    }
    await back();
    await answer(t('saveBar.leaveDo'));
    await page.getByRole('heading', { level: 1, name: t('people.title') }).waitFor();
    expect(await here()).toBe('#/people');
    // What was before and behind is still there, each once.
    await back();
    await page.getByRole('heading', { name: t('overview.heading') }).waitFor();
    await forward();
    await page.getByRole('heading', { level: 1, name: t('people.title') }).waitFor();
    await forward();
    await tries().waitFor();
    expect(await tries().inputValue(), 'it was given up').not.toBe('7');
    await forward();
    await page.getByRole('heading', { level: 1, name: t('nav.mail') }).waitFor();
    expect([await limit(), complaints]).toEqual([5, []]);
  });

  it('asks at each Forward, and then goes to its target', async () => {
    const { page, complaints } = panel;
    await typeInTheMiddle();
    for (let times = 0; times < 2; times += 1) {
      await forward();
      await answer(t('saveBar.stay'));
      await expect.poll(here).toBe('#/security');
    }
    await forward();
    await answer(t('saveBar.leaveDo'));
    await page.getByRole('heading', { level: 1, name: t('nav.mail') }).waitFor();
    await back();
    await tries().waitFor();
    await back();
    await page.getByRole('heading', { level: 1, name: t('people.title') }).waitFor();
    expect(complaints).toEqual([]);
  });

  it('asks once for several steps, and then goes all of them', async () => {
    const { page, complaints } = panel;
    await typeInTheMiddle();
    await page.evaluate('history.go(-2)');
    await answer(t('saveBar.stay'));
    await expect.poll(here).toBe('#/security');
    // Two presses, faster than anything can be asked.
    await page.evaluate('history.back(), setTimeout(() => history.back(), 1), undefined');
    await answer(t('saveBar.stay'));
    await expect.poll(here).toBe('#/security');
    await expect.poll(() => tries().inputValue()).toBe('7');
    await page.evaluate('history.go(-2)');
    await answer(t('saveBar.leaveDo'));
    await page.getByRole('heading', { name: t('overview.heading') }).waitFor();
    expect(complaints).toEqual([]);
  });

  it('asks at a link as well, after which Back has the same target as before', async () => {
    const { page, open, complaints } = panel;
    await typeInTheMiddle();
    await open(t('nav.about'));
    await answer(t('saveBar.stay'));
    await expect.poll(here).toBe('#/security');
    await back();
    await answer(t('saveBar.stay'));
    await open(t('nav.about'));
    await answer(t('saveBar.leaveDo'));
    await page.getByRole('heading', { level: 1, name: t('nav.about') }).waitFor();
    await back();
    await tries().waitFor();
    await back();
    await page.getByRole('heading', { level: 1, name: t('people.title') }).waitFor();
    expect(complaints).toEqual([]);
  });

  it('asks also after a reload, and after a search has changed the address', async () => {
    const { page, open, complaints } = panel;
    await open(t('nav.people'));
    await page.getByRole('searchbox').fill('ann');
    await expect.poll(here).toContain('ann');
    await open(t('nav.security'));
    // At once: before the page has heard that it is another one.
    await page.reload();
    await tries().fill('8');
    await page.getByText(t('saveBar.changes', { count: 1 })).waitFor();
    await back();
    await answer(t('saveBar.stay'));
    await expect.poll(here).toBe('#/security');
    await back();
    await answer(t('saveBar.leaveDo'));
    await expect.poll(() => page.getByRole('searchbox').inputValue()).toBe('ann');
    await back();
    await page.getByRole('heading', { name: t('overview.heading') }).waitFor();
    expect(complaints).toEqual([]);
  });

  it('does not ask after the input is saved or reverted', async () => {
    const { page, button, open, complaints } = panel;
    await typeInTheMiddle();
    await button(t('saveBar.discard')).click();
    await back();
    await page.getByRole('heading', { level: 1, name: t('people.title') }).waitFor();
    await open(t('nav.security'));
    await tries().fill('6');
    await button(t('saveBar.save')).click();
    await page.getByText(like('saveBar.changes')).waitFor({ state: 'detached' });
    await back();
    await page.getByRole('heading', { level: 1, name: t('people.title') }).waitFor();
    expect([await limit(), complaints]).toEqual([6, []]);
  });
});
