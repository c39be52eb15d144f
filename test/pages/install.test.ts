import type { Browser, Page } from 'playwright-core';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { t } from '../../dist/server/messages/messages.js';
import { FILE_PAGES } from '../../dist/server/web/files/page-paths.js';
import type { WebManifest } from '../../dist/server/web/install/manifest.js';
import { launchBrowser } from '../support/browser/browser.ts';
import { inspect, type Visit, visit } from '../support/browser/page.ts';
import { itInFull } from '../support/forms.ts';
import { type Household, openHousehold } from '../support/households/household.ts';
import { openTunnel, type Tunnel } from '../support/requests/tunnel.ts';
import { ready, signInAt } from './files/support.ts';

let browser: Browser;
let household: Household;
let tunnel: Tunnel;
let visited: Visit;
let page: Page;

beforeAll(async () => {
  [browser, household] = await Promise.all([launchBrowser(), openHousehold()]);
  tunnel = await openTunnel(() => household.port);
  await household.control('settings.update', { householdName: 'Orchard House' });
  visited = await visit(browser, { serviceWorkers: 'allow', ignoreHTTPSErrors: true });
  ({ page } = visited);
  await page.goto(at('/files/'));
  await signInAt(page);
  await ready(page);
});
afterAll(async () => {
  await visited?.context.close();
  await browser?.close();
  await tunnel?.cut();
  await household?.close();
});

const at = (path: string) => `https://localhost:${tunnel.port}${path}`;

/** The addresses that the browser has kept for these pages. */
const kept = () =>
  page.evaluate<string[]>(`(async () => {
    const requests = [];
    for (const name of await caches.keys()) requests.push(...(await (await caches.open(name)).keys()));
    return requests.map(({ url }) => new URL(url).pathname);
  })()`);

describe('the file pages as an application', () => {
  it('can be installed according to the browser', async () => {
    const devtools = await visited.context.newCDPSession(page);
    const { errors, url, data } = await devtools.send('Page.getAppManifest');
    expect(errors).toEqual([]);
    expect(url).toBe(at('/files/app.webmanifest'));
    expect(JSON.parse(data ?? '')).toMatchObject({ name: 'Orchard House', display: 'standalone', scope: '/files/' });
    const { installabilityErrors } = await devtools.send('Page.getInstallabilityErrors');
    expect(installabilityErrors).toEqual([]);
  });

  it('has icons of the declared sizes, and a maskable one', async () => {
    const manifest: WebManifest = await (await page.request.get(at('/files/app.webmanifest'))).json();
    for (const { src, sizes, type, purpose } of manifest.icons) {
      const reply = await page.request.get(at(src));
      expect([reply.status(), reply.headers()['content-type']]).toEqual([200, type]);
      const { width, height } = await sharp(await reply.body()).metadata();
      expect(`${width}x${height}`).toBe(sizes);
      const corner = await sharp(await reply.body())
        .extract({ left: 0, top: 0, width: 1, height: 1 })
        .ensureAlpha()
        .raw()
        .toBuffer();
      expect([purpose, corner[3]]).toEqual([purpose, purpose === 'maskable' ? 255 : 0]);
    }
    for (const { url } of manifest.shortcuts) expect((await page.request.get(at(url))).status()).toBe(200);
  });
});

describe('the page for outages', () => {
  it('is shown while the server cannot be reached, and leads back afterwards', async () => {
    await page.evaluate('navigator.serviceWorker.ready.then(() => undefined)');
    const address = at('/files/?path=%2FROOT%2FHOME');
    await tunnel.cut();
    await page.goto(address);
    await page
      .getByRole('heading', { name: t('install.unreachable.heading', { household: 'Orchard House' }) })
      .waitFor();
    expect(await page.evaluate<string>('getComputedStyle(document.querySelector(".card")).borderRadius')).not.toBe(
      '0px',
    );
    await inspect(page, 'unreachable');
    for (const path of FILE_PAGES) {
      await page.goto(at(`/files${path}`));
      expect([path, await page.locator('h1').textContent()]).toEqual([
        path,
        t('install.unreachable.heading', { household: 'Orchard House' }),
      ]);
    }
    await page.goto(address);
    await page.getByRole('link', { name: t('install.unreachable.again') }).click();
    await page
      .getByRole('heading', { name: t('install.unreachable.heading', { household: 'Orchard House' }) })
      .waitFor();
    await tunnel.mend();
    await page.getByRole('link', { name: t('install.unreachable.again') }).click();
    await ready(page);
    expect(page.url()).toBe(address);
  });

  it('is the only page that the browser stores', async () => {
    const shown = await page.evaluate<string[]>(
      '[...document.querySelectorAll("link[rel=stylesheet]")].map(({ href }) => new URL(href).pathname)',
    );
    const drawings = ['mark-light.svg', 'mark-dark.svg', 'app-icon.svg'].map((name) => `/assets/${name}`);
    const ofPages = shown.filter((name) => name.startsWith('/assets/base-'));
    // The page for outages has a script and styles of its own; the rest of what is kept are its drawings.
    await page.goto(at('/files/unreachable'));
    const loaded = await page.evaluate<string[]>(
      '[...document.querySelectorAll("link[rel=stylesheet], link[rel=modulepreload], script[src]")].map(({ href, src }) => new URL(href ?? src).pathname)',
    );
    expect(loaded).toEqual(expect.arrayContaining(ofPages));
    expect((await kept()).toSorted()).toEqual(['/files/unreachable', ...loaded, ...drawings].toSorted());
    const reply = await fetchAnonymously('/files/unreachable');
    expect(reply).not.toMatch(/form_token|data-token|Ann/);
  });

  itInFull('contains the new name of the household after the next visit', async () => {
    await household.control('settings.update', { householdName: 'Barn House' });
    await page.goto(at('/files/'));
    await ready(page);
    await expect
      .poll(() => page.evaluate<string>('caches.match("/files/unreachable").then((reply) => reply?.text() ?? "")'))
      .toContain('Barn House');
    expect(await page.evaluate<number>('caches.keys().then(({ length }) => length)')).toBe(1);
  });

  itInFull('is removed when the owner disables it', async () => {
    await household.control('settings.update', { serviceWorker: false });
    await page.goto(at('/files/'));
    await ready(page);
    await expect.poll(kept).toEqual([]);
    await expect
      .poll(() => page.evaluate<number>('navigator.serviceWorker.getRegistrations().then(({ length }) => length)'))
      .toBe(0);
    await page.goto(at('/files/?path=%2FROOT%2FHOME'));
    await ready(page);
    expect(await page.evaluate<number>('navigator.serviceWorker.getRegistrations().then(({ length }) => length)')).toBe(
      0,
    );
    expect(visited.complaints.filter((text) => !/ERR_(?:CONNECTION_REFUSED|FAILED)/.test(text))).toEqual([]);
  });
});

/** As somebody without a session. */
async function fetchAnonymously(path: string): Promise<string> {
  const context = await browser.newContext({ ignoreHTTPSErrors: true });
  try {
    return await (await context.request.get(at(path))).text();
  } finally {
    await context.close();
  }
}
