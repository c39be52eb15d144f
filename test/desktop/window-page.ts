/// <reference lib="dom" />
import type { Page } from 'playwright-core';
import type { DesktopState, WindowBridge, WindowReply } from '../../dist/server/control/contract/window.js';
import { eventually } from '../support/system/eventually.ts';
import type { Desktop } from './launch.ts';

type Bridged = Window & { readonly larder: WindowBridge };

/** As the page itself asks. */
export function ask(page: Page, method: string, input: unknown = {}): Promise<WindowReply> {
  return page.evaluate(([name, given]) => (window as unknown as Bridged).larder.invoke(name, given), [
    method,
    input,
  ] as const);
}

export async function stateOf(page: Page): Promise<DesktopState> {
  const reply = await ask(page, 'desktop.state');
  if ('failure' in reply) throw new Error(reply.failure.error);
  return reply.output as DesktopState;
}

/** Waits for the server to run. @returns its addresses */
export async function running(page: Page): Promise<readonly string[]> {
  const { server } = await eventually(
    () => stateOf(page),
    (state) => state.server.kind === 'running',
  );
  if (server.kind !== 'running') throw new Error(`the server does not run: ${JSON.stringify(server)}`);
  return server.addresses;
}

/** What the system's dialog for folders answers from now on; null for one that is cancelled. */
export function answerDialog(desktop: Desktop, path: string | null): Promise<void> {
  return desktop.evaluate(({ dialog }, chosen) => {
    dialog.showOpenDialog = async () => ({ canceled: chosen === null, filePaths: chosen === null ? [] : [chosen] });
  }, path);
}

/** What the system's dialogs with buttons answer from now on: one of the buttons, or that nobody has pressed one yet. */
export function answerQuestion(desktop: Desktop, button: string | null): Promise<void> {
  return desktop.evaluate(({ dialog }, pressed) => {
    const asked = (globalThis as { asked?: unknown[] }).asked ?? [];
    Object.assign(globalThis, { asked });
    dialog.showMessageBox = (...args: unknown[]) => {
      const { message, detail, buttons = [], defaultId, cancelId } = args.at(-1) as Electron.MessageBoxOptions;
      asked.push({ message, detail, buttons, defaultId, cancelId });
      if (pressed === null) return new Promise(() => undefined);
      return Promise.resolve({ response: buttons.indexOf(pressed), checkboxChecked: false });
    };
  }, button);
}

/** What was asked since the last time. */
export function questions(desktop: Desktop): Promise<Electron.MessageBoxOptions[]> {
  return desktop.evaluate(() => ((globalThis as { asked?: Electron.MessageBoxOptions[] }).asked ?? []).splice(0), null);
}

/** Chooses the folder in the dialog, and asks for it to be served. */
export async function askToServe(desktop: Desktop, page: Page, folder: string): Promise<WindowReply> {
  await answerDialog(desktop, folder);
  await ask(page, 'desktop.chooseFolder');
  return ask(page, 'desktop.useFolder', { folder });
}

/** Serves the folder. @returns the server's addresses */
export async function serveFolder(desktop: Desktop, page: Page, folder: string): Promise<readonly string[]> {
  const reply = await askToServe(desktop, page, folder);
  if ('failure' in reply) throw new Error(reply.failure.error);
  return running(page);
}

/** What the system's dialog for saving answers from now on: a path, or that it was cancelled. */
export function answerSaveDialog(desktop: Desktop, path: string | null): Promise<void> {
  return desktop.evaluate(({ dialog }, chosen) => {
    dialog.showSaveDialog = async (...args: unknown[]) => {
      const options = args.at(-1) as { defaultPath?: string };
      Object.assign(globalThis, { offeredPath: options.defaultPath });
      return { canceled: chosen === null, filePath: chosen ?? '' };
    };
  }, path);
}
