import type { Browser, Page } from 'playwright-core';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launchBrowser } from '../support/browser/browser.ts';
import { inspect, type Visit, visit } from '../support/browser/page.ts';
import { itInFull } from '../support/forms.ts';
import { type Household, OWNER, openHousehold } from '../support/households/household.ts';
import { totp } from '../support/requests/totp.ts';
import { t } from '../support/server-texts.ts';

let browser: Browser;
let household: Household;

beforeAll(async () => {
  [browser, household] = await Promise.all([launchBrowser(), openHousehold()]);
  await household.control('settings.update', { householdName: 'Orchard House' });
});
afterAll(async () => {
  await browser?.close();
  await household?.close();
});

const HALF_A_MINUTE = 30_000;
const RIGHTS = (['list', 'download', 'upload', 'modify', 'delete', 'metadata'] as const)
  .map((scope) => t(`account.apps.may.${scope}`))
  .join(' · ');
const address = (path: string) => `https://127.0.0.1:${household.port}${path}`;

async function signIn(page: Page, password = OWNER.password): Promise<void> {
  await page.getByLabel(t('signIn.username')).fill(OWNER.username);
  await page.getByLabel(t('signIn.password')).fill(password);
  await page.getByRole('button', { name: t('signIn.submit') }).click();
}

/** The reply to what was typed wrong is a 422, which browsers note. */
const grave = ({ complaints }: Visit) => complaints.filter((complaint) => !complaint.includes('422'));

async function atAccount(path = '/account/'): Promise<Visit> {
  const visited = await visit(browser);
  await visited.page.goto(address(path));
  await signIn(visited.page);
  return visited;
}

describe('the account page', () => {
  it('shows the account, the space used, and the apps that have access', async () => {
    const api = await household.signIn();
    await api.put({ path: '/ROOT/HOME/a.jpg' }, Buffer.alloc(3_000_000));
    await api.put({ path: '/ROOT/HOME/b.mkv' }, Buffer.alloc(2_000_000));
    await api.put({ path: '/ROOT/HOME/c.txt' }, Buffer.from('text'));
    const visited = await atAccount();
    const { page } = visited;
    await page.getByRole('heading', { name: 'ann', level: 1 }).waitFor();
    expect(await page.title()).toBe(t('account.title', { household: 'Orchard House' }));
    await page.getByText(t('account.storage.used', { size: '4.8 MB' })).waitFor();
    await page.getByText(t('account.storage.kinds.photos', { size: '2.9 MB' })).waitFor();
    await page.getByRole('heading', { name: 'Tests' }).waitFor();
    await page.getByText(RIGHTS).waitFor();
    await inspect(page, 'account');
    expect(grave(visited)).toEqual([]);
    await visited.context.close();
  });

  itInFull('shows how much of the quota is used, and warns when it is nearly full', async () => {
    const password = 'correct horse battery';
    const permissions = { space_quota_max: 10 };
    await household.control('accounts.add', {
      username: 'mia',
      name: 'Mia',
      password,
      permissions,
      createHomeFolder: true,
    });
    const reply = await household.api.token({
      grant_type: 'password',
      username: 'mia',
      password,
      scope: 'upload',
      client_id: household.clientId,
      client_secret: household.clientSecret,
    });
    const api = household.api.with(String(reply.body.access_token));
    await api.put({ path: '/ROOT/HOME/a.jpg' }, Buffer.alloc(4 * 1024 * 1024));
    await api.put({ path: '/ROOT/HOME/b.mp4' }, Buffer.alloc(2 * 1024 * 1024));
    const visited = await visit(browser);
    const { page } = visited;
    await page.goto(address('/account/'));
    await page.getByLabel(t('signIn.username')).fill('mia');
    await page.getByLabel(t('signIn.password')).fill(password);
    await page.getByRole('button', { name: t('signIn.submit') }).click();
    await page.getByText(t('account.storage.usedOf', { size: '6.0 MB', quota: '10.0 MB' })).waitFor();
    await inspect(page, 'account-quota');
    await api.put({ path: '/ROOT/HOME/c.txt' }, Buffer.alloc(3.5 * 1024 * 1024));
    await page.reload();
    await page.getByText(t('account.storage.nearlyFull')).waitFor();
    await inspect(page, 'account-quota-care');
    expect(grave(visited)).toEqual([]);
    await visited.context.close();
  });

  it('revokes an app, whose token is then refused at once', async () => {
    const api = await household.signIn('profile');
    expect((await api.get('account/info')).status).toBe(200);
    const { page, context } = await atAccount();
    await page.getByRole('button', { name: t('account.apps.revokeApp', { app: 'Tests' }) }).click();
    await page.getByText(t('account.done.revoked')).waitFor();
    await page.getByText(t('account.apps.none')).waitFor();
    expect((await api.get('account/info')).status).toBe(401);
    await inspect(page, 'account-revoked');
    await context.close();
  });

  it('edits the profile, and requires the password for a new e-mail address', async () => {
    const visited = await atAccount();
    const { page, context } = visited;
    await page.getByRole('link', { name: t('account.editProfile') }).click();
    await page.getByLabel(t('profile.name')).fill('Ann');
    await page.getByLabel(t('profile.lastName')).fill('O’Hara-Müller');
    await page.getByRole('button', { name: t('profile.submit') }).click();
    await page.getByText(t('account.done.profile')).waitFor();
    await page.getByRole('heading', { name: 'Ann O’Hara-Müller' }).waitFor();

    await page.getByRole('link', { name: t('account.editProfile') }).click();
    await page.getByLabel(t('profile.email')).fill('ann@orchard.example');
    await page.getByRole('button', { name: t('profile.submit') }).click();
    await page.getByText(t('confirm.problem.refused')).waitFor();
    await expect.poll(() => page.getByLabel(t('profile.email')).inputValue()).toBe('ann@orchard.example');
    await inspect(page, 'account-profile');
    await page.getByLabel(t('confirm.password')).fill(OWNER.password);
    await page.getByRole('button', { name: t('profile.submit') }).click();
    await page.getByText('ann · ann@orchard.example').waitFor();
    expect(grave(visited)).toEqual([]);
    await context.close();
  });

  itInFull('accepts a picture, shows it, and removes it', async () => {
    const visited = await atAccount('/account/profile');
    const { page, context } = visited;
    const send = async (buffer: Buffer) => {
      await page
        .getByLabel(t('profile.picture.label'), { exact: true })
        .setInputFiles({ name: 'me.png', mimeType: 'image/png', buffer });
      await page.getByRole('button', { name: t('profile.picture.save') }).click();
    };
    await page.getByRole('button', { name: t('profile.picture.save') }).click();
    await page.getByText(t('profile.picture.none')).waitFor();
    await send(Buffer.from('this is no picture'));
    await page.getByText(t('api.pictures.unsupported')).waitFor();
    await inspect(page, 'account-picture-wrong');
    const svg =
      '<svg xmlns="http://www.w3.org/2000/svg" width="400" height="300"><rect width="400" height="300" fill="#3f73a8"/><circle cx="200" cy="140" r="80" fill="#f0c9a0"/></svg>';
    await send(await sharp(Buffer.from(svg)).png().toBuffer());
    await page.getByText(t('account.done.picture')).waitFor();
    await page.locator('.person img').waitFor();
    await inspect(page, 'account-picture');
    const source = String(await page.locator('.person img').getAttribute('src'));
    const stranger = await visit(browser);
    expect((await stranger.page.goto(address(source)))?.status()).toBe(404);
    await stranger.context.close();
    await page.goto(address('/account/profile'));
    await inspect(page, 'account-profile-picture');
    await page.getByRole('button', { name: t('profile.picture.remove') }).click();
    await page.locator('.person span.avatar').waitFor();
    expect(visited.complaints.filter((complaint) => !/4(?:15|22)/.test(complaint))).toEqual([]);
    await context.close();
  });

  itInFull('signs out other devices', async () => {
    const [one, other] = [await atAccount(), await atAccount()];
    await one.page.getByRole('link', { name: t('account.devices.heading') }).waitFor();
    await one.page.reload();
    await one.page.getByRole('button', { name: t('account.devices.signOutOthers') }).click();
    await one.page.getByText(t('account.done.signedOut')).waitFor();
    await other.page.reload();
    await other.page.getByRole('heading', { name: t('signIn.heading') }).waitFor();
    await one.page.getByRole('button', { name: t('bar.signOut'), exact: true }).click();
    await one.page.getByRole('heading', { name: t('signIn.heading') }).waitFor();
    await Promise.all([one.context.close(), other.context.close()]);
  });

  it('changes the password, and shows errors beside the fields', async () => {
    const visited = await atAccount('/account/password');
    const { page, context } = visited;
    await page.getByLabel(t('confirm.password')).fill('not the password');
    await page.getByLabel(t('newPassword.label'), { exact: true }).fill('a rather good one');
    await page.getByLabel(t('newPassword.repeat')).fill('a rather good one');
    await page.getByRole('button', { name: t('newPassword.submit') }).click();
    await page.getByText(t('confirm.problem.refused')).waitFor();
    await inspect(page, 'account-password');
    await page.getByLabel(t('confirm.password')).fill(OWNER.password);
    await page.getByLabel(t('newPassword.label'), { exact: true }).fill('short');
    await page.getByLabel(t('newPassword.repeat')).fill('short');
    await page.getByRole('button', { name: t('newPassword.submit') }).click();
    await page.getByText(t('api.passwords.tooShort', { min: 10 })).waitFor();
    await page.getByLabel(t('confirm.password')).fill(OWNER.password);
    await page.getByLabel(t('newPassword.label'), { exact: true }).fill('a rather good one');
    await page.getByLabel(t('newPassword.repeat')).fill('a rather good one');
    await page.getByRole('button', { name: t('newPassword.submit') }).click();
    await page.getByText(t('account.done.password')).waitFor();
    // Back, for the tests that follow.
    await page.goto(address('/account/password'));
    await page.getByLabel(t('confirm.password')).fill('a rather good one');
    await page.getByLabel(t('newPassword.label'), { exact: true }).fill(OWNER.password);
    await page.getByLabel(t('newPassword.repeat')).fill(OWNER.password);
    await page.getByRole('button', { name: t('newPassword.submit') }).click();
    await page.getByText(t('account.done.password')).waitFor();
    expect(grave(visited)).toEqual([]);
    await context.close();
  });
});

describe('two-step sign-in', () => {
  it('is set up by QR code or by key, required at the next sign-in, and disabled', async () => {
    const visited = await atAccount('/account/two-step');
    const { page, context } = visited;
    await page.getByRole('img', { name: t('twoStep.setUp.qrCode') }).waitFor();
    const key = (await page.locator('.mono').innerText()).replace(/\s/g, '');
    expect(key).toMatch(/^[A-Z2-7]{32}$/);
    await inspect(page, 'two-step');
    await page.getByLabel(t('twoStep.setUp.code')).fill('000000');
    await page.getByLabel(t('confirm.password')).fill(OWNER.password);
    await page.getByRole('button', { name: t('twoStep.setUp.submit') }).click();
    await page.getByText(t('twoStep.setUp.wrong')).waitFor();
    // The same key as before: the app has it already.
    expect((await page.locator('.mono').innerText()).replace(/\s/g, '')).toBe(key);
    await inspect(page, 'two-step-wrong');
    await page.getByLabel(t('twoStep.setUp.code')).fill(totp(key, household.clock.now()));
    await page.getByLabel(t('confirm.password')).fill(OWNER.password);
    await page.getByRole('button', { name: t('twoStep.setUp.submit') }).click();
    await page.getByRole('heading', { name: t('twoStep.codes.heading') }).waitFor();
    const codes = await page.locator('.codes code').allInnerTexts();
    expect(new Set(codes).size).toBe(10);
    await inspect(page, 'recovery-codes');
    await page.getByRole('link', { name: t('twoStep.codes.done') }).click();
    await page.getByText(t('account.twoStep.codesLeft', { codes: 10 })).waitFor();
    await inspect(page, 'account-two-step');

    household.clock.advance(HALF_A_MINUTE);
    const other = await atAccount();
    await other.page.getByRole('heading', { name: t('signIn.code.heading') }).waitFor();
    await expect.poll(() => other.page.evaluate('document.activeElement.id')).toBe('otp');
    await inspect(other.page, 'code');
    await other.page.getByLabel(t('confirm.code')).fill('000000');
    await other.page.getByRole('button', { name: t('signIn.submit') }).click();
    await other.page.getByText(t('signIn.code.wrong')).waitFor();
    await inspect(other.page, 'code-wrong');
    await other.page.getByLabel(t('confirm.code')).fill(codes[0] ?? '');
    await other.page.getByRole('button', { name: t('signIn.submit') }).click();
    await other.page.getByText(t('account.twoStep.codesLeft', { codes: 9 })).waitFor();

    await page.goto(address('/account/two-step'));
    await inspect(page, 'two-step-change');
    await page.getByLabel(t('confirm.password')).fill(OWNER.password);
    await page.getByLabel(t('confirm.code')).fill(totp(key, household.clock.now()));
    await page.getByRole('button', { name: t('twoStep.manage.off') }).click();
    await page.getByText(t('account.done.twoStepOff')).waitFor();
    expect(grave(visited)).toEqual([]);
    expect(grave(other)).toEqual([]);
    await Promise.all([context.close(), other.context.close()]);
  });
});
