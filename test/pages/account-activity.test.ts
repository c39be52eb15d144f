import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { launchBrowser } from '../support/browser/browser.ts';
import { inspect, visit } from '../support/browser/page.ts';
import { type Household, OWNER, openHousehold } from '../support/households/household.ts';
import { addMembersWithHomes, signInAs } from '../support/households/member.ts';
import { t } from '../support/server-texts.ts';

let browser: Browser;
let household: Household;

beforeAll(async () => {
  [browser, household] = await Promise.all([launchBrowser(), openHousehold()]);
  await addMembersWithHomes(household, { mia: {} });
  const [ann, mia] = [await household.signIn(), await signInAs(household, 'mia')];
  const { id: uid } = (await mia.get('account/info')).body;
  for (let number = 1; number <= 12; number += 1) {
    await ann.put({ filePath: `/ROOT/HOME/Holidays/lake ${number}.jpg` }, `photo ${number}`);
  }
  const { body } = await ann.post('files/share', { path: '/ROOT/HOME/Holidays', uid, upload: 1, alter: 1 });
  const shared = `/ROOT/${(await ann.get('account/info')).body.id}/${body.data.shareid}`;
  household.clock.advance(86_400_000);
  await (await signInAs(household, 'mia')).put({ filePath: `${shared}/from Mia.jpg` }, 'x');
  await (await household.signIn()).post('files/weblink', { path: '/ROOT/HOME/Holidays' });
});
afterAll(async () => {
  await browser?.close();
  await household?.close();
});

it('the page shows a person’s activity by day, with groups that can be expanded', async () => {
  const { page, context, complaints } = await visit(browser);
  await page.goto(`https://127.0.0.1:${household.port}/account/`);
  await page.getByLabel(t('signIn.username')).fill(OWNER.username);
  await page.getByLabel(t('signIn.password')).fill(OWNER.password);
  await page.getByRole('button', { name: t('signIn.submit') }).click();
  // The navigation is hidden on phones.
  await page
    .getByRole('link', { name: t('account.nav.activity') })
    .first()
    .waitFor();
  await page.getByRole('link', { name: t('account.activity.open') }).click();
  await page.getByRole('heading', { level: 1, name: t('account.activity.heading') }).waitFor();
  const today = page.locator('section', { has: page.getByRole('heading', { name: t('dates.todayHeading') }) });
  await today.getByText('Holidays/from Mia.jpg').waitFor();
  const group = page.locator('details', { hasText: t('activity.group.what', { count: 12, kind: 'photos' }) });
  expect(await group.getByText('Holidays/lake 7.jpg').isVisible()).toBe(false);
  await inspect(page, 'account-activity');
  await group.locator('summary').click();
  await group.getByText('Holidays/lake 7.jpg').waitFor();
  await inspect(page, 'account-activity-open');
  await page.getByRole('link', { name: t('account.activity.sharing'), exact: true }).click();
  await page
    .getByRole('navigation', { name: t('account.activity.filters') })
    .locator('[aria-current]')
    .waitFor();
  expect(await page.getByText('lake 7.jpg').count()).toBe(0);
  await page.getByText(/created a link to/).waitFor();
  expect(complaints).toEqual([]);
  await context.close();
});
