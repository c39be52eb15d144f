import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { t } from '../../../dist/server/messages/messages.js';

export const MEGABYTE = 1024 * 1024;

/** The script has taken the form over. */
export async function readyToSend(page: Page): Promise<void> {
  await page.locator('html[data-sends]').waitFor({ state: 'attached' });
}

/** Files on a visitor's own device. @returns their paths */
export async function onDevice(device: string, files: Record<string, string | Buffer>): Promise<string[]> {
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(device, name)), { recursive: true });
    await writeFile(join(device, name), content);
  }
  return Object.keys(files).map((name) => join(device, name));
}

/** Chooses files, as by the browser's own dialog. */
export async function choose(page: Page, paths: string | string[], button = t('links.send.chooseHere')): Promise<void> {
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    page.getByRole('button', { name: button, exact: true }).click(),
  ]);
  await chooser.setFiles(paths);
}

/** Drops files of a browser's own making onto the page, with the ways that folders give them. */
export async function drop(page: Page, tree: object): Promise<void> {
  await page.evaluate(
    `(() => {
      const entry = (name, inner) => typeof inner === 'string'
        ? { name, isFile: true, file: (done) => done(new File([inner], name, { lastModified: 1e12 })) }
        : { name, isFile: false, createReader: () => { let read = false; return { readEntries: (done) => { done(read ? [] : Object.entries(inner).map(([n, i]) => entry(n, i))); read = true; } }; } };
      const event = new Event('drop', { bubbles: true, cancelable: true });
      event.dataTransfer = { types: ['Files'], files: [], items: Object.entries(${JSON.stringify(tree)}).map(([name, inner]) => ({ webkitGetAsEntry: () => entry(name, inner) })) };
      document.body.dispatchEvent(event);
    })()`,
  );
}

export const list = (page: Page): Locator => page.getByRole('region', { name: t('links.send.list.heading') });

export const rowOf = (page: Page, name: string): Locator =>
  list(page)
    .locator('li')
    .filter({ has: page.locator(`.name:text-is("${name}")`) });
