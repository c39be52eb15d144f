import type { ServerResponse } from 'node:http';
import type { ControlEventSource } from './events.ts';

/** Milliseconds between two signs of life, for whatever stands in between and for those who went away silently. */
const HEARTBEAT = 20_000;
/** Bytes that may wait for a slow reader; beyond them it misses what is told in between. */
const MOST_WAITING = 256 * 1024;

/**
 * Sends what the owner's side is told as a stream of events (WHATWG HTML, server-sent events), until the other side goes.
 * Read with `fetch`: the token is in a header, which the browser's own `EventSource` cannot send.
 */
export function streamEvents(source: ControlEventSource, response: ServerResponse): void {
  // Whoever has gone meanwhile would never be said to go.
  if (response.destroyed) return;
  response.writeHead(200, { 'Content-Type': 'text/event-stream; charset=utf-8', 'Cache-Control': 'no-store' });
  response.flushHeaders();
  const write = (text: string) => {
    if (response.writableLength < MOST_WAITING) response.write(text);
  };
  const end = source.subscribe((name, payload) => write(`event: ${name}\ndata: ${JSON.stringify(payload)}\n\n`));
  const heartbeat = setInterval(() => write(':\n\n'), HEARTBEAT).unref();
  response.once('close', () => {
    end();
    clearInterval(heartbeat);
  });
}
