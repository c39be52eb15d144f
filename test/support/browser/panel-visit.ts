import type { Browser, BrowserContext, Locator, Page } from 'playwright-core';
import { type Household, type HouseholdOptions, openHousehold } from '../households/household.ts';
import { launchBrowser } from './browser.ts';
import { visit } from './page.ts';
import { t } from './panel-texts.ts';

/** The panel of a household, open in a browser. */
export interface PanelVisit {
  readonly browser: Browser;
  readonly household: Household;
  readonly page: Page;
  readonly complaints: string[];
  button(name: string): Locator;
  dialog(): Locator;
  row(name: string): Locator;
  /** Goes to a page of the sidebar, and to a tab of it. */
  open(name: string, tab?: string): Promise<void>;
  /** Opens the menu of a row and clicks an action. */
  pick(name: string, action: string): Promise<void>;
  /** The same for a menu whose button has another text. */
  pickFrom(menu: string, action: string): Promise<void>;
  /** Reloads the panel, so that nothing of the previous test stays open. */
  fresh(): Promise<void>;
  close(): Promise<void>;
}

export async function visitPanel(options: HouseholdOptions = {}): Promise<PanelVisit> {
  const [browser, household] = await Promise.all([launchBrowser(), openHousehold(options)]);
  return openPanel(browser, household);
}

export async function openPanel(browser: Browser, household: Household): Promise<PanelVisit> {
  const { context, page, complaints }: { context: BrowserContext; page: Page; complaints: string[] } =
    await visit(browser);
  await page.goto(String((await household.control('panel.link')).url));
  await page.getByRole('heading', { name: t('overview.heading') }).waitFor();
  // With unsaved changes, the browser asks whether to leave.
  page.on('dialog', (question) => void question.accept());
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  async function pickFrom(menu: string, action: string): Promise<void> {
    await button(menu).click();
    await page.getByRole('menuitem', { name: action, exact: true }).click();
    await page.getByRole('menu').waitFor({ state: 'detached' });
  }
  return {
    browser,
    household,
    page,
    complaints,
    button,
    dialog: () => page.getByRole('dialog'),
    row: (name) => page.getByRole('row').filter({ has: page.getByRole('rowheader', { name }) }),
    async open(name, tab) {
      await page
        .getByRole('navigation', { name: t('nav.pages') })
        .getByRole('link', { name, exact: true })
        .click();
      if (tab === undefined) return;
      await page.getByRole('navigation', { name }).getByRole('link', { name: tab }).click();
    },
    pick: (name, action) => pickFrom(t('people.list.actionsOf', { name }), action),
    pickFrom,
    async fresh() {
      const { origin } = new URL(page.url());
      await page.goto('about:blank');
      await page.goto(`${origin}/#/`);
      await page.getByRole('heading', { name: t('overview.heading') }).waitFor();
      complaints.length = 0;
    },
    async close() {
      await context.close();
      await browser.close();
      await household.close();
    },
  };
}
