import { afterAll, beforeAll, expect, it } from 'vitest';
import { launchBrowser } from '../support/browser/browser.ts';
import { t } from '../support/browser/panel-texts.ts';
import { openPanel, type PanelVisit } from '../support/browser/panel-visit.ts';
import { homeOf } from '../support/households/member.ts';
import { type LinkHousehold, openLinkHousehold } from '../support/requests/links.ts';
import { t as ofPages } from '../support/server-texts.ts';

// What people do on their pages has the same name in the panel.

const HOME = '/ROOT/HOME';

let household: LinkHousehold;
let panel: PanelVisit;

beforeAll(async () => {
  const [browser, opened] = await Promise.all([launchBrowser(), openLinkHousehold()]);
  household = opened;
  await household.put('Recipes.pdf', 'Holidays/plan.txt');
  await household.link(`${HOME}/Recipes.pdf`);
  await household.share(`${HOME}/Holidays`, { gid: household.family });
  panel = await openPanel(browser, household);
});
afterAll(() => panel?.close());

/** The names in the menu of the only row. */
async function menuOf(name: string): Promise<string[]> {
  const { page, button } = panel;
  await button(name).click();
  await page.getByRole('menuitem').first().waitFor();
  const names = await page.getByRole('menuitem').allInnerTexts();
  await page.keyboard.press('Escape');
  await page.getByRole('menu').waitFor({ state: 'detached' });
  return names.map((one) => one.trim());
}

it('a web link is ended by the name that the page of its maker uses', async () => {
  await panel.open(t('nav.links'));
  const names = await menuOf(t('linksAndShares.links.actionsOf', { name: 'Recipes.pdf' }));
  expect(names).toContain(ofPages('weblinks.end.label'));
});

it('a share is ended by the name that the page of the sharer uses', async () => {
  await panel.open(t('nav.links'), t('linksAndShares.tabs.shares'));
  const names = await menuOf(t('linksAndShares.shares.actionsOf', { name: 'Holidays', to: 'Family' }));
  expect(names).toContain(ofPages('sharing.stop'));
});

it('what is in the trash is deleted by the name that the trash of people uses', async () => {
  const { page, household: own } = panel;
  await own.control('accounts.add', { username: 'una', name: 'Una', generatePassword: true, createHomeFolder: true });
  const { id } = await own.control('accounts.get', { username: 'una' });
  await own.control('accounts.remove', { ids: [Number(id)] });
  await panel.open(t('nav.files'));
  await panel.pick(homeOf(own, 'una'), t('files.homes.trash'));
  await panel
    .dialog()
    .getByRole('button', { name: t('files.homes.trash') })
    .click();
  await page.getByRole('heading', { name: t('files.trashed.title') }).waitFor();
  const erase = page.getByRole('button', { name: t('files.trashed.eraseOf', { path: homeOf(own, 'una') }) });
  expect(await erase.innerText()).toBe(ofPages('files.actions.erase'));
});
