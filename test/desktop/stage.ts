import { join } from 'node:path';
import { expect } from 'vitest';
import { appOfFolder } from '../support/households/app-of-folder.ts';
import { type SetUp, setUpFolder } from '../support/households/set-up-folder.ts';
import { type Desktop, type LaunchOptions, launchDesktop, newHome } from './launch.ts';
import { serveFolder, stateOf } from './window-page.ts';

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

/** Waits until the server has failed. @returns how */
export async function failed(page: Page) {
  await expect.poll(async () => (await stateOf(page)).server.kind).toBe('failed');
  const { server } = await stateOf(page);
  if (server.kind !== 'failed') throw new Error('it has changed meanwhile');
  return server;
}
