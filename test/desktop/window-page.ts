/// <reference lib="dom" />
import type { Page } from 'playwright-core';
import type { DesktopState, WindowBridge, WindowReply } from '../../dist/server/control/contract/window.js';
import { eventually } from '../support/eventually.ts';

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

/** Serves the folder. @returns the server's addresses */
export async function serveFolder(page: Page, folder: string): Promise<readonly string[]> {
  const reply = await ask(page, 'desktop.useFolder', { folder });
  if ('failure' in reply) throw new Error(reply.failure.error);
  return running(page);
}
