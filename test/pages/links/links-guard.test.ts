import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { t } from '../../../dist/server/messages/messages.js';
import { launchBrowser } from '../../support/browser/browser.ts';
import { visit } from '../../support/browser/page.ts';
import { makePdf } from '../../support/content/make-pdf.ts';
import { sampled } from '../../support/forms.ts';
import { type Household, openHousehold } from '../../support/households/household.ts';
import { address, fillHome, picture } from '../files/support.ts';
import { viewer } from '../photos/viewer-support.ts';
import { LAKE, linkHome, linkTo } from './links-support.ts';

let browser: Browser;
let household: Household;

const MARKUP = '<img src=x onerror="window.hit=1"><script>window.hit=1</script>';
const HOSTILE: Record<string, string | Buffer> = {
  'page.html': `<!doctype html><title>x</title><script>window.hit=1;parent.hit=1;top.hit=1;document.title=document.cookie</script>`,
  'drawing.svg': `<svg xmlns="http://www.w3.org/2000/svg" onload="window.hit=1"><script>window.hit=1</script></svg>`,
  'data.xml': `<?xml version="1.0"?><x:script xmlns:x="http://www.w3.org/1999/xhtml">window.hit=1</x:script>`,
  'page.xhtml': `<html xmlns="http://www.w3.org/1999/xhtml"><script>window.hit=1</script></html>`,
  'photo.jpg': `<html><script>window.hit=1</script></html>`,
  'text.txt': `<script>window.hit=1</script>`,
  'notes.md': `# x\n\n${MARKUP}\n\n[a](javascript:window.hit=1) <svg onload="window.hit=1">\n`,
  'paper.pdf': makePdf([['A page']], { script: 'app.alert(1)' }),
};

beforeAll(async () => {
  [browser, household] = await Promise.all([launchBrowser(), openHousehold()]);
  await household.control('settings.update', { householdName: '<img src=x onerror=window.hit=1>' });
  await household.control('accounts.update', { username: 'ann', name: `Ann ${MARKUP}` });
  await linkHome(household);
  await fillHome(
    household.home,
    Object.fromEntries(Object.entries(HOSTILE).map(([name, content]) => [`bad/${name}`, content])),
  );
  await fillHome(household.home, { [`odd/a'b"c&d;${'x'.repeat(120)} \u202egpj.jpg`]: await picture(1) });
});
afterAll(async () => {
  await browser?.close();
  await household?.close();
});

/** An answer of the page after its load event: scripts and handlers of its content would have run before. */
const LATER = 'document.readyState';

/** Whether anything of others has run in the page or in one of its frames. */
async function hits(page: Page): Promise<unknown[]> {
  const all = await Promise.all(page.frames().map((frame) => frame.evaluate('window.hit ?? null').catch(() => null)));
  return all.filter((hit) => hit !== null);
}

describe('content of others', () => {
  it.each(sampled(Object.keys(HOSTILE), 5))('%s runs no script when previewed, opened or downloaded', async (name) => {
    const link = await linkTo(household, `/ROOT/HOME/bad/${name}`);
    const visited = await visit(browser);
    const { page, context } = visited;
    const dialogs: string[] = [];
    page.on('dialog', (dialog) => {
      dialogs.push(dialog.message());
      void dialog.dismiss();
    });
    await page.goto(address(household, link));
    await page.getByRole('button', { name: t('files.actions.download') }).waitFor();
    const frame = page.locator('iframe');
    if ((await frame.count()) > 0) {
      const inner = await (await frame.elementHandle())?.contentFrame();
      await inner?.waitForLoadState();
      expect(await inner?.evaluate('window.origin')).toBe('null');
      await inner?.evaluate(LATER);
    }
    expect(await hits(page)).toEqual([]);
    for (const fmode of ['open', 'download']) {
      const reply = await household.api.send('GET', `${link}&fmode=${fmode}`, { headers: { accept: 'text/html' } });
      expect(reply.status).toBe(200);
      const isAttachment = reply.headers['content-disposition']?.startsWith('attachment') ?? false;
      const policy = reply.headers['content-security-policy'] ?? '';
      const isPage = reply.headers['content-type']?.startsWith('text/html') === true && name === 'paper.pdf';
      expect(isPage || policy.startsWith('sandbox;')).toBe(true);
      expect(reply.headers['x-content-type-options']).toBe('nosniff');
      if (/html|svg|xml/.test(name)) expect(isAttachment).toBe(true);
      expect(reply.headers['set-cookie']).toBeUndefined();
    }
    await page.goto(address(household, `${link}&fmode=open`)).catch(() => undefined);
    await page.evaluate(LATER);
    expect(await hits(page)).toEqual([]);
    expect(dialogs).toEqual([]);
    await context.close();
  });

  it('is requested without cookies, and only with the ticket of a page', async () => {
    const link = await linkTo(household, '/ROOT/HOME/Gran’s recipes.pdf', { password: 'plums' });
    const { page, context } = await visit(browser);
    const asked: [string, string | undefined][] = [];
    await page.goto(address(household, link));
    await page.getByLabel(t('links.password.label')).fill('plums');
    await page.getByRole('button', { name: t('links.password.submit') }).click();
    await page.getByRole('button', { name: t('files.actions.download') }).waitFor();
    page.on('request', async (request) => {
      if (request.url().includes('/wl/content')) asked.push([request.url(), (await request.allHeaders()).cookie]);
    });
    await page.reload();
    await page.frameLocator('iframe').locator('canvas').first().waitFor();
    expect(asked.length).toBeGreaterThan(0);
    expect(asked.map(([, cookie]) => cookie)).toEqual(asked.map(() => undefined));
    const [url = ''] = asked[0] ?? [];
    const get = (change: (query: URLSearchParams) => void) => {
      const { pathname, searchParams } = new URL(url);
      change(searchParams);
      return household.api.send('GET', `${pathname}?${searchParams}`);
    };
    expect((await get(() => undefined)).status).toBe(200);
    const other = new URL(address(household, await linkTo(household, LAKE))).searchParams.get('id') ?? '';
    expect((await get((query) => query.set('id', other))).status).toBe(404);
    expect((await get((query) => query.delete('ticket'))).status).toBe(404);
    expect((await get((query) => query.set('ticket', `${query.get('ticket')}x`))).status).toBe(404);
    expect((await get((query) => query.set('path', '/x'))).status).toBe(404);
    household.clock.advance(13 * 60 * 60_000);
    expect((await get(() => undefined)).status).toBe(404);
    await context.close();
  });

  it('cannot be framed by another site, and neither can the pages', async () => {
    const link = await linkTo(household, LAKE);
    for (const path of [link, `${link}&fmode=download`, '/wl/?id=x']) {
      const { headers } = await household.api.send('GET', path, { headers: { accept: 'text/html' } });
      expect(headers['content-security-policy']).toMatch(/frame-ancestors 'none'/);
      expect(headers['x-frame-options']).toBe('DENY');
      expect(headers['referrer-policy']).toBe('no-referrer');
    }
  });
});

describe('text of others', () => {
  it('is escaped everywhere: names, terms, comments, sharers', async () => {
    const form = {
      download_terms: `${MARKUP}\n\n${MARKUP}`,
      show_comments: 1,
      show_comments_names: 1,
      show_metadata: 1,
    };
    const link = await linkTo(household, '/ROOT/HOME/odd', form);
    const { page, context } = await visit(browser);
    await page.goto(address(household, link));
    await expect.poll(() => page.locator('.terms').innerText()).toContain(MARKUP);
    expect(await hits(page)).toEqual([]);
    await page.getByRole('button', { name: t('links.terms.submit') }).click();
    await page.getByRole('heading', { name: 'odd' }).waitFor();
    await page.getByLabel(t('links.send.name')).fill(`Eve ${MARKUP}`);
    await page.getByLabel(t('comments.write')).fill(`Hello ${MARKUP}`);
    await page.getByRole('button', { name: t('comments.submit') }).click();
    await page.getByText('Hello <img').waitFor();
    await expect.poll(() => page.locator('.comment-list').innerText()).toContain('Eve <img');
    await expect.poll(() => page.locator('.open-bar').innerText()).toContain(`Ann ${MARKUP}`);
    expect(await hits(page)).toEqual([]);
    await page.locator('.pictures a').first().click();
    await viewer(page)
      .getByRole('button', { name: t('files.actions.download') })
      .waitFor();
    expect(await hits(page)).toEqual([]);
    await context.close();
  });

  it('does not show its author if the link hides names', async () => {
    const path = '/ROOT/HOME/Lake.jpg';
    const api = await household.signIn();
    await api.post('files/comments/add', { path, comment: 'By somebody' });
    const id = await linkTo(household, path, { show_comments: 1 });
    const { page, context } = await visit(browser);
    await page.goto(address(household, id));
    await page.getByText('By somebody').waitFor();
    await expect.poll(() => page.locator('.comment-list').innerText()).not.toMatch(/Ann/);
    await page.goto(address(household, await linkTo(household, path, { singleDownload: 1 })));
    expect(await page.content()).not.toContain('By somebody');
    await context.close();
  });
});

describe('without JavaScript', () => {
  it('a folder is browsed, selected items are downloaded, and a picture is shown', async () => {
    const { page, context } = await visit(browser, { javaScriptEnabled: false, acceptDownloads: true });
    await page.goto(address(household, await linkTo(household, LAKE)));
    await expect.poll(() => page.locator('.pictures li').count()).toBe(14);
    await page.getByLabel(t('links.folder.select', { name: 'Boat trip' })).check();
    await page.getByLabel(t('links.folder.select', { name: 'What we packed.txt' })).check();
    const [chosen] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: t('links.folder.downloadSelected') }).click(),
    ]);
    expect(chosen.suggestedFilename()).toBe('Summer at the lake.zip');
    const [all] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: t('links.folder.downloadAll') }).click(),
    ]);
    expect(all.suggestedFilename()).toBe('Summer at the lake.zip');
    await page.locator('.pictures a').first().click();
    await page.getByRole('img', { name: t('links.file.preview', { name: 'Lake 01.jpg' }) }).waitFor();
    await page.getByRole('link', { name: t('links.file.next', { name: '' }) }).click();
    await page.getByRole('heading', { name: 'Lake 02.jpg' }).waitFor();
    await context.close();
  });
});

describe('the first load', () => {
  it.each(
    sampled(
      [
        ['a folder', LAKE, {}],
        ['a long list', '/ROOT/HOME/many', {}],
        ['a file request', '/ROOT/HOME/Birthday', { allow_uploads: 1 }],
        ['a password', '/ROOT/HOME/Lake.jpg', { password: 'plums' }],
      ],
      1,
    ),
  )('of %s stays below 60 KB', async (_name, path, form) => {
    await fillHome(
      household.home,
      Object.fromEntries(Array.from({ length: 200 }, (_, number) => [`many/Picture of the lake ${number}.txt`, 'x'])),
    );
    const { page, context } = await visit(browser);
    const session = await context.newCDPSession(page);
    await session.send('Network.enable');
    const sizes = new Map<string, { url: string; bytes: number }>();
    session.on('Network.responseReceived', ({ requestId, response }) =>
      sizes.set(requestId, { url: response.url, bytes: 0 }),
    );
    session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
      const one = sizes.get(requestId);
      if (one !== undefined) one.bytes = encodedDataLength;
    });
    await page.goto(address(household, await linkTo(household, path, { ...form, singleDownload: 0 })));
    await page.waitForLoadState('networkidle');
    const own = [...sizes.values()].filter(
      ({ url }) => !url.includes('/wl/thumbnail') && !url.startsWith('data:') && !url.includes('start='),
    );
    expect(own.length).toBeGreaterThan(2);
    expect(own.reduce((sum, { bytes }) => sum + bytes, 0)).toBeLessThan(60 * 1024);
    await context.close();
  });
});
