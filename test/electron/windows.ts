import { EventEmitter } from 'node:events';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Browser, BrowserContext, Dialog, Frame, Page, Request as PageRequest, Route } from 'playwright-core';
import { app, Preventable } from './app.ts';
import { type Frame as IpcFrame, ipcMain } from './ipc.ts';
import { preloadScript } from './preload.ts';
import { type Session, session } from './session.ts';

// `BrowserWindow` and its contents: a page of a real Chromium for each window, with the real preload script. What it asks for
// is answered by the session's own handlers, as Electron does; nothing ever reaches a network.

/** Chromium knows no schemes of ours: `app://larder/` is this host to it. */
const HOST = '.stand-in';
const PERMISSIONS = [
  'geolocation',
  'notifications',
  'camera',
  'microphone',
  'clipboard-read',
  'clipboard-write',
  'midi',
];

const toReal = (url: string): string => url.replace(/^app:\/\/([\w-]+)/, `https://$1${HOST}`);
const toApp = (url: string): string => url.replace(/^(blob:)?https:\/\/([\w-]+)\.stand-in/, '$1app://$2');

let browser: Promise<Browser> | null = null;

/** What a page would have loaded from elsewhere, had it been let. */
export const escaped: string[] = [];

function launch(): Promise<Browser> {
  const { STAND_IN_BROWSER = '', STAND_IN_PORT = '0', STAND_IN_ARGS = '[]' } = process.env;
  // Loading it takes longer than everything else before a window opens, and not every program opens one.
  const { chromium } = createRequire(import.meta.url)('playwright-core') as typeof import('playwright-core');
  const start = () =>
    chromium.launch({
      executablePath: STAND_IN_BROWSER,
      args: [...(JSON.parse(STAND_IN_ARGS) as string[]), `--remote-debugging-port=${STAND_IN_PORT}`],
      handleSIGINT: false,
      handleSIGTERM: false,
      handleSIGHUP: false,
    });
  // With a port and a pipe, about one start in a hundred ends with SIGSEGV, before there is anything to test.
  browser ??= start().catch(start);
  // No window would ever come, and a test would wait for one.
  browser.catch((error: unknown) => {
    process.stderr.write(`The browser behind the windows did not start: ${String(error)}\n`);
    process.exit(1);
  });
  return browser;
}

interface WebPreferences {
  readonly preload?: string;
  readonly session?: Session;
  readonly [name: string]: unknown;
}

interface Options {
  readonly webPreferences?: WebPreferences;
  readonly show?: boolean;
  readonly width?: number;
  readonly height?: number;
  readonly title?: string;
}

/** A window that a page has just opened has no frame yet. */
function frameOf(request: PageRequest): Frame | 'popup' {
  try {
    return request.frame();
  } catch {
    return 'popup';
  }
}

class WebContents extends EventEmitter {
  readonly #preferences: WebPreferences;
  readonly #page: Promise<Page>;
  readonly mainFrame: IpcFrame;
  #windowOpen: (details: { url: string }) => { action: string } = () => ({ action: 'allow' });
  #url = '';
  /** Loads that the application itself has asked for. */
  #expected = 0;
  #isDestroyed = false;
  /** Until the page knows whether it may stay. */
  #leaving: Promise<void> = Promise.resolve();

  constructor(options: Options, closed: () => void) {
    super();
    this.#preferences = options.webPreferences ?? {};
    const contents = this;
    this.mainFrame = {
      parent: null,
      get url() {
        return contents.#url;
      },
    };
    this.#page = this.#open(options, closed);
  }

  async #open({ width = 800, height = 600 }: Options, closed: () => void): Promise<Page> {
    const context = await (await launch()).newContext({ viewport: { width, height } });
    await this.#setPermissions(context);
    const page = await context.newPage();
    // Whatever became of it: there are no windows but ours.
    context.on('page', (popup) => void popup.close().catch(() => undefined));
    await this.#hearWindows(context, page);
    await context.route('**/*', (route) => this.#answer(route, page));
    await page.exposeBinding('__standIn', (source, ...args) => this.#hear(source.frame, args as [string, string]));
    const { preload } = this.#preferences;
    if (preload !== undefined) await page.addInitScript(preloadScript(readFileSync(preload, 'utf8')));
    page.on('framenavigated', (frame) => {
      if (frame === page.mainFrame()) this.#url = toApp(frame.url());
    });
    page.on('domcontentloaded', () => this.emit('dom-ready'));
    page.on('dialog', (dialog) => this.#onDialog(dialog));
    page.on('crash', () => this.emit('render-process-gone', {}, { reason: 'crashed' }));
    page.on('close', () => {
      this.#isDestroyed = true;
      closed();
      void context.close();
    });
    return page;
  }

  /** A page that wants to stay is asked nothing in Electron, and stays unless the application lets it go. */
  #onDialog(dialog: Dialog): void {
    if (dialog.type() !== 'beforeunload') {
      void dialog.dismiss();
      return;
    }
    const event = new Preventable();
    this.emit('will-prevent-unload', event);
    const stay = async () => {
      await dialog.dismiss();
      // Chromium swallows what it is told to load until the page, too, has heard that it stays.
      await dialog.page()?.evaluate('new Promise((done) => setTimeout(done, 100))');
    };
    this.#leaving = (event.defaultPrevented ? dialog.accept() : stay()).catch(() => undefined);
    if (!event.defaultPrevented) app.quitCancelled();
  }

  /** Chromium says so itself: what the new window then asks for is now and then let through before anybody can look at it. */
  async #hearWindows(context: BrowserContext, page: Page): Promise<void> {
    const devtools = await context.newCDPSession(page);
    await devtools.send('Page.enable');
    devtools.on('Page.windowOpen', ({ url: real }) => {
      const url = toApp(real);
      if (this.#windowOpen({ url }).action !== 'deny') escaped.push(url);
    });
  }

  async #setPermissions(context: BrowserContext): Promise<void> {
    const { session: own = session.defaultSession } = this.#preferences;
    await context.grantPermissions(PERMISSIONS.filter((permission) => own.allows(permission)));
  }

  async #answer(route: Route, page: Page): Promise<void> {
    const request = route.request();
    const url = toApp(request.url());
    const { session: own = session.defaultSession } = this.#preferences;
    const frame = request.isNavigationRequest() ? frameOf(request) : null;
    if (frame === 'popup' || (frame !== null && frame.page() !== page)) {
      return route.abort();
    }
    if (frame !== null && this.#expected === 0) {
      const event = Object.assign(new Preventable(), { url, isMainFrame: frame === page.mainFrame() });
      this.emit('will-frame-navigate', event);
      if (event.defaultPrevented) return route.abort('aborted');
    }
    if (!(await own.mayLoad(url))) return route.abort('blockedbyclient');
    const handler = own.handlers.get(new URL(url).protocol.slice(0, -1));
    if (handler === undefined) {
      escaped.push(url);
      return route.abort();
    }
    const reply = await handler(new Request(url, { method: request.method() }));
    await route.fulfill({
      status: reply.status,
      headers: Object.fromEntries(reply.headers),
      body: Buffer.from(await reply.arrayBuffer()),
    });
  }

  async #hear(frame: Frame, [kind, text]: [string, string]): Promise<string> {
    const { channel, args } = JSON.parse(text) as { channel: string; args: unknown[] };
    const senderFrame =
      frame === frame.page().mainFrame() ? this.mainFrame : { url: toApp(frame.url()), parent: this.mainFrame };
    const from = { sender: this, senderFrame };
    if (kind === 'send') ipcMain.emit(channel, from, ...args);
    else return JSON.stringify((await ipcMain.invoked(channel, from, args)) ?? null);
    return 'null';
  }

  async loadURL(url: string): Promise<void> {
    const page = await this.#page;
    this.#expected += 1;
    try {
      await page.goto(toReal(url));
    } finally {
      this.#expected -= 1;
    }
  }

  reload(): void {
    this.#expected += 1;
    void this.#page
      .then(async (page) => {
        await this.#leaving;
        await page.reload();
      })
      .catch(() => undefined)
      .finally(() => {
        this.#expected -= 1;
      });
  }

  send(channel: string, ...args: unknown[]): void {
    const text = JSON.stringify({ channel, args });
    void this.#page
      .then((page) => page.evaluate((told) => Reflect.get(globalThis, '__standInHear')?.(told), text))
      .catch(() => undefined);
  }

  setWindowOpenHandler(handler: (details: { url: string }) => { action: string }): void {
    this.#windowOpen = handler;
  }

  getURL = (): string => this.#url;
  isCrashed = (): boolean => false;
  isDestroyed = (): boolean => this.#isDestroyed;
  getLastWebPreferences = (): WebPreferences => this.#preferences;

  /** @param isForced without a word to the page */
  async close(isForced = false): Promise<void> {
    const page = await this.#page;
    await page.close({ runBeforeUnload: !isForced }).catch(() => undefined);
  }
}

export class BrowserWindow extends EventEmitter {
  static readonly #all = new Set<BrowserWindow>();
  readonly webContents: WebContents;
  #isVisible: boolean;
  #isMinimized = false;

  static getAllWindows = (): BrowserWindow[] => [...BrowserWindow.#all];

  constructor(options: Options = {}) {
    super();
    if (!app.isReady()) throw new Error('Cannot create BrowserWindow before app is ready');
    this.#isVisible = options.show ?? true;
    this.webContents = new WebContents(options, () => {
      BrowserWindow.#all.delete(this);
      this.emit('closed');
      app.windowClosed(this);
    });
    BrowserWindow.#all.add(this);
    app.windows.add(this);
    app.emit('web-contents-created', {}, this.webContents);
  }

  async loadURL(url: string): Promise<void> {
    await this.webContents.loadURL(url);
    this.emit('ready-to-show');
  }

  show(): void {
    this.#isVisible = true;
  }
  focus(): void {}
  minimize(): void {
    this.#isMinimized = true;
  }
  restore(): void {
    this.#isMinimized = false;
  }
  isVisible = (): boolean => this.#isVisible && !this.#isMinimized;
  isMinimized = (): boolean => this.#isMinimized;

  close(): void {
    const event = new Preventable();
    this.emit('close', event);
    if (event.defaultPrevented) app.quitCancelled();
    else void this.webContents.close();
  }

  destroy(): void {
    void this.webContents.close(true);
  }
  isDestroyed = (): boolean => this.webContents.isDestroyed();
}
