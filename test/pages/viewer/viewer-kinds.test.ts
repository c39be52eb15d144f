import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import type { Browser, BrowserContextOptions } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { t } from '../../../dist/server/messages/messages.js';
import { createPageAssets } from '../../../dist/server/web/shell/assets/page-assets.js';
import { viewerFiles } from '../../../dist/server/web/viewer/assets.js';
import { sendViewer, type Viewer, viewerDocument } from '../../../dist/server/web/viewer/viewer.js';
import { launchBrowser } from '../../support/browser/browser.ts';
import { inspect, type Visit, visit } from '../../support/browser/page.ts';
import { itInFull } from '../../support/forms.ts';
import { picture } from '../files/support.ts';

const HOSTILE = '</pre><script>document.title = "ran"</script><img src=x onerror="document.title = 1">';

const VIEWERS: Record<string, Omit<Viewer, 'assets'>> = {
  picture: { kind: 'picture', name: 'Lake "04".jpg', source: '/content/lake.jpg?ticket=good' },
  video: { kind: 'video', name: 'Whole afternoon.webm', source: '/content/film.webm?ticket=good' },
  audio: { kind: 'audio', name: 'Orchard song.wav', source: '/content/song.wav?ticket=good' },
  text: { kind: 'text', name: 'Plum <b>jam.txt', text: `\n${HOSTILE}\n${'plums '.repeat(400)}`, cutAt: 256 * 1024 },
};

/** A second of silence. */
function silence(): Buffer {
  const header = Buffer.from(
    '524946466c1f000057415645666d74201000000001000100401f0000401f00000100080064617461401f0000',
    'hex',
  );
  return Buffer.concat([header, Buffer.alloc(8_000, 128)]);
}

let browser: Browser;
let server: Server;
let elsewhere: Server;
/** The requests for contents, with what of cookies and origin came along. */
let asked: { url: string; cookie: string | undefined; origin: string | undefined }[] = [];

beforeAll(async () => {
  browser = await launchBrowser();
  const lake = await picture(2, 1200, 800);
  const app = express();
  app.use('/assets/viewer', viewerFiles());
  app.get('/view/:kind', (request, response) => {
    const viewer = VIEWERS[request.params.kind];
    if (viewer !== undefined) sendViewer(response, { ...viewer, assets: createPageAssets('/assets') });
  });
  // Where scripts may not run, those that look for faults may not either.
  app.get('/unguarded/:kind', (request, response) => {
    const viewer = VIEWERS[request.params.kind];
    if (viewer !== undefined) response.send(viewerDocument({ ...viewer, assets: createPageAssets('/assets') }));
  });
  app.get('/content/:name', (request, response) => {
    const { cookie, origin } = request.headers;
    asked.push({ url: request.url, cookie, origin });
    response.setHeader('Access-Control-Allow-Origin', '*');
    response.type(request.params.name).send(request.params.name === 'lake.jpg' ? lake : silence());
  });
  // Browsers look for one by themselves.
  app.get('/favicon.ico', (_request, response) => {
    response.status(204).end();
  });
  app.get('/page/:kind', (request, response) => {
    response.cookie('session', 'secret', { sameSite: 'lax' });
    response.send(`<!doctype html><iframe sandbox="allow-scripts" src="/view/${request.params.kind}"></iframe>`);
  });
  server = await listening(app);
  elsewhere = await listening((_request, response) => {
    response.setHeader('Content-Type', 'text/html');
    response.end(`<!doctype html><iframe src="${at(server, '/view/picture')}"></iframe>`);
  });
});
afterAll(async () => {
  await browser?.close();
  for (const one of [server, elsewhere]) {
    one?.closeAllConnections();
    one?.close();
  }
});

function listening(handler: Parameters<typeof createServer>[1]): Promise<Server> {
  const made = createServer(handler);
  return new Promise((resolve) => made.listen(0, '127.0.0.1', () => resolve(made)));
}

const at = (one: Server, path: string, host = '127.0.0.1') =>
  `http://${host}:${(one.address() as AddressInfo).port}${path}`;

async function open(path: string, options: BrowserContextOptions = {}): Promise<Visit> {
  asked = [];
  const visited = await visit(browser, options);
  await visited.page.goto(at(server, path));
  return visited;
}

describe('a file shown in a frame', () => {
  it.each(['picture', 'audio'])('%s: is requested without cookies, from an opaque origin', async (kind) => {
    const { page, context, complaints } = await open(`/page/${kind}`);
    await expect.poll(() => asked.length).toBeGreaterThan(0);
    expect((await context.cookies()).map(({ name }) => name)).toEqual(['session']);
    for (const { cookie, origin } of asked) expect([cookie, origin]).toEqual([undefined, 'null']);
    expect(page.frames().length).toBe(2);
    expect(complaints).toEqual([]);
    await context.close();
  });

  itInFull('a picture that is larger than the window fits in it', async () => {
    const { page, context, complaints } = await open('/view/picture');
    await page.locator('img').waitFor();
    const fits = () => page.locator('img').boundingBox();
    await expect.poll(async () => (await fits())?.height ?? 0).toBeGreaterThan(700);
    for (const size of [
      { width: 500, height: 800 },
      { width: 1280, height: 300 },
    ]) {
      await page.setViewportSize(size);
      const { x = 0, y = 0, width = 0, height = 0 } = (await fits()) ?? {};
      expect(Math.round((width / height) * 100)).toBe(150);
      expect(Math.min(size.width - width, size.height - height)).toBeCloseTo(0, 0);
      expect([Math.round(2 * x + width), Math.round(2 * y + height)]).toEqual([size.width, size.height]);
    }
    expect(complaints).toEqual([]);
    await context.close();
  });

  it('shows text unchanged, with a message if it is truncated', async () => {
    const { page, context, complaints } = await open('/view/text');
    await expect.poll(() => page.locator('pre').textContent()).toBe(VIEWERS.text?.text);
    await page.getByText(t('viewer.cut', { size: '256 KB' })).waitFor();
    expect(await page.title()).toBe('Plum <b>jam.txt');
    expect(complaints).toEqual([]);
    await context.close();
  });

  itInFull('runs no script if none is needed', async () => {
    for (const kind of ['picture', 'video', 'audio', 'text']) {
      const reply = await fetch(at(server, `/view/${kind}`));
      const policy = reply.headers.get('content-security-policy') ?? '';
      expect(policy).toMatch(
        /^sandbox(?: allow-scripts)?; default-src 'none'; style-src http:\/\/127\.0\.0\.1:\d+\/assets\/viewer\/;/,
      );
      expect(policy.startsWith('sandbox;')).toBe(kind === 'picture' || kind === 'text');
      expect(policy).not.toMatch(/script-src|connect-src|'self'(?!$)/);
      expect(await reply.text()).not.toContain('<script type');
    }
  });

  it('is not shown in a page of another site', async () => {
    const { page, context } = await visit(browser);
    await page.goto(at(elsewhere, '/', 'localhost'));
    await expect.poll(() => page.frames().at(-1)?.url()).toMatch(/^chrome-error:/);
    // The browser's own page may have drawings of its own.
    await expect.poll(() => page.frames().at(-1)?.locator('img[crossorigin]').count()).toBe(0);
    // The same frame in a page of our own is there.
    await page.goto(at(server, '/page/picture'));
    await page.frameLocator('iframe').locator('img').waitFor();
    await context.close();
  });

  itInFull('is accessible in every size, light and dark', async () => {
    for (const kind of ['picture', 'audio', 'text']) {
      const { page, context, complaints } = await open(`/unguarded/${kind}`);
      await inspect(page, `viewer-${kind}`);
      expect(complaints).toEqual([]);
      await context.close();
    }
  });
});
