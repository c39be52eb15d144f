/// <reference lib="dom" />
import { join } from 'node:path';
import type { DesktopState, WindowBridge } from '../../dist/server/control/contract/window.js';
import { appOfFolder } from '../support/households/app-of-folder.ts';
import { type SetUp, setUpFolder } from '../support/households/set-up-folder.ts';
import { eventually } from '../support/system/eventually.ts';
import { type Desktop, type LaunchOptions, launchDesktop, newHome } from './launch.ts';
import { serveFolder } from './window-page.ts';

type Page = Awaited<ReturnType<Desktop['window']>>;

/** A user's home for one test, and the applications that are started in it. */
export interface Stage {
  readonly home: string;
  /** Where the household's files may go. */
  readonly folder: string;
  launch(options?: Partial<LaunchOptions>): Promise<Desktop>;
  /** One that serves the folder, with an owner and an app. */
  launchServing(options?: Partial<LaunchOptions>): Promise<{
    readonly desktop: Desktop;
    readonly page: Page;
    readonly addresses: readonly string[];
    readonly client: SetUp;
  }>;
  signIn(addresses: readonly string[], client: SetUp): ReturnType<typeof appOfFolder>;
  close(): Promise<void>;
}

export async function openStage(): Promise<Stage> {
  const { home, remove } = await newHome();
  const folder = join(home, 'larder');
  const desktops: Desktop[] = [];
  async function launch(options: Partial<LaunchOptions> = {}): Promise<Desktop> {
    const desktop = await launchDesktop({ home, ...options });
    desktops.push(desktop);
    return desktop;
  }
  return {
    home,
    folder,
    launch,
    async launchServing(options = {}) {
      const client = await setUpFolder(folder);
      const desktop = await launch(options);
      const page = await desktop.window();
      return { desktop, page, addresses: await serveFolder(desktop, page, folder), client };
    },
    signIn: (addresses, client) => appOfFolder(folder, Number(new URL(addresses[0] ?? '').port), client),
    async close() {
      for (const desktop of desktops) await desktop.kill();
      await remove();
    },
  };
}

type Failed = Extract<DesktopState['server'], { kind: 'failed' }>;

/** Waits for a failure that stays, or has come already. @returns how */
export async function failed(page: Page): Promise<Failed> {
  return (await watchFailures(page))();
}

/**
 * Collects the failures of the server from now on: with a short wait before the next try one is soon over.
 * @returns waits for the first and returns it
 */
export async function watchFailures(page: Page): Promise<() => Promise<Failed>> {
  const found = await page.evaluateHandle(() => {
    const failures: unknown[] = [];
    (window as unknown as { larder: WindowBridge }).larder.subscribe(({ name, payload }) => {
      if (name === 'desktop.state' && payload.server.kind === 'failed') failures.push(payload.server);
    });
    return failures;
  });
  return async () => {
    const first = () => found.evaluate(([failure]) => failure ?? null);
    return (await eventually(first, (failure) => failure !== null)) as Failed;
  };
}

/** From now on no server can be started: each try fails at once, so the state `failed` stays. */
export function preventStarts(desktop: Desktop): Promise<void> {
  return desktop.evaluate(({ utilityProcess }) => {
    const { fork } = utilityProcess;
    Object.assign(globalThis, { fork });
    utilityProcess.fork = () => {
      throw new Error('prevented by the test');
    };
  }, null);
}

export function allowStarts(desktop: Desktop): Promise<void> {
  return desktop.evaluate(({ utilityProcess }) => {
    utilityProcess.fork = (globalThis as unknown as { fork: typeof utilityProcess.fork }).fork;
  }, null);
}
