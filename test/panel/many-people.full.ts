import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Connection } from '../../dist/server/database/connection.js';
import { launchBrowser } from '../support/browser/browser.ts';
import { like, t } from '../support/browser/panel-texts.ts';
import { openPanel, type PanelVisit } from '../support/browser/panel-visit.ts';
import { openHousehold } from '../support/households/household.ts';

let panel: PanelVisit;

beforeAll(async () => {
  const [browser, household] = await Promise.all([launchBrowser(), openHousehold()]);
  await household.whileStopped(async () => {
    const connection = await Connection.open(join(household.folder, '.larder', 'larder.sqlite'));
    await connection.run(
      `WITH RECURSIVE numbers (n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM numbers WHERE n < 9999)
       INSERT INTO accounts (type, username, username_fold, name, last_name, registered_at)
       SELECT 'user', 'user' || n, 'user' || n, 'Zoë ' || n, '', n FROM numbers`,
    );
    await connection.close();
  });
  panel = await openPanel(browser, household);
});
afterAll(() => panel?.close());

it('ten thousand people are scrolled with only the visible rows in the document, and all are selected', async () => {
  const { page, open, button, row } = panel;
  await open(t('nav.people'));
  await page.getByText(t('people.list.count.users', { count: 10001 })).waitFor();
  const rows = () => page.getByRole('row').count();
  expect(await rows()).toBeLessThan(60);
  await expect
    .poll(() => page.getByRole('table', { name: t('people.tabs.users') }).getAttribute('aria-rowcount'))
    .toBe('10002');
  await page.keyboard.press('End');
  await row('Zoë 9999').waitFor();
  await expect.poll(() => row('Zoë 9999').getAttribute('aria-rowindex')).toBe('10002');
  expect(await rows()).toBeLessThan(60);
  // To the middle at once, as by dragging the bar.
  await page.evaluate('scrollTo(0, document.documentElement.scrollHeight / 2)');
  await page
    .getByRole('rowheader', { name: /^Z?\s*Zoë 49\d\d/ })
    .first()
    .waitFor();
  await page.evaluate('scrollTo(0, 0)');
  await page.getByRole('checkbox', { name: t('people.list.select', { name: 'Zoë 0' }), exact: true }).check();
  await button(t('people.list.selectAll', { total: 10001 })).click();
  await page.getByText(t('people.list.selected', { count: 10001, total: 10001 })).waitFor();
  await page.getByRole('searchbox').fill('zoe 77');
  await page.getByText(t('people.list.count.users', { count: 111 })).waitFor();
  await expect.poll(() => page.getByText(like('people.list.selected', { count: 10_001 })).count()).toBe(0);
  expect(panel.complaints).toEqual([]);
});
