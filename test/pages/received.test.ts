import { readdir, readFile } from 'node:fs/promises';
import https from 'node:https';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { bidiIsolate } from '../../dist/server/lib/text/bidi-isolate.js';
import { humanSize } from '../../dist/server/listing/human.js';
import { t } from '../../dist/server/messages/messages.js';
import { launchBrowser } from '../support/browser/browser.ts';
import { inspect, type Visit, visit } from '../support/browser/page.ts';
import { itInFull } from '../support/forms.ts';
import { type Household, openHousehold } from '../support/households/household.ts';
import { addMembersWithHomes, homeOf, MEMBER } from '../support/households/member.ts';
import { address, fillHome, ready, row, signInAt } from './files/support.ts';

// What other apps of a device share with the installed file pages: https://w3c.github.io/web-share-target/

let browser: Browser;
let household: Household;
let visited: Visit;
let page: Page;
let people = 0;
let person = '';

beforeAll(async () => {
  [browser, household] = await Promise.all([launchBrowser(), openHousehold()]);
  await household.control('settings.update', { householdName: 'Orchard House' });
});
afterAll(async () => {
  await browser?.close();
  await household?.close();
});

beforeEach(async () => {
  people += 1;
  person = `person${people}`;
  await addMembersWithHomes(household, { [person]: {} });
  await fillHome(home(), { 'Holidays/Packing.txt': 'Tent', 'Notes.txt': 'Old' });
  visited = await visit(browser, { serviceWorkers: 'allow', ignoreHTTPSErrors: true });
  ({ page } = visited);
  await page.goto(at('/files/?path=%2FROOT%2FHOME'));
  await signInAt(page, person, MEMBER.password);
  await ready(page);
  await page.evaluate('navigator.serviceWorker.ready.then(() => undefined)');
  await page.reload();
  await ready(page);
  return () => visited.context.close();
});

const at = (path: string) => address(household, path);
const home = (...names: string[]) => join(homeOf(household, person), ...names);
/** The names in the home, without the file that marks it. */
const stored = async (...names: string[]) =>
  (await readdir(home(...names))).filter((name) => !name.startsWith('.')).sort();
const panel = () => page.locator('.received');
const heading = (count: number) => panel().getByRole('heading', { name: t('received.heading', { count }) });
const button = (name: string) => panel().getByRole('button', { name });
const saveIn = (folder: string) => button(t('received.save', { folder }));
const namesKept = () =>
  page.evaluate<string[]>(`(async () => {
    if (!(await caches.has('larder-received'))) return [];
    const cache = await caches.open('larder-received');
    const replies = await Promise.all((await cache.keys()).map((request) => cache.match(request)));
    return replies.map(({ headers }) => headers.get('X-Name')).filter((name) => name !== null);
  })()`);

interface Shared {
  readonly files?: readonly { readonly name: string; readonly mimeType: string; readonly buffer: Buffer }[];
  readonly title?: string;
  readonly text?: string;
  readonly url?: string;
}

const textFile = (name: string, content: string) => ({ name, mimeType: 'text/plain', buffer: Buffer.from(content) });

/** Sends what a system sends when a person shares something, with the names of the manifest. */
async function share({ files = [], ...texts }: Shared): Promise<void> {
  const reply = await page.request.get(at('/files/app.webmanifest'));
  const { share_target: target } = await reply.json();
  expect(target).toMatchObject({ method: 'POST', enctype: 'multipart/form-data' });
  await page.evaluate(
    ({ action, params, texts }: { action: string; params: Record<string, string>; texts: Record<string, string> }) => {
      const { document } = globalThis as unknown as { document: ShareDocument };
      const form = Object.assign(document.createElement('form'), { action, method: 'post' });
      form.setAttribute('enctype', 'multipart/form-data');
      form.id = 'share';
      form.append(Object.assign(document.createElement('input'), { type: 'file', multiple: true, name: 'files' }));
      for (const [name, value] of Object.entries(texts))
        form.append(Object.assign(document.createElement('input'), { type: 'hidden', name: params[name], value }));
      document.body.append(form);
    },
    { action: target.action, params: target.params, texts: texts as Record<string, string> },
  );
  await page.locator('#share input[type=file]').setInputFiles([...files]);
  const shown = page.waitForEvent('domcontentloaded');
  await page.evaluate('document.querySelector("#share").submit()');
  await shown;
}

interface ShareDocument {
  createElement(name: string): ShareElement;
  readonly body: ShareElement;
}
interface ShareElement {
  id: string;
  setAttribute(name: string, value: string): void;
  append(child: object): void;
}

describe('an item shared by another app', () => {
  it('is saved in the folder that the person opens, and then deleted from the browser', async () => {
    await share({ files: [textFile('One.txt', 'one'), textFile('Two.txt', 'two')], title: 'Two files' });
    await ready(page);
    await heading(2).waitFor();
    for (const name of ['One.txt', 'Two.txt']) await panel().getByText(bidiIsolate(name)).waitFor();
    await inspect(page, 'received');
    await row(page, 'Holidays').locator('.open').click();
    await saveIn('Holidays').click();
    await expect.poll(namesKept).toEqual([]);
    await expect.poll(() => stored('Holidays')).toEqual(['One.txt', 'Packing.txt', 'Two.txt']);
    expect(await readFile(home('Holidays', 'Two.txt'), 'utf8')).toBe('two');
    expect(await panel().count()).toBe(0);
    await page.reload();
    await ready(page);
    await expect.poll(() => page.evaluate('caches.has("larder-received")')).toBe(false);
    expect(visited.complaints).toEqual([]);
  });

  itInFull('is shown in lists where it cannot be saved, with a hint to open a folder', async () => {
    await share({ files: [textFile('One.txt', 'one')] });
    await heading(1).waitFor();
    await page.goto(at('/files/?path=%2FRECENT'));
    await panel()
      .getByText(t('received.choose', { count: 1 }))
      .waitFor();
    expect(await panel().getByRole('button').allTextContents()).toEqual([t('received.discard')]);
    await button(t('received.discard')).click();
    await expect.poll(() => page.evaluate('caches.has("larder-received")')).toBe(false);
    expect(await stored()).toEqual(['Holidays', 'Notes.txt']);
  });

  it('is saved as a text file if it is text', async () => {
    await share({ title: 'Plum cake: a recipe?', text: 'Halve the plums.', url: 'https://example.org/plums' });
    await heading(1).waitFor();
    await saveIn(t('files.myFiles')).click();
    await expect.poll(() => stored()).toContain('Plum cake a recipe.txt');
    expect(await readFile(home('Plum cake a recipe.txt'), 'utf8')).toBe('Halve the plums.\nhttps://example.org/plums');
  });

  it('is saved under an allowed name of its own if its name is forbidden or that of another item', async () => {
    const names = ['Plum: cake?.txt', 'Plum_ cake_.txt', 'aux.txt'];
    await share({ files: names.map((name, index) => textFile(name, String(index))) });
    await heading(3).waitFor();
    for (const name of ['Plum_ cake_.txt', 'Plum_ cake_ (2).txt', '_aux.txt'])
      await panel().getByText(bidiIsolate(name), { exact: true }).waitFor();
    await saveIn(t('files.myFiles')).click();
    await expect.poll(namesKept).toEqual([]);
    const saved = ['Plum_ cake_.txt', 'Plum_ cake_ (2).txt', '_aux.txt'];
    expect(await Promise.all(saved.map((name) => readFile(home(name), 'utf8')))).toEqual(['0', '1', '2']);
  });

  it('is stored until the sign-in, together with items shared later', async () => {
    await page.context().clearCookies();
    await share({ files: [textFile('One.txt', 'one')] });
    await page.getByLabel(t('signIn.username')).waitFor();
    expect(await namesKept()).toEqual(['One.txt']);
    await signInAt(page, person, MEMBER.password);
    await heading(1).waitFor();
    await share({ files: [textFile('Two.txt', 'two')] });
    await heading(2).waitFor();
  });

  itInFull('is still offered if a file of the same name is kept', async () => {
    await share({ files: [textFile('Notes.txt', 'New')] });
    await heading(1).waitFor();
    await saveIn(t('files.myFiles')).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: t('uploads.taken.answers.cancel') }).click();
    await heading(1).waitFor();
    await saveIn(t('files.myFiles')).click();
    await dialog.getByRole('button', { name: t('uploads.taken.answers.both') }).click();
    await expect.poll(() => stored()).toContain('Notes (2).txt');
    expect(await readFile(home('Notes.txt'), 'utf8')).toBe('Old');
    await expect.poll(namesKept).toEqual([]);
  });

  it('is not offered to another person, and deleted by signing out', async () => {
    await share({ files: [textFile('Secret.txt', 'one')] });
    await heading(1).waitFor();
    await page.context().clearCookies();
    people += 1;
    await addMembersWithHomes(household, { [`person${people}`]: {} });
    await page.goto(at('/files/'));
    await signInAt(page, `person${people}`, MEMBER.password);
    await ready(page);
    await expect.poll(() => page.evaluate('caches.has("larder-received")')).toBe(false);
    expect(await panel().count()).toBe(0);
    await share({ files: [textFile('Mine.txt', 'two')] });
    await heading(1).waitFor();
    await page.evaluate('document.querySelector("form[action$=\'/sign-out\'] button").click()');
    await page.waitForURL((url) => !url.pathname.startsWith('/files'));
    expect(await namesKept()).toEqual([]);
  });

  it('is deleted by signing out on a page of the account, which has no script for it', async () => {
    await share({ files: [textFile('Secret.txt', 'one')] });
    await heading(1).waitFor();
    await page.goto(at('/account/'));
    await page
      .locator('form[action$="/sign-out"] button')
      .first()
      .evaluate((button) => (button as HTMLElement).click());
    await page.getByLabel(t('signIn.username')).waitFor();
    await expect.poll(namesKept).toEqual([]);
  });
});

describe('what is kept of all shares together', () => {
  /** Puts into the browser what earlier shares have left there. */
  const keepBefore = (count: number, bytes: number) =>
    page.evaluate<undefined>(`(async () => {
      const cache = await caches.open('larder-received');
      for (let index = 0; index < ${count}; index += 1) {
        const headers = { 'X-Name': 'before' + index + '.txt', 'X-Time': String(Date.now()), 'X-Modified': '0',
          'X-Size': '${bytes}', 'Content-Type': 'text/plain' };
        await cache.put('/files/received/before' + index, new Response('kept', { headers }));
      }
    })()`);
  const limit = (count: number) => t('received.full', { count, files: 500, size: humanSize(4 * 1024 ** 3) });

  it('has at most 500 files: further ones are refused with a message, and no earlier one is lost', async () => {
    await keepBefore(498, 4);
    await share({ files: ['a', 'b', 'c'].map((name) => textFile(`${name}.txt`, name)) });
    await heading(500).waitFor();
    await panel().getByText(limit(500)).waitFor();
    await inspect(page, 'received-full');
    // Another share changes nothing of them.
    await share({ text: 'Halve the plums.', title: 'Plum cake' });
    await heading(500).waitFor();
    const names = await namesKept();
    expect(names.filter((name) => name.startsWith('before'))).toHaveLength(498);
    expect(names.filter((name) => !name.startsWith('before')).sort()).toEqual(['a.txt', 'b.txt']);
    await button(t('received.discard')).click();
    await expect.poll(namesKept).toEqual([]);
    // Then there is room again.
    await share({ files: [textFile('d.txt', 'd')] });
    await heading(1).waitFor();
    expect(await panel().locator('.note').count()).toBe(0);
  });

  it('has at most four gigabytes: what does not fit is refused, and what fits is kept', async () => {
    await keepBefore(1, 4 * 1024 ** 3 - 10);
    await share({ files: [textFile('large.txt', 'more than is left'), textFile('small.txt', 'fits')] });
    await heading(2).waitFor();
    await panel().getByText(limit(2)).waitFor();
    expect((await namesKept()).sort()).toEqual(['before0.txt', 'small.txt']);
  });

  it('counts several shares that come at once', async () => {
    await keepBefore(498, 4);
    await page.evaluate(`Promise.all([1, 2, 3, 4].map((index) => {
      const form = new FormData();
      form.append('files', new File(['x'], 'site' + index + '.txt'));
      return fetch('/files/receive', { method: 'POST', body: form });
    })).then(() => undefined)`);
    expect(await namesKept()).toHaveLength(500);
  });
});

it('the server redirects without reading the item if no worker handles it', async () => {
  const headers = { 'content-type': 'multipart/form-data; boundary=x', 'content-length': 1_000_000_000 };
  const options = { method: 'POST', headers, rejectUnauthorized: false };
  const [status, location] = await new Promise<unknown[]>((resolve, reject) => {
    const request = https.request(at('/files/receive'), options, (response) => {
      resolve([response.statusCode, response.headers.location]);
      request.destroy();
    });
    request.on('error', reject);
    request.write('--x\r\n');
  });
  expect([status, location]).toEqual([303, '/files/']);
});

itInFull('the manifest does not declare a share target if the owner has disabled the worker', async () => {
  await household.control('settings.update', { serviceWorker: false });
  const manifest = await (await page.request.get(at('/files/app.webmanifest'))).json();
  expect(manifest.share_target).toBeUndefined();
  await household.control('settings.update', { serviceWorker: true });
});
