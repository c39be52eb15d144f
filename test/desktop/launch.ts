import { type ChildProcess, type ChildProcessWithoutNullStreams, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { _electron, type Browser, chromium, type ElectronApplication, type Page } from 'playwright-core';
import { BROWSER_ARGS, findBrowser } from '../support/browser/browser.ts';
import { eventually } from '../support/system/eventually.ts';
import { electronProgram } from './electron-program.ts';
import { freePort } from './ports.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const MAIN = join(ROOT, 'dist/main/main.js');
const STAND_IN = join(ROOT, 'dist/test-electron/run.js');

export type Electron = typeof import('electron');

/** What can be asked of what stands in for Electron, and not of itself. */
export type StandIn = typeof import('../../dist/test-electron/index.js');

/** The desktop application as it runs, whatever it runs on. */
export interface Desktop {
  /** Runs the function in the application's main process; it has nothing but its arguments. */
  evaluate<Result, Argument>(
    run: (electron: Electron, argument: Argument) => Result | Promise<Result>,
    argument: Argument,
  ): Promise<Result>;
  /** The page of its window, when there is one. */
  window(): Promise<Page>;
  /** Milliseconds are not counted: resolves with the exit code when it has ended. */
  readonly exited: Promise<number | null>;
  readonly process: ChildProcess;
  /** At once, if it still runs. */
  kill(): Promise<void>;
}

export interface LaunchOptions {
  /** The user's own folder; see `newHome`. */
  readonly home: string;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Whether its processes get signals as a group of their own. */
  readonly isGroup?: boolean;
}

export const isStandIn = electronProgram() === null;

/** A user's folder that is empty, and gone afterwards. */
export async function newHome(): Promise<{ home: string; remove(): Promise<void> }> {
  const home = await mkdtemp(join(tmpdir(), 'larder-home-'));
  for (const folder of ['Documents', 'tmp']) await mkdir(join(home, folder));
  // A browser that was killed may still be writing.
  return { home, remove: () => rm(home, { recursive: true, force: true, maxRetries: 10 }) };
}

export async function launchDesktop(options: LaunchOptions): Promise<Desktop> {
  const program = electronProgram();
  return program === null ? launchStandIn(options) : launchElectron(program, options);
}

function environment({ home, env }: LaunchOptions): Record<string, string> {
  const { PATH = '', DISPLAY, XAUTHORITY } = process.env;
  const given = Object.entries({ PATH, DISPLAY, XAUTHORITY }).filter(([, value]) => value !== undefined);
  return {
    ...(Object.fromEntries(given) as Record<string, string>),
    HOME: home,
    TMPDIR: join(home, 'tmp'),
    XDG_CONFIG_HOME: join(home, '.config'),
    ...{ LARDER_PORT: '0', LARDER_HTTP_PORT: '0', LARDER_CONTROL_PORT: '0', LARDER_HOST: '127.0.0.1' },
    ...env,
  };
}

/** The application's own command line, `Larder --cli …`, as a shell starts it. */
export function spawnCommandLine(args: readonly string[], options: LaunchOptions): ChildProcessWithoutNullStreams {
  const program = electronProgram();
  const own = program === null ? [STAND_IN, MAIN] : ['--no-sandbox', MAIN];
  return spawn(program ?? process.execPath, [...own, '--cli', ...args], {
    env: environment(options),
    stdio: 'pipe',
    detached: options.isGroup ?? false,
  });
}

async function launchElectron(program: string, options: LaunchOptions): Promise<Desktop> {
  const application: ElectronApplication = await _electron.launch({
    executablePath: program,
    args: ['--no-sandbox', MAIN, ...(options.args ?? [])],
    env: environment(options),
  });
  const child = application.process();
  const exited = once(child, 'exit').then(([code]) => code as number | null);
  return {
    evaluate: (run, argument) => application.evaluate(run as never, argument) as never,
    async window() {
      const windows = await eventually(
        () => application.windows(),
        ({ length }) => length > 0,
      );
      return windows.at(-1) as Page;
    },
    exited,
    process: child,
    async kill() {
      child.kill('SIGKILL');
      await exited;
    },
  };
}

async function launchStandIn(options: LaunchOptions): Promise<Desktop> {
  const { executablePath, libraries } = await findBrowser();
  const port = await freePort();
  const child = fork(STAND_IN, [MAIN, ...(options.args ?? [])], {
    env: {
      ...environment(options),
      STAND_IN_BROWSER: executablePath,
      STAND_IN_PORT: String(port),
      STAND_IN_ARGS: JSON.stringify(BROWSER_ARGS),
      ...(libraries === undefined ? {} : { LD_LIBRARY_PATH: [libraries].join(delimiter) }),
    },
    cwd: dirname(MAIN),
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const exited = once(child, 'exit').then(([code]) => code as number | null);
  const waiting = new Map<number, { resolve(value: unknown): void; reject(error: Error): void }>();
  let next = 0;
  child.on('message', ({ id, value, error }: { id: number; value?: unknown; error?: string }) => {
    const call = waiting.get(id);
    waiting.delete(id);
    if (error === undefined) call?.resolve(value);
    else call?.reject(new Error(error));
  });
  void exited.then(() => {
    for (const { reject } of waiting.values()) reject(new Error('the application has ended'));
    viewer?.then((browser) => browser.close()).catch(() => undefined);
  });
  let viewer: Promise<Browser> | null = null;
  const seen = new WeakSet<Page>();

  const evaluate = (run: unknown, argument: unknown) =>
    new Promise((resolve, reject) => {
      const id = next++;
      waiting.set(id, { resolve, reject });
      child.send({ id, source: String(run), argument }, (error) => error && reject(error));
    });

  return {
    evaluate: evaluate as Desktop['evaluate'],
    async window() {
      const shown = ({ BrowserWindow }: Electron) => BrowserWindow.getAllWindows()[0]?.webContents.getURL() ?? '';
      await eventually(
        () => evaluate(shown, null) as Promise<string>,
        (url) => url.startsWith('app:'),
      );
      // The window may exist before the browser behind it listens.
      viewer ??= eventually(
        // What it stores goes with the home: a browser that is killed removes nothing.
        () =>
          chromium
            .connectOverCDP(`http://127.0.0.1:${port}`, { artifactsDir: join(options.home, 'tmp') })
            .catch(() => null),
        (browser) => browser !== null,
      ) as Promise<Browser>;
      const browser = await viewer;
      if (browser === null) throw new Error('the browser behind the window does not listen');
      const pages = () =>
        browser
          .contexts()
          .flatMap((context) => context.pages())
          .filter((page) => page.url() !== 'about:blank');
      const shownPages = await eventually(pages, ({ length }) => length > 0);
      const page = shownPages.at(-1) as Page;
      // Whether the page may be left is up to the application: who only looks on would let it go.
      if (!seen.has(page)) page.on('dialog', () => undefined);
      seen.add(page);
      return page;
    },
    exited,
    process: child,
    async kill() {
      child.kill('SIGKILL');
      await exited;
    },
  };
}
