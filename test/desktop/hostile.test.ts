/// <reference lib="dom" />
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { setUpFolder } from '../support/households/set-up-folder.ts';
import { type Desktop, type Electron, isStandIn, launchDesktop, newHome, type StandIn } from './launch.ts';
import { serveFolder } from './window-page.ts';

/** Where somebody who has got a script into a page would like to go. */
const ELSEWHERE = [
  ...['https://evil.example/', 'http://127.0.0.1:1/', 'file:///etc/passwd', 'data:text/html,<h1>no</h1>'],
  ...['app://other/', 'app://larder.evil.example/', 'javascript:document.title="no"'],
];

let home: Awaited<ReturnType<typeof newHome>>;
let desktop: Desktop;
let page: Page;
/** Of the household's own server. */
let address: string;

beforeAll(async () => {
  home = await newHome();
  const folder = join(home.home, 'larder');
  await setUpFolder(folder);
  desktop = await launchDesktop({ home: home.home });
  page = await desktop.window();
  [address = ''] = await serveFolder(desktop, page, folder);
  await desktop.evaluate(({ shell }) => {
    const opened: string[] = [];
    Object.assign(globalThis, { opened });
    shell.openExternal = async (url) => void opened.push(url);
  }, null);
});
afterAll(async () => {
  await desktop?.kill();
  await home.remove();
});

const opened = () => desktop.evaluate(() => [...(globalThis as unknown as { opened: string[] }).opened], null);
const url = () => desktop.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.webContents.getURL(), null);
const forgetOpened = () =>
  desktop.evaluate(() => void (globalThis as unknown as { opened: string[] }).opened.splice(0), null);

/**
 * Opens what may be opened, and expects that nothing else was: the application answers the requests of a page one after the other, so
 * all earlier ones are decided then.
 */
async function openAllowed(): Promise<void> {
  await page.evaluate((where) => void window.open(where), `${address}/account/`);
  await expect.poll(opened).not.toEqual([]);
  expect(await opened()).toEqual([`${address}/account/`]);
}

const windows = () => desktop.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().length, null);
const log = () => readFile(join(home.home, '.config', 'larder', 'logs', 'desktop.log'), 'utf8').catch(() => '');

describe('the window', () => {
  it('is isolated by Electron', async () => {
    const preferences = await desktop.evaluate(({ BrowserWindow }) => {
      // Electron has it, and its types do not.
      const contents = BrowserWindow.getAllWindows()[0]?.webContents as unknown as { getLastWebPreferences(): object };
      return JSON.parse(JSON.stringify({ ...contents.getLastWebPreferences(), session: null })) as object;
    }, null);
    expect(preferences).toMatchObject({
      contextIsolation: true,
      sandbox: true,
      nodeIntegration: false,
      nodeIntegrationInWorker: false,
      nodeIntegrationInSubFrames: false,
      webSecurity: true,
      allowRunningInsecureContent: false,
      experimentalFeatures: false,
      webviewTag: false,
      navigateOnDragDrop: false,
      spellcheck: false,
    });
    expect(preferences).not.toHaveProperty('enableBlinkFeatures');
  });

  it('exposes only two functions of the application, which cannot be replaced', async () => {
    const found = await page.evaluate(() => {
      const { larder } = window as unknown as { larder: Record<string, unknown> };
      const before = larder.invoke;
      try {
        larder.invoke = () => 'mine';
        larder.more = 1;
        Object.assign(window, { larder: {} });
      } catch {
        // As it should be.
      }
      return {
        names: Object.keys(larder).sort(),
        isSame: (window as unknown as { larder: Record<string, unknown> }).larder.invoke === before,
        globals: ['require', 'process', 'module', 'exports', 'Buffer', 'global', 'electron', 'ipcRenderer'].filter(
          (name) => name in window,
        ),
      };
    });
    expect(found).toEqual({ names: ['invoke', 'subscribe'], isSame: true, globals: [] });
  });
});

describe('a compromised page', () => {
  beforeEach(async () => {
    expect(await url()).toMatch(/^app:\/\/larder\//);
    await forgetOpened();
  });

  it.each(ELSEWHERE)('cannot navigate the window to %s', async (target) => {
    const before = await url();
    await page
      .evaluate((where) => {
        location.href = where;
      }, target)
      .catch(() => undefined);
    await page.evaluate((where) => {
      const link = Object.assign(document.createElement('a'), { href: where, textContent: 'on' });
      document.body.append(link);
      link.click();
      link.remove();
    }, target);
    await page.evaluate((where) => {
      const form = Object.assign(document.createElement('form'), { action: where, method: 'post' });
      document.body.append(form);
      form.submit();
      form.remove();
    }, target);
    await page.evaluate((where) => {
      document.head.insertAdjacentHTML('beforeend', `<meta http-equiv="refresh" content="0;url=${where}">`);
    }, target);
    await openAllowed();
    expect(await url()).toBe(before);
    expect(await page.title()).not.toBe('no');
    await expect(page.evaluate(() => 'larder' in window)).resolves.toBe(true);
  });

  it.each(ELSEWHERE)('cannot open a window for %s', async (target) => {
    await page.evaluate((where) => void window.open(where, '_blank', 'noopener'), target);
    await openAllowed();
    expect(await windows()).toBe(1);
  });

  it("opens only the household's own pages in the user's browser, no lookalikes", async () => {
    const { host, hostname } = new URL(address);
    const look = [`http://${host}/`, `https://${hostname}.evil.example/`, `https://${host}@evil.example/`];
    const others = [
      ...look,
      `https://ann:secret@${host}/`,
      `${address.slice(0, -1)}/`,
      `https://evil.example/?${address}`,
    ];
    for (const target of others) await page.evaluate((where) => void window.open(where), target);
    await openAllowed();
    expect(await windows()).toBe(1);
  });

  it('cannot load anything from any host, including our own server', async () => {
    const results = await page.evaluate(
      async (targets) => {
        const outcomes: string[] = [];
        for (const target of targets) {
          outcomes.push(
            await fetch(target, { mode: 'no-cors' }).then(
              () => `loaded ${target}`,
              () => 'refused',
            ),
          );
          for (const name of ['img', 'iframe', 'script'] as const) {
            const element = document.createElement(name);
            element.src = target;
            const end = new Promise<string>((resolve) => {
              element.onload = () => {
                const frame = (element as HTMLIFrameElement).contentDocument;
                resolve(
                  name === 'iframe' && frame?.body?.childElementCount === 0 ? 'refused' : `loaded ${name} ${target}`,
                );
              };
              element.onerror = () => resolve('refused');
              // A frame that was refused has no error; the policy of the page says so.
              document.addEventListener('securitypolicyviolation', () => resolve('refused'), { once: true });
            });
            document.body.append(element);
            outcomes.push(await end);
            element.remove();
          }
        }
        return [...new Set(outcomes)];
      },
      [`${address}/healthz`, 'https://evil.example/x', 'http://127.0.0.1:1/x'],
    );
    expect(results.filter((one) => !/iframe/.test(one))).toEqual(['refused']);
    expect(page.frames()).toHaveLength(1);
    if (!isStandIn) return;
    expect(await desktop.evaluate((electron) => [...(electron as unknown as StandIn).escaped], null)).toEqual([]);
    // Nor would it without the policy of the page.
    const wouldLoad = await desktop.evaluate(
      async (electron, targets) => {
        const own = (electron as unknown as StandIn).session.fromPartition('larder');
        return Promise.all(targets.map((target) => own.mayLoad(target)));
      },
      [
        `${address}/healthz`,
        'https://evil.example/x',
        'file:///etc/passwd',
        'app://larder/',
        'app://larder.evil.example/',
      ],
    );
    expect(wouldLoad).toEqual([false, false, false, true, false]);
  });

  it('executes no injected script', async () => {
    const ran = await page.evaluate(async () => {
      document.body.insertAdjacentHTML('beforeend', '<img src="/nothing" onerror="window.ran = 1">');
      const image = document.body.lastElementChild as HTMLImageElement;
      const script = document.createElement('script');
      script.textContent = 'window.ran = 2';
      document.body.append(script);
      // Comes after the handler in the element would have run. A script runs when it is appended.
      await new Promise((resolve) => image.addEventListener('error', resolve));
      return 'ran' in window;
    });
    expect(ran).toBe(false);
  });

  it('gets no permissions', async () => {
    const states = await page.evaluate(async () => {
      const ask = async (name: string) =>
        (await navigator.permissions.query({ name: name as PermissionName }).catch(() => ({ state: 'denied' }))).state;
      return Promise.all(['geolocation', 'notifications', 'camera', 'microphone', 'clipboard-read'].map(ask));
    });
    expect(states).not.toContain('granted');
    const answers = await desktop.evaluate(async ({ BrowserWindow, session }) => {
      const contents = BrowserWindow.getAllWindows()[0]?.webContents;
      const own = session.fromPartition('larder') as unknown as {
        permissionRequest?: (contents: unknown, permission: string, answer: (yes: boolean) => void) => void;
        permissionCheck?: (contents: unknown, permission: string) => boolean;
      };
      if (own.permissionRequest === undefined) return [];
      const all = ['media', 'geolocation', 'openExternal', 'fullscreen', 'hid', 'usb', 'clipboard-sanitized-write'];
      return all.map((permission) => {
        let given = true;
        own.permissionRequest?.(contents, permission, (yes) => (given = yes));
        return given || own.permissionCheck?.(contents, permission);
      });
    }, null);
    expect(answers.filter((one) => one !== false)).toEqual([]);
  });

  it('can load only the pages from their address', async () => {
    const read = (path: string, method = 'GET') =>
      page.evaluate(
        ([where, how]) =>
          fetch(where as string, { method: how as string }).then(
            async (reply) => [reply.status, (await reply.text()).slice(0, 200)],
            () => [0, ''],
          ),
        [path, method],
      );
    for (const path of [
      ...[
        '/../package.json',
        '/%2e%2e/package.json',
        '/..%2fpackage.json',
        '/..%5cpackage.json',
        '/assets/../../main/main.js',
      ],
      ...['/main.js', '/index.html/x.js', '//etc/passwd', '/%00.js', '/desktop.json', '/C:/x.js'],
    ]) {
      const [status, text] = await read(path);
      expect([path, status === 200 && !/<div id="root">/.test(String(text))]).toEqual([path, false]);
      expect(String(text)).not.toMatch(/"name": "larder"|root:/);
    }
    expect((await read('/', 'POST'))[0]).toBe(405);
  });
});

describe('the channel to the application', () => {
  const ask = (method: unknown, input: unknown = {}) =>
    page.evaluate(
      ([name, given]) =>
        (window as unknown as { larder: { invoke(method: unknown, input: unknown): Promise<unknown> } }).larder.invoke(
          name,
          given,
        ),
      [method, input] as const,
    );

  it.each([
    ...[
      '__proto__',
      'constructor',
      'toString',
      'hasOwnProperty',
      'desktop.__proto__',
      'desktop.',
      'desktop.nothing',
      '',
    ],
    'status/../x',
  ])('refuses the unknown method %j', async (method) => {
    expect(await ask(method)).toMatchObject({ failure: { code: 'unknown_method' } });
  });

  it.each<[what: string, method: unknown, input: unknown]>([
    ['more than a method asks for', 'status', { more: 1 }],
    ['less', 'desktop.copy', {}],
    ['text that is too long', 'desktop.copy', { text: 'x'.repeat(10_001) }],
    ['number for a text', 'desktop.copy', { text: 7 }],
    ['empty path', 'desktop.useFolder', { folder: '' }],
    ['port that there is not', 'desktop.set', { port: 70_000 }],
    ['word for yes', 'desktop.set', { startsAtLogin: 'yes' }],
    ['input where there is none', 'desktop.quit', { now: true }],
    ['endless name', 'x'.repeat(101), {}],
    ['object for a name', { toString: 'status' }, {}],
    ['nothing for a name', null, {}],
  ])('refuses %s', async (_what, method, input) => {
    expect(await ask(method, input)).toMatchObject({
      failure: { code: expect.stringMatching(/^(invalid_input|unknown_method)$/) },
    });
    expect(await ask('desktop.state')).toMatchObject({ output: { server: { kind: 'running' } } });
  });

  it('does not answer other pages or frames within ours, and logs who asked', async () => {
    const replies = await desktop.evaluate(async ({ BrowserWindow, ipcMain }: Electron) => {
      const contents = BrowserWindow.getAllWindows()[0]?.webContents;
      const standIn = ipcMain as unknown as {
        invoked?(channel: string, from: unknown, args: unknown[]): Promise<unknown>;
      };
      if (contents === undefined || standIn.invoked === undefined) return null;
      const request = [{ method: 'status', input: {} }];
      const from = (sender: unknown, senderFrame: unknown) =>
        standIn.invoked?.('larder:invoke', { sender, senderFrame }, request);
      return Promise.all([
        from(contents, { url: 'https://evil.example/', parent: null }),
        from(contents, { url: 'app://larder.evil.example/', parent: null }),
        from(contents, { url: 'app://larder/', parent: contents.mainFrame }),
        from(contents, null),
        from({ mainFrame: contents.mainFrame }, contents.mainFrame),
      ]);
    }, null);
    if (!isStandIn) return;
    expect(replies).toHaveLength(5);
    for (const reply of replies ?? [])
      expect(reply).toEqual({ failure: { error: expect.any(String), code: 'not_allowed' } });
    expect(await log()).toContain('refused: a call from https://evil.example/');
  });
});
