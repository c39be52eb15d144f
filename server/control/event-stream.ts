import type { ServerResponse } from 'node:http';
import type { ControlEventSource } from './events.ts';

/** Milliseconds between two keep-alive messages, for proxies in between and to detect dead connections. */
const HEARTBEAT = 20_000;
/** Bytes that may be queued for a slow reader; beyond that it misses events. */
const MAX_WAITING = 256 * 1024;

/**
 * Sends the control events as server-sent events (WHATWG HTML), until the client disconnects. Read with `fetch`: the token is in
 * a header, which the browser's own `EventSource` cannot send.
 */
export function streamEvents(source: ControlEventSource, response: ServerResponse): void {
  // A connection that has closed already emits no further close event.
  if (response.destroyed) return;
  response.writeHead(200, { 'Content-Type': 'text/event-stream; charset=utf-8', 'Cache-Control': 'no-store' });
  response.flushHeaders();
  const write = (text: string) => {
    if (response.writableLength < MAX_WAITING) response.write(text);
  };
  const end = source.subscribe((name, payload) => write(`event: ${name}\ndata: ${JSON.stringify(payload)}\n\n`));
  const heartbeat = setInterval(() => write(':\n\n'), HEARTBEAT).unref();
  response.once('close', () => {
    end();
    clearInterval(heartbeat);
  });
}
