import { readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { inspectPanel } from '../support/browser/panel-page.ts';
import { like, t } from '../support/browser/panel-texts.ts';
import { setUpFolder } from '../support/households/set-up-folder.ts';
import { serverPid } from './application.ts';
import { applicationText } from './application-texts.ts';
import { type Desktop, type LaunchOptions, launchDesktop, newHome } from './launch.ts';
import { freePort, takePort } from './ports.ts';
import { answerDialog, answerSaveDialog, ask, askToServe, running, serveFolder, stateOf } from './window-page.ts';

let home: string;
let folder: string;
let removeHome: () => Promise<void>;
let desktop: Desktop;
let page: Page;
/** What went wrong in the page. */
let complaints: string[];

beforeEach(async () => {
  ({ home, remove: removeHome } = await newHome());
  folder = join(home, 'larder');
});
afterEach(async () => {
  await desktop.kill();
  await removeHome();
});

async function launch(options: Partial<LaunchOptions> = {}): Promise<void> {
  desktop = await launchDesktop({ home, ...options });
  page = await desktop.window();
  page.setDefaultTimeout(120_000);
  complaints = [];
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text());
  });
}

async function inspect(name: string): Promise<void> {
  await inspectPanel(page, `window-${name}`, ['usual', 'small']);
  expect(complaints, name).toEqual([]);
}

const heading = (name: string) => page.getByRole('heading', { level: 1, name });
const button = (name: string) => page.getByRole('button', { name, exact: true });
const field = (name: string) => page.getByLabel(name, { exact: true });

describe('the window while the server runs', () => {
  beforeEach(async () => {
    await setUpFolder(folder);
    await launch();
    await serveFolder(desktop, page, folder);
    await heading(t('overview.heading')).waitFor();
  });

  it('pauses and restarts it, and copies its address', async () => {
    const [address = ''] = await running(page);
    await button(t('overview.copyAddress')).click();
    await page.getByText(t('common.copied'), { exact: true }).waitFor();
    expect(await desktop.evaluate(({ clipboard }) => clipboard.readText(), null)).toBe(address);
    await button(t('overview.pause')).click();
    await heading(t('paused.heading')).waitFor();
    await inspect('paused');
    await button(t('paused.start')).click();
    await heading(t('overview.heading')).waitFor();
    expect(complaints).toEqual([]);
  });

  it('saves exports only where the dialog of the system says', async () => {
    const path = join(home, 'people.csv');
    await answerSaveDialog(desktop, path);
    await page.getByRole('link', { name: t('nav.people') }).click();
    await button(t('activity.export')).click();
    await expect.poll(() => readFile(path, 'utf8').catch(() => '')).toContain('username');
    expect(await desktop.evaluate(() => (globalThis as unknown as { offeredPath: string }).offeredPath, null)).toBe(
      join(home, 'Downloads', t('people.import.exported')),
    );
    const asked = (name: string) => ask(page, 'desktop.save', { name, text: 'not so' });
    for (const name of ['../people.csv', '/etc/people.csv', 'a/b.csv', 'C:\\a.csv', '', '.hidden', 'a'.repeat(200)]) {
      expect(await asked(name), name).toMatchObject({ failure: { code: 'invalid_input' } });
    }
    await answerSaveDialog(desktop, null);
    expect(await asked('people.csv')).toEqual({ output: { saved: false } });
    await answerSaveDialog(desktop, join(home, 'no such folder', 'a.csv'));
    const [before = ''] = applicationText('error.notSaved', { reason: '\n' }).split('\n');
    expect(await asked('people.csv')).toHaveProperty('failure.error', expect.stringContaining(before));
    expect(await readFile(path, 'utf8')).not.toContain('not so');
    expect(complaints).toEqual([]);
  });

  it('offers the settings for this computer', async () => {
    await page.getByRole('link', { name: t('computer.heading') }).click();
    await heading(t('computer.heading')).waitFor();
    await inspect('computer');
    await page.getByRole('switch', { name: t('computer.keepsAwake') }).press(' ');
    await expect.poll(async () => (await stateOf(page)).keepsAwake).toBe(true);
    // From sources there is nothing that the system could start.
    await expect.poll(() => page.getByRole('switch', { name: t('computer.startsAtLogin') }).isDisabled()).toBe(true);
    await field(t('port.label')).fill('99999');
    await button(t('port.use')).click();
    await page.getByText(t('port.wrong')).waitFor();
    const port = await freePort();
    await field(t('port.label')).fill(String(port));
    await button(t('port.use')).click();
    await expect.poll(() => running(page).then((all) => all.at(-1))).toBe(`https://localhost:${port}`);
    await button(t('computer.quit')).click();
    expect(await desktop.exited).toBe(0);
  });

  it('restores a backup, and opens it instead of the running server', async () => {
    await ask(page, 'settings.update', { householdName: 'As it was' });
    await ask(page, 'backup.make');
    await ask(page, 'settings.update', { householdName: 'As it is' });
    await page.getByRole('link', { name: t('backup.title') }).click();
    await page.getByRole('button', { name: like('backup.list.actionsOf') }).click();
    await page.getByRole('menuitem', { name: t('backup.list.restore') }).click();
    const restored = join(home, 'restored');
    await answerDialog(desktop, restored);
    await page
      .getByRole('dialog')
      .getByRole('button', { name: t('backup.restoreHere.choose') })
      .click();
    await expect.poll(() => field(t('backup.restoreHere.folder')).inputValue()).toBe(restored);
    await page
      .getByRole('dialog')
      .getByRole('button', { name: t('backup.list.restore'), exact: true })
      .click();
    await page.getByText(like('backup.restoreHere.is', { household: 'As it was' })).waitFor();
    await inspect('restored');
    await button(t('backup.restoreHere.use')).click();
    await expect.poll(async () => (await stateOf(page)).folder).toBe(restored);
    await running(page);
    await expect.poll(() => ask(page, 'settings.get')).toMatchObject({ output: { householdName: 'As it was' } });
    expect(complaints).toEqual([]);
  });

  it('shows changes by others: the API is off after the command line switched it off', async () => {
    await expect.poll(() => page.getByRole('switch', { name: t('overview.enableApi') }).isChecked()).toBe(true);
    await page.getByRole('switch', { name: t('overview.enableApi') }).press(' ');
    await expect.poll(() => ask(page, 'settings.get')).toMatchObject({ output: { apiEnabled: false } });
  });

  it('shows that the server has crashed, and that it is restarted', async () => {
    for (let deaths = 0; deaths < 3; deaths++) {
      await running(page);
      process.kill(await serverPid(desktop), 'SIGKILL');
      await expect.poll(async () => (await stateOf(page)).server.kind).toBe('failed');
    }
    await heading(t('failed.headings.other')).waitFor();
    await page.getByText(like('failed.again')).waitFor();
    await inspect('died');
    await button(t('failed.details')).click();
    await page.getByText(folder).first().waitFor();
    await button(t('common.tryAgain')).click();
    await heading(t('overview.heading')).waitFor();
  });
});

describe('a start that fails', () => {
  it('shows which folder is missing, accepts another one, and notices when it is back', async () => {
    await setUpFolder(folder);
    await launch();
    await serveFolder(desktop, page, folder);
    await button(t('overview.pause')).click();
    await heading(t('paused.heading')).waitFor();
    await rename(folder, `${folder} away`);
    await button(t('paused.start')).click();
    await heading(t('failed.headings.missing')).waitFor();
    await page.getByText(t('failed.looking')).waitFor();
    await page.getByText(t('failed.safe')).waitFor();
    await inspect('missing');
    await button(t('failed.copyPath')).click();
    // Copying takes a call to the main process.
    await expect.poll(() => desktop.evaluate(({ clipboard }) => clipboard.readText(), null)).toBe(folder);
    await rename(`${folder} away`, folder);
    await heading(t('overview.heading')).waitFor();
    await button(t('overview.pause')).click();
    await heading(t('paused.heading')).waitFor();
    await rename(folder, `${folder} elsewhere`);
    await button(t('paused.start')).click();
    await heading(t('failed.headings.missing')).waitFor();
    await answerDialog(desktop, `${folder} elsewhere`);
    await button(t('failed.choose')).click();
    await heading(t('overview.heading')).waitFor();
    expect(await stateOf(page)).toMatchObject({ folder: `${folder} elsewhere` });
    await rm(folder, { recursive: true, force: true });
  });

  it('shows which port is in use, and accepts another one', async () => {
    const { port, release } = await takePort();
    try {
      await setUpFolder(folder);
      await launch({ env: { LARDER_PORT: String(port) } });
      await askToServe(desktop, page, folder);
      await heading(t('failed.headings.port')).waitFor();
      await inspect('port');
      await field(t('port.label')).fill(String(await freePort()));
      await button(t('port.use')).click();
      await heading(t('overview.heading')).waitFor();
    } finally {
      await release();
    }
  });
});
