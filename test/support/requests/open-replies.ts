import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { IncomingMessage, ServerResponse } from 'node:http';

export interface OpenReplies {
  /** Resolves when no reply is under way, and the server has seen their ends. */
  over(): Promise<void>;
  stop(): void;
}

/** Follows the replies of all HTTP servers of this process: that a client has everything says nothing about the server's side. */
export function followReplies(): OpenReplies {
  const open = new Set<ServerResponse>();
  const waiting = new Set<() => void>();
  const begin = (message: unknown) => {
    const { response } = message as { request: IncomingMessage; response: ServerResponse };
    open.add(response);
    response.once('close', () => {
      open.delete(response);
      if (open.size > 0) return;
      for (const resolve of waiting) resolve();
      waiting.clear();
    });
  };
  subscribe('http.server.request.start', begin);
  return {
    async over() {
      if (open.size > 0) await new Promise<void>((resolve) => waiting.add(resolve));
      // Those who wait for the same event go on before the next turn of the event loop.
      await new Promise((resolve) => setImmediate(resolve));
    },
    stop: () => void unsubscribe('http.server.request.start', begin),
  };
}
