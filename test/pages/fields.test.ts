import { readFile } from 'node:fs/promises';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { launchBrowser } from '../support/browser/browser.ts';
import { inspect, type Visit, visit } from '../support/browser/page.ts';
import { itInFull } from '../support/forms.ts';
import { type Household, OWNER, openHousehold } from '../support/households/household.ts';
import { totp } from '../support/requests/totp.ts';
import { t } from '../support/server-texts.ts';

let browser: Browser;
let household: Household;
let visited: Visit;
let page: Page;
beforeAll(async () => {
  [browser, household] = await Promise.all([launchBrowser(), openHousehold()]);
});
afterAll(async () => {
  await browser?.close();
  await household?.close();
});
beforeEach(async () => {
  visited = await visit(browser);
  ({ page } = visited);
  return () => visited.context.close();
});

const address = (path: string) => `https://127.0.0.1:${household.port}${path}`;
const password = () => page.getByLabel(t('signIn.password'), { exact: true });
const eye = () => page.getByRole('button', { name: t('fields.showTyped') });
const caret = () =>
  password().evaluate((field) => [
    (field as { selectionStart?: number }).selectionStart,
    document.activeElement === field,
  ]);

async function signIn(): Promise<void> {
  await page.getByLabel(t('signIn.username')).fill(OWNER.username);
  await password().fill(OWNER.password);
  await page.getByRole('button', { name: t('signIn.submit') }).click();
}

it('a password is shown on request without moving the caret, and hidden again when it is submitted', async () => {
  await page.goto(address('/account/'));
  await page.getByLabel(t('signIn.username')).fill(OWNER.username);
  await password().pressSequentially('wrong one');
  for (let step = 0; step < 4; step += 1) await page.keyboard.press('ArrowLeft');
  expect(await caret()).toEqual([5, true]);
  for (const [type, isPressed] of [
    ['text', 'true'],
    ['password', 'false'],
    ['text', 'true'],
  ]) {
    await eye().click();
    await expect.poll(() => password().getAttribute('type')).toBe(type);
    expect(await eye().getAttribute('aria-pressed')).toBe(isPressed);
    await expect.poll(caret).toEqual([5, true]);
  }
  await page.keyboard.type('!');
  expect(await password().inputValue()).toBe('wrong! one');
  await inspect(page, 'password-shown');
  // What is sent is a password field again.
  await page.evaluate("document.forms[0].addEventListener('submit', (event) => event.preventDefault())");
  await page.getByRole('button', { name: t('signIn.submit') }).click();
  await expect.poll(() => password().getAttribute('type')).toBe('password');
  expect(await eye().getAttribute('aria-pressed')).toBe('false');
  expect(visited.complaints).toEqual([]);
});

itInFull('a password field without scripts is an ordinary one', async () => {
  const context = await browser.newContext({ javaScriptEnabled: false, ignoreHTTPSErrors: true });
  page = await context.newPage();
  await page.goto(address('/account/'));
  expect(await eye().count()).toBe(0);
  await signIn();
  await page.getByRole('heading', { name: OWNER.username }).first().waitFor();
  await context.close();
});

itInFull(
  'one-time codes use the numeric keyboard; recovery codes do not, and can be copied, saved and printed',
  async () => {
    await visited.context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.goto(address('/account/two-step'));
    await signIn();
    const code = page.getByLabel(t('twoStep.setUp.code'));
    expect(await code.getAttribute('inputmode')).toBe('numeric');
    expect(await code.getAttribute('autocomplete')).toBe('one-time-code');
    const key = await page.locator('input[name=key]').inputValue();
    await code.fill(totp(key, household.clock.now()));
    await page.getByLabel(t('confirm.password'), { exact: true }).fill(OWNER.password);
    await page.getByRole('button', { name: t('twoStep.setUp.submit') }).click();
    await page.getByRole('heading', { name: t('twoStep.codes.heading') }).waitFor();
    const codes = await page.locator('#codes code').allTextContents();
    await page.getByRole('button', { name: t('twoStep.codes.copy') }).click();
    await page.getByRole('button', { name: t('twoStep.codes.copied') }).waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(codes.join('\n'));
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: t('twoStep.codes.save') }).click(),
    ]);
    expect(download.suggestedFilename()).toBe(t('twoStep.codes.file'));
    const saved = await readFile(await download.path(), 'utf8');
    for (const one of codes) expect(saved).toContain(one);
    await page.evaluate('window.print = () => { window.printed = true; }');
    await page.getByRole('button', { name: t('twoStep.codes.print') }).click();
    expect(await page.evaluate('window.printed')).toBe(true);
    await inspect(page, 'recovery-codes-kept');
    // The next sign-in, without the phone.
    await visited.context.clearCookies();
    await page.goto(address('/account/'));
    await signIn();
    await page.getByLabel(t('signIn.code.label')).waitFor();
    await page.getByText(t('signIn.code.useRecovery')).click();
    const recovery = page.getByLabel(t('signIn.code.recovery'));
    expect(await recovery.getAttribute('inputmode')).toBe(null);
    expect(await recovery.getAttribute('autocomplete')).toBe('off');
    await inspect(page, 'recovery-code');
    await recovery.fill(codes[0] ?? '');
    await page.getByRole('button', { name: t('signIn.submit') }).click();
    await page.getByRole('heading', { name: OWNER.username }).first().waitFor();
    expect(visited.complaints).toEqual([]);
  },
);
