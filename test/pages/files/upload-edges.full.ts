import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { launchBrowser } from '../../support/browser/browser.ts';
import { type Visit, visit } from '../../support/browser/page.ts';
import { type Household, openHousehold } from '../../support/households/household.ts';
import { t } from '../../support/server-texts.ts';
import { eventually } from '../../support/system/eventually.ts';
import { address, fillHome, names, ready, signInAt } from './support.ts';

const MEGABYTE = 1024 * 1024;

let browser: Browser;
let household: Household;
let visited: Visit;
let page: Page;
let device = '';

beforeAll(async () => {
  device = await mkdtemp(join(tmpdir(), 'larder-device-'));
  [browser, household] = await Promise.all([launchBrowser(), openHousehold()]);
});
afterAll(async () => {
  await browser?.close();
  await household?.close();
  await rm(device, { recursive: true, force: true });
});

let number = 0;
let here = '';
const openFolder = async (tab: Page) => {
  await tab.goto(address(household, `/files/?path=${encodeURIComponent(`/ROOT/HOME/${here}`)}`));
};
beforeEach(async () => {
  number += 1;
  here = `edge ${number}`;
  await mkdir(join(household.home, here));
  visited = await visit(browser);
  ({ page } = visited);
  await openFolder(page);
  await signInAt(page);
  await ready(page);
  return () => visited.context.close();
});

const onDisk = (name: string) => readFile(join(household.home, here, name));
const panelOf = (tab: Page) => tab.getByRole('region', { name: t('uploads.heading') });

async function choose(tab: Page, ...paths: string[]): Promise<void> {
  const [chooser] = await Promise.all([
    tab.waitForEvent('filechooser'),
    tab.getByRole('link', { name: t('files.actions.upload') }).click(),
  ]);
  await chooser.setFiles(paths);
}

/** A file on somebody's own device. */
async function own(name: string, content: Buffer, folder = ''): Promise<string> {
  await mkdir(join(device, folder), { recursive: true });
  const path = join(device, folder, name);
  await writeFile(path, content);
  return path;
}

async function dropped(tab: Page, tree: object): Promise<void> {
  await tab.evaluate(
    `(() => {
      const entry = (name, inner) => typeof inner === 'string'
        ? { name, isFile: true, file: (done) => done(new File([inner], name, { lastModified: 1e12 })) }
        : { name, isFile: false, createReader: () => { let read = false; return { readEntries: (done) => { done(read ? [] : Object.entries(inner).map(([n, i]) => entry(n, i))); read = true; } }; } };
      const event = new Event('drop', { bubbles: true, cancelable: true });
      event.dataTransfer = { types: ['Files'], items: Object.entries(${JSON.stringify(tree)}).map(([name, inner]) => ({ webkitGetAsEntry: () => entry(name, inner) })) };
      document.body.dispatchEvent(event);
    })()`,
  );
}

describe('edge cases of uploads', () => {
  it('an empty file is uploaded', async () => {
    await choose(page, await own('empty.txt', Buffer.alloc(0)));
    await panelOf(page)
      .getByText(t('uploads.finished', { count: 1 }))
      .waitFor();
    expect((await stat(join(household.home, here, 'empty.txt'))).size).toBe(0);
  });

  it('invalid names and conflicts of files and folders are explained, and the other files are uploaded', async () => {
    await fillHome(household.home, { [`${here}/notes`]: 'a file', [`${here}/box/in.txt`]: 'in' });
    await dropped(page, { CON: 'x', notes: { 'a.txt': 'a' }, box: 'a file now', 'good.txt': 'good', 'notes 2': {} });
    await page
      .getByRole('dialog')
      .getByRole('button', { name: t('uploads.taken.answers.replace') })
      .click();
    await panelOf(page)
      .getByText(t('uploads.someFailed', { sent: 1, total: 4, failed: 3 }))
      .waitFor();
    const said = await panelOf(page).locator('.upload-status.problem').allTextContents();
    expect(said.toSorted()).toEqual(
      [
        t('api.files.invalidName', { problem: 'device', max: 255 }),
        t('api.access.alreadyExists', { name: 'box' }),
        t('uploads.noFolder'),
      ].toSorted(),
    );
    expect(await readdir(join(household.home, here, 'box'))).toEqual(['in.txt']);
    expect(String(await onDisk('notes'))).toBe('a file');
    await expect.poll(() => names(page)).toEqual(['box', 'notes 2', 'good.txt', 'notes']);
  });

  it('an empty folder that cannot be created is reported', async () => {
    await dropped(page, { AUX: {} });
    await page
      .locator('.toast')
      .getByText(t('api.files.invalidName', { problem: 'device', max: 255 }))
      .waitFor();
  });

  it('an upload continues after the tab was closed, and the browser stores nothing that reveals the file', async () => {
    const content = randomBytes(40 * MEGABYTE);
    const path = await own('film.mkv', content);
    let sent = 0;
    await page.route(/\/files\/upload\?/, async (route) => {
      sent += 1;
      if (sent === 1) await route.continue();
    });
    await choose(page, path);
    await expect.poll(() => sent).toBe(2);
    expect(String(await page.evaluate('JSON.stringify(localStorage)'))).not.toContain('film');
    await page.close({ runBeforeUnload: false });
    const again = await visited.context.newPage();
    const asked: string[] = [];
    again.on('request', (request) => {
      if (request.method() === 'PUT') asked.push(new URL(request.url()).searchParams.get('startByte') ?? 'offset?');
    });
    await openFolder(again);
    await ready(again);
    await choose(again, path);
    await panelOf(again)
      .getByText(t('uploads.finished', { count: 1 }))
      .waitFor();
    expect((await onDisk('film.mkv')).equals(content)).toBe(true);
    // What came of the second piece counts, too.
    expect([asked.length, asked[0], Number(asked[1]) >= 16 * MEGABYTE]).toEqual([3, 'offset?', true]);
    expect(await again.evaluate('localStorage.length')).toBe(0);
  });

  it('two tabs that send different files to one place: the second one shows the conflict, and stops', async () => {
    const [one, two] = [randomBytes(40 * MEGABYTE), randomBytes(40 * MEGABYTE)];
    const paths = [await own('film.mkv', one, 'one'), await own('film.mkv', two, 'two')] as const;
    await utimes(paths[0], 1e9, 1e9);
    const goOn: (() => void)[] = [];
    // The first tab has sent one piece; the second one begins then, and has sent one as well.
    await page.route(/startByte=16777216/, async (route) => {
      if (goOn.length > 0) return route.continue();
      await new Promise<void>((done) => goOn.push(done));
      await route.abort('connectionreset');
    });
    await choose(page, paths[0]);
    await expect.poll(() => goOn.length).toBe(1);
    const other = await visited.context.newPage();
    await openFolder(other);
    await ready(other);
    let hold: (() => void) | null = null;
    await other.route(/startByte=16777216/, async (route) => {
      await new Promise<void>((done) => {
        hold = done;
      });
      await route.continue();
    });
    await choose(other, paths[1]);
    await expect.poll(() => hold !== null).toBe(true);
    goOn[0]?.();
    await panelOf(page)
      .getByText(t('uploads.finished', { count: 1 }))
      .waitFor();
    expect((await onDisk('film.mkv')).equals(one)).toBe(true);
    (hold as unknown as () => void)();
    await panelOf(other).getByText(t('uploads.nameTaken')).waitFor();
    expect((await onDisk('film.mkv')).equals(one)).toBe(true);
    // Nothing of the other one is left.
    await expect.poll(() => readdir(join(household.folder, '.larder', 'incoming'))).toEqual([]);
    expect(await other.evaluate('localStorage.length')).toBe(0);
  });

  it('two browsers that send files of different sizes to one place send each chunk once, and one shows the conflict', async () => {
    const second = await visit(browser);
    try {
      const contents = [randomBytes(40 * MEGABYTE), randomBytes(56 * MEGABYTE)] as const;
      const paths = [await own('film.mkv', contents[0], 'short'), await own('film.mkv', contents[1], 'long')] as const;
      const tabs = [page, second.page] as const;
      await openFolder(second.page);
      await signInAt(second.page);
      await ready(second.page);
      let sent = 0;
      for (const tab of tabs) {
        tab.on('request', (request) => {
          if (request.method() === 'PUT') sent += 1;
        });
      }
      await Promise.all([choose(tabs[0], paths[0]), choose(tabs[1], paths[1])]);
      const ended = async (tab: Page) => (await panelOf(tab).textContent()) ?? '';
      const isOver = new RegExp(`${t('uploads.finished', { count: 1 })}|${t('uploads.nameTaken')}`);
      for (const tab of tabs) await expect.poll(() => ended(tab)).toMatch(isOver);
      const said = await Promise.all(tabs.map(ended));
      expect(said.filter((text) => text.includes(t('uploads.finished', { count: 1 })))).toHaveLength(1);
      expect(said.filter((text) => text.includes(t('uploads.nameTaken')))).toHaveLength(1);
      // Three chunks of the one and four of the other, at most.
      expect(sent).toBeLessThanOrEqual(7);
      const stored = await onDisk('film.mkv');
      expect(contents.some((content) => content.equals(stored))).toBe(true);
      // What follows is sent once, and nothing of the others beside it.
      const settled = sent;
      const more = await own('more.txt', Buffer.from('more'));
      await choose(tabs[0], more);
      await expect.poll(() => onDisk('more.txt').catch(() => null)).toEqual(Buffer.from('more'));
      // The window shrinks to a line when everything is done.
      await panelOf(tabs[0]).getByText('more.txt').waitFor({ state: 'attached' });
      expect(sent).toBe(settled + 1);
    } finally {
      await second.context.close();
    }
  });

  it('an upload with repeated conflicts fails after a few attempts, with a message', async () => {
    const path = await own('film.mkv', randomBytes(40 * MEGABYTE));
    let sent = 0;
    await page.route(/\/files\/upload\?/, async (route) => {
      sent += 1;
      // What has come is taken away each time before the next chunk.
      const id = new URL(route.request().url()).searchParams.get('uploadId') ?? '';
      if (new URL(route.request().url()).searchParams.get('startByte') !== '0') {
        await page.evaluate(
          ([path, id]) =>
            fetch('/files/do/cancel-upload', {
              method: 'POST',
              headers: { Accept: 'application/json' },
              body: new URLSearchParams([
                ['path[]', path ?? ''],
                ['upload_id', id ?? ''],
                [
                  'form_token',
                  (
                    globalThis as unknown as { document: { querySelector(s: string): { dataset: { token: string } } } }
                  ).document.querySelector('.files').dataset.token,
                ],
              ]),
            }).then(() => undefined),
          [`/ROOT/HOME/${here}/film.mkv`, id],
        );
      }
      await route.continue();
    });
    // The page waits longer after each try; its clock need not.
    await page.clock.install();
    await openFolder(page);
    await ready(page);
    await choose(page, path);
    const conflict = panelOf(page).getByText(t('uploads.conflict'));
    await eventually(
      async () => {
        await page.clock.runFor(1_000);
        return conflict.isVisible();
      },
      (isShown) => isShown,
    );
    expect(sent).toBeLessThanOrEqual(12);
    expect(await readdir(join(household.home, here))).toEqual([]);
  });
});
