import { EventEmitter } from 'node:events';

// `ipcMain`: what a preload script says is heard here.

export interface Frame {
  readonly url: string;
  /** Null of the frame that is the page. */
  readonly parent: Frame | null;
}

interface From {
  readonly sender: unknown;
  readonly senderFrame: Frame;
}

type Listener = (event: From, ...args: unknown[]) => unknown;

class IpcMain extends EventEmitter {
  readonly #handlers = new Map<string, Listener>();

  handle(channel: string, listener: Listener): void {
    if (this.#handlers.has(channel)) throw new Error(`Attempted to register a second handler for '${channel}'`);
    this.#handlers.set(channel, listener);
  }

  async invoked(channel: string, from: From, args: readonly unknown[]): Promise<unknown> {
    const handler = this.#handlers.get(channel);
    if (handler === undefined) throw new Error(`No handler registered for '${channel}'`);
    return handler(from, ...args);
  }
}

export const ipcMain = new IpcMain();
