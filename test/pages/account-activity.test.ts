import type { Browser } from 'playwright-core';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { launchBrowser } from '../support/browser/browser.ts';
import { inspect, visit } from '../support/browser/page.ts';
import { WebVisitor } from '../support/browser/web-visitor.ts';
import { type Household, OWNER, openHousehold } from '../support/households/household.ts';
import { addMembersWithHomes, MEMBER, setPermissions, signInAs } from '../support/households/member.ts';
import { t } from '../support/server-texts.ts';

let browser: Browser;
let household: Household;

beforeAll(async () => {
  [browser, household] = await Promise.all([launchBrowser(), openHousehold()]);
  await addMembersWithHomes(household, { mia: {}, tom: {} });
  const [ann, mia] = [await household.signIn(), await signInAs(household, 'mia')];
  const picture = await sharp({ create: { width: 64, height: 64, channels: 3, background: '#c0392b' } })
    .png()
    .toBuffer();
  expect((await mia.send('PUT', '/api.php/account/avatar', { body: picture })).status).toBe(200);
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
  // The name and the picture of Mia, which the browser could read.
  const line = today.locator('li', { hasText: 'Holidays/from Mia.jpg' });
  expect(await line.locator('strong').first().textContent()).toBe('Mia');
  expect(await line.locator('strong').first().getAttribute('title')).toBe('mia');
  await expect
    .poll(() => line.locator('img.avatar').evaluate((image) => (image as HTMLImageElement).naturalWidth))
    .toBe(256);
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
  await page.getByText(/shared Holidays with Mia/).waitFor();
  expect(complaints).toEqual([]);
  await context.close();
});

it('a person who may not be known has the user name of the log only, and no picture', async () => {
  const [mia, tom] = [await signInAs(household, 'mia'), await signInAs(household, 'tom')];
  const uid = Number((await mia.get('account/info')).body.id);
  await tom.put({ filePath: '/ROOT/HOME/Garden/plan.txt' }, 'x');
  const { body } = await tom.post('files/share', { path: '/ROOT/HOME/Garden', uid, upload: 1 });
  const shared = `/ROOT/${(await tom.get('account/info')).body.id}/${body.data.shareid}`;
  expect((await mia.put({ filePath: `${shared}/roses.txt` }, 'x')).status).toBe(201);
  const visitor = new WebVisitor(household);
  const form = await visitor.get('/account/');
  const asTom = { ...MEMBER, username: 'tom' };
  await visitor.post('/account/sign-in', { form_token: form.field('form_token'), next: '/account/', ...asTom });
  const line = async () =>
    (await visitor.get('/account/activity')).text.split('<li>').find((one) => one.includes('roses.txt'));
  const picture = async () => (await visitor.get(`/account/picture?of=${uid}`)).status;
  expect(await line()).toContain('<strong title="mia">Mia</strong>');
  expect(await line()).toContain(`/account/picture?of=${uid}&amp;v=`);
  expect(await picture()).toBe(200);
  await setPermissions(household, { tom: { users_may_see: '' } });
  expect(await line()).toContain('<strong>mia</strong>');
  expect(await line()).not.toContain('/account/picture');
  expect(await picture()).toBe(404);
  expect((await visitor.get('/account/picture?of=999999')).status).toBe(404);
});
