import type { Page } from 'playwright-core';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { t } from '../support/browser/panel-texts.ts';
import { clickMenu, closeWindow, trayOf, windowCount } from './application.ts';
import { applicationText } from './application-texts.ts';
import { type Desktop, isStandIn, type StandIn } from './launch.ts';
import { openStage, type Stage } from './stage.ts';
import { answerQuestion, ask, questions, running, stateOf } from './window-page.ts';

const KEEP = applicationText('unsaved.keep');
const DISCARD = applicationText('unsaved.discard');
const QUESTION = {
  message: applicationText('unsaved.question'),
  detail: applicationText('unsaved.detail'),
  buttons: [KEEP, DISCARD],
  ...{ defaultId: 0, cancelId: 0 },
};

let stage: Stage;
let desktop: Desktop;
let page: Page;

beforeEach(async () => {
  stage = await openStage();
  ({ desktop, page } = await stage.launchServing());
  page.setDefaultTimeout(120_000);
  await answerQuestion(desktop, KEEP);
});
afterEach(() => stage.close());

const RUNNING = applicationText('app.tooltip', { status: applicationText('app.status', { state: 'running' }) });

const tries = () => page.getByLabel(t('security.passwords.limit'));
const isUnsaved = () => page.getByText(t('saveBar.changes', { count: 1 }));

async function openSecurity(): Promise<void> {
  await page.getByRole('link', { name: t('security.title') }).click();
  await tries().waitFor();
}

async function type(): Promise<void> {
  await openSecurity();
  await tries().click();
  await page.keyboard.press('Control+a');
  await page.keyboard.type('7');
  await isUnsaved().waitFor();
  // The page's messages arrive in order, so that the application knows of the input now. Another way to it might be faster.
  await stateOf(page);
}

const reload = () =>
  desktop.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.webContents.reload(), null);
const asked = async () => {
  const found: Electron.MessageBoxOptions[] = [];
  await expect
    .poll(async () => {
      found.push(...(await questions(desktop)));
      return found;
    })
    .toEqual([QUESTION]);
};

/** Of the menu beside the clock; where that cannot be seen, of the application. */
function clickTray(id: string): Promise<unknown> {
  if (!isStandIn) return clickMenu(desktop, `app.${id}`);
  return desktop.evaluate(
    (electron, wanted) => (electron as unknown as StandIn).Tray.all[0]?.menu?.getMenuItemById(wanted)?.click(),
    id,
  );
}

describe('closing the window with unsaved input', () => {
  it('asks each time, keeps the input, and closes when it is discarded', async () => {
    await type();
    for (let times = 0; times < 2; times += 1) {
      await closeWindow(desktop);
      await asked();
      expect(await windowCount(desktop)).toBe(1);
      expect(await tries().inputValue()).toBe('7');
    }
    await answerQuestion(desktop, DISCARD);
    await closeWindow(desktop);
    await expect.poll(() => windowCount(desktop)).toBe(0);
    await asked();
    // The household goes on, and the next window begins anew.
    await clickMenu(desktop, 'app.open');
    page = await desktop.window();
    await running(page);
    await openSecurity();
    await expect.poll(() => tries().inputValue()).toBe('5');
    await closeWindow(desktop);
    await expect.poll(() => windowCount(desktop)).toBe(0);
    expect(await questions(desktop), 'nothing is typed').toEqual([]);
  });

  it('asks only once at a time, while the server continues to answer', async () => {
    await type();
    await answerQuestion(desktop, null);
    await closeWindow(desktop);
    await asked();
    await closeWindow(desktop);
    await clickMenu(desktop, 'app.quit');
    expect(await ask(page, 'settings.get')).toMatchObject({ output: { wrongPasswordLimit: 5 } });
    expect([await questions(desktop), (await stateOf(page)).server.kind]).toEqual([[], 'running']);
  });

  it('does not ask after the input is saved or reverted', async () => {
    await type();
    await page.keyboard.press('Control+s');
    await isUnsaved().waitFor({ state: 'detached' });
    await tries().fill('9');
    await page.getByRole('button', { name: t('saveBar.discard') }).click();
    await isUnsaved().waitFor({ state: 'detached' });
    await closeWindow(desktop);
    await expect.poll(() => windowCount(desktop)).toBe(0);
    expect(await questions(desktop)).toEqual([]);
  });

  it('also asks if the page hangs, and closes it', async () => {
    await type();
    await answerQuestion(desktop, DISCARD);
    void page.evaluate('setTimeout(() => { for (;;); }, 0), undefined').catch(() => undefined);
    await closeWindow(desktop);
    await expect.poll(() => windowCount(desktop)).toBe(0);
    await asked();
    await clickMenu(desktop, 'app.open');
    await running(await desktop.window());
  });
});

describe('reloading the page with unsaved input', () => {
  it('asks, and acts on the answer', async () => {
    await type();
    await reload();
    await asked();
    expect(await tries().inputValue()).toBe('7');
    await answerQuestion(desktop, DISCARD);
    await reload();
    await asked();
    await expect.poll(() => tries().inputValue()).toBe('5');
    // What was asked before says nothing about what is typed now.
    await answerQuestion(desktop, KEEP);
    await type();
    await reload();
    await asked();
    await expect.poll(() => tries().inputValue()).toBe('7');
  });
});

describe('quitting with unsaved input', () => {
  it.each(['menu', 'tray', 'page'])('from the %s asks, and ends when the input is discarded', async (from) => {
    const quit = {
      menu: () => clickMenu(desktop, 'app.quit'),
      tray: () => clickTray('quit'),
      page: () => ask(page, 'desktop.quit').catch(() => undefined),
    }[from];
    await type();
    await quit?.();
    await asked();
    expect((await stateOf(page)).server.kind).toBe('running');
    expect((await trayOf(desktop))?.toolTip ?? RUNNING).toBe(RUNNING);
    await expect.poll(() => tries().inputValue()).toBe('7');
    await answerQuestion(desktop, DISCARD);
    await quit?.();
    expect(await desktop.exited).toBe(0);
  });

  it('does not ask without unsaved input or without a window', async () => {
    await answerQuestion(desktop, null);
    await type();
    await page.getByRole('button', { name: t('saveBar.discard') }).click();
    await isUnsaved().waitFor({ state: 'detached' });
    await closeWindow(desktop);
    await expect.poll(() => windowCount(desktop)).toBe(0);
    await clickMenu(desktop, 'app.quit');
    expect(await desktop.exited).toBe(0);
  });

  it.each(['the computer', 'the session'])('does not delay the end of %s', async (what) => {
    await answerQuestion(desktop, null);
    await type();
    // Not even while somebody is asked.
    await closeWindow(desktop);
    await asked();
    if (what === 'the session') desktop.process.kill('SIGTERM');
    else
      await desktop.evaluate(
        ({ powerMonitor }) => void (powerMonitor as unknown as NodeJS.EventEmitter).emit('shutdown', {}),
        null,
      );
    expect(await desktop.exited).toBe(0);
  });
});
