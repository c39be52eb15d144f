import type { Browser, Locator, Page } from 'playwright-core';
import { type Visit, visit } from '../browser/page.ts';
import { t } from '../browser/panel-texts.ts';

export const PASSWORD = 'three small pears';

/** The answers of the step about the owner. */
export const ANN = {
  [t('firstRun.you.name')]: 'Ann',
  [t('firstRun.you.username')]: 'ann',
  [t('firstRun.you.password')]: PASSWORD,
  [t('firstRun.you.repeat')]: PASSWORD,
};

/** The heading of each step. */
export const QUESTIONS = {
  you: t('firstRun.you.heading'),
  address: t('firstRun.address.heading'),
  apps: t('firstRun.apps.heading'),
} as const;

/** The first run in a browser or in the window. */
export interface FirstRunPage {
  readonly page: Page;
  button(name: string): Locator;
  field(name: string): Locator;
  fill(typed: Readonly<Record<string, string>>): Promise<void>;
  /** Waits for a step. */
  asks(step: keyof typeof QUESTIONS): Promise<void>;
  /** Continues to this step. */
  goOn(to: keyof typeof QUESTIONS): Promise<void>;
  goBack(to: keyof typeof QUESTIONS): Promise<void>;
  /** Which of the two options about apps is selected. */
  enablesApi(): Promise<boolean>;
}

export function firstRunPage(page: Page): FirstRunPage {
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const field = (name: string) => page.getByLabel(name, { exact: true });
  const asks = (step: keyof typeof QUESTIONS) =>
    page.getByRole('heading', { level: 1, name: QUESTIONS[step] }).waitFor();
  return {
    ...{ page, button, field, asks },
    async fill(typed) {
      for (const [name, text] of Object.entries(typed)) await field(name).fill(text);
    },
    async goOn(to) {
      await button(t('firstRun.next')).click();
      await asks(to);
    },
    async goBack(to) {
      await button(t('firstRun.back')).click();
      await asks(to);
    },
    enablesApi: () => page.getByRole('radio', { name: t('firstRun.apps.on.title') }).isChecked(),
  };
}

/** The first run in a browser. @param link valid once */
export async function openFirstRun(browser: Browser, link: string): Promise<Visit & FirstRunPage> {
  const opened = await visit(browser);
  await opened.page.goto(link);
  const shown = firstRunPage(opened.page);
  await shown.asks('you');
  return { ...opened, ...shown };
}
