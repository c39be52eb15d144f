import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { t as serverText } from '../../dist/server/messages/messages.js';
import { inspectPanel } from '../support/browser/panel-page.ts';
import { like, t } from '../support/browser/panel-texts.ts';
import { describeInFull, itInFull } from '../support/forms.ts';
import { ANN, type FirstRunPage, firstRunPage, PASSWORD } from '../support/households/first-run.ts';
import { ApiClient } from '../support/requests/api-client.ts';
import { applicationText } from './application-texts.ts';
import { type Desktop, launchDesktop, newHome } from './launch.ts';
import { freePort, takePort } from './ports.ts';
import { answerDialog, ask, running, serveFolder, stateOf } from './window-page.ts';

const HOUSEHOLD = t('firstRun.address.household');
const PORT = t('firstRun.address.port');

let home: string;
let folder: string;
let removeHome: () => Promise<void>;
let desktop: Desktop;
let page: Page;
let shown: FirstRunPage;
/** What went wrong in the page. */
let complaints: string[];

beforeEach(async () => {
  ({ home, remove: removeHome } = await newHome());
  folder = join(home, 'larder');
  await mkdir(folder);
  desktop = await launchDesktop({ home });
  page = await desktop.window();
  page.setDefaultTimeout(120_000);
  shown = firstRunPage(page);
  complaints = [];
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text());
  });
});
afterEach(async () => {
  await desktop.kill();
  await removeHome();
});

async function inspect(name: string): Promise<void> {
  await inspectPanel(page, `window-${name}`, ['usual', 'small']);
  expect(complaints, name).toEqual([]);
}

const heading = (name: string | RegExp) => page.getByRole('heading', { level: 1, name });
const status = async () => ((await ask(page, 'status')) as { output: Record<string, unknown> }).output;

/** All of it is typed, and nothing of it is with the server. */
async function keptOnly(typed: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, text] of Object.entries(typed)) {
    await expect.poll(() => shown.field(name).inputValue(), { message: name }).toBe(text);
  }
  expect(await status()).toMatchObject({ hasOwner: false, apiEnabled: false });
}

it('leads from a folder to an owner, an address, and a household whose owner can sign in', async () => {
  const { button, field, fill, asks, goOn, goBack, enablesApi } = shown;
  await heading(t('firstRun.welcome.heading')).waitFor();
  await page.getByText(join(home, applicationText('folder.suggestedName'))).waitFor();
  await inspect('welcome');
  // Whatever is not a Larder folder is said so, and not taken.
  await answerDialog(desktop, folder);
  await page.getByRole('radio', { name: t('firstRun.welcome.options.before.title') }).click();
  await page.getByText(like('firstRun.welcome.notLarder', { folder })).waitFor();
  await button(t('firstRun.next')).click();
  expect((await stateOf(page)).folder).toBeNull();
  await page.getByRole('radio', { name: t('firstRun.welcome.options.elsewhere.title') }).click();
  await page.getByText(t('firstRun.welcome.look.empty', { folder })).waitFor();
  await inspect('welcome-chosen');
  await button(t('firstRun.next')).click();
  await asks('you');
  await inspect('you');
  await button(t('firstRun.next')).click();
  await page.getByText(t('firstRun.you.needed.owner'), { exact: true }).waitFor();
  await fill({ ...ANN, [t('firstRun.you.username')]: 'an/n' });

  // Back at the folder, there is the one that was chosen.
  await button(t('firstRun.back')).click();
  await heading(t('firstRun.welcome.heading')).waitFor();
  await expect
    .poll(() => page.getByRole('radio', { name: t('firstRun.welcome.options.elsewhere.title') }).isChecked())
    .toBe(true);
  await page.getByText(t('firstRun.welcome.inUse', { folder })).waitFor();
  await inspect('welcome-again');
  await goOn('you');
  await keptOnly({ ...ANN, [t('firstRun.you.username')]: 'an/n' });

  // What the server says is at its field, and what was typed is still there.
  await expect.poll(() => field(t('firstRun.you.username')).getAttribute('aria-invalid')).toBe('true');
  await button(t('firstRun.next')).click();
  await expect.poll(() => page.evaluate('document.activeElement.name')).toBe('owner');
  await keptOnly({ ...ANN, [t('firstRun.you.username')]: 'an/n' });
  await inspect('you-wrong');
  await fill({ [t('firstRun.you.username')]: 'ann' });
  await goOn('address');
  const [address = ''] = await running(page);
  await page.getByText(address, { exact: true }).waitFor();
  await expect.poll(() => field(PORT).inputValue()).toBe(new URL(address).port);
  await inspect('address');
  await fill({ [HOUSEHOLD]: 'Orchard House' });
  await goOn('apps');
  expect(await enablesApi()).toBe(true);
  await inspect('apps');
  await goBack('address');
  await goBack('you');
  await goOn('address');
  await expect.poll(() => field(HOUSEHOLD).inputValue()).toBe('Orchard House');
  await goBack('you');
  await goOn('address');
  await goOn('apps');
  await button(t('firstRun.apps.submit')).click();
  await heading(t('firstRun.done.heading', { household: 'Orchard House' })).waitFor();
  await inspect('done');
  await button(t('firstRun.done.open')).click();
  await heading(t('overview.heading')).waitFor();
  await page.getByText(t('overview.activity')).waitFor();
  await inspect('overview');
  expect((await stateOf(page)).port, 'nobody wanted another one').toBeNull();

  // The household: an app with an id of its own, and Ann's password.
  const { output } = (await ask(page, 'clients.add', { name: 'Notes' })) as {
    output: { clientId: string; clientSecret: string };
  };
  const ca = await readFile(join(folder, '.larder', 'tls', 'ca.crt'), 'utf8');
  const api = new ApiClient({ port: Number(new URL(address).port), ca });
  const form = { grant_type: 'password', username: 'ann', password: PASSWORD, scope: 'list' };
  const { body } = await api.token({ ...form, client_id: output.clientId, client_secret: output.clientSecret });
  expect(body).toHaveProperty('access_token');
});

itInFull('accepts another folder after going back, and keeps the input', async () => {
  const { fill, goOn, button, asks } = shown;
  await serveFolder(desktop, page, folder);
  await asks('you');
  await fill(ANN);
  await button(t('firstRun.back')).click();
  // It was not chosen on this page.
  await expect
    .poll(() => page.getByRole('radio', { name: t('firstRun.welcome.options.elsewhere.title') }).isChecked())
    .toBe(true);
  await page.getByText(t('firstRun.welcome.inUse', { folder })).waitFor();
  await page.getByRole('radio', { name: t('firstRun.welcome.options.here.title') }).click();
  await goOn('you');
  await keptOnly(ANN);
  expect((await stateOf(page)).folder).toBe(join(home, applicationText('folder.suggestedName')));
  expect(complaints).toEqual([]);
});

describeInFull('another port', () => {
  beforeEach(async () => {
    await serveFolder(desktop, page, folder);
    await shown.asks('you');
    await shown.fill(ANN);
    await shown.goOn('address');
    await shown.fill({ [HOUSEHOLD]: 'Orchard House' });
  });

  itInFull('is applied with the last step, and is part of the final addresses', async () => {
    const { button, field, fill, goOn } = shown;
    const port = await freePort();
    for (const wrong of ['', '0', '99999', 'eight']) {
      await fill({ [PORT]: wrong });
      await button(t('firstRun.next')).click();
      await page.getByText(t('firstRun.address.portWrong')).waitFor();
      await expect.poll(() => field(PORT).evaluate((element) => element.matches(':focus'))).toBe(true);
      await keptOnly({ [PORT]: wrong, [HOUSEHOLD]: 'Orchard House' });
    }
    await inspect('address-wrong');
    await fill({ [PORT]: String(port) });
    await expect.poll(() => page.locator('code').first().textContent()).toMatch(new RegExp(`^https://.*:${port}$`));
    const before = await running(page);
    await goOn('apps');
    expect(await running(page), 'not before the last step').toEqual(before);
    expect((await stateOf(page)).port).toBeNull();
    await button(t('firstRun.apps.submit')).click();
    await heading(t('firstRun.done.heading', { household: 'Orchard House' })).waitFor();
    const files = `https://localhost:${port}/files/`;
    await expect.poll(() => page.locator('code').first().textContent()).toBe(files);
    expect((await running(page)).at(-1)).toBe(`https://localhost:${port}`);
    expect(await stateOf(page)).toMatchObject({ port });
    expect(await status()).toMatchObject({ hasOwner: true, apiEnabled: true });
    await button(t('firstRun.done.open')).click();
    await heading(t('overview.heading')).waitFor();
    expect(complaints).toEqual([]);
  });

  it('that is in use leads back to its field, and nothing is set up', async () => {
    const { button, field, fill, asks, goOn, goBack } = shown;
    const { port, release } = await takePort();
    try {
      await fill({ [PORT]: String(port) });
      await goOn('apps');
      await page.getByRole('radio', { name: t('firstRun.apps.off.title') }).click();
      await button(t('firstRun.apps.submit')).click();
      await asks('address');
      await page.getByText(serverText('api.start.portInUse', { port })).waitFor();
      await expect.poll(() => field(PORT).getAttribute('aria-invalid')).toBe('true');
      await expect.poll(() => field(PORT).evaluate((element) => element.matches(':focus'))).toBe(true);
      await running(page);
      expect((await stateOf(page)).port, 'as it was').toBeNull();
      await keptOnly({ [PORT]: String(port), [HOUSEHOLD]: 'Orchard House' });
      await inspect('address-taken');
      await goBack('you');
      await keptOnly(ANN);
      await goOn('address');
    } finally {
      await release();
    }
    // Meanwhile it was given back.
    await goOn('apps');
    expect(await shown.enablesApi()).toBe(false);
    await button(t('firstRun.apps.submit')).click();
    await heading(t('firstRun.done.heading', { household: 'Orchard House' })).waitFor();
    expect((await running(page)).at(-1)).toBe(`https://localhost:${port}`);
    expect(await status()).toMatchObject({ hasOwner: true, apiEnabled: false });
    expect(complaints).toEqual([]);
  });

  itInFull('is not applied before all other input is valid', async () => {
    const { button, field, fill, goOn, goBack } = shown;
    const port = await freePort();
    await fill({ [PORT]: String(port) });
    await goBack('you');
    await fill({ [t('firstRun.you.username')]: 'an/n' });
    await button(t('firstRun.next')).click();
    await expect.poll(() => field(t('firstRun.you.username')).getAttribute('aria-invalid')).toBe('true');
    await expect
      .poll(() => field(t('firstRun.you.username')).evaluate((element) => element.matches(':focus')))
      .toBe(true);
    await keptOnly({ ...ANN, [t('firstRun.you.username')]: 'an/n' });
    expect((await stateOf(page)).port).toBeNull();
    await fill({ [t('firstRun.you.username')]: 'ann' });
    await goOn('address');
    await keptOnly({ [PORT]: String(port), [HOUSEHOLD]: 'Orchard House' });
    await goOn('apps');
    await button(t('firstRun.apps.submit')).click();
    await heading(t('firstRun.done.heading', { household: 'Orchard House' })).waitFor();
    expect((await running(page)).at(-1)).toBe(`https://localhost:${port}`);
    expect(complaints).toEqual([]);
  });
});
