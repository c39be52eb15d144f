import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DAY } from '../../dist/server/lib/clock.js';
import { basic } from '../oauth/support.ts';
import { launchBrowser } from '../support/browser/browser.ts';
import { inspect, type Visit, visit } from '../support/browser/page.ts';
import { WebVisitor } from '../support/browser/web-visitor.ts';
import { itInFull } from '../support/forms.ts';
import { type Household, OWNER, openHousehold } from '../support/households/household.ts';
import { MEMBER } from '../support/households/member.ts';
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

const address = (path: string) => `https://127.0.0.1:${household.port}${path}`;
const PAGE = '/account/programs';

/** The reply to what was typed wrong is a 422, which browsers note. */
const grave = ({ complaints }: Visit) => complaints.filter((complaint) => !complaint.includes('422'));

async function atPage(path = PAGE, options: Parameters<typeof visit>[1] = {}): Promise<Visit> {
  const visited = await visit(browser, options);
  const { page } = visited;
  await page.goto(address(path));
  await page.getByLabel(t('signIn.username')).fill(OWNER.username);
  await page.getByLabel(t('signIn.password')).fill(OWNER.password);
  await page.getByRole('button', { name: t('signIn.submit') }).click();
  await page.getByRole('heading', { level: 1 }).waitFor();
  return visited;
}

async function signedInAs({ username, password }: { username: string; password: string }): Promise<WebVisitor> {
  const visitor = new WebVisitor(household);
  const { field } = await visitor.get(PAGE);
  await visitor.post('/account/sign-in', { form_token: field('form_token'), next: PAGE, username, password });
  return visitor;
}

const opener = (page: Page) => page.locator('.create summary');
const submit = (page: Page) => page.getByRole('button', { name: t('programs.create.do') });

/** Creates one on the page. @returns it */
async function create(page: Page, label: string, more: Record<string, string> = {}, password = OWNER.password) {
  if (!(await submit(page).isVisible())) await opener(page).click();
  await page.getByLabel(t('programs.create.label'), { exact: true }).fill(label);
  for (const [name, value] of Object.entries(more)) await page.locator(`.create [name=${name}]`).fill(value);
  await page.getByLabel(t('confirm.password')).fill(password);
  await submit(page).click();
}

const dav = (path: string, password: string) =>
  household.api.send('PROPFIND', path, { headers: { ...basic(OWNER.username, password), depth: '1' } });

describe('connecting programs', () => {
  it('shows the steps for each program, and creates the app password as one of them', async () => {
    const visited = await atPage('/account/');
    const { page } = visited;
    await page
      .getByRole('navigation', { name: t('account.nav.label') })
      .getByText(t('account.nav.programs'))
      .click();
    await page.getByRole('heading', { name: t('programs.names.windows') }).waitFor();
    const field = (name: string) => page.getByLabel(name, { exact: true }).inputValue();
    expect(await field(t('programs.address'))).toBe(address('/dav/'));
    expect(await field(t('programs.username'))).toBe(OWNER.username);
    await inspect(page, 'programs');

    await page.getByRole('link', { name: t('programs.names.kodi') }).click();
    expect([
      await field(t('programs.server')),
      await field(t('programs.port')),
      await field(t('programs.path')),
    ]).toEqual(['127.0.0.1', String(household.port), 'dav']);
    for (const name of ['nextcloud', 'nextcloudAndroid', 'nextcloudIos'] as const) {
      await page.goto(address(`${PAGE}?program=${name}`));
      expect(await field(t('programs.address'))).toBe(address(''));
      expect(await page.getByText(t('programs.opensPage')).count()).toBe(1);
      await inspect(page, `programs-${name}`);
    }
    await page.goto(address(`${PAGE}?program=kodi`));
    await opener(page).click();
    await inspect(page, 'programs-create');
    await create(page, 'Living room', {}, 'not the password');
    await page.getByText(t('confirm.problem.refused')).waitFor();
    expect(await page.getByLabel(t('programs.create.label'), { exact: true }).inputValue()).toBe('Living room');
    await create(page, 'Living room', { folder: '/nothing' });
    await page.getByText(t('programs.create.folderProblem')).waitFor();
    await create(page, 'Living room', { folder: '', expires: '2001-01-01' });
    await page.getByText(t('api.appPasswords.past')).waitFor();
    await inspect(page, 'programs-problem');
    await create(page, 'Living room', { expires: '' });
    await page.getByRole('heading', { name: t('programs.made.heading', { label: 'Living room' }) }).waitFor();
    const password = await page.locator('#password').innerText();
    expect(password).toMatch(/^[a-z0-9]{4}(-[a-z0-9]{4}){5}$/);
    await inspect(page, 'programs-made');
    expect((await dav('/dav/', password)).status).toBe(207);
    await page.getByRole('link', { name: t('programs.made.done') }).click();
    await page.getByRole('heading', { name: 'Living room' }).waitFor();
    expect(await page.content()).not.toContain(password);

    await page.getByRole('button', { name: t('programs.list.revokeOf', { label: 'Living room' }) }).click();
    await page.getByText(t('account.done.appPassword')).waitFor();
    expect((await dav('/dav/', password)).status).toBe(401);
    expect(grave(visited)).toEqual([]);
    await visited.context.close();
  });

  itInFull('lists app passwords with their limits and their last use', async () => {
    const api = await household.signIn();
    await api.post('files/createfolder', { path: '/ROOT/HOME', name: 'Photos' });
    await api.post('account/app-passwords/add', { label: 'From an app', folder: '/ROOT/HOME/Photos' });
    const visited = await atPage(`${PAGE}?program=linux`);
    const { page } = visited;
    await create(page, 'Study PC', { folder: '/Photos' });
    const password = await page.locator('#password').innerText();
    await dav('/dav/', password);
    await page.goto(address(PAGE));
    const row = (label: string) =>
      page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: label }) });
    await expect.poll(() => row('Study PC').innerText()).toContain(t('programs.list.folder', { folder: '/Photos' }));
    expect(await row('Study PC').innerText()).toContain('127.0.0.1');
    expect(await row('Study PC').innerText()).toContain(t('programs.names.linux'));
    expect(await row('From an app').innerText()).toContain('Tests');
    household.clock.advance(183 * DAY);
    expect((await page.goto(address(PAGE)))?.status()).toBe(200);
    await page.getByLabel(t('signIn.username')).fill(OWNER.username);
    await page.getByLabel(t('signIn.password')).fill(OWNER.password);
    await page.getByRole('button', { name: t('signIn.submit') }).click();
    await page.getByText(t('programs.list.unused')).first().waitFor();
    await inspect(page, 'programs-list');
    expect(grave(visited)).toEqual([]);
    await visited.context.close();
  });

  itInFull('copies values with a script, and works without', async () => {
    const visited = await atPage(PAGE, { permissions: ['clipboard-read', 'clipboard-write'] });
    const { page } = visited;
    await page.getByRole('button', { name: t('programs.copyOf', { name: t('programs.address') }) }).click();
    await page.getByText(t('programs.copied')).first().waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(address('/dav/'));
    expect(grave(visited)).toEqual([]);
    await visited.context.close();

    const plain = await atPage(PAGE, { javaScriptEnabled: false });
    await create(plain.page, 'Without scripts');
    await plain.page.getByRole('heading', { name: t('programs.made.heading', { label: 'Without scripts' }) }).waitFor();
    expect(await plain.page.getByRole('button', { name: /copy/i }).count()).toBe(0);
    await plain.context.close();
  });

  it('shows people that the owner has disabled it, and the owner where to change that', async () => {
    await household.control('settings.update', { webdav: false });
    await household.control('accounts.add', { ...MEMBER, name: 'Mia' });
    const member = await signedInAs(MEMBER);
    expect((await member.get(PAGE)).text).toContain(t('programs.closed'));
    const owner = (await (await signedInAs(OWNER)).get(PAGE)).text;
    expect(owner).not.toContain(t('programs.closed'));
    expect(owner).toContain(`<a href="/panel/#/api/settings">${t('programs.closedChange')}</a>`);
    await household.control('settings.update', { webdav: true });
    expect((await member.get(PAGE)).text).not.toContain(t('programs.closed'));
  });

  itInFull('follows the settings, also while it is shown', async () => {
    const visited = await atPage();
    const { page, context } = visited;
    const closed = page.getByText(t('programs.closedChange'));
    expect(await closed.count()).toBe(0);
    for (const change of [{ webdav: false }, { webdav: true, apiEnabled: false }]) {
      await household.control('settings.update', change);
      await page.reload();
      await closed.waitFor();
      // Those for phones begin with the same word.
      expect(await page.getByRole('link', { name: t('programs.names.nextcloud') }).count()).toBe(0);
    }
    await inspect(page, 'programs-closed');
    await household.control('settings.update', { apiEnabled: true });
    await page.reload();
    await closed.waitFor({ state: 'detached' });
    expect(grave(visited)).toEqual([]);
    await context.close();
  });

  itInFull('works at the address that KeePass and similar programs need for a file', async () => {
    await (await household.signIn()).put({ path: '/ROOT/HOME/Passwords.kdbx' }, 'secrets');
    const visited = await atPage(`${PAGE}?program=keepass`);
    const { page } = visited;
    const shown = await page.getByLabel(t('programs.address'), { exact: true }).inputValue();
    await create(page, 'KeePass', {});
    const password = await page.locator('#password').innerText();
    const path = `${new URL(shown).pathname}Passwords.kdbx`;
    const reply = await household.api.send('GET', path, { headers: basic(OWNER.username, password) });
    expect([reply.status, reply.text]).toEqual([200, 'secrets']);
    await visited.context.close();
  });
});

describe('a new password of the account', () => {
  it('ends every app password that the person does not select', async () => {
    const labels = async () => {
      const { appPasswords } = await household.control('appPasswords.list', { accountId: 1 });
      return (appPasswords as { label: string }[]).map(({ label }) => label).sort();
    };
    await (await household.signIn()).post('account/app-passwords/add', { label: 'Of an app' });
    const visited = await atPage(`${PAGE}?program=kodi`);
    const { page } = visited;
    for (const label of ['Living room', 'Kitchen']) {
      await create(page, label);
      await page.getByRole('link', { name: t('programs.made.done') }).click();
    }
    const change = async (from: string, to: string) => {
      await page.getByLabel(t('confirm.password')).fill(from);
      await page.getByLabel(t('newPassword.label'), { exact: true }).fill(to);
      await page.getByLabel(t('newPassword.repeat')).fill(to);
      await page.getByRole('button', { name: t('password.submit') }).click();
    };
    await page.goto(address('/account/password'));
    const ticks = page.getByRole('group', { name: t('programs.keep.legend') }).getByRole('checkbox');
    const tick = (name: string) => page.getByRole('checkbox', { name });
    const own = await ticks.count();
    expect(own).toBeGreaterThanOrEqual(2);
    for (let nth = 0; nth < own; nth += 1) expect(await ticks.nth(nth).isChecked()).toBe(false);
    expect(await tick('Of an app').count()).toBe(0);
    expect(await page.getByText(`${t('programs.names.kodi')} · ${t('programs.list.neverUsed')}`).count()).toBe(2);
    await tick('Kitchen').check();
    await inspect(page, 'password-keep');
    await change('not the password', 'a rather good one');
    await page.getByText(t('confirm.problem.refused')).waitFor();
    expect(await tick('Kitchen').isChecked()).toBe(true);
    expect(await tick('Living room').isChecked()).toBe(false);
    await change(OWNER.password, 'a rather good one');
    await page.getByText(t('account.done.password')).waitFor();
    expect(await labels()).toEqual(['Kitchen']);
    await page.goto(address('/account/password'));
    await change('a rather good one', OWNER.password);
    await page.getByText(t('account.done.password')).waitFor();
    expect(await labels()).toEqual([]);
    await page.goto(address('/account/password'));
    expect(await ticks.count()).toBe(0);
    await visited.context.close();
  });
});
